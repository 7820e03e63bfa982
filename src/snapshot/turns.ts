/** Turns of the event loop in the middle of long work: heartbeats and requests must not wait for it. */

/** Longest time that the event loop is blocked, milliseconds. */
const SLICE = 8

export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export class Turns {
  readonly #signal: AbortSignal | undefined
  #end = performance.now() + SLICE

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
  }

  /** It is time for the next one. */
  get isDue(): boolean {
    return performance.now() > this.#end
  }

  /** Rejects with the signal's reason. */
  async next(): Promise<void> {
    await nextTurn()
    this.#signal?.throwIfAborted()
    this.#end = performance.now() + SLICE
  }
}
