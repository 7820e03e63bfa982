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
