/** Store calls that wait out an outage. */
import { isStoreError } from '../wire/store.ts'

/** Milliseconds before the first repetition, and the longest pause. */
const FIRST = 100
const LONGEST = 5000
/** Milliseconds after which a call without a signal of its own gives up. */
const UNATTENDED = 120_000

/** Repeats `call` while the store is `unavailable`, until the signal; every other failure is thrown at once. */
export async function patiently<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const end = performance.now() + UNATTENDED
  for (let pause = FIRST; ; pause = Math.min(pause * 2, LONGEST)) {
    signal?.throwIfAborted()
    try {
      return await call()
    } catch (error) {
      if (!isStoreError(error, 'unavailable') || signal?.aborted === true) throw error
      if (signal === undefined && performance.now() + pause > end) throw error
    }
    await rest(pause * (0.5 + Math.random() / 2), signal)
  }
}

function rest(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done)
  })
}
