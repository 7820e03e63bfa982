/** Requests against a server of the test's own. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { ask, type HttpCall, Unanswered } from '../../src/lib/http.ts'
import { closed, listening } from '../setup/listening.ts'

interface Seen {
  readonly line: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const seen: Seen[] = []
let reply: (response: ServerResponse) => void
const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
  request.on('end', () => {
    seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body })
    reply(response)
  })
})
let root: string

beforeAll(async () => {
  root = `http://127.0.0.1:${await listening(server)}`
})
beforeEach(() => {
  seen.length = 0
  reply = (response) => response.end('yes')
})
afterAll(async () => closed(server))

const get = async (more: Partial<HttpCall> = {}): ReturnType<typeof ask> => ask(`${root}/at?q=1`, { patience: 5000, most: 100, ...more })

test('an answer has its status, its headers and its text', async () => {
  reply = (response) => response.writeHead(201, { etag: '"7"', date: 'Thu, 01 Jan 2026 00:00:00 GMT' }).end('größer')
  const { ok, status, text, header } = await get({ headers: { authorization: 'Bearer x' } })
  expect([ok, status, text, header('etag'), header('date'), header('nothing')]).toEqual([
    true,
    201,
    'größer',
    '"7"',
    'Thu, 01 Jan 2026 00:00:00 GMT',
    undefined,
  ])
  expect(seen).toMatchObject([{ line: 'GET /at?q=1', headers: { authorization: 'Bearer x', 'user-agent': 'tpi-action' }, body: '' }])
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('the body of a %s arrives, with its length in bytes', async (method) => {
  await get({ method, body: 'größer' })
  expect(seen).toMatchObject([{ headers: { 'content-length': '8' }, body: 'größer' }])
  expect(seen[0]?.headers['transfer-encoding']).toBeUndefined()
})

test('a form says what it is', async () => {
  await get({ method: 'POST', body: new URLSearchParams({ grant: 'a b' }) })
  expect(seen).toMatchObject([{ headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }, body: 'grant=a+b' }])
})

test('a redirect is an answer, and nobody else is asked', async () => {
  reply = (response) => response.writeHead(307, { location: `${root}/elsewhere` }).end()
  expect(await get({ headers: { authorization: 'Bearer x' } })).toMatchObject({ ok: false, status: 307 })
  expect(seen).toHaveLength(1)
})

describe('a packed answer', () => {
  const packed = (text: string, cut = 0): ((response: ServerResponse) => void) => {
    const bytes = gzipSync(text)
    return (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes.subarray(0, bytes.length - cut))
  }

  test('is unpacked', async () => {
    reply = packed('yes')
    expect((await get()).text).toBe('yes')
    expect(seen[0]?.headers['accept-encoding']).toBe('gzip')
  })

  test('counts by its real size', async () => {
    reply = packed('x'.repeat(1e6))
    expect((await get()).text).toBeUndefined()
  })

  test('must be whole', async () => {
    reply = packed('yes', 5)
    await expect(get()).rejects.toThrow(Unanswered)
  })
})

test('an answer without end is not read', async () => {
  let closed: () => void = () => undefined
  const over = new Promise<void>((resolve) => (closed = resolve))
  reply = (response) => {
    const more = setInterval(() => response.write('x'.repeat(60)), 5)
    response.on('close', () => {
      clearInterval(more)
      closed()
    })
  }
  expect(await get()).toMatchObject({ ok: true, text: undefined })
  await over
})

test('an answer that is cut short is none', async () => {
  reply = (response) => {
    response.writeHead(200, { 'content-length': '50' }).write('half')
    setTimeout(() => response.destroy(), 20)
  }
  await expect(get()).rejects.toThrow(Unanswered)
})

test.each([
  ['no answer', () => undefined],
  ['half of an answer', (response: ServerResponse) => void response.writeHead(200, { 'content-length': '50' }).write('half')],
])('%s: the error says how long it waited', async (_, halt) => {
  reply = halt
  await expect(get({ patience: 50 })).rejects.toThrow(/^no answer within 0\.05 s$/)
})

test('nobody there: the error says why', async () => {
  await expect(ask('http://127.0.0.1:1', { patience: 5000, most: 1 })).rejects.toThrow(/^connect ECONNREFUSED 127\.0\.0\.1:1$/)
})

test('a caller who gives up gets his own reason', async () => {
  const stop = new AbortController()
  const reason = new Error('stopped')
  reply = () => stop.abort(reason)
  await expect(get({ signal: stop.signal })).rejects.toBe(reason)
  await expect(get({ signal: stop.signal })).rejects.toBe(reason)
  expect(seen).toHaveLength(1)
})
