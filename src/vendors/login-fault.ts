/** Why a login of a vendor gives no token, and how its services are asked for one. */
import { jsonIn } from '../lib/answer.ts'
import { retry } from '../lib/backoff.ts'
import { ask, type HttpCall, Unanswered } from '../lib/http.ts'
import { oneLine } from '../lib/text.ts'

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

/** Tries of a call, and milliseconds of pauses. */
const RETRY = { tries: 3, first: 500, longest: 2000 }

export interface LoginCall extends Omit<HttpCall, 'patience' | 'most'>, Partial<Pick<HttpCall, 'patience'>> {
  /** There may be no such service here, so it is not asked again. */
  readonly once?: boolean
}

export interface LoginService {
  readonly Fault: new (final: boolean, message: string, options?: ErrorOptions) => LoginFault
  /** What a refusal says, for people. May throw if it is something else, such as the page of a proxy: then only the status is shown. */
  readonly words: (refusal: unknown) => string
}

/**
 * Asks a service again that is busy, or out of reach for a moment: the one that gives jobs of GitHub their tokens answers 503 every now and
 * then (https://github.com/Azure/login/issues/591). Once `PATIENCE` is over, there is no further try, because somebody is waiting.
 */
export async function askedAgain<T>(act: () => Promise<T>, passes: (error: unknown) => boolean): Promise<T> {
  const end = performance.now() + PATIENCE
  return await retry(act, { ...RETRY, again: (error) => passes(error) && performance.now() < end })
}

/** The text that a service of logins answers. Throws its `Fault`. */
export async function loginAnswer(url: URL, { once = false, ...call }: LoginCall, service: LoginService): Promise<string> {
  if (once) return await answerOf(url, call, service)
  return await askedAgain(
    async () => answerOf(url, call, service),
    (error) => error instanceof LoginFault && !error.final,
  )
}

async function answerOf(url: URL, call: Omit<LoginCall, 'once'>, { Fault, words }: LoginService): Promise<string> {
  const { ok, status, text } = await ask(url, { patience: PATIENCE, ...call, most: MOST }).catch((cause: unknown) => {
    if (!(cause instanceof Unanswered)) throw cause
    throw new Fault(false, `${url.host} cannot be reached: ${cause.message}`, { cause })
  })
  if (text === undefined) throw new Fault(false, `${url.host} answers with more than ${MOST} bytes, which is not a token`)
  if (ok) return text
  throw new Fault(status < 500 && status !== 429 && status !== 408, oneLine(`${url.host} answers ${status}${said(text, words)}`))
}

/** What `read` finds in an answer. If it throws, something else has answered in the service's place, so the `Fault` is not final. */
export function readAnswer<T>(host: string, Fault: LoginService['Fault'], read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new Fault(false, `the answer of ${host} is not valid`, { cause })
  }
}

function said(body: string, words: LoginService['words']): string {
  try {
    return `: ${words(jsonIn(body)).slice(0, 300)}`
  } catch {
    return ''
  }
}
