/**
 * How often a command that follows looks at the twin of a spot group: at each look, unless the spot machines do all the work and the twin was last seen
 * to wait. Then nothing hangs on it, and an hour of following is to cost a few hundred calls with two groups, too.
 */

/** One look of so many: a twin that starts behind a machine which hangs is seen some minutes later. */
const EACH = 5

export interface Groups<P> {
  readonly first: () => Promise<P | undefined>
  /** `briefly`: only whether it still waits. */
  readonly twin: (briefly: boolean) => Promise<P | undefined>
  /** All machines that it wants work. */
  readonly isFull: (part: P) => boolean
  /** Something of it is wanted, or there. */
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
    // A group that has become smaller may have done so because the other one has the work now.
    const two = quiet && !full ? await twin(false) : brief
    this.#quiet = full && !(two && isUp(two))
    return [one, two]
  }
}
