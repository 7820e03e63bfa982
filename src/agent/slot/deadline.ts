/** The deadlines of a machine, converted once into times on the boot clock, so that jumps of the wall clock do not move them. */
import { bootNow, dueIn, untilDue } from '../../lib/clock.ts'
import { type Lifetime, overtime } from '../../wire/lifetime.ts'
import type { Ending } from './ending.ts'

/** Milliseconds before the hard deadline at which the last write must have begun; half of the reserve for the last save if that is less. */
const MARGIN = 3000
/** Milliseconds for the last write before the cloud takes the machine away. */
const HASTE = 500

/** Boot clock. */
export interface Deadlines {
  /** The script gets SIGTERM. */
  readonly soft: number
  /** From then on, there is only time for one last write. */
  readonly lastCall: number
  /** Nothing of this machine runs longer than this. */
  readonly hard: number
}

/** Counted back from the machine's own hard deadline, which was corrected for jumps of the wall clock since the group was made. */
export function deadlinesOf(lifetime: Pick<Lifetime, 'grace' | 'reserve'>, hardDeadline: string): Deadlines {
  const hard = dueIn(hardDeadline)
  return { soft: hard - overtime(lifetime) * 1000, lastCall: hard - Math.min(MARGIN, lifetime.reserve * 500), hard }
}

/** Imposes the soft deadline when it comes, unless the signal aborts before. */
export async function watchDeadline(deadlines: Deadlines, ending: Ending, signal: AbortSignal): Promise<void> {
  await untilDue(deadlines.soft, signal).then(
    () => ending.impose({ kind: 'timed-out' }),
    () => undefined,
  )
}

/** Boot clock: from when on there is only time for one last write. `gone`: when the cloud takes the machine away; infinite if not known. */
export function lastCallAt(deadlines: Deadlines, gone: number): number {
  return Math.min(deadlines.lastCall, gone - HASTE)
}

/** Aborts when the boot clock reaches `due`, unless `over` comes first. */
export function abortAt(due: number, over: AbortSignal): AbortSignal {
  const call = new AbortController()
  const abort = (): void => call.abort(new Error('no time left'))
  if (due <= bootNow()) abort()
  else void untilDue(due, over).then(abort, () => undefined)
  return call.signal
}
