/** Jobs that were cut off with their machines, according to the records of slots. */
import type { ServedJob } from './runner.ts'
import { type Cause, isTerminal, type SlotRecord } from './slot.ts'

/** Causes of attempts whose jobs were not cut off: somebody stopped the runner, or the job itself needed more than its machine has. */
const NOT_CUT: readonly (Cause | undefined)[] = ['stopped', 'out-of-memory', 'disk-full'] satisfies Cause[]

/** Jobs that were cut off. A job without an end also counts, once its attempt has ended: its machine could no longer record the end. */
export function interruptedJobs(slots: readonly SlotRecord[]): ServedJob[] {
  return slots.flatMap((slot) =>
    (slot.jobs ?? []).filter((job) => {
      if (NOT_CUT.includes(slot.attempts.find(({ epoch }) => epoch === job.epoch)?.cause)) return false
      const living = job.epoch === slot.epoch && !isTerminal(slot.state)
      return job.interrupted || (job.end === undefined && !living)
    }),
  )
}

/**
 * Whether each of the `cut` jobs was re-run to its end since. A re-run is the same job in a later attempt of its CI run; legs of a matrix look the
 * same, so there must be as many of them as were cut off.
 */
export function madeGood(cut: readonly ServedJob[], all: readonly ServedJob[]): boolean {
  const same = ({ facts: a }: ServedJob, { facts: b }: ServedJob): boolean =>
    ['repository', 'run', 'job'].every((name) => a[name] === b[name])
  const attempt = ({ facts }: ServedJob): number => Number(facts['attempt'] ?? 0)
  return cut.every((one) => {
    const later = all.filter((job) => same(job, one) && job.end !== undefined && !job.interrupted && attempt(job) > attempt(one))
    return later.length >= cut.filter((other) => same(other, one) && attempt(other) === attempt(one)).length
  })
}

/** Start and end of each attempt whose machine was taken away, ISO. If the forge has no job hooks, it may have had a job at that time. */
export function livesTaken(slots: readonly Pick<SlotRecord, 'attempts'>[]): { from: string; to: string }[] {
  const taken = slots.flatMap(({ attempts }) => attempts).filter(({ cause }) => cause === 'interrupted' || cause === 'lost')
  return taken.flatMap(({ start, end }) => (end === undefined ? [] : [{ from: start, to: end }]))
}
