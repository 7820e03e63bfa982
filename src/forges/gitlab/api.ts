/** Calls of GitLab, with the reactions that its answers call for: by status code and header, never by text. */
import { AuthError, RemoteError } from '../../core/errors.ts'
import type { ForgeContext } from '../../core/forge.ts'
import { backoff } from '../../lib/retry.ts'

/** Milliseconds that failures and limits of one call are waited for. */
const PATIENCE = 2 * 60_000
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
  readonly #context: Pick<ForgeContext, 'clock' | 'signal'>
  readonly #base: string
  readonly #token: string

  constructor(context: Pick<ForgeContext, 'clock' | 'signal'>, base: string, token: string) {
    this.#context = context
    this.#base = base
    this.#token = token
  }

  /** Resolves to an answer of 2xx, or of a status that the call accepts. */
  async call(call: Call): Promise<Answer> {
    const { clock, signal } = this.#context
    const begun = clock.now()
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted()
      const tried = await this.#try(call)
      if ('status' in tried && (tried.status < 300 || call.accept?.includes(tried.status))) return tried
      const passing = !('status' in tried) || tried.status >= 500 || tried.status === 429
      const wait = (tried.after ?? 0) * 1000 + backoff(attempt, { first: 500, longest: 20_000 })
      if (!passing || clock.now() - begun + wait > PATIENCE) throw fault(call, tried)
      await clock.sleep(wait, signal)
      await call.again?.()
    }
  }

  /** All pages. */
  async list(call: Omit<Call, 'method'>): Promise<unknown[]> {
    const all: unknown[] = []
    for (let page = 1; ; page++) {
      const path = `${call.path}${call.path.includes('?') ? '&' : '?'}per_page=100&page=${page}`
      const some = (await this.call({ ...call, method: 'GET', path })).data as unknown[]
      all.push(...some)
      if (some.length < 100) return all
    }
  }

  async #try(call: Call): Promise<(Answer & { readonly after?: number }) | { readonly cause: unknown; readonly after?: number }> {
    const { signal } = this.#context
    const headers = { 'private-token': this.#token, 'content-type': 'application/json' }
    try {
      const answer = await fetch(`${this.#base}${call.path}`, {
        method: call.method,
        headers,
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER)]),
        ...(call.body ? { body: JSON.stringify(call.body) } : {}),
      })
      const text = await answer.text()
      const after = Number(answer.headers.get('retry-after') ?? Number.NaN)
      return { status: answer.status, data: parsed(text), ...(Number.isFinite(after) ? { after } : {}) }
    } catch (cause) {
      signal.throwIfAborted()
      return { cause }
    }
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    // A proxy's page: the status says enough.
    return undefined
  }
}

function fault({ doing, needs }: Call, tried: Answer | { readonly cause: unknown }): Error {
  if (!('status' in tried)) {
    const why = tried.cause instanceof Error ? tried.cause.message : String(tried.cause)
    return new RemoteError(`GitLab: could not ${doing}: no answer (${why})`, { cause: tried.cause, retryable: true })
  }
  const { status } = tried
  const said = JSON.stringify((tried.data as { message?: unknown } | undefined)?.message ?? 'no reason given').slice(0, 200)
  if (status === 401) return new AuthError(`GitLab: could not ${doing}: the token is not valid, or expired`)
  if (status === 403 || status === 404)
    return new AuthError(
      `GitLab: could not ${doing}: the token may not${needs === undefined ? '' : `; it needs ${needs}`} (HTTP ${status}: ${said})`,
    )
  return new RemoteError(`GitLab: could not ${doing}: HTTP ${status}: ${said}`, { retryable: status >= 500 })
}
