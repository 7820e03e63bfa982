/** What a launch of runners leaves undone, by the records of its slots: jobs whose machine went away under them. */
import type { ServedJob } from './runner.ts'
import { isTerminal, type SlotRecord } from './slot.ts'

/** A job without an end whose attempt is over was cut off, too: its machine could not say so any more. */
export function interruptedJobs(slots: readonly SlotRecord[]): ServedJob[] {
  return slots.flatMap((slot) =>
    (slot.jobs ?? []).filter((job) => {
      const living = job.epoch === slot.epoch && !isTerminal(slot.state)
      return job.interrupted || (job.end === undefined && !living)
    }),
  )
}

/** From start to end of each machine that was taken away: where a forge has no job hooks, it may have had a job then. */
export function livesTaken(slots: readonly SlotRecord[]): { from: string; to: string }[] {
  const taken = slots.flatMap(({ attempts }) => attempts).filter(({ cause }) => cause === 'interrupted' || cause === 'lost')
  return taken.flatMap(({ start, end }) => (end === undefined ? [] : [{ from: start, to: end }]))
}
