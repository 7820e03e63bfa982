/** Calls of GitHub. */
import { RemoteError } from '../../core/errors.ts'
import type { ForgeContext } from '../../core/forge.ts'
import { fieldsIn } from '../../lib/record.ts'
import type { Answer, Call, Purpose } from '../call.ts'
import { type Manners, Patience } from '../outage.ts'
import type { Login } from './auth.ts'
import { Pace } from './pace.ts'
import type { Send } from './sdk.ts'

/**
 * Source: GitHub's documentation of its rate limits. A secondary limit may come without any header. GitHub's own client also recognizes it by these
 * words (plugin-throttling of Octokit).
 */
export const MANNERS: Manners = {
  title: 'GitHub',
  limits: [403],
  remaining: 'x-ratelimit-remaining',
  reset: 'x-ratelimit-reset',
  limit: 'hourly limit',
  isLimit(data) {
    const { message, documentation_url: about } = fieldsIn(data)
    return /\bsecondary[- ]rate\b/i.test(`${String(message)} ${String(about)}`)
  },
  unannounced: 60_000,
}

/** Most entries of one answer. */
export const PAGE = 100

export class Api {
  readonly #patience: Patience
  readonly #send: Send
  readonly #login: Login
  readonly #pace: Pace

  constructor(context: Pick<ForgeContext, 'clock' | 'log' | 'signal' | 'until'>, send: Send, login: Login) {
    this.#patience = new Patience(context, MANNERS, login.kind)
    this.#send = send
    this.#login = login
    this.#pace = new Pace(context)
  }

  /** Resolves to an answer of 2xx, or of a status that the call accepts. */
  async call(call: Call): Promise<Answer> {
    let renewed = false
    const attend = async (limit: AbortSignal): Promise<Answer> => {
      for (;;) {
        const authorization = await this.#login.authorization()
        const answer = await this.#send(call.method, call.path, authorization, call.body, limit)
        if (answer.status !== 401 || renewed || !this.#login.renew(authorization)) return answer
        renewed = true
      }
    }
    if (call.method === 'GET') return this.#patience.call(call, attend)
    const before = async (): Promise<void> => this.#pace.turn(call.method)
    return this.#patience.call({ ...call, before }, async (limit) => attend(limit).finally(() => this.#pace.over(call.method)))
  }

  /** A list, page by page. `entriesIn`: reads the entries of one answer. */
  async *pages<T>(purpose: Purpose, path: string, entriesIn: (data: unknown) => readonly T[]): AsyncGenerator<readonly T[]> {
    for (let page = 1; ; page++) {
      const address = `${path}${path.includes('?') ? '&' : '?'}per_page=${PAGE}&page=${page}`
      const some = entriesIn((await this.call({ ...purpose, method: 'GET', path: address })).data)
      yield some
      if (some.length < PAGE) return
    }
  }

  /** The whole list; empty if the status is one that the call accepts. `field`: where an answer has its entries. */
  async list<T>(purpose: Purpose, path: string, field: string): Promise<T[]> {
    const all: T[] = []
    const pages = this.pages(purpose, path, (data) => {
      const some = fieldsIn(data)[field] ?? (purpose.accept && [])
      if (!Array.isArray(some)) throw new RemoteError(`GitHub: could not ${purpose.doing}: its answer has no "${field}"`)
      return some as readonly T[]
    })
    for await (const some of pages) all.push(...some)
    return all
  }
}
