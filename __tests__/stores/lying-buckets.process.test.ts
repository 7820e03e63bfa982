/** Servers that pose as Cloud Storage or Blob Storage, and lie: each call soon ends with one error of a store, and no other server gets the token. */
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import { isStoreError, type Store } from '../../src/wire/store.ts'
import { keysOf } from '../conformance/store-lab.ts'
import { listening } from '../setup/listening.ts'

const TOKEN = 'canary-token-of-the-caller'
/** More than one request with all its retries and pages needs. */
const MOST_REQUESTS = 250

type Answer = (request: IncomingMessage, response: ServerResponse, elsewhere: string) => void

let asked: number
let strayed: string[]
let servers: Server[]
beforeEach(() => {
  asked = 0
  strayed = []
  servers = []
})
afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = http.createServer((request, response) => void request.resume().on('end', () => answer(request, response)))
  servers.push(server)
  return `http://127.0.0.1:${await listening(server)}`
}

async function lying(url: string, answer: Answer): Promise<Store> {
  const elsewhere = await serve((request, response) => {
    strayed.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`)
    response.writeHead(200, { etag: '"v"', 'x-goog-generation': '1' }).end('{}')
  })
  const endpoint = await serve((request, response) => {
    asked += 1
    answer(request, response, elsewhere)
  })
  return await openStore({ url, settings: { endpoint, tries: '2' }, credentials: { token: TOKEN } })
}

const SMALL = Buffer.from('x')
const LARGE = Buffer.alloc(9 << 20)
type Act = (store: Store) => Promise<unknown>
const READ: Act = async (store) => store.read('id/x')
const LIST: Act = async (store) => keysOf(store, 'id/')
const WRITE: Act = async (store) => store.write('id/x', SMALL, { absent: true })
const UPLOAD: Act = async (store) => store.write('id/x', LARGE, { absent: true })
const REMOVE: Act = async (store) => store.remove(['id/x'], { version: '1' })
const CLEAR: Act = async (store) => store.clear('id/inc/')

const json = (value: unknown): Answer => {
  const text = JSON.stringify(value)
  return (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(text)
}
const xml =
  (text: string): Answer =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/xml' }).end(text)
const redirect =
  (status: number): Answer =>
  ({ url }, response, elsewhere) =>
    response.writeHead(status, { location: `${elsewhere}${url}` }).end()
const blob = (name: string, size: number | string = 1): string =>
  `<Blob><Name>${name}</Name><Properties><Content-Length>${size}</Content-Length></Properties></Blob>`
const blobs = (inside: string, more = ''): string =>
  `<EnumerationResults><Blobs>${inside}</Blobs><NextMarker>${more}</NextMarker></EnumerationResults>`

/** For uploads in pieces: the `location` header, and how far each piece got. */
const session =
  (location: (elsewhere: string) => string | undefined, kept: (piece: number) => string): Answer =>
  ({ method }, response, elsewhere) => {
    const where = location(elsewhere)
    if (method === 'POST') response.writeHead(200, where === undefined ? {} : { location: where }).end()
    else response.writeHead(308, { range: `bytes=0-${kept(asked)}` }).end()
  }
const named = (): string => 'http://127.0.0.1/upload?upload_id=u'

type Row = readonly [string, Answer, ...(readonly Act[])]

const GS: readonly Row[] = [
  [
    'a generation that is none',
    (_request, response) => response.writeHead(200, { 'x-goog-generation': `1${'0'.repeat(40)}` }).end('x'),
    READ,
  ],
  [
    'words for a generation',
    (_request, response) => response.writeHead(200, { 'x-goog-generation': '1&ifGenerationMatch=0' }).end('x'),
    READ,
  ],
  ['a generation that is none, of what was written', json({ generation: '-1' }), WRITE],
  ['the same page again and again', json({ items: [{ name: 'pre/id/x', size: '1' }], nextPageToken: 'on' }), LIST, CLEAR],
  ['empty pages without end', json({ items: [], nextPageToken: 'on' }), LIST, CLEAR],
  ['ways out', json({ items: [{ name: '../x', size: '1' }] }), LIST, CLEAR],
  ["a neighbour's objects", json({ items: [{ name: 'other/id/x', size: '1' }] }), LIST, CLEAR],
  [
    'more objects than a page has',
    json({ items: Array.from({ length: 5000 }, (_, n) => ({ name: `pre/id/${n}`, size: '1' })) }),
    LIST,
    CLEAR,
  ],
  ['a size that is none', json({ items: [{ name: 'pre/id/x', size: '1e9' }] }), LIST],
  [
    'an upload without a name',
    session(
      () => undefined,
      () => '1',
    ),
    UPLOAD,
  ],
  [
    'an upload elsewhere',
    session(
      (elsewhere) => `${elsewhere}/?upload_id=u`,
      () => '9',
    ),
    UPLOAD,
  ],
  ['pieces that are kept and lost in turn', session(named, (piece) => (piece % 2 === 0 ? '524287' : '262143')), UPLOAD],
  ['pieces of which a byte is kept', session(named, (piece) => String(piece)), UPLOAD],
  ['pieces of which more is kept than there is', session(named, () => '99999999999'), UPLOAD],
]

const AZ: readonly Row[] = [
  ['no ETag', (_request, response) => response.writeHead(200).end('x'), READ, WRITE],
  ['the same page again and again', xml(blobs(blob('pre/id/x'), 'on')), LIST, CLEAR],
  ['empty pages without end', xml(blobs('', 'on')), LIST, CLEAR],
  ['ways out', xml(blobs(blob('../x'))), LIST, CLEAR],
  ["a neighbour's objects", xml(blobs(blob('other/id/x'))), LIST, CLEAR],
  ['a size that is none', xml(blobs(blob('pre/id/x', -1))), LIST],
  ['a page of nothing but words', xml(blobs(blob('pre/id/x').repeat(400_000))), LIST, CLEAR],
  ['a marker longer than an address', xml(blobs(blob('pre/id/x'), 'm'.repeat(1 << 20))), LIST],
  ['entities that unfold', xml(`<!DOCTYPE a [<!ENTITY b "cc">]>${blobs(blob('&b;'))}`), LIST],
]

const BOTH: readonly Row[] = [
  ...[301, 302, 303, 307, 308].map((status): Row => [`another place, with ${status}`, redirect(status), READ, LIST, WRITE, REMOVE, CLEAR]),
  ['a page of somebody in between', (_request, response) => response.writeHead(200, {}).end('<html>Log in</html>'), LIST, CLEAR],
  [
    'an object of three gigabytes',
    (_request, response) => response.writeHead(200, { 'content-length': 3 * 2 ** 30 }).flushHeaders(),
    READ,
    LIST,
  ],
  ['its token, echoed', ({ headers }, response) => response.writeHead(403).end(`no: ${headers.authorization}`), READ, LIST, WRITE],
]

describe.each([
  ['gs://bucket/pre', [...GS, ...BOTH]],
  ['az://account/box/pre', [...AZ, ...BOTH]],
] as const)('%s at a server that gives', (url, rows) => {
  test.each(rows)('%s', async (_name, answer, ...acts) => {
    for (const act of acts) {
      const store = await lying(url, answer)
      const failed: unknown = await act(store).catch((error: unknown) => error)
      await store.close?.()
      expect(String(failed)).not.toContain(TOKEN)
      expect(isStoreError(failed)).toBe(true)
    }
    expect(strayed).toEqual([])
    expect(asked).toBeLessThan(MOST_REQUESTS * acts.length)
  })
})
