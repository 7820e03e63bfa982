/** Store calls that wait out an outage. */
import { outlast } from '../wire/outage.ts'

/** Milliseconds: the longest pause before the first repetition, and of all. */
const PAUSE = { first: 100, longest: 5000 }
/** Milliseconds after which a call gives up that somebody waits for. */
export const UNATTENDED = 120_000

/**
 * Repeats `call` while the store is `unavailable`, until the signal, or for `patience` (milliseconds); every other failure is thrown at once. A
 * machine's signal is its end; without a signal, somebody waits.
 */
export async function patiently<T>(call: () => Promise<T>, signal?: AbortSignal, patience = signal ? undefined : UNATTENDED): Promise<T> {
  return outlast(call, { ...PAUSE, patience, signal })
}
