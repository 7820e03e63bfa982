/** The time according to the server that answers, because this machine's own clock may be minutes off. */

/** Milliseconds: the date of an answer is in whole seconds, and the answer takes time to arrive. */
const SLIGHT = 5_000

export class ServerTime {
  /** Milliseconds to add to this machine's clock. */
  #ahead = 0

  /** `date`: the header of an answer that has just come. `true`: the time differs from what was known. */
  learn(date: string | null | undefined): boolean {
    const before = this.#ahead
    const ahead = Date.parse(date ?? '') - Date.now()
    if (!Number.isNaN(ahead)) this.#ahead = Math.abs(ahead) < SLIGHT ? 0 : ahead
    return Math.abs(this.#ahead - before) >= SLIGHT
  }

  now(): Date {
    return new Date(Date.now() + this.#ahead)
  }

  /** What this machine's clock shows at a given server time. */
  here(time: string): string {
    const at = Date.parse(time)
    return this.#ahead === 0 || Number.isNaN(at) ? time : new Date(at - this.#ahead).toISOString()
  }
}
