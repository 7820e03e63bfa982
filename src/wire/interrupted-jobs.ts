/** Jobs of runners whose machine was taken away before they ended, by the records of slots. */
import type { ServedJob } from './runner.ts'
import { isTerminal, type SlotRecord } from './slot.ts'

/**
 * A job without an end whose attempt has ended was cut off, too: its machine could no longer record it. Not those that ended because somebody
 * stopped their runner.
 */
export function interruptedJobs(slots: readonly SlotRecord[]): ServedJob[] {
  return slots.flatMap((slot) =>
    (slot.jobs ?? []).filter((job) => {
      if (slot.attempts.find(({ epoch }) => epoch === job.epoch)?.cause === 'stopped') return false
      const living = job.epoch === slot.epoch && !isTerminal(slot.state)
      return job.interrupted || (job.end === undefined && !living)
    }),
  )
}

/** Whether each of them has been re-run to its end: a forge counts the attempts of a run, and the legs of a matrix have the same name. */
export function madeGood(cut: readonly ServedJob[], all: readonly ServedJob[]): boolean {
  const same = ({ facts: a }: ServedJob, { facts: b }: ServedJob): boolean =>
    ['repository', 'run', 'job'].every((name) => a[name] === b[name])
  const attempt = ({ facts }: ServedJob): number => Number(facts['attempt'] ?? 0)
  return cut.every((one) => {
    const later = all.filter((job) => same(job, one) && job.end !== undefined && !job.interrupted && attempt(job) > attempt(one))
    return later.length >= cut.filter((other) => same(other, one) && attempt(other) === attempt(one)).length
  })
}

/** Start and end of each machine that was taken away: if a forge has no job hooks, it may have had a job at that time. */
export function livesTaken(slots: readonly Pick<SlotRecord, 'attempts'>[]): { from: string; to: string }[] {
  const taken = slots.flatMap(({ attempts }) => attempts).filter(({ cause }) => cause === 'interrupted' || cause === 'lost')
  return taken.flatMap(({ start, end }) => (end === undefined ? [] : [{ from: start, to: end }]))
}
