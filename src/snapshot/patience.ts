/** Store calls that wait out an outage. */
import { retry } from '../lib/retry.ts'
import { isStoreError } from '../wire/store.ts'

/** Milliseconds: at most before the first repetition, and ever. */
const FIRST = 100
const LONGEST = 5000
/** Milliseconds after which a call without a signal of its own gives up. */
const UNATTENDED = 120_000

/** Repeats `call` while the store is `unavailable`, until the signal; every other failure is thrown at once. */
export async function patiently<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const end = performance.now() + UNATTENDED
  const again = (error: unknown): boolean => isStoreError(error, 'unavailable') && (signal !== undefined || performance.now() < end)
  return retry(call, { first: FIRST, longest: LONGEST, again, signal })
}
