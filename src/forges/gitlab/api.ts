/** Calls of GitLab, with the reactions that its answers call for: by status code and header, never by text. */
import { AuthError, RemoteError } from '../../core/errors.ts'
import type { ForgeContext } from '../../core/forge.ts'
import { formatDuration } from '../../lib/duration.ts'
import { backoff } from '../../lib/retry.ts'

/** Milliseconds that failures and limits of one call are waited for. */
const PATIENCE = 2 * 60_000
/** Milliseconds that failures are waited for in any case. */
const STUMBLE = 5000
/** Milliseconds for one answer. */
const ANSWER = 30_000

export interface Call {
  /** For people: `create the runner`. */
  readonly doing: string
  readonly method: string
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
  /** What the token lacks when the answer is 401 or 403. */
  readonly needs?: string
  /** Statuses that the caller understands itself. */
  readonly accept?: readonly number[]
  /** Before it is made once more: what an answer that was lost has left. */
  again?(): Promise<void>
}

export interface Answer {
  readonly status: number
  readonly data: unknown
}

export class Api {
  readonly #context: Pick<ForgeContext, 'clock' | 'log' | 'signal' | 'until'>
  readonly #base: string
  readonly #token: string

  constructor(context: Pick<ForgeContext, 'clock' | 'log' | 'signal' | 'until'>, base: string, token: string) {
    this.#context = context
    this.#base = base
    this.#token = token
  }

  /** Resolves to an answer of 2xx, or of a status that the call accepts. */
  async call(call: Call): Promise<Answer> {
    return this.#patiently(call, () => this.#try(call))
  }

  /** What lies elsewhere and needs no token. */
  async file(url: string, call: Pick<Call, 'doing' | 'accept'>): Promise<{ readonly status: number; readonly text: string }> {
    return this.#patiently(call, () => this.#fetch(url, {}))
  }

  async #patiently<T extends Tried>(
    call: Pick<Call, 'doing' | 'needs' | 'accept' | 'again'>,
    attend: () => Promise<T | Unanswered>,
  ): Promise<T> {
    const { clock, log, signal, until } = this.#context
    const begun = clock.now()
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted()
      const tried = await attend()
      if ('status' in tried && (tried.status < 300 || call.accept?.includes(tried.status))) return tried
      const passing = !('status' in tried) || tried.status >= 500 || tried.status === 429
      const left = Math.max(begun + STUMBLE, until ?? begun + PATIENCE) - clock.now()
      const wait = ('after' in tried ? (tried.after ?? 0) : 0) * 1000 + backoff(attempt, { first: 500, longest: 20_000 })
      if (!passing || left <= 0) throw fault(call, tried)
      const pause = Math.min(wait, left)
      // One that stumbles is nobody's news.
      if (attempt > 1) log.info(`GitLab ${said(tried)}: trying again in ${formatDuration(Math.ceil(pause / 1000))}`)
      await clock.sleep(pause, signal)
      await call.again?.()
    }
  }

  /** All pages; none where the status is one that the call accepts. */
  async list(call: Omit<Call, 'method'>): Promise<unknown[]> {
    const all: unknown[] = []
    for (let page = 1; ; page++) {
      const path = `${call.path}${call.path.includes('?') ? '&' : '?'}per_page=100&page=${page}`
      const answer = await this.call({ ...call, method: 'GET', path })
      if (answer.status >= 300) return []
      const some = answer.data as unknown[]
      all.push(...some)
      if (some.length < 100) return all
    }
  }

  async #try(call: Call): Promise<(Tried & Answer) | Unanswered> {
    const headers = { 'private-token': this.#token, 'content-type': 'application/json' }
    const body = call.body ? { body: JSON.stringify(call.body) } : {}
    const tried = await this.#fetch(`${this.#base}${call.path}`, { method: call.method, headers, ...body })
    return 'status' in tried ? { ...tried, data: parsed(tried.text) } : tried
  }

  async #fetch(url: string, how: RequestInit): Promise<(Tried & { readonly text: string }) | Unanswered> {
    const { signal } = this.#context
    try {
      const answer = await fetch(url, { ...how, signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER)]) })
      const text = await answer.text()
      const after = Number(answer.headers.get('retry-after') ?? Number.NaN)
      return { status: answer.status, text, ...(Number.isFinite(after) ? { after } : {}) }
    } catch (cause) {
      signal.throwIfAborted()
      return { cause }
    }
  }
}

/** An answer of any status. */
interface Tried {
  readonly status: number
  readonly data?: unknown
  /** Seconds. */
  readonly after?: number
}

interface Unanswered {
  readonly cause: unknown
}

function said(tried: Tried | Unanswered): string {
  if (!('status' in tried)) return 'does not answer'
  return tried.status === 429 ? 'limits requests' : `answers HTTP ${tried.status}`
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    // A proxy's page: the status says enough.
    return undefined
  }
}

function fault({ doing, needs }: Pick<Call, 'doing' | 'needs'>, tried: Tried | Unanswered): Error {
  if (!('status' in tried)) {
    const why = tried.cause instanceof Error ? tried.cause.message : String(tried.cause)
    return new RemoteError(`GitLab: could not ${doing}: no answer (${why})`, { cause: tried.cause, retryable: true })
  }
  const { status } = tried
  const why = JSON.stringify((tried.data as { message?: unknown } | undefined)?.message ?? 'no reason given').slice(0, 200)
  if (status === 401) return new AuthError(`GitLab: could not ${doing}: the token is not valid, or expired`)
  if (status === 403 || status === 404)
    return new AuthError(
      `GitLab: could not ${doing}: the token may not${needs === undefined ? '' : `; it needs ${needs}`} (HTTP ${status}: ${why})`,
    )
  return new RemoteError(`GitLab: could not ${doing}: HTTP ${status}: ${why}`, { retryable: status >= 500 })
}
