/** How long a call of a forge waits and is repeated. Statuses and headers of the answers decide it, for every forge in the same way. */
import { AuthError, RemoteError } from '../core/errors.ts'
import type { ForgeContext } from '../core/forge.ts'
import { backoff } from '../lib/backoff.ts'
import { formatDuration } from '../lib/duration.ts'
import { messageOf } from '../lib/text.ts'
import type { Answer, Purpose, Unanswered } from './call.ts'
import { faultOf } from './errors.ts'

/** Milliseconds that one call may wait for a time that the forge itself has announced. */
export const ANNOUNCED = 10 * 60_000
/** Milliseconds that a call goes on if failures have no announced end. */
const FAILING = 2 * 60_000
/** The same, at least, even if the command has no time left to wait for the forge. */
const STUMBLE = 5000
/** Milliseconds that one answer may take. */
const ANSWER = 30_000

/** How forges differ. */
export interface Manners {
  /** For people. */
  readonly title: string
  /** Statuses that, besides 429, may mean a rate limit instead of a refusal: headers tell. */
  readonly limits: readonly number[]
  /** Names of headers: how many requests are left, and when there will be more (seconds since 1970). */
  readonly remaining: string
  readonly reset: string
  /** For people: what that limit is called. */
  readonly limit: string
  /** Whether the body of an answer with one of those statuses says that it is a limit, if no header does. */
  isLimit?(data: unknown): boolean
  /** Milliseconds to wait if no header says when a limit ends. */
  readonly unannounced: number
}

export class Patience {
  readonly #context: Pick<ForgeContext, 'clock' | 'log' | 'signal' | 'until'>
  readonly #manners: Manners
  /** Who calls, for people. */
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
    const parties = { title, who: this.#who }
    const begun = clock.now()
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted()
      await purpose.before?.()
      const answer = await this.#try(attend)
      if ('status' in answer && answer.status < 300) return answer
      const wait = waitAfter(this.#manners, answer, tries, clock.date())
      if ('status' in answer && !wait) {
        if (purpose.accept?.includes(answer.status)) return answer
        throw (await purpose.explain?.(answer.status)) ?? faultOf(parties, purpose, answer)
      }
      const end = wait?.announced ? Math.max(begun + ANNOUNCED, until ?? 0) : Math.max(begun + STUMBLE, until ?? begun + FAILING)
      const remaining = end - clock.now()
      if (wait === undefined || remaining <= 0 || (wait.announced && wait.milliseconds > remaining))
        throw faultOf(parties, purpose, answer, wait)
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
}

export interface Wait {
  readonly milliseconds: number
  /** The forge has said how long, or its rules do. */
  readonly announced: boolean
  readonly why: string
}

/** `undefined`: waiting would change nothing. */
function waitAfter(manners: Manners, answer: Answer | Unanswered, tries: number, now: Date): Wait | undefined {
  const jitter = backoff(tries, { first: 1000, longest: 30_000 })
  if (!('status' in answer)) return { milliseconds: jitter, announced: false, why: `does not answer (${messageOf(answer.cause)})` }
  const { status, headers } = answer
  const after = retryAfter(headers)
  if (status >= 500) return { milliseconds: (after || 0) + jitter, announced: false, why: `answers HTTP ${status}` }
  return limitOf(manners, answer, tries, now)
}

/** How long to send no requests; `undefined`: the answer is not a rate limit. */
export function limitOf(manners: Manners, { status, headers, data }: Answer, tries: number, now: Date): Wait | undefined {
  const after = retryAfter(headers)
  if (status !== 429 && !manners.limits.includes(status)) return undefined
  if (Number.isFinite(after)) return { milliseconds: after + Math.random() * 500, announced: true, why: 'limits requests' }
  if (String(headers[manners.remaining]) === '0') {
    const reset = Number(headers[manners.reset]) * 1000 - now.getTime()
    return { milliseconds: Math.max(1000, reset), announced: true, why: `limits requests (${manners.limit})` }
  }
  return status === 429 || manners.isLimit?.(data)
    ? { milliseconds: manners.unannounced + backoff(tries, { first: 1000, longest: 60_000 }), announced: true, why: 'limits requests' }
    : undefined
}

/** Milliseconds; not a number if the header is absent or has another form. */
const retryAfter = ({ 'retry-after': seconds }: Answer['headers']): number => (seconds === undefined ? Number.NaN : Number(seconds) * 1000)

/** Whether the same call may succeed later: the answer is an outage or a rate limit. */
export function mayPass(manners: Manners, answer: Answer): boolean {
  return waitAfter(manners, answer, 1, new Date(0)) !== undefined
}
