/** What time it is for the server that answers, where this machine's own clock may be minutes off. */

/** Milliseconds: an answer tells its date in whole seconds, and has been on its way. */
const SLIGHT = 5_000

export class ServerTime {
  /** Milliseconds to add to this machine's clock. */
  #ahead = 0

  /** `date`: the header of an answer that has just come. `true`: that is another time than was known. */
  learn(date: string | null | undefined): boolean {
    const before = this.#ahead
    const ahead = Date.parse(date ?? '') - Date.now()
    if (!Number.isNaN(ahead)) this.#ahead = Math.abs(ahead) < SLIGHT ? 0 : ahead
    return Math.abs(this.#ahead - before) >= SLIGHT
  }

  now(): Date {
    return new Date(Date.now() + this.#ahead)
  }

  /** What this machine's clock shows at a moment of theirs. */
  here(time: string): string {
    const at = Date.parse(time)
    return this.#ahead === 0 || Number.isNaN(at) ? time : new Date(at - this.#ahead).toISOString()
  }
}
