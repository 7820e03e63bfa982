/** Retries: jittered, bounded, ended by a signal. */
import { pause } from './clock.ts'

export interface RetryOptions {
  /** Tries in all, the first one included; absent: no limit but `again` and the signal. */
  readonly tries?: number
  /** Milliseconds; the pause after try n is random in (0, min(first * 2^(n-1), longest)]. */
  readonly first: number
  readonly longest: number
  /** `false`: final. `true`: the usual pause. A number: milliseconds that the server asked to wait at least. */
  readonly again: (error: unknown, tries: number) => boolean | number
  readonly signal?: AbortSignal | undefined
  /** In [0, 1). */
  readonly random?: () => number
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

/** Runs `body` until it resolves, its error is final, or the tries are used up; then throws its last error. */
export async function retry<T>(body: (tries: number) => Promise<T>, rule: RetryOptions): Promise<T> {
  const sleep = rule.sleep ?? pause
  for (let tries = 1; ; tries++) {
    rule.signal?.throwIfAborted()
    try {
      return await body(tries)
    } catch (error) {
      if (tries >= (rule.tries ?? Number.POSITIVE_INFINITY) || rule.signal?.aborted) throw error
      const again = rule.again(error, tries)
      if (again === false) throw error
      await sleep(backoff(tries, rule) + (again === true ? 0 : again), rule.signal)
    }
  }
}

/** Milliseconds before the next try after number `tries` (from 1): "full jitter", so that many clients do not come back at the same time. */
export function backoff(tries: number, rule: Pick<RetryOptions, 'first' | 'longest' | 'random'>): number {
  const ceiling = Math.min(rule.longest, rule.first * 2 ** (tries - 1))
  return ceiling * (1 - (rule.random ?? Math.random)())
}
