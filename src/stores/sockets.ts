/** One HTTP request over sockets that stay open, and the body of its answer. */
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { free } from '../lib/heap.ts'
import { reasonOf } from '../lib/http.ts'
import { MAX_OBJECT_BYTES, type OnBytes } from '../wire/store.ts'
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
  /** Hears how much of the body was sent. */
  readonly sent?: OnBytes | undefined
  /** Hears how much of the answer's body has come. */
  readonly received?: OnBytes | undefined
}

export interface Outgoing extends Pick<HttpRequest, 'body' | 'signal' | 'sent'> {
  /** Where it goes, unless the options say otherwise. */
  readonly url: URL
  readonly options: RequestOptions
  /** Milliseconds without a byte after which it is given up. */
  readonly silence: number
  /** Called if its socket is still connecting. */
  readonly onConnecting?: (call: ClientRequest, socket: Socket) => void
}

/** Sends a request; resolves to what `take` makes of the answer. Rejects with the signal's reason, TooLarge, or a TransportError. */
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

/** Bytes that are handed to the socket at a time if somebody hears how many were sent. */
const STRIDE = 128 << 10

/** `sent` hears how many bytes the system has taken. It takes no more than a little ahead of what the line carries. */
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

/** Bytes: a longer body of announced length is read into one buffer; the parts of any other are joined at its end. */
const DIRECT = 65_536

/**
 * The whole body of an answer. Throws TooLarge if it is longer than the largest object of a store (it never takes more memory than that), or an Error
 * if it is cut short.
 */
export async function bodyOf(answer: IncomingMessage, method: string, received: OnBytes | undefined): Promise<Buffer> {
  // The answer to HEAD announces the length of a body that it does not have.
  const announced = method === 'HEAD' ? 0 : Number(answer.headers['content-length'] ?? Number.NaN)
  const body = await collected(answer, announced, received)
  if (!answer.complete || (!Number.isNaN(announced) && body.length !== announced)) throw new Error('the answer was cut short')
  return body
}

/** With one buffer of the announced size, there is no second copy of the body, and the socket's buffers are freed at once. */
async function collected(answer: IncomingMessage, announced: number, received: OnBytes | undefined): Promise<Buffer> {
  if (announced > MAX_OBJECT_BYTES) throw refused(answer)
  const chunks: Buffer[] = []
  const direct = announced > DIRECT ? Buffer.allocUnsafeSlow(announced) : undefined
  let length = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if (!direct) chunks.push(chunk)
    else if (length + chunk.length > announced) throw new Error('the answer is longer than announced')
    else direct.set(chunk, length)
    length += chunk.length
    if (length > MAX_OBJECT_BYTES) throw refused(answer)
    if (direct) free(chunk)
    received?.(length)
  }
  return direct?.subarray(0, length) ?? Buffer.concat(chunks)
}

/** The socket cannot be used again, because the rest of this answer would come on it. */
function refused(answer: IncomingMessage): TooLarge {
  answer.destroy()
  return new TooLarge(MAX_OBJECT_BYTES)
}
