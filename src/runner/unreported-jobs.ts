/** Machines that were taken away before a hook could report a job: only the forge may know whether they had one. */
import { livesTaken } from '../wire/interrupted-jobs.ts'
import type { RunnerFacts, UnreportedJob } from '../wire/runner.ts'
import type { SlotRecord } from '../wire/slot.ts'

export function unreportedJobs(runner: RunnerFacts, slots: readonly SlotRecord[]): readonly UnreportedJob[] {
  const { registration, reusable } = runner.machine
  const own = registration || reusable ? unreportedLives(runner, slots) : unreportedNames(runner, slots)
  return [...(runner.earlier?.unreported ?? []), ...own]
}

/** If each runner's name is for one job: names that were used on machines which were taken away, and that no hook has reported. */
function unreportedNames(runner: RunnerFacts, slots: readonly SlotRecord[]): readonly UnreportedJob[] {
  const known = new Set(slots.flatMap(({ jobs = [] }) => jobs).map(({ facts }) => facts['runner']))
  const lives = new Map(slots.map((slot) => [slot.index, { away: livesTaken([slot]), used: usedUp(slot, runner) }]))
  return runner.enrolled.flatMap((enrolled) => {
    const { away = [], used = 0 } = lives.get(enrolled.slot) ?? {}
    return away.length > 0 && enrolled.k < used && !known.has(enrolled.name) ? [{ enrolled, away, as: enrolled.name }] : []
  })
}

/** How many of a slot's names were used. Not the one of the present machine, if its hooks will report its job. */
function usedUp({ claimed = 0, state }: SlotRecord, { machine }: RunnerFacts): number {
  return machine.hooks && (state === 'booting' || state === 'running') ? claimed - 1 : claimed
}

/**
 * If a slot's machines share one name, and have many jobs each: machines that were taken away, and of which no hook has reported a job that
 * was cut off.
 */
function unreportedLives({ enrolled }: RunnerFacts, slots: readonly SlotRecord[]): readonly UnreportedJob[] {
  return slots.flatMap((slot) => {
    const own = enrolled.find((one) => one.slot === slot.index)
    if (!own) return []
    const reported = new Set((slot.jobs ?? []).flatMap((job) => (job.interrupted || job.end === undefined ? [job.epoch] : [])))
    const lives = slot.attempts.filter(({ epoch }) => !reported.has(epoch))
    return lives.flatMap((life) =>
      livesTaken([{ attempts: [life] }]).map((one) => ({ enrolled: own, away: [one], as: `${own.name} ${life.epoch}` })),
    )
  })
}
