/** Calls of GitLab. */
import type { ForgeContext } from '../../core/forge.ts'
import { json, list } from '../../lib/shape.ts'
import { understood } from '../answer.ts'
import type { Answer, Purpose } from '../call.ts'
import { fetched } from '../http.ts'
import { type Manners, Patience } from '../outage.ts'
import type { Ask, Gitlab, Send } from './sdk.ts'

/** Source: GitLab's documentation of its rate limits. */
export const MANNERS: Manners = {
  title: 'GitLab',
  limits: [],
  remaining: 'ratelimit-remaining',
  reset: 'ratelimit-reset',
  limit: 'limit of requests',
  unannounced: 1000,
}

const PAGE = 100
/** Most entries of a list. */
const MOST = 100_000
/** Some servers give a whole list at once, longer than a page. */
const PAGES = list(json(), MOST)

/** Given with every call that returns a list: without it, the client would read all pages by itself. */
export interface Page {
  readonly perPage: number
  readonly page: number
}

export class Api {
  readonly #patience: Patience
  readonly #send: Send

  constructor(context: Pick<ForgeContext, 'clock' | 'log' | 'signal' | 'until'>, send: Send) {
    this.#patience = new Patience(context, MANNERS, 'token')
    this.#send = send
  }

  /** Resolves to an answer of 2xx, or of a status that the call accepts. */
  async call(purpose: Purpose, ask: Ask): Promise<Answer> {
    return this.#patience.call(purpose, async (signal) => this.#send(ask, signal))
  }

  /** Fetches a file from another server, without the token. */
  async file(url: string, purpose: Purpose): Promise<{ readonly status: number; readonly text: string }> {
    return this.#patience.call(purpose, async (signal) => fetched(url, { signal }))
  }

  /**
   * All pages, until there are more than `most` entries; empty if the status is one that the call accepts. If a server answers every page with the
   * whole list, the second answer ends it.
   */
  async list(purpose: Purpose, ask: (gitlab: Gitlab, page: Page) => Promise<unknown>, most = MOST): Promise<unknown[]> {
    const all: unknown[] = []
    for (let page = 1, before = ''; ; page++) {
      const answer = await this.call(purpose, async (gitlab) => ask(gitlab, { perPage: PAGE, page }))
      if (answer.status >= 300) return []
      const some = understood(PAGES, answer.data, MANNERS.title, purpose)
      const same = JSON.stringify(some)
      if (same === before) return all
      before = same
      all.push(...some)
      if (some.length !== PAGE || all.length > most) return all
    }
  }
}
