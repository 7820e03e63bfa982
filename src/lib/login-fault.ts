/** Why a login of a vendor gives no token, and how its services are asked for one. */
import { ask, type HttpCall, Unanswered } from './http.ts'
import { oneLine } from './text.ts'

/** `final`: refused or set up wrongly, so trying again does not help; otherwise out of reach for now. */
export class LoginFault extends Error {
  readonly final: boolean
  constructor(final: boolean, message: string, options?: ErrorOptions) {
    super(message, options)
    this.final = final
  }
}

/** Milliseconds for one answer. */
const PATIENCE = 20_000
/** Bytes of one: several times the longest token. */
const MOST = 1 << 20

export type LoginCall = Omit<HttpCall, 'patience' | 'most'> & Partial<Pick<HttpCall, 'patience'>>

export interface LoginService {
  readonly Fault: new (final: boolean, message: string, options?: ErrorOptions) => LoginFault
  /** What a refusal says, for people. It may throw: a page from something in between says nothing. */
  readonly words: (refusal: unknown) => string
}

/** What a service of logins answers. Throws its `Fault`. */
export async function loginAnswer(url: URL, call: LoginCall, { Fault, words }: LoginService): Promise<string> {
  const { ok, status, text } = await ask(url, { patience: PATIENCE, ...call, most: MOST }).catch((cause: unknown) => {
    if (!(cause instanceof Unanswered)) throw cause
    throw new Fault(false, `${url.host} cannot be reached: ${cause.message}`, { cause })
  })
  if (text === undefined) throw new Fault(false, `${url.host} answers with more than ${MOST} bytes, which is not a token`)
  if (ok) return text
  throw new Fault(status < 500 && status !== 429 && status !== 408, oneLine(`${url.host} answers ${status}${said(text, words)}`))
}

function said(body: string, words: LoginService['words']): string {
  try {
    return `: ${words(JSON.parse(body)).slice(0, 300)}`
  } catch {
    return ''
  }
}
