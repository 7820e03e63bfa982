/** One HTTP request over sockets that stay open. */
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { reasonOf } from '../lib/http.ts'
import type { OnBytes } from '../wire/store.ts'
import { TooLarge, TransportError } from './transport-error.ts'

/** Milliseconds that an idle socket is kept: shorter than servers keep theirs, so that few requests meet a closing one. */
const IDLE = 4_000

export function keptSockets({ protocol }: URL, most: number, options: https.AgentOptions = {}): http.Agent {
  const kept = { keepAlive: true, maxSockets: most, maxFreeSockets: most, timeout: IDLE, scheduling: 'lifo', ...options } as const
  return protocol === 'https:' ? new https.Agent(kept) : new http.Agent(kept)
}

export interface HttpRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
  readonly signal?: AbortSignal | undefined
  /** Of the body. */
  readonly sent?: OnBytes | undefined
  /** Of the answer's. */
  readonly received?: OnBytes | undefined
}

export interface Outgoing extends Pick<HttpRequest, 'body' | 'signal' | 'sent'> {
  /** Where it goes, as far as the options do not say otherwise. */
  readonly url: URL
  readonly options: RequestOptions
  /** Milliseconds without a byte after which it is given up. */
  readonly silence: number
  /** Its socket has no connection yet. */
  readonly onConnecting?: (call: ClientRequest, socket: Socket) => void
}

/** What `take` makes of the answer. Rejects with the reason of the signal, with TooLarge, or with a TransportError. */
export async function exchange<T>(outgoing: Outgoing, take: (answer: IncomingMessage) => Promise<T>): Promise<T> {
  const { url, options, silence, body, signal, sent, onConnecting } = outgoing
  const secure = url.protocol === 'https:'
  signal?.throwIfAborted()
  let connected = false
  try {
    return await new Promise<T>((resolve, reject) => {
      const call = (secure ? https : http).request(url, { ...options, timeout: silence, ...(signal && { signal }) })
      call.on('socket', (socket) => {
        if (socket.connecting) {
          onConnecting?.(call, socket)
          socket.once(secure ? 'secureConnect' : 'connect', () => (connected = true))
        } else connected = true
      })
      call.on('timeout', () => call.destroy(new Error(`no byte for ${silence / 1000} s`)))
      call.on('error', reject)
      call.on('response', (answer) => void take(answer).then(resolve, reject))
      sendBody(call, body, sent)
    })
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof TooLarge) throw error
    throw new TransportError(connected, reasonOf(error), { cause: error })
  }
}

/** Bytes that are handed over at a time where somebody counts them. */
const STRIDE = 128 << 10

/** `sent` hears of what the system has taken, which holds back what a slow line has not carried yet. */
export function sendBody(call: ClientRequest, body: Uint8Array | undefined, sent: OnBytes | undefined): void {
  if (body === undefined || sent === undefined) return void call.end(body)
  const next = (from: number): void => {
    const to = from + STRIDE
    if (to >= body.length) return void call.end(body.subarray(from), () => sent(body.length))
    call.write(body.subarray(from, to), (error) => {
      if (error) return
      sent(to)
      next(to)
    })
  }
  next(0)
}
