/** Calls of GitHub, with the reactions that its answers call for: by status code and header, never by text. */
import { AuthError, RemoteError } from '../../core/errors.ts'
import type { ForgeContext } from '../../core/forge.ts'
import { formatDuration } from '../../lib/duration.ts'
import { backoff } from '../../lib/retry.ts'
import type { Identity } from './auth.ts'
import type { Answer, Send } from './sdk.ts'

/** Milliseconds that one call may wait for limits and failures to pass. */
const PATIENCE = 10 * 60_000
/** Milliseconds that failures which nobody announced the end of are waited for. */
const FAILING = 2 * 60_000
/** Milliseconds that they are waited for in any case. */
const STUMBLE = 5000
/** Milliseconds for one answer. */
const ANSWER = 30_000

export interface Call {
  /** For people: `register a runner`. */
  readonly doing: string
  readonly method: string
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
  /** What the token lacks when the answer is 403. */
  readonly needs?: string
  /** Statuses that the caller understands itself. */
  readonly accept?: readonly number[]
}

export class Api {
  readonly #context: Pick<ForgeContext, 'clock' | 'log' | 'signal' | 'until'>
  readonly #send: Send
  readonly #identity: Identity
  /** Calls made so far. */
  calls = 0

  constructor(context: Pick<ForgeContext, 'clock' | 'log' | 'signal' | 'until'>, send: Send, identity: Identity) {
    this.#context = context
    this.#send = send
    this.#identity = identity
  }

  /** Resolves to an answer of 2xx, or of a status that the call accepts. */
  async call(call: Call): Promise<Answer> {
    const { clock, signal, until } = this.#context
    const begun = clock.now()
    let renewed = false
    const used = { authorization: '' }
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted()
      const answer = await this.#try(call, used)
      if ('status' in answer && (answer.status < 300 || call.accept?.includes(answer.status))) return answer
      if ('status' in answer && answer.status === 401 && !renewed && this.#identity.renew(used.authorization)) {
        renewed = true
        continue
      }
      const wait = waitAfter(answer, attempt, clock.date())
      const end = wait?.announced ? Math.max(begun + PATIENCE, until ?? 0) : Math.max(begun + STUMBLE, until ?? begun + FAILING)
      const left = end - clock.now()
      if (wait === undefined || left <= 0 || (wait.announced && wait.milliseconds > left)) throw this.#fault(call, answer, wait)
      const pause = Math.min(wait.milliseconds, left)
      // One that stumbles is nobody's news.
      if (attempt > 1 || pause > 5000)
        this.#context.log.info(`GitHub ${wait.why}: trying again in ${formatDuration(Math.ceil(pause / 1000))}`)
      await clock.sleep(pause, signal)
    }
  }

  async #try(call: Call, used: { authorization: string }): Promise<Answer | Unanswered> {
    const { signal } = this.#context
    this.calls++
    try {
      used.authorization = await this.#identity.authorization()
      const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER)])
      return await this.#send(call.method, call.path, used.authorization, call.body, limit)
    } catch (cause) {
      signal.throwIfAborted()
      if (cause instanceof AuthError || (cause instanceof RemoteError && !cause.retryable)) throw cause
      return { cause }
    }
  }

  #fault({ doing, needs }: Call, answer: Answer | Unanswered, wait: Wait | undefined): Error {
    if (!('status' in answer)) {
      if (answer.cause instanceof RemoteError) return answer.cause
      const why = answer.cause instanceof Error ? answer.cause.message : String(answer.cause)
      return new RemoteError(`GitHub: could not ${doing}: no answer (${why})`, { cause: answer.cause, retryable: true })
    }
    const { status } = answer
    const said = messageOf(answer)
    if (wait?.announced) return new RemoteError(`GitHub: could not ${doing}: ${wait.why}, for longer than we wait`, { retryable: true })
    if (status === 401) return new AuthError(`GitHub: could not ${doing}: the ${this.#identity.kind} is not valid, or expired`)
    if (status === 403 || status === 404) {
      const lacks = needs === undefined ? '' : `; it needs ${needs}`
      return new AuthError(`GitHub: could not ${doing}: the ${this.#identity.kind} may not${lacks} (HTTP ${status}: ${said})`)
    }
    return new RemoteError(`GitHub: could not ${doing}: HTTP ${status}: ${said}`, { retryable: status >= 500 })
  }
}

interface Unanswered {
  readonly cause: unknown
}

interface Wait {
  readonly milliseconds: number
  /** The forge itself said how long. */
  readonly announced: boolean
  readonly why: string
}

/** `undefined`: waiting would change nothing. */
function waitAfter(answer: Answer | Unanswered, attempt: number, now: Date): Wait | undefined {
  const jitter = backoff(attempt, { first: 1000, longest: 30_000 })
  if (!('status' in answer)) return { milliseconds: jitter, announced: false, why: 'does not answer' }
  const { status, headers } = answer
  if (status >= 500) return { milliseconds: jitter, announced: false, why: `answers HTTP ${status}` }
  if (status !== 403 && status !== 429) return undefined
  const after = Number(headers['retry-after'])
  if (headers['retry-after'] !== undefined && Number.isFinite(after))
    return { milliseconds: after * 1000 + Math.random() * 500, announced: true, why: 'limits requests (secondary limit)' }
  if (String(headers['x-ratelimit-remaining']) === '0') {
    const reset = Number(headers['x-ratelimit-reset']) * 1000 - now.getTime()
    return { milliseconds: Math.max(1000, reset), announced: true, why: 'limits requests (hourly limit)' }
  }
  return status === 429
    ? { milliseconds: 60_000 + backoff(attempt, { first: 1000, longest: 60_000 }), announced: true, why: 'limits requests' }
    : undefined
}

export function messageOf({ data }: Pick<Answer, 'data'>): string {
  const message = typeof data === 'object' && data !== null ? (data as { message?: unknown }).message : undefined
  return typeof message === 'string' ? message.slice(0, 200).replace(/\s+/g, ' ') : 'no reason given'
}
