/** Runs work one after the other, in order: the next begins once the previous one has ended, however it ended. */
export class Mutex {
  #last: Promise<void> = Promise.resolve()

  /** Settles as the work does. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    // Keeps neither result nor error: only the caller has those.
    const over = (): void => undefined
    this.#last = turn.then(over, over)
    return turn
  }
}
