/** When a slot gets another attempt: a rule that machines and commands apply alike. */
import { count, line, list, maybe, number, object } from '../lib/shape.ts'
import { LONG } from './parse.ts'

export interface RetryRule {
  /** How many ends without notice are allowed; all count, unless `lasted` says which do. */
  readonly maxAttempts: number
  /**
   * Seconds after which an attempt that has saved something (for a runner: that was registered) counts as useful: only ends after the last
   * useful attempt count.
   */
  readonly lasted?: number
  readonly retries: number
  /** Exit codes, or `oom`; empty with retries > 0 = any failure. */
  readonly retryOn: readonly string[]
}

export const retryRule = object<RetryRule>({
  maxAttempts: count(),
  lasted: maybe(number(0, LONG)),
  retries: count(),
  retryOn: list(line(4096), 1000),
})

/** `used`: script retries so far. */
export function mayRetry(rule: RetryRule, used: number, code: number, outOfMemory: boolean): boolean {
  if (used >= rule.retries) return false
  return rule.retryOn.length === 0 || rule.retryOn.includes(String(code)) || (outOfMemory && rule.retryOn.includes('oom'))
}
