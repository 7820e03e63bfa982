/** Why a login of a vendor gives no token. `final`: refused or set up wrongly, so trying again does not help; otherwise out of reach for now. */
export class LoginFault extends Error {
  readonly final: boolean
  constructor(final: boolean, message: string, options?: ErrorOptions) {
    super(message, options)
    this.final = final
  }
}
