/** Machines that were taken away before a hook reported a job: the forge may know of one. */
import { livesTaken } from '../wire/interrupted-jobs.ts'
import type { RunnerFacts, UnreportedJob } from '../wire/runner.ts'
import type { SlotRecord } from '../wire/slot.ts'

export function unreportedJobs(runner: RunnerFacts, slots: readonly SlotRecord[]): readonly UnreportedJob[] {
  const { registration, reusable } = runner.machine
  const own = registration || reusable ? unreportedLives(runner, slots) : unreportedNames(runner, slots)
  return [...(runner.earlier?.unreported ?? []), ...own]
}

/** If each name has one job: names that were used on machines which were taken away, and whose job, if any, no hook has reported. */
function unreportedNames(runner: RunnerFacts, slots: readonly SlotRecord[]): readonly UnreportedJob[] {
  const known = new Set(slots.flatMap(({ jobs = [] }) => jobs).map(({ facts }) => facts['runner']))
  const lives = new Map(slots.map((slot) => [slot.index, { away: livesTaken([slot]), used: usedUp(slot, runner) }]))
  return runner.enrolled.flatMap((enrolled) => {
    const { away = [], used = 0 } = lives.get(enrolled.slot) ?? {}
    return away.length > 0 && enrolled.k < used && !known.has(enrolled.name) ? [{ enrolled, away, as: enrolled.name }] : []
  })
}

/** The last one belongs to the present machine: if it has hooks, it will report its jobs itself. */
function usedUp({ claimed = 0, state }: SlotRecord, { machine }: RunnerFacts): number {
  return machine.hooks && (state === 'booting' || state === 'running') ? claimed - 1 : claimed
}

/**
 * If several machines have one name, one after the other, and many jobs each: machines that have cut off no job, as far as the hooks have
 * reported.
 */
function unreportedLives({ enrolled }: RunnerFacts, slots: readonly SlotRecord[]): readonly UnreportedJob[] {
  return slots.flatMap((slot) => {
    const own = enrolled.find((one) => one.slot === slot.index)
    const reported = new Set((slot.jobs ?? []).flatMap((job) => (job.interrupted || job.end === undefined ? [job.epoch] : [])))
    const lives = slot.attempts.filter(({ epoch }) => !reported.has(epoch))
    return own
      ? lives.flatMap((life) =>
          livesTaken([{ ...slot, attempts: [life] }]).map((one) => ({ enrolled: own, away: [one], as: `${own.name} ${life.epoch}` })),
        )
      : []
  })
}
