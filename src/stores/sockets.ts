/** One HTTP request over sockets that stay open. */
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Sent } from '../wire/store.ts'
import { sendBody } from './send-body.ts'
import { reasonOf, TooLarge, TransportError } from './transport-error.ts'

/** Milliseconds that an idle socket is kept: shorter than servers keep theirs, so that few requests meet a closing one. */
const IDLE = 4_000

export function keptSockets({ protocol }: URL, most: number, options: https.AgentOptions = {}): http.Agent {
  const kept = { keepAlive: true, maxSockets: most, maxFreeSockets: most, timeout: IDLE, scheduling: 'lifo', ...options } as const
  return protocol === 'https:' ? new https.Agent(kept) : new http.Agent(kept)
}

export interface Outgoing {
  /** Where it goes, as far as the options do not say otherwise. */
  readonly url: URL
  readonly options: RequestOptions
  /** Milliseconds without a byte after which it is given up. */
  readonly silence: number
  readonly body?: Uint8Array | undefined
  readonly signal?: AbortSignal | undefined
  readonly sent?: Sent | undefined
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
