/** Calls of a service's API for checks, one at a time. A check must see failures, so only limits of requests are waited for. */
import type { Clock } from '../../src/core/cloud.ts'
import { limitOf, type Manners } from '../../src/forges/outage.ts'
import { jsonIn } from '../../src/lib/answer.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { formatDuration } from '../../src/lib/duration.ts'

export interface Answer {
  readonly status: number
  readonly data: unknown
  readonly text: string
}

export interface Ask {
  readonly body?: unknown
  /** Statuses that count as success, in addition to the usual ones. */
  readonly accept?: readonly number[]
}

/** A service that limits requests. */
export interface Limited {
  readonly manners: Manners
  /** For the user. */
  readonly say: (line: string) => void
  readonly clock?: Clock
}

/** Milliseconds that one call waits altogether: no forge's limit counts for more than an hour, and removing what was made must wait for that, too. */
const LONGEST = 65 * 60_000

export class Api {
  readonly #base: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #limited: Limited | undefined

  constructor(base: string, headers: Readonly<Record<string, string>>, limited?: Limited) {
    this.#base = base.replace(/\/+$/, '')
    this.#headers = headers
    this.#limited = limited
  }

  async call(method: string, path: string, { body, accept = [] }: Ask = {}): Promise<Answer> {
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers = { ...this.#headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const answer = await this.#unlimited(async () =>
      fetch(this.#base + path, { method, headers, ...json, signal: AbortSignal.timeout(60_000) }),
    )
    const text = await answer.text()
    if (!answer.ok && !accept.includes(answer.status)) throw new Error(`${method} ${path}: HTTP ${answer.status}: ${text.slice(0, 300)}`)
    return { status: answer.status, text, data: jsonIn(text) }
  }

  /** Not cut short by Ctrl-C, because removing what was made would then meet the same limit. */
  async #unlimited(ask: () => Promise<Response>): Promise<Response> {
    if (!this.#limited) return ask()
    const { manners, say, clock = systemClock } = this.#limited
    const end = clock.now() + LONGEST
    for (let attempt = 1; ; attempt++) {
      const answer = await ask()
      const headers = Object.fromEntries(answer.headers)
      const wait = limitOf(manners, { status: answer.status, headers, data: undefined }, attempt, clock.date())
      if (!wait || clock.now() + wait.milliseconds > end) return answer
      await answer.body?.cancel()
      say(`${manners.title} ${wait.why}: going on in ${formatDuration(Math.ceil(wait.milliseconds / 1000))}`)
      await clock.sleep(wait.milliseconds)
    }
  }
}
