/** Restarts of a runner that ends: with pauses, and not for ever. */
import { pause } from '../../lib/clock.ts'

/** Useless starts in a row. GitHub's runner waits four minutes for a session of its registration that is still in use. */
const MOST = 8
/** Milliseconds after which a start counts as useful, even without a job. */
const LONG = 10 * 60_000
/** Milliseconds before the second start, doubled each time, and the longest. */
const FIRST = 500
const LONGEST = 60_000

export class Restarts {
  readonly #rest: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
  #vain = 0

  constructor(rest: (milliseconds: number, signal: AbortSignal) => Promise<unknown> = pause) {
    this.#rest = rest
  }

  /** After a start that lasted this many milliseconds. False: it was the last one. */
  async again({ lasted, jobs }: { readonly lasted: number; readonly jobs: number }, signal: AbortSignal): Promise<boolean> {
    this.#vain = jobs > 0 || lasted >= LONG ? 0 : this.#vain + 1
    if (this.#vain > MOST) return false
    if (this.#vain > 0) await this.#rest(Math.min(FIRST * 2 ** (this.#vain - 1), LONGEST), signal)
    return true
  }
}
