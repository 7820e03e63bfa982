/** How often, and after which pauses, a runner that ends is started again. */
import { pause } from '../../lib/clock.ts'

/**
 * Useless starts in a row, which take two minutes of pauses. (GitHub's runner itself waits for minutes while its session is still in use.)
 */
const MOST = 8
/** Milliseconds after which a start counts as useful, even if it had no job. */
const LONG = 10 * 60_000
/** Milliseconds of pause after the first useless start. Each further pause is twice as long, up to `LONGEST`. */
const FIRST = 500
const LONGEST = 60_000

export class Restarts {
  readonly #rest: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
  #vain = 0

  constructor(rest: (milliseconds: number, signal: AbortSignal) => Promise<unknown> = pause) {
    this.#rest = rest
  }

  /** Call it after each start. Resolves to whether to start again, once the pause is over. `lasted`: milliseconds. */
  async again({ lasted, jobs }: { readonly lasted: number; readonly jobs: number }, signal: AbortSignal): Promise<boolean> {
    this.#vain = jobs > 0 || lasted >= LONG ? 0 : this.#vain + 1
    if (this.#vain > MOST) return false
    if (this.#vain > 0) await this.#rest(Math.min(FIRST * 2 ** (this.#vain - 1), LONGEST), signal)
    return true
  }
}
