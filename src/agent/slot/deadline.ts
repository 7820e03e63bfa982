/** The two deadlines of a machine, converted once into times on the boot clock. */
import { bootNow, dueIn, untilDue } from '../../lib/clock.ts'
import { type Lifetime, overtime } from '../../wire/lifetime.ts'
import type { Ending } from './ending.ts'

/** Milliseconds before the hard deadline at which the last write must have started; half of the reserve for the last save, if that is less. */
const MARGIN = 3000
/** The same before the machine is taken away. */
const HASTE = 500

export interface Deadlines {
  /** SIGTERM is sent. */
  readonly soft: number
  /** There is only time left for one last write. */
  readonly lastCall: number
  /** Nothing of this machine runs past it. */
  readonly hard: number
}

/** The machine's own hard deadline decides: it was corrected for jumps of the wall clock since the group was made. */
export function deadlinesOf(lifetime: Pick<Lifetime, 'grace' | 'reserve'>, hardDeadline: string): Deadlines {
  const hard = dueIn(hardDeadline)
  return { soft: hard - overtime(lifetime) * 1000, lastCall: hard - Math.min(MARGIN, lifetime.reserve * 500), hard }
}

/** Imposes the deadline when it comes. */
export async function watchDeadline(deadlines: Deadlines, ending: Ending, signal: AbortSignal): Promise<void> {
  await untilDue(deadlines.soft, signal).then(
    () => ending.impose({ kind: 'timed-out' }),
    () => undefined,
  )
}

/** Boot clock: when there is only time left for one last write. `gone`: an earlier end of this machine, if any is known. */
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
