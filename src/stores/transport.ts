/** One HTTP request and its whole answer. */
import type { Agent, IncomingHttpHeaders } from 'node:http'
import { envProxy } from '../lib/env-proxy.ts'
import { bodyOf, exchange, type HttpRequest, keptSockets } from './sockets.ts'

export interface HttpReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const MAX_SOCKETS = 64
/** Milliseconds without a byte after which a request is given up. */
const SILENCE = 30_000

export class Transport {
  readonly #endpoint: URL
  readonly #agent: Agent

  constructor(endpoint: URL) {
    this.#endpoint = endpoint
    this.#agent = keptSockets(endpoint, MAX_SOCKETS, envProxy(endpoint.protocol))
  }

  /** `hostname`: as in a URL, of the endpoint or, with the bucket in front, of a name below it. */
  async send(hostname: string, { method, path, headers, body, signal, sent, received }: HttpRequest): Promise<HttpReply> {
    const options = { agent: this.#agent, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), method, path, headers }
    return exchange({ url: this.#endpoint, options, silence: SILENCE, body, signal, sent }, async (answer) => ({
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      body: await bodyOf(answer, method, received),
    }))
  }

  close(): void {
    this.#agent.destroy()
  }
}
