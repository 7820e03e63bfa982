/** One after another, in the order of asking: the next begins when the one before is over, however that ended. */
export class Mutex {
  #last: Promise<void> = Promise.resolve()

  /** Settles as the work does. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    // Holds neither result nor error: only the caller has those.
    const over = (): void => undefined
    this.#last = turn.then(over, over)
    return turn
  }
}
