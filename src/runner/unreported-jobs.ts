/** Machines that were taken away before a hook reported a job: the forge may know of one. */
import { livesTaken } from '../wire/interrupted-jobs.ts'
import type { EnrolledRunner, RunnerWork } from '../wire/runner.ts'
import type { SlotRecord } from '../wire/slot.ts'

export interface UnreportedJob {
  readonly enrolled: EnrolledRunner
  /** When it may have had a job, ISO. */
  readonly away: readonly { readonly from: string; readonly to: string }[]
  /** The text that the ledger remembers it by. */
  readonly as: string
}

export function unreportedJobs(runner: RunnerWork, slots: readonly SlotRecord[]): readonly UnreportedJob[] {
  const { registration, reusable } = runner.machine
  return registration || reusable ? unreportedLives(runner, slots) : unreportedNames(runner, slots)
}

/** Each name has one job: those that were used on machines which were taken away, and whose job, if there was one, no hook has reported. */
function unreportedNames(runner: RunnerWork, slots: readonly SlotRecord[]): readonly UnreportedJob[] {
  const known = new Set(slots.flatMap(({ jobs = [] }) => jobs).map(({ facts }) => facts['runner']))
  const used = new Map(slots.map((slot) => [slot.index, livesTaken([slot]).length > 0 ? usedUp(slot, runner) : 0]))
  const away = livesTaken(slots)
  return runner.enrolled
    .filter(({ slot, k, name }) => k < (used.get(slot) ?? 0) && !known.has(name))
    .map((enrolled) => ({ enrolled, away, as: enrolled.name }))
}

/** The last one is that of the machine which is there: where it has hooks, it will tell of its jobs itself. */
function usedUp({ claimed = 0, state }: SlotRecord, { machine }: RunnerWork): number {
  return machine.hooks && (state === 'booting' || state === 'running') ? claimed - 1 : claimed
}

/** Many machines have one name, one after the other, and each many jobs: lives that have cut off no job, as far as the hooks have reported. */
function unreportedLives({ enrolled }: RunnerWork, slots: readonly SlotRecord[]): readonly UnreportedJob[] {
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
