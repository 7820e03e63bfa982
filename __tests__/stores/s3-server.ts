/** An HTTP server that answers as a test says, for what a real S3 server cannot be made to do. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { openStore } from '../../src/stores/registry.ts'
import type { Store, StoreAccess } from '../../src/wire/store.ts'
import { closed, listening } from '../setup/listening.ts'

export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

export type Answer = (response: ServerResponse, seen: Seen) => void

export interface Scripted {
  readonly endpoint: string
  readonly seen: readonly Seen[]
  /** Answers to the next requests, in order; an unexpected one is refused by its name, which makes the test fail. */
  expect(...answers: readonly Answer[]): void
  open(access?: Partial<StoreAccess>): Promise<Store>
  /** Answers that no request has used. */
  readonly left: number
  stop(): Promise<void>
}

export const SECRETS = { accessKeyId: 'AKIDSECRET', secretAccessKey: 'very-secret-key', sessionToken: 'session-token-secret' } as const

export async function startScripted(): Promise<Scripted> {
  const seen: Seen[] = []
  const answers: Answer[] = []
  const stores: Store[] = []
  const server = http.createServer((request, response) => {
    void buffer(request).then((body) => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
      seen.push(one)
      const answer = answers.shift() ?? reply(400, error('Unforeseen', `${one.method} ${one.url}`))
      answer(response, one)
    })
  })
  const port = await listening(server)
  const endpoint = `http://127.0.0.1:${port}`
  return {
    endpoint,
    seen,
    get left() {
      return answers.length
    },
    expect: (...more) => void answers.push(...more),
    async open(access = {}) {
      const store = await openStore({ url: 's3://bucket/pre', settings: { endpoint }, credentials: SECRETS, ...access })
      stores.push(store)
      return store
    },
    async stop() {
      for (const store of stores) await store.close?.()
      await closed(server)
    },
  }
}

export function reply(status: number, body: string | Uint8Array = '', headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => response.writeHead(status, { etag: '"v"', ...headers }).end(body)
}

export function error(code: string, message = 'text of the server', more = ''): string {
  return `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message>${more}</Error>`
}

/** The connection breaks before or during the answer. */
export const reset: Answer = (response) => void response.socket?.resetAndDestroy()

export function cutShort(body: string): Answer {
  return (response) => {
    response.writeHead(200, { etag: '"v"', 'content-length': String(body.length + 10) })
    response.write(body, () => response.socket?.destroy())
  }
}
