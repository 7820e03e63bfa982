/** How often a command that follows a run looks at its cloud: often while something changes, and less and less often while nothing does. */

/** Milliseconds between two looks while something is changing, or if looking costs nothing. */
const OBSERVE = 2000
/** How much longer the next one waits when the last has seen nothing new. */
const CALMER = 1.6

export class Pace {
  readonly #calm: number
  #rest = OBSERVE
  #lookedAt = Number.NEGATIVE_INFINITY

  /** `calm`: the longest pause between two looks, in milliseconds, if looking costs something (`Cloud.calm`). */
  constructor(calm = 0) {
    this.#calm = calm
  }

  /** `urgent`: a machine should have shown itself by now. */
  isDue(now: number, urgent: boolean): boolean {
    return now - this.#lookedAt >= (urgent ? OBSERVE : this.#rest)
  }

  /** Records of the run have changed: the cloud's answer has changed too, or will soon. */
  hurry(): void {
    this.#rest = OBSERVE
  }

  looked(now: number, sawNews: boolean): void {
    this.#lookedAt = now
    this.#rest = sawNews ? OBSERVE : Math.max(OBSERVE, Math.min(this.#calm, this.#rest * CALMER))
  }
}
