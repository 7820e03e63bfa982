/** How often a follower looks at the cloud: often while something changes, and less and less often while nothing does. */

/** Milliseconds between two looks while something changes, or if looking costs nothing. */
const OBSERVE = 2000
/** After a look that has seen nothing new, the next one waits so many times longer. */
const CALMER = 1.6

export class Pace {
  readonly #calm: number
  #rest = OBSERVE
  #lookedAt = Number.NEGATIVE_INFINITY

  /** `calm`: the longest pause between two looks, in milliseconds, if looking costs something (`Cloud.calm`). */
  constructor(calm = 0) {
    this.#calm = calm
  }

  /** Whether it is time for a look. `urgent`: some machine should have given a sign of life by now. */
  isDue(now: number, urgent: boolean): boolean {
    return now - this.#lookedAt >= (urgent ? OBSERVE : this.#rest)
  }

  /** Records of the run have changed, so the cloud's answer has changed, or will soon. */
  hurry(): void {
    this.#rest = OBSERVE
  }

  /** To be called after each look. */
  looked(now: number, sawNews: boolean): void {
    this.#lookedAt = now
    this.#rest = sawNews ? OBSERVE : Math.max(OBSERVE, Math.min(this.#calm, this.#rest * CALMER))
  }
}
