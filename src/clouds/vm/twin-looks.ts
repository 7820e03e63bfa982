/**
 * How often a command that follows looks at the twin of a spot group: at each look, unless spot machines do all the work and the twin was still
 * waiting at the last look. Then the twin does not matter, and following for an hour should cost a few hundred calls with two groups, too.
 */

/** The twin is seen at one of so many looks: if it starts because a machine hangs, that is noticed some minutes later. */
const EACH = 5

export interface Groups<P> {
  readonly first: () => Promise<P | undefined>
  /** `briefly`: only whether it still waits. */
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
    // A group may have shrunk because the other one has the work now.
    const two = quiet && !full ? await twin(false) : brief
    this.#quiet = full && !(two && isUp(two))
    return [one, two]
  }
}
