/** Whether a refusal is one: a server that has just come up refuses what it will allow in a moment, before it has read who is who, and who may do what. */

/** Milliseconds that such a server may take. */
const SETTLING = 60_000

export class Standing {
  readonly #now: () => number
  /** Rights that were granted, and since when they are refused. */
  readonly #rights = new Map<string, number | undefined>()
  #away = Number.NEGATIVE_INFINITY

  /** `now`: milliseconds of a clock that nobody sets. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** The server did not answer, or said that it cannot. */
  outOfReach(): void {
    this.#away = this.#now()
  }

  granted(right: string): void {
    this.#rights.set(right, undefined)
  }

  /** It was away a moment ago. Until it has read which accounts there are, it does not know whose credentials are shown to it either. */
  isSettling(): boolean {
    return this.#now() - this.#away < SETTLING
  }

  /** A refusal may pass where the server was away a moment ago, or had granted the same before: for a minute, not for ever. */
  mayPass(right: string): boolean {
    if (this.isSettling()) return true
    const now = this.#now()
    if (!this.#rights.has(right)) return false
    const since = this.#rights.get(right) ?? now
    this.#rights.set(right, since)
    return now - since < SETTLING
  }
}
