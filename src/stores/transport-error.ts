/** Errors of transports, for requests that failed on the way. */

/** The request got no answer. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  /** `false`: not a byte of it was sent, so it had no effect. */
  readonly sent: boolean
  constructor(sent: boolean, message: string, options?: ErrorOptions) {
    super(message, options)
    this.sent = sent
  }
}

/** The server sent more than any answer to tpi can be. The rest was not read, and asking again would bring the same. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
  constructor(most: number) {
    super(`the answer has more than ${most} bytes: it was not written by this program`)
  }
}
