/** How a slot of runners ends whose registrations are all used. Pure. */
import { plural } from '../../lib/text.ts'
import { livesTaken, madeGood } from '../../wire/interrupted-jobs.ts'
import type { ServedJob } from '../../wire/runner.ts'
import type { SlotRecord } from '../../wire/slot.ts'
import type { Verdict } from '../attempt/verdict.ts'

export const NONE_LEFT = 'no registration is left for it'
export const DISMISSED = 'the forge no longer has its registration'

export interface RunnerLife extends Pick<SlotRecord, 'attempts'> {
  /** Of all attempts, each with its end. */
  readonly jobs: readonly ServedJob[]
  readonly served: number
  /** Why its last runner has ended; absent: there was none here. */
  readonly last: string | undefined
  /** The forge has sent a runner of it away. */
  readonly dismissed: boolean
}

/** Those that went with machines which were taken away are no failure, as long as nothing that these cut off is left to serve. */
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
