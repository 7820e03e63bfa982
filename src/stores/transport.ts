/** One HTTP request and its whole answer. */
import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { envProxy } from '../lib/env-proxy.ts'
import { free } from '../lib/heap.ts'
import { MAX_OBJECT_BYTES, type OnBytes } from '../wire/store.ts'
import { exchange, type HttpRequest, keptSockets } from './sockets.ts'
import { TooLarge } from './transport-error.ts'

export interface HttpReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const MAX_SOCKETS = 64
/** Milliseconds without a byte after which a request is given up. */
const SILENCE = 30_000
/** Bytes that an answer starts with when its length is announced: below that its parts are joined. */
const DIRECT = 65_536

export class Transport {
  readonly #endpoint: URL
  readonly #agent: Agent

  constructor(endpoint: URL) {
    this.#endpoint = endpoint
    this.#agent = keptSockets(endpoint, MAX_SOCKETS, envProxy(endpoint.protocol))
  }

  /**
   * `hostname` as the server is to see it; the socket goes to the endpoint under that name. A bracketed address of IPv6 is a host in a
   * header, but not a name to connect to.
   */
  async send(hostname: string, { method, path, headers, body, signal, sent, received }: HttpRequest): Promise<HttpReply> {
    const options = { agent: this.#agent, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), method, path, headers }
    return exchange({ url: this.#endpoint, options, silence: SILENCE, body, signal, sent }, (answer) => collect(answer, method, received))
  }

  close(): void {
    this.#agent.destroy()
  }
}

async function collect(message: IncomingMessage, method: string, received: OnBytes | undefined): Promise<HttpReply> {
  const announced = Number(message.headers['content-length'] ?? Number.NaN)
  const body = await bodyOf(message, method === 'HEAD' ? 0 : announced, received)
  const whole = message.complete && (Number.isNaN(announced) || body.length === announced || method === 'HEAD')
  if (!whole) throw new Error('the answer was cut short')
  return { status: message.statusCode ?? 0, headers: message.headers, body }
}

/**
 * A large body is read into one buffer of the announced size: no second copy of it, and the socket's buffers are released at once.
 * No answer of a store is longer than its largest object; a longer one costs no more memory than that.
 */
async function bodyOf(message: IncomingMessage, announced: number, received: OnBytes | undefined): Promise<Buffer> {
  if (announced > MAX_OBJECT_BYTES) throw refused(message)
  const chunks: Buffer[] = []
  const direct = announced > DIRECT ? Buffer.allocUnsafeSlow(announced) : undefined
  let length = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    if (!direct) chunks.push(chunk)
    else if (length + chunk.length > announced) throw new Error('the answer is longer than announced')
    else direct.set(chunk, length)
    length += chunk.length
    if (length > MAX_OBJECT_BYTES) throw refused(message)
    if (direct) free(chunk)
    received?.(length)
  }
  return direct?.subarray(0, length) ?? Buffer.concat(chunks)
}

/** The socket cannot be reused: the rest of this answer would come on it. */
function refused(message: IncomingMessage): TooLarge {
  message.destroy()
  return new TooLarge(MAX_OBJECT_BYTES)
}
