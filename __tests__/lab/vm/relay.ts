/** Passes a request on to a server behind a lab's front, and takes its answer: as a whole, or as a stream if it is long. */
import { createHash } from 'node:crypto'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import { buffer } from 'node:stream/consumers'
import { hasCode } from '../../../src/lib/error-code.ts'

export interface Passed extends Body {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
}

export interface Body {
  /** Empty if it is `long`. */
  readonly body: Buffer
  readonly long?: IncomingMessage
  /** The SHA-256 that the name of a `long` one promises. */
  readonly digest?: string
}

/** Bytes. No cloud buffers a whole program before it passes it on. */
const LONG = 1 << 20

/**
 * Programs of machines, by their digests, which end their names. The servers behind decide who gets them, but a program that was sent once
 * comes from here: each machine's copy through all of these servers would take as much of the processor as all else in its boot, while a
 * vendor's storage takes none of the machine's.
 */
const programs = new Map<string, Buffer>()
const NAMED = /([0-9a-f]{64})(?:\?alt=media)?$/

export async function bodyOf(message: IncomingMessage, { method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): Promise<Body> {
  const length = Number(message.headers['content-length'] ?? 0)
  if (method !== 'GET' || message.statusCode !== 200 || length < LONG) return { body: await buffer(message) }
  const digest = NAMED.exec(url)?.[1]
  const program = digest === undefined ? undefined : programs.get(digest)
  if (program?.length !== length) return { body: Buffer.alloc(0), long: message, ...(digest !== undefined && { digest }) }
  message.on('error', () => undefined).destroy()
  return { body: program }
}

function keep(digest: string, long: IncomingMessage): void {
  const pieces: Buffer[] = []
  long.on('data', (piece: Buffer) => pieces.push(piece))
  long.on('end', () => {
    const bytes = Buffer.concat(pieces)
    if (createHash('sha256').update(bytes).digest('hex') === digest) programs.set(digest, bytes)
  })
}

/** Ends an answer whose head is already written. */
export function send(response: ServerResponse, { body, long, digest }: Body): void {
  if (!long) return void response.end(body)
  if (response.destroyed) return void long.destroy()
  if (digest !== undefined) keep(digest, long)
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
      bodyOf(message, request).then((sent) => resolve({ status: message.statusCode ?? 502, headers: rest, ...sent }), reject)
    })
    call.end(body)
  })
}
