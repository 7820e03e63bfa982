/** Waits for a forge: status codes and headers of its answers tell how long, never their text. The same for every forge. */
import { AuthError, InputError, RemoteError } from '../core/errors.ts'
import type { ForgeContext } from '../core/forge.ts'
import { backoff } from '../lib/backoff.ts'
import { formatDuration } from '../lib/duration.ts'
import { fieldsIn } from '../lib/record.ts'
import { messageOf } from '../lib/text.ts'

/** Milliseconds that one call may wait for an end that the forge itself has announced. */
export const ANNOUNCED = 10 * 60_000
/** Milliseconds to wait for failures without an announced end. */
const FAILING = 2 * 60_000
/** Milliseconds that they are waited for in any case. */
const STUMBLE = 5000
/** Milliseconds for one answer. */
const ANSWER = 30_000

/** What the message of a failure says of a call. */
export interface Purpose {
  /** For people: `register a runner`. */
  readonly doing: string
  /** What the token lacks when the answer is 403 or 404. */
  readonly needs?: string
  /** Statuses that the caller understands itself, unless the answer is a limit. */
  readonly accept?: readonly number[]
  /** What a refusal means, if more is known than that the token lacks a right. */
  explain?(status: number): Promise<Error | undefined>
  /** Before it is made, each time. */
  before?(): Promise<void>
  /** Before it is repeated: handles what a call with a lost answer has made. */
  again?(): Promise<void>
}

export interface Call extends Purpose {
  readonly method: string
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number | undefined>>
  readonly data: unknown
}

/** How forges differ. */
export interface Manners {
  /** For people. */
  readonly title: string
  /** Statuses that are a limit and no refusal when a header says so; 429 always is one. */
  readonly limits: readonly number[]
  /** Headers: requests that are left, and when there will be more, in seconds since 1970. */
  readonly remaining: string
  readonly reset: string
  /** For people: what that limit is called. */
  readonly limit: string
  /** Milliseconds to wait at a limit that no header tells the end of. */
  readonly unannounced: number
}

export class Patience {
  readonly #context: Pick<ForgeContext, 'clock' | 'log' | 'signal' | 'until'>
  readonly #manners: Manners
  /** Who it is that calls, for people. */
  readonly #who: string

  constructor(context: Pick<ForgeContext, 'clock' | 'log' | 'signal' | 'until'>, manners: Manners, who: string) {
    this.#context = context
    this.#manners = manners
    this.#who = who
  }

  /** Resolves to an answer of 2xx, or of a status that the call accepts. */
  async call<T extends Answer>(purpose: Purpose, attend: (limit: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, log, signal, until } = this.#context
    const { title } = this.#manners
    const begun = clock.now()
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted()
      await purpose.before?.()
      const answer = await this.#try(attend)
      if ('status' in answer && answer.status < 300) return answer
      const wait = waitAfter(this.#manners, answer, tries, clock.date())
      if ('status' in answer && !wait) {
        if (purpose.accept?.includes(answer.status)) return answer
        throw (await purpose.explain?.(answer.status)) ?? this.#fault(purpose, answer, wait)
      }
      const end = wait?.announced ? Math.max(begun + ANNOUNCED, until ?? 0) : Math.max(begun + STUMBLE, until ?? begun + FAILING)
      const remaining = end - clock.now()
      if (wait === undefined || remaining <= 0 || (wait.announced && wait.milliseconds > remaining))
        throw this.#fault(purpose, answer, wait)
      const pause = Math.min(wait.milliseconds, remaining)
      // A single failure is not worth a message.
      if (tries > 1 || pause > 5000) log.info(`${title} ${wait.why}: trying again in ${formatDuration(Math.ceil(pause / 1000))}`)
      await clock.sleep(pause, signal)
      await purpose.again?.()
    }
  }

  async #try<T extends Answer>(attend: (limit: AbortSignal) => Promise<T>): Promise<T | Unanswered> {
    const { signal } = this.#context
    try {
      return await attend(AbortSignal.any([signal, AbortSignal.timeout(ANSWER)]))
    } catch (cause) {
      signal.throwIfAborted()
      if (cause instanceof AuthError || (cause instanceof RemoteError && !cause.retryable)) throw cause
      return { cause }
    }
  }

  #fault({ doing, needs }: Purpose, answer: Answer | Unanswered, wait: Wait | undefined): Error {
    const failed = `${this.#manners.title}: could not ${doing}:`
    if (!('status' in answer)) {
      if (answer.cause instanceof RemoteError) return answer.cause
      const why = messageOf(answer.cause)
      return new RemoteError(`${failed} no answer (${why})`, { cause: answer.cause, retryable: true })
    }
    const { status } = answer
    const said = reasonOf(answer)
    if (wait?.announced) return new RemoteError(`${failed} ${wait.why}, for longer than tpi waits`, { retryable: true })
    if (status === 401) return new AuthError(`${failed} the ${this.#who} is not valid, or expired`)
    if (status === 403 || status === 404) {
      const lacks = needs === undefined ? '' : `; it needs ${needs}`
      return new AuthError(`${failed} the ${this.#who} is not allowed to${lacks} (HTTP ${status}: ${said})`)
    }
    if (status < 400) return elsewhere(failed, answer)
    return new RemoteError(`${failed} HTTP ${status}: ${said}`, { retryable: status >= 500 })
  }
}

/** Where a sign-in sends callers that it does not know. */
const SIGN_IN = /\/(sign_in|login|saml|oauth2?|auth)\b/i

/** A redirect that was not followed: no token goes to an address that was not given. */
function elsewhere(failed: string, { status, headers: { location } }: Answer): Error {
  const to = typeof location === 'string' ? location : 'an address that it does not name'
  const message = `${failed} it redirects to ${to} (HTTP ${status}), and tpi sends no token there`
  const server = URL.canParse(to) ? new URL(to).origin : undefined
  const moved = server === undefined ? 'if it has moved, give its new path' : `if that is the server itself, give --forge-url ${server}`
  const hint = SIGN_IN.test(to) ? 'a sign-in stands before its API: have it let calls of the API through' : moved
  return new InputError([{ option: 'forge-url', message, hint }])
}

interface Unanswered {
  readonly cause: unknown
}

export interface Wait {
  readonly milliseconds: number
  /** The forge itself said how long, or its rules do. */
  readonly announced: boolean
  readonly why: string
}

/** `undefined`: waiting would change nothing. */
function waitAfter(manners: Manners, answer: Answer | Unanswered, tries: number, now: Date): Wait | undefined {
  const jitter = backoff(tries, { first: 1000, longest: 30_000 })
  if (!('status' in answer)) return { milliseconds: jitter, announced: false, why: 'does not answer' }
  const { status, headers } = answer
  const after = retryAfter(headers)
  if (status >= 500) return { milliseconds: (after || 0) + jitter, announced: false, why: `answers HTTP ${status}` }
  return limitOf(manners, answer, tries, now)
}

/** How long it has to be left alone; `undefined`: the answer is no limit. */
export function limitOf(manners: Manners, { status, headers }: Answer, tries: number, now: Date): Wait | undefined {
  const after = retryAfter(headers)
  if (status !== 429 && !manners.limits.includes(status)) return undefined
  if (Number.isFinite(after)) return { milliseconds: after + Math.random() * 500, announced: true, why: 'limits requests' }
  if (String(headers[manners.remaining]) === '0') {
    const reset = Number(headers[manners.reset]) * 1000 - now.getTime()
    return { milliseconds: Math.max(1000, reset), announced: true, why: `limits requests (${manners.limit})` }
  }
  return status === 429
    ? { milliseconds: manners.unannounced + backoff(tries, { first: 1000, longest: 60_000 }), announced: true, why: 'limits requests' }
    : undefined
}

/** Milliseconds. */
const retryAfter = ({ 'retry-after': seconds }: Answer['headers']): number => (seconds === undefined ? Number.NaN : Number(seconds) * 1000)

/** Neither an answer that helps nor a refusal. */
export function mayPass(manners: Manners, answer: Answer): boolean {
  return waitAfter(manners, answer, 1, new Date(0)) !== undefined
}

/** What an answer says for people. */
export function reasonOf({ data }: Pick<Answer, 'data'>): string {
  const said = fieldsIn(data)
  const reason = said['message'] ?? said['error_description'] ?? said['error']
  const text = typeof reason === 'string' || reason === undefined ? reason : JSON.stringify(reason)
  return text?.slice(0, 200).replace(/\s+/g, ' ') ?? 'no reason given'
}
