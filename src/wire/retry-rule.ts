/** When a slot gets another attempt: one rule for machines and commands. */
import { count, line, list, maybe, number, object } from '../lib/shape.ts'
import { LONG } from './parse.ts'

export interface RetryRule {
  /** How many attempts may end without notice (`max-attempts`). All of them count, unless there is `lasted`. */
  readonly maxAttempts: number
  /**
   * An attempt that has lasted for so many seconds, and has saved something (a runner: was registered), counts as useful. Only attempts after the
   * last useful one count against `maxAttempts`.
   */
  readonly lasted?: number
  /** How often a script that has failed is run again. */
  readonly retries: number
  /** Exit codes after which it is, or `oom`; empty: after any failure. */
  readonly retryOn: readonly string[]
}

export const retryRule = object<RetryRule>({
  maxAttempts: count(),
  lasted: maybe(number(0, LONG)),
  retries: count(),
  retryOn: list(line(4096), 1000),
})

/** Whether a script that has failed with this exit code is run again. `used`: how often it was already. */
export function mayRetry(rule: RetryRule, used: number, code: number, outOfMemory: boolean): boolean {
  if (used >= rule.retries) return false
  return rule.retryOn.length === 0 || rule.retryOn.includes(String(code)) || (outOfMemory && rule.retryOn.includes('oom'))
}
