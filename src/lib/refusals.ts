/** Whether a refusal is final: a server that has just started may refuse what it will allow in a moment, before it has read accounts and rights. */

/** Milliseconds that such a server may take. */
const SETTLING = 60_000

export class Refusals {
  readonly #now: () => number
  /** Rights that were granted before, and since when they have been refused. */
  readonly #rights = new Map<string, number | undefined>()
  #away = Number.NEGATIVE_INFINITY
  /** The first and the last refusal since it came back. */
  #refused: { readonly since: number; readonly last: number } | undefined

  /** `now`: milliseconds of a clock that nobody sets. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** The server did not answer, or said that it cannot. */
  outOfReach(): void {
    this.#away = this.#now()
    // It has been away for long, so earlier refusals do not count.
    if (this.#refused && this.#away - this.#refused.last >= SETTLING) this.#refused = undefined
  }

  granted(right: string): void {
    this.#rights.set(right, undefined)
    this.#refused = undefined
  }

  /**
   * For a refusal: the server was away a moment ago. Until it has read its accounts, it does not know whose credentials it gets
   * either; that takes a minute from its first refusal on, however often it fails meanwhile.
   */
  isSettling(): boolean {
    const now = this.#now()
    if (now - this.#away >= SETTLING) return false
    this.#refused = { since: this.#refused?.since ?? now, last: now }
    return now - this.#refused.since < SETTLING
  }

  /** A refusal may be temporary if the server was away a moment ago, or had granted the same before: for a minute, not for ever. */
  mayPass(right: string): boolean {
    if (this.isSettling()) return true
    const now = this.#now()
    if (!this.#rights.has(right)) return false
    const since = this.#rights.get(right) ?? now
    this.#rights.set(right, since)
    return now - since < SETTLING
  }
}
