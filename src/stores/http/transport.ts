/** Requests whose answers come with the head first, and the body as the caller wants it. */
import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { envProxy, OF_ENVIRONMENT } from '../../lib/env-proxy.ts'
import { reasonOf } from '../../lib/http.ts'
import type { OnBytes } from '../../wire/store.ts'
import { bodyOf, exchange, type HttpRequest, keptSockets } from '../sockets.ts'
import { TooLarge, TransportError } from '../transport-error.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The complete body, or rejects: with TooLarge if it is longer than any object of a store. */
  bytes(): Promise<Buffer>
  readonly stream: IncomingMessage
}

/** How the connection is secured: certificates in PEM, and a proxy. */
export interface Security {
  readonly ca?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
  /** Name that the server's certificate is for, when it is not the host's. */
  readonly serverName?: string | undefined
  /** `true`: any certificate is accepted. */
  readonly insecure?: boolean | undefined
  /** URL of an HTTP proxy on the way, or `OF_ENVIRONMENT`. */
  readonly proxy?: string | undefined
}

const MAX_SOCKETS = 32
/** Milliseconds without a byte after which a request is given up: more than a server takes to write 64 MiB to a slow disk. */
const SILENCE = 60_000
/**
 * Milliseconds to wait for a connection: the first time, and at most; twice as long after each failure. Short, because the kernel repeats a lost
 * packet only after one and three seconds, and a node loses packets to a Service whose address it does not know yet.
 */
const CONNECT = 400
const LONGEST_CONNECT = 10_000

export class Transport {
  readonly #base: URL
  #agent: Agent
  #security = ''
  #connect = CONNECT

  constructor(base: string) {
    this.#base = new URL(base.endsWith('/') ? base : `${base}/`)
    this.#agent = this.#makeAgent({})
  }

  /** Takes effect for new requests. */
  secure(security: Security): void {
    const text = JSON.stringify(security)
    if (text === this.#security) return
    this.#security = text
    this.#agent = this.#makeAgent(security)
  }

  /** The path is relative to the store's URL. */
  async send({ method, path, headers, body, signal, sent, received }: HttpRequest): Promise<Answer> {
    const url = new URL(path, this.#base)
    const onConnecting = (call: ClientRequest, socket: Socket): void => this.#limit(call, socket)
    const options = { agent: this.#agent, method, headers }
    return exchange({ url, options, silence: SILENCE, body, signal, sent, onConnecting }, async (stream) =>
      answerOf(stream, method, received),
    )
  }

  close(): void {
    this.#agent.destroy()
  }

  #limit(call: ClientRequest, socket: Socket): void {
    const limit = this.#connect
    const timer = setTimeout(() => {
      this.#connect = Math.min(2 * limit, LONGEST_CONNECT)
      call.destroy(new Error(`no connection within ${limit / 1000} s`))
    }, limit)
    const stop = (): void => clearTimeout(timer)
    socket.once('connect', stop)
    call.once('close', stop)
  }

  #makeAgent({ ca, cert, key, serverName, insecure, proxy }: Security): Agent {
    return keptSockets(this.#base, MAX_SOCKETS, {
      ...(proxy && (proxy === OF_ENVIRONMENT ? envProxy(this.#base.protocol) : { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } })),
      ...(ca && { ca }),
      ...(cert && { cert }),
      ...(key && { key }),
      ...(serverName && { servername: serverName }),
      ...(insecure && { rejectUnauthorized: false }),
    })
  }
}

function answerOf(stream: IncomingMessage, method: string, received: OnBytes | undefined): Answer {
  const { statusCode = 0, headers } = stream
  const bytes = async (): Promise<Buffer> => {
    try {
      return await bodyOf(stream, method, received)
    } catch (error) {
      stream.destroy()
      if (error instanceof TooLarge) throw error
      throw new TransportError(true, reasonOf(error), { cause: error })
    }
  }
  return { status: statusCode, headers, bytes, stream }
}
