/** What transports say when a request failed on the way. */

/** The request brought no answer. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  /** `false`: not a byte of it went out, so it had no effect. */
  readonly sent: boolean
  constructor(sent: boolean, message: string, options?: ErrorOptions) {
    super(message, options)
    this.sent = sent
  }
}

/** The server sends more than an answer of ours can have: it was not read to its end, and asking again would bring the same. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
  constructor(most: number) {
    super(`the answer has more than ${most} bytes: it was not written by this program`)
  }
}
