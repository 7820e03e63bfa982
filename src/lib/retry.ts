/** Trying again: jittered, bounded, and obedient to a signal. */
import { pause } from './clock.ts'

export interface RetryRule {
  /** Tries in all, the first one included; absent: no limit but `again` and the signal. */
  readonly attempts?: number
  /** Milliseconds; the pause before try n is random in (0, min(first * 2^(n-1), longest)]. */
  readonly first: number
  readonly longest: number
  /** `false`: final. `true`: by the rule. A number: milliseconds that the other side asked us to wait at least. */
  readonly again: (error: unknown, attempt: number) => boolean | number
  readonly signal?: AbortSignal | undefined
  /** In [0, 1). */
  readonly random?: () => number
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

/** Runs `body` until it resolves, its error is final, or the tries are used up; then throws its last error. */
export async function retry<T>(body: (attempt: number) => Promise<T>, rule: RetryRule): Promise<T> {
  const sleep = rule.sleep ?? pause
  for (let attempt = 1; ; attempt++) {
    rule.signal?.throwIfAborted()
    try {
      return await body(attempt)
    } catch (error) {
      if (attempt >= (rule.attempts ?? Number.POSITIVE_INFINITY) || rule.signal?.aborted) throw error
      const again = rule.again(error, attempt)
      if (again === false) throw error
      await sleep(backoff(attempt, rule) + (again === true ? 0 : again), rule.signal)
    }
  }
}

/** Milliseconds before the try after number `attempt` (from 1): "full jitter", so that many clients do not come back together. */
export function backoff(attempt: number, rule: Pick<RetryRule, 'first' | 'longest' | 'random'>): number {
  const ceiling = Math.min(rule.longest, rule.first * 2 ** (attempt - 1))
  return ceiling * (1 - (rule.random ?? Math.random)())
}
