/**
 * Stands before a server that checks less than Cloud Storage does (fake-gcs-server accepts any media upload and any removal, whatever they request,
 * and forgets how far an upload has come), and enforces what the documents say:
 *
 * - a request without a valid token is 401: https://docs.cloud.google.com/storage/docs/json_api/v1/status-codes#401_Unauthorized
 * - `ifGenerationMatch` of each write and removal, checked at that moment; 0: it must not exist; otherwise 412 `conditionNotMet`:
 *   https://docs.cloud.google.com/storage/docs/request-preconditions
 * - a resumable upload: each piece but the last is a multiple of 256 KiB; 308 with what has arrived, which a range without numbers asks for; 200
 *   again once it is whole; 499 when it is cancelled: https://docs.cloud.google.com/storage/docs/performing-resumable-uploads
 */
import http, { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { closed, listening } from '../../setup/listening.ts'
import { type Body, send } from '../vm/relay.ts'

export interface GateRequest {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface GateReply extends Pick<Body, 'long' | 'digest'> {
  readonly status: number
  readonly headers?: OutgoingHttpHeaders
  readonly body?: Buffer | string
}

export type Behind = (request: GateRequest) => Promise<GateReply>

export interface Gate {
  readonly port: number
  /** Valid tokens; empty: every token is valid. */
  readonly tokens: Set<string>
  /** Method, path and query of all requests. */
  readonly seen: string[]
  /** What it answers to such a request: for a front of the same process, which need not send it once more. */
  answer(request: GateRequest): Promise<GateReply>
  stop(): Promise<void>
}

interface Session {
  readonly name: string
  readonly bucket: string
  readonly match: string | null
  received: number
  done?: GateReply
}

const UNIT = 256 * 1024

/** An error in the format of the JSON API. */
export function refusal(status: number, reason: string, message: string): GateReply {
  const body = JSON.stringify({ error: { code: status, message, errors: [{ message, domain: 'global', reason }] } })
  return { status, headers: { 'content-type': 'application/json; charset=UTF-8' }, body }
}

export async function startGsGate(behind: Behind): Promise<Gate> {
  const rules = new Rules(behind)
  const tokens = new Set<string>()
  const seen: string[] = []
  async function answer(request: GateRequest): Promise<GateReply> {
    seen.push(`${request.method} ${request.url.pathname}${request.url.search}`)
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    const good = token !== undefined && (tokens.size === 0 || tokens.has(token))
    return good ? await rules.answer(request) : refusal(401, 'authError', 'Invalid Credentials')
  }
  const server = http.createServer((incoming, response) => {
    void (async () => {
      const request = await read(incoming)
      if (!request) return
      const reply = await answer(request)
      const { status, headers, long } = reply
      const body = bytesOf(reply)
      response.writeHead(status, { ...headers, ...(!long && { 'content-length': body.length }) })
      send(response, { body: request.method === 'HEAD' ? Buffer.alloc(0) : body, ...(long && { long }) })
    })().catch(() => response.destroy())
  })
  server.keepAliveTimeout = 20_000
  const port = await listening(server)
  return {
    port: port,
    tokens,
    seen,
    answer,
    async stop() {
      await closed(server)
    },
  }
}

export const bytesOf = ({ body = '' }: GateReply): Buffer => (typeof body === 'string' ? Buffer.from(body) : body)

/** `undefined`: the client disconnected before its request was complete, so the request has no effect. */
async function read(incoming: IncomingMessage): Promise<GateRequest | undefined> {
  const pieces: Buffer[] = []
  try {
    for await (const piece of incoming as AsyncIterable<Buffer>) pieces.push(piece)
  } catch {
    return undefined
  }
  const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? 'localhost'}`)
  return { method: incoming.method ?? 'GET', url, headers: incoming.headers, body: Buffer.concat(pieces) }
}

class Rules {
  readonly #behind: Behind
  readonly #sessions = new Map<string, Session>()
  #line: Promise<unknown> = Promise.resolve()

  constructor(behind: Behind) {
    this.#behind = behind
  }

  async answer(request: GateRequest): Promise<GateReply> {
    const { url, method } = request
    const upload = /^\/upload\/storage\/v1\/b\/([^/]+)\/o$/.exec(url.pathname)
    const id = url.searchParams.get('upload_id')
    if (upload && id) return await this.#piece(request, id)
    const removed = method === 'DELETE' ? /^\/storage\/v1\/b\/([^/]+)\/o\/(.+)$/.exec(url.pathname) : null
    const target = upload ?? removed
    if (!target) return await this.#behind(request)
    const name = upload ? (url.searchParams.get('name') ?? '') : decodeURIComponent(removed?.[2] ?? '')
    const bucket = decodeURIComponent(target[1] ?? '')
    const match = url.searchParams.get('ifGenerationMatch')
    return await this.#alone(async () => {
      const refused = await this.#unmet(request, bucket, name, match)
      if (refused) return refused
      const reply = await this.#behind(request)
      if (upload && url.searchParams.get('uploadType') === 'resumable') this.#begin(reply, { name, bucket, match, received: 0 })
      return reply
    })
  }

  #begin(reply: GateReply, session: Session): void {
    const id = new URL(reply.headers?.['location'] ?? 'http://none').searchParams.get('upload_id')
    if (id) this.#sessions.set(id, session)
  }

  async #piece(request: GateRequest, id: string): Promise<GateReply> {
    const session = this.#sessions.get(id)
    if (!session) return refusal(404, 'notFound', 'Upload not found')
    if (request.method === 'DELETE') {
      this.#sessions.delete(id)
      return { status: 499 }
    }
    if (session.done) return session.done
    const said = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+)$/.exec(request.headers['content-range'] ?? '')
    if (!said) return refusal(400, 'badContent', 'no such content-range')
    const [, from, to, total] = said.map(Number)
    if (Number.isNaN(from)) return where(session)
    const last = to! + 1 === total
    if (to! - from! + 1 !== request.body.length || (!last && request.body.length % UNIT !== 0))
      return refusal(400, 'badContent', 'a piece must be as long as it says, and a multiple of 256 KiB')
    if (from !== session.received) return refusal(503, 'backendError', 'not where the upload stands')
    return await this.#alone(async () => {
      const refused = last ? await this.#unmet(request, session.bucket, session.name, session.match) : undefined
      if (refused) return refused
      const reply = await this.#behind(request)
      if (reply.status >= 300 && reply.status !== 308) return reply
      session.received = to! + 1
      if (last) session.done = reply
      return last ? reply : where(session)
    })
  }

  async #unmet(request: GateRequest, bucket: string, name: string, match: string | null): Promise<GateReply | undefined> {
    if (match === null) return undefined
    const url = new URL(`/storage/v1/b/${encodeURIComponent(bucket)}/o/${encodeURIComponent(name)}`, request.url)
    const found = await this.#behind({
      method: 'GET',
      url,
      headers: { authorization: request.headers.authorization },
      body: Buffer.alloc(0),
    })
    const { generation = '0' } = found.status === 200 ? (JSON.parse(String(found.body)) as { generation?: string }) : {}
    return generation === match
      ? undefined
      : refusal(412, 'conditionNotMet', 'At least one of the pre-conditions you specified did not hold.')
  }

  async #alone<T>(body: () => Promise<T>): Promise<T> {
    const turn = this.#line.then(body)
    this.#line = turn.catch(() => undefined)
    return await turn
  }
}

function where({ received }: Session): GateReply {
  return { status: 308, headers: received > 0 ? { range: `bytes=0-${received - 1}` } : {} }
}
