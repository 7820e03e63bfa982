/**
 * How often a command that follows looks at the twin of a spot group: each time, unless spot machines do all the work and the twin was still empty
 * the last time. Then the twin does not matter, and two groups should not cost many more calls than one: a few hundred for a quiet hour.
 */

/** Then only one of so many looks includes the twin. If it starts because a machine hangs, that is noticed some minutes later. */
const EACH = 5

export interface Groups<P> {
  readonly first: () => Promise<P | undefined>
  /** `briefly`: it is enough to know whether the twin is still empty. */
  readonly twin: (briefly: boolean) => Promise<P | undefined>
  /** All machines that it wants are at work. */
  readonly isFull: (part: P) => boolean
  /** It wants machines, or has some. */
  readonly isUp: (part: P) => boolean
}

export class TwinLooks {
  #quiet = false
  #looks = 0

  async look<P>({ first, twin, isFull, isUp }: Groups<P>): Promise<readonly [first: P | undefined, twin: P | undefined]> {
    const quiet = this.#quiet
    this.#looks = quiet ? this.#looks + 1 : 0
    const due = this.#looks % EACH === 0
    const [one, brief] = await Promise.all([first(), due ? twin(quiet) : undefined])
    const full = one !== undefined && isFull(one)
    // The first group may have shrunk because the twin has the work now.
    const two = quiet && !full ? await twin(false) : brief
    this.#quiet = full && !(two && isUp(two))
    return [one, two]
  }
}
