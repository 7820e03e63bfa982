/** Calls of GitHub. */
import type { ForgeContext } from '../../core/forge.ts'
import { type Answer, type Call, type Manners, Patience } from '../outage.ts'
import type { Login } from './auth.ts'
import { Pace } from './pace.ts'
import type { Send } from './sdk.ts'

/** Source: GitHub's documentation of its rate limits. */
export const MANNERS: Manners = {
  title: 'GitHub',
  limits: [403],
  remaining: 'x-ratelimit-remaining',
  reset: 'x-ratelimit-reset',
  limit: 'hourly limit',
  unannounced: 60_000,
}

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
}
