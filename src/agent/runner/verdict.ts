/** What the end of a runner means, what became of its jobs, and how a slot ends whose registrations are all used. Pure. */
import { plural } from '../../lib/text.ts'
import { livesTaken, madeGood } from '../../wire/interrupted-jobs.ts'
import type { RunnerProgram, ServedJob } from '../../wire/runner.ts'
import type { SlotRecord } from '../../wire/slot.ts'
import type { Happened, Verdict } from '../attempt/verdict.ts'
import type { Imposed } from '../slot/ending.ts'

export interface RunnerEnd {
  readonly code: number
  /** Whether it has had a job. */
  readonly worked: boolean
}

export type Meaning =
  /** It has ended as it should, and is not started again. */
  | { readonly kind: 'over'; readonly says: string }
  | { readonly kind: 'failed'; readonly says: string }
  /**
   * It is started again. `used`: with another credential. `dismissed`: the forge sent it away without a job. `updates`: see `RunnerExit`.
   */
  | { readonly kind: 'start'; readonly says: string; readonly used: boolean; readonly dismissed: boolean; readonly updates: boolean }

export function meaningOf(
  { exits, hooks, jobsPerStart }: Pick<RunnerProgram, 'exits' | 'hooks' | 'jobsPerStart'>,
  ended: RunnerEnd,
): Meaning {
  const exit = exits[String(ended.code)]
  if (exit === undefined || exit.means === 'failed')
    return { kind: 'failed', says: exit?.says ?? `the runner ended with exit code ${ended.code}` }
  const { means, says } = exit
  // A runner that goes from job to job, or has no hooks: nobody knows how many jobs it had.
  if (means === 'done' && (hooks === undefined || jobsPerStart === null)) return { kind: 'over', says }
  const used = means !== 'again' || ended.worked
  return { kind: 'start', says, used, dismissed: means === 'done' && !ended.worked, updates: exit.updates === true }
}

/** Whether the machine must end because it holds too much: then a running job has failed on its own, although it is told to end. */
export function outgrown(imposed: Imposed | undefined): boolean {
  return imposed?.kind === 'interrupted' && imposed.diskFull === true
}

export function hasFilledDisk(happened: Happened): boolean {
  return happened.kind === 'imposed' ? outgrown(happened.cause) : happened.kind === 'broken' && happened.diskFull
}

/**
 * How a slot ends, or goes on, whose machine has no room for another job. `crash`: it has served all its jobs, and the runner could not end in order.
 * `cutOff`: the runner had just taken the next job, which was cut off.
 */
export function ofFullDisk(how: { readonly crash: Verdict | undefined; readonly cutOff: boolean; readonly mayRegister: boolean }): Verdict {
  const { crash, cutOff, mayRegister } = how
  const reason = 'a job has filled the disk of its machine'
  if (crash) return { ...crash, cause: 'disk-full', reason: `${reason}: ${crash.reason}` }
  return handedOn({ cause: cutOff ? 'interrupted' : 'disk-full', reason }, mayRegister)
}

/** The machine must leave before its slot has served its jobs: another one serves the next ones, if that may register. */
export function handedOn(why: Omit<Verdict, 'state' | 'exitCode'>, mayRegister: boolean): Verdict {
  if (mayRegister) return { ...why, state: 'interrupted' }
  return { ...why, state: 'failed', reason: `${why.reason}; no registration is left for another machine` }
}

/**
 * The jobs of a runner that is gone, each with its end. `cutOff`: index of the job that was told to end, and so was cut off; -1: none.
 * `leaving`: the machine was leaving, so jobs without an end were cut off; otherwise they ended by themselves. `now`: ISO.
 */
export function settled(
  jobs: readonly ServedJob[],
  how: { readonly cutOff: number; readonly leaving: boolean; readonly now: string },
): ServedJob[] {
  const { cutOff, leaving, now } = how
  return jobs.map((job, at) => {
    if (at === cutOff || (job.end === undefined && leaving)) return { ...job, end: job.end ?? now, interrupted: true }
    return job.end === undefined ? { ...job, end: now } : job
  })
}

/** For people: what became of the jobs of a slot. `failed`: how many of those that were served did not succeed. */
export function servedText({ served, failed }: { readonly served: number; readonly failed: number }, jobs: readonly ServedJob[]): string {
  const cut = jobs.filter(({ interrupted }) => interrupted)
  const good: ServedJob[] = []
  // Together with those before it, because jobs of a matrix have the same name: each re-run makes up for only one of them.
  for (const job of cut) if (madeGood([...good, job], jobs)) good.push(job)
  const again = good.length
  return [
    `served ${plural(served, 'job')}${failed > 0 ? ` (${failed} failed on ${failed === 1 ? 'its' : 'their'} own)` : ''}`,
    ...(again > 0 ? [`${again} cut off and run again`] : []),
    ...(cut.length > again ? [`${cut.length - again} cut off and not run again here`] : []),
  ].join(', ')
}

export const NONE_LEFT = 'no registration is left for it'
export const DISMISSED = 'the forge no longer has its registration'

export interface RunnerLife extends Pick<SlotRecord, 'attempts'> {
  /** Of all attempts, each with its end. */
  readonly jobs: readonly ServedJob[]
  readonly served: number
  /** Why its last runner has ended; absent: there was none here. */
  readonly last: string | undefined
  /** The forge has sent away one of its runners. */
  readonly dismissed: boolean
}

/**
 * How a slot ends whose registrations are all used before it has served its jobs. If they were lost with reclaimed machines, that is no
 * failure, as long as every job that was cut off has run again.
 */
export function spent({ attempts, jobs, served, last, dismissed }: RunnerLife): Verdict {
  if (dismissed && livesTaken([{ attempts }]).length === 0) {
    const before = served > 0 ? `served ${plural(served, 'job')}; ` : 'the runner left: '
    return { state: 'succeeded', cause: 'exit', reason: `${before}${DISMISSED}`, exitCode: 0 }
  }
  const reason = `${NONE_LEFT}${last === undefined ? '' : `; its runner ended: ${last}`}`
  if (livesTaken([{ attempts }]).length === 0) return { state: 'failed', cause: 'exit', reason, exitCode: 1 }
  const cut = jobs.filter(({ interrupted }) => interrupted)
  if (served === 0 || !madeGood(cut, jobs)) return { state: 'failed', cause: 'interrupted', reason }
  const says = `served ${plural(served, 'job')}; the other registrations were lost with machines that were taken away`
  return { state: 'succeeded', cause: 'exit', reason: says, exitCode: 0 }
}
