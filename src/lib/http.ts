/**
 * One HTTP request and its whole answer as text, from no other server than the one that was asked. By Node's own client: the first `fetch` of a
 * process costs it 70 ms of processor time, which a starting machine feels, and so does somebody who waits for a command.
 */
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { textUpTo } from './answer.ts'

export interface HttpCall {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A form says by itself what it is. */
  readonly body?: string | URLSearchParams
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for all of it. */
  readonly patience: number
  /** Bytes of the answer. */
  readonly most: number
}

export interface HttpAnswer {
  /** Status 2xx. A redirect is not followed: the request has credentials. */
  readonly ok: boolean
  readonly status: number
  /** `undefined`: it is longer than `most`, and the rest of it was not read. */
  readonly text: string | undefined
  /** `name`: in small letters. */
  readonly header: (name: string) => string | undefined
}

/**
 * Addresses of metadata services, which are for this machine only: a proxy would ask its own, and answer with that one's identity.
 * https://learn.microsoft.com/azure/virtual-machines/instance-metadata-service#proxies
 */
const LINK_LOCAL = /^169\.254\.|^\[fd00:ec2:/
const direct = new http.Agent()

/** There was no answer, or not all of it. The message says why, for people. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

/** Throws `Unanswered`, or the reason of the signal. */
export async function ask(url: string | URL, call: HttpCall): Promise<HttpAnswer> {
  const { signal, patience, most } = call
  signal?.throwIfAborted()
  const limit = AbortSignal.timeout(patience)
  try {
    const answer = await responseTo(new URL(url), call, signal ? AbortSignal.any([signal, limit]) : limit)
    const { statusCode: status = 0, headers } = answer
    // An answer that is not read to its end is ended, and its connection with it.
    const text = await textUpTo(most, { body: plain(answer) })
    const header = (name: string): string | undefined => headers[name]?.toString()
    return { ok: status >= 200 && status < 300, status, text, header }
  } catch (cause) {
    signal?.throwIfAborted()
    throw new Unanswered(limit.aborted ? `no answer within ${patience / 1000} s` : reasonOf(cause), { cause })
  }
}

async function responseTo(url: URL, { method = 'GET', headers, body }: HttpCall, signal: AbortSignal): Promise<IncomingMessage> {
  const bytes = body === undefined ? undefined : Buffer.from(body.toString())
  const sent = {
    'user-agent': 'tpi-action',
    'accept-encoding': 'gzip',
    ...(body instanceof URLSearchParams && { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }),
    ...headers,
    // Without it, the body of a DELETE would have no length at all.
    ...(bytes && { 'content-length': String(bytes.length) }),
  }
  return await new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method,
      headers: sent,
      signal,
      ...(LINK_LOCAL.test(url.hostname) && { agent: direct }),
    })
    request.on('response', resolve).on('error', reject).end(bytes)
  })
}

function plain(answer: IncomingMessage): Readable {
  if (answer.headers['content-encoding'] !== 'gzip') return answer
  const unpacked = createGunzip()
  answer.on('error', (error) => unpacked.destroy(error)).pipe(unpacked)
  return unpacked.on('close', () => answer.destroy())
}

/** Why a request failed, for people. */
export function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  // Several addresses were tried: Node wraps what each of them said, and gives the wrapper no text.
  const [first] = 'errors' in error && Array.isArray(error.errors) ? error.errors : []
  if (first !== undefined) return reasonOf(first)
  return 'message' in error ? String(error.message) : 'unknown'
}
