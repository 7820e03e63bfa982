/** Store calls that wait out an outage. */
import { outlast } from '../wire/outage.ts'

/** Milliseconds: the longest pause before the first repetition, and of all. */
const PAUSE = { first: 100, longest: 5000 }
/** Milliseconds after which a call without a signal gives up. */
const UNATTENDED = 120_000

/** Repeats `call` while the store is `unavailable`, until the signal; every other failure is thrown at once. */
export async function patiently<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return outlast(call, { ...PAUSE, patience: signal ? undefined : UNATTENDED, signal })
}
