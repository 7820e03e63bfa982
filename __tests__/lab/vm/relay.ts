/** Passes a request on to a server behind a lab's front, and takes its answer: as a whole, or as a stream if it is long. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import { pipeline, type Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { hasCode } from '../../../src/lib/files.ts'

export interface Passed extends Body {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
}

export interface Body {
  /** Empty if it is `long`. */
  readonly body: Buffer
  readonly long?: Readable
}

/** Bytes. No cloud buffers a whole program before it passes it on. */
const LONG = 1 << 20

/** Number of long bodies that are kept: the runtime and the agent, where two servers stand in a row. */
const KEPT = 4
/**
 * Long bodies by server, path and entity tag. The next reader gets one from memory: a vendor's storage does not take the cores of the machines that it
 * serves, and these servers take half a second of them for a runtime.
 */
const kept = new Map<string, Buffer>()

/** The answer to a request for `path`. */
export async function bodyOf(message: IncomingMessage, method: string | undefined, path: string | undefined): Promise<Body> {
  const { 'content-length': length = '0', etag } = message.headers
  const isLong = method === 'GET' && message.statusCode === 200 && Number(length) >= LONG
  if (!isLong) return { body: await buffer(message) }
  if (etag === undefined) return { body: Buffer.alloc(0), long: message }
  const name = `${message.socket.remotePort} ${path?.replace(/\?.*/, '')} ${etag} ${length}`
  const known = kept.get(name)
  if (!known) return { body: Buffer.alloc(0), long: keeping(name, Number(length), message) }
  message.destroy()
  return { body: known }
}

/** The same, kept once all of it has passed. */
function keeping(name: string, length: number, message: Readable): Readable {
  const chunks: Buffer[] = []
  const passing = new Transform({
    transform(chunk: Buffer, _, done) {
      chunks.push(chunk)
      done(null, chunk)
    },
  })
  // An error reaches the reader of what passes.
  pipeline(message, passing, (error) => {
    const body = Buffer.concat(error ? [] : chunks)
    if (body.length !== length) return
    kept.set(name, body)
    for (const oldest of [...kept.keys()].slice(0, -KEPT)) kept.delete(oldest)
  })
  return passing
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
      bodyOf(message, request.method, request.url).then((sent) => resolve({ status: message.statusCode ?? 502, headers: rest, ...sent }), reject)
    })
    call.end(body)
  })
}
