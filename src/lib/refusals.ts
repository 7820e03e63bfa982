/** Whether a refusal is one: a server that has just come up refuses what it will allow in a moment, before it has read who is who, and who may do what. */

/** Milliseconds that such a server may take. */
const SETTLING = 60_000

export class Refusals {
  readonly #now: () => number
  /** Rights that were granted, and since when they are refused. */
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
    // It has been away for long: what it refused before is another story.
    if (this.#refused && this.#away - this.#refused.last >= SETTLING) this.#refused = undefined
  }

  granted(right: string): void {
    this.#rights.set(right, undefined)
    this.#refused = undefined
  }

  /**
   * Of a refusal: the server was away a moment ago. Until it has read which accounts there are, it does not know whose credentials are shown to it
   * either; that takes a minute from its first refusal on, however often it stumbles meanwhile.
   */
  isSettling(): boolean {
    const now = this.#now()
    if (now - this.#away >= SETTLING) return false
    this.#refused = { since: this.#refused?.since ?? now, last: now }
    return now - this.#refused.since < SETTLING
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
