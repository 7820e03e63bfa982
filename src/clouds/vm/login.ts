/** A caller's login at a vendor: it is looked for once, and its tokens are renewed in time. */
import type { CloudContext } from '../../core/cloud.ts'
import { AuthError, RemoteError } from '../../core/errors.ts'
import { LoginFault } from '../../vendors/login-fault.ts'
import { type Lent, renewing } from '../../wire/credentials.ts'
import type { CredentialSource } from '../../wire/store.ts'
import { Once } from './once.ts'

/** Words for messages to people. */
export interface LoginWords {
  /** Id of the cloud. */
  readonly cloud: string
  /** The product whose credentials are missing, and which gives out tokens. */
  readonly product: string
  readonly vendor: string
  /** What to do if there are no credentials, or if they are no longer accepted. */
  readonly howToLogIn: string
  readonly howToLogInAgain: string
}

export interface LoginParams<L> {
  readonly words: LoginWords
  readonly find: () => Promise<L | undefined>
  readonly errorOf: (error: unknown, tried: string) => Error
  readonly clock: CloudContext['clock']
}

export class Logins<L extends { readonly who: string }> {
  readonly #params: LoginParams<L>
  readonly #login = new Once<L>()

  constructor(params: LoginParams<L>) {
    this.#params = params
  }

  async login(): Promise<L> {
    return this.#login.get('', async () => {
      const { find, words } = this.#params
      const login = await find().catch((error: unknown) => {
        throw this.#faultOf(error, words.vendor)
      })
      if (login) return login
      throw new AuthError(`${words.cloud}: there are no credentials for ${words.product}`, { hint: words.howToLogIn })
    })
  }

  /** A source for credentials that `lend` gets from the login. */
  source(lend: (login: L) => Promise<Lent>): CredentialSource {
    return renewing({
      clock: this.#params.clock,
      lend: async () => {
        const login = await this.login()
        return lend(login).catch((error: unknown) => {
          throw this.#faultOf(error, login.who)
        })
      },
    })
  }

  #faultOf(error: unknown, who: string): Error {
    const { words, errorOf } = this.#params
    if (!(error instanceof LoginFault)) return errorOf(error, 'find credentials')
    const message = `${words.cloud}: no token from ${who}: ${error.message}`
    if (!error.final) return new RemoteError(message, { cause: error, retryable: true })
    return new AuthError(message, { cause: error, hint: words.howToLogInAgain })
  }
}
