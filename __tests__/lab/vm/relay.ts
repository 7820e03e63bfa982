/** Passes a request on to a server behind a lab's front, and takes its answer: as a whole, or as a stream if it is long. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import { buffer } from 'node:stream/consumers'
import { hasCode } from '../../../src/lib/files.ts'

export interface Passed extends Body {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
}

export interface Body {
  /** Empty if it is `long`. */
  readonly body: Buffer
  readonly long?: IncomingMessage
}

/** Bytes. No cloud buffers a whole program before it passes it on. */
const LONG = 1 << 20

export async function bodyOf(message: IncomingMessage, method: string | undefined): Promise<Body> {
  const isLong = method === 'GET' && message.statusCode === 200 && Number(message.headers['content-length'] ?? 0) >= LONG
  return isLong ? { body: Buffer.alloc(0), long: message } : { body: await buffer(message) }
}

/** Ends an answer whose head is already written. */
export function send(response: ServerResponse, { body, long }: Body): void {
  if (!long) return void response.end(body)
  if (response.destroyed) return void long.destroy()
  response.on('close', () => long.destroy())
  long.on('error', () => response.destroy())
  long.pipe(response)
}

/** Simulates an answer that is lost on its way. */
export function lose(response: ServerResponse, { long }: Pick<Body, 'long'>): void {
  long?.destroy()
  response.destroy()
}

export async function relay(
  request: IncomingMessage,
  body: Buffer,
  { port, secure }: { readonly port: number; readonly secure: boolean },
): Promise<Passed> {
  return await new Promise((resolve, reject) => {
    const { connection: _, 'transfer-encoding': __, ...headers } = request.headers
    const call = (secure ? https : http).request({
      host: '127.0.0.1',
      port,
      method: request.method,
      path: request.url,
      rejectUnauthorized: false,
      headers: { ...headers, 'content-length': body.length },
    })
    call.on('error', (error) => {
      // The server closed the idle connection while this request was on its way: https://nodejs.org/api/http.html#requestreusedsocket
      if (call.reusedSocket && hasCode(error, 'ECONNRESET')) resolve(relay(request, body, { port, secure }))
      else reject(error)
    })
    call.on('response', (message) => {
      const { connection: _c, 'transfer-encoding': _t, 'keep-alive': _k, ...rest } = message.headers
      bodyOf(message, request.method).then((sent) => resolve({ status: message.statusCode ?? 502, headers: rest, ...sent }), reject)
    })
    call.end(body)
  })
}
