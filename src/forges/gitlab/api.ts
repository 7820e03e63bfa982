/** Calls of GitLab. */
import type { ForgeContext } from '../../core/forge.ts'
import { type Answer, type Call, type Manners, Patience, type Purpose } from '../patience.ts'

/** Source: GitLab's documentation of its rate limits. */
const MANNERS: Manners = {
  title: 'GitLab',
  limits: [],
  left: 'ratelimit-remaining',
  reset: 'ratelimit-reset',
  limit: 'limit of requests',
  untold: 1000,
}

export class Api {
  readonly #patience: Patience
  readonly #base: string
  readonly #token: string

  constructor(context: Pick<ForgeContext, 'clock' | 'log' | 'signal' | 'until'>, base: string, token: string) {
    this.#patience = new Patience(context, MANNERS, 'token')
    this.#base = base
    this.#token = token
  }

  /** Resolves to an answer of 2xx, or of a status that the call accepts. */
  async call(call: Call): Promise<Answer> {
    const headers = { 'private-token': this.#token, 'content-type': 'application/json' }
    const body = call.body ? { body: JSON.stringify(call.body) } : {}
    return this.#patience.call(call, async (signal) =>
      fetched(`${this.#base}${call.path}`, { method: call.method, headers, signal, ...body }),
    )
  }

  /** What lies elsewhere and needs no token. */
  async file(url: string, purpose: Purpose): Promise<{ readonly status: number; readonly text: string }> {
    return this.#patience.call(purpose, async (signal) => fetched(url, { signal }))
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
}

async function fetched(url: string, how: RequestInit): Promise<Answer & { readonly text: string }> {
  const answer = await fetch(url, how)
  const text = await answer.text()
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text, data: parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    // A proxy's page: the status says enough.
    return undefined
  }
}
