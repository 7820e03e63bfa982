/** Requests that a machine makes to its vendor by itself. */
import { retry } from '../../lib/backoff.ts'
import { ask, type HttpAnswer, type HttpCall } from '../../lib/http.ts'

const TIMEOUT = 15_000

/** One request. */
export async function asked(url: string | URL, call: Omit<HttpCall, 'patience'>): Promise<HttpAnswer> {
  return await ask(url, { ...call, patience: TIMEOUT })
}

const PAUSES = { first: 500, longest: 8000 }

/**
 * Tries again until `end` (by `performance.now()`), because the rights of a new identity take a while to work. `again`: as for `retry`. Throws
 * the last error.
 */
export async function patiently<T>(end: number, body: () => Promise<T>, again: (error: unknown) => boolean | number): Promise<T> {
  const untilEnd = (error: unknown, tries: number): boolean | number => {
    const answer = again(error)
    const pause = Math.min(PAUSES.first * 2 ** (tries - 1), PAUSES.longest)
    return performance.now() + pause + Number(answer) <= end && answer
  }
  // At least half of the longest pause each time, because each try costs a call.
  return await retry(body, { ...PAUSES, random: () => Math.random() / 2, again: untilEnd })
}
