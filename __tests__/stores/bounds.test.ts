import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import { MAX_OBJECT_BYTES, type Store } from '../../src/wire/store.ts'
import { keysOf } from '../conformance/store-lab.ts'
import { listening, portOf } from '../setup/listening.ts'
import { SECRETS } from './s3-server.ts'

const corrupt = (says: RegExp): unknown => expect.objectContaining({ kind: 'corrupt', message: expect.stringMatching(says) })

/** Undo steps for the servers, which send more than any object of tpi contains. */
const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

let sent: number
let asked: number

async function serve(answer: (response: ServerResponse) => void): Promise<string> {
  asked = 0
  sent = 0
  const server = createServer((request, response) => {
    asked += 1
    request.resume().on('end', () => answer(response))
  })
  await listening(server)
  undo.push(() => (server.closeAllConnections(), server.close()))
  return `http://127.0.0.1:${portOf(server)}`
}

const HEADERS = { etag: '"v"', 'x-tpi-store': '1', 'x-tpi-version': 'v' }

/** Only announces a huge length. */
function announced(response: ServerResponse): void {
  response.writeHead(200, { ...HEADERS, 'content-length': String(2 ** 31) })
  response.flushHeaders()
}

/** Sends until nobody listens. */
function endless(part: Buffer) {
  return (response: ServerResponse): void => {
    response.writeHead(200, HEADERS)
    const more = (): void => {
      while (!response.destroyed) {
        sent += part.length
        if (!response.write(part)) return void response.once('drain', more)
      }
    }
    more()
  }
}

const STORES: Readonly<Record<string, (endpoint: string) => Promise<Store>>> = {
  s3: (endpoint) => openStore({ url: 's3://bucket/pre', settings: { endpoint }, credentials: SECRETS }),
  http: (endpoint) => openStore({ url: endpoint, credentials: { token: 'x' } }),
}

describe.each(Object.entries(STORES))('a %s server', (_, open) => {
  let store: Store
  const opened = async (answer: (response: ServerResponse) => void): Promise<void> => {
    store = await open(await serve(answer))
    undo.push(() => store.close?.())
  }

  test('that announces two gibibytes is not read, and not asked again', async () => {
    await opened(announced)
    await expect(store.read('id/inc/slot.json')).rejects.toEqual(corrupt(/more than 67108864 bytes/))
    expect(asked).toBe(1)
  })

  test('that sends without end is cut off at the size of the largest object', async () => {
    await opened(endless(Buffer.alloc(1 << 20)))
    await expect(store.read('id/inc/slot.json')).rejects.toEqual(corrupt(/more than 67108864 bytes/))
    // The contents of socket buffers on this host come on top.
    expect([asked, sent < MAX_OBJECT_BYTES + (32 << 20)]).toEqual([1, true])
  })
})

test('an S3 list may be as long as a thousand keys, not as long as an object', async () => {
  const store = await STORES['s3']!(await serve((response) => response.writeHead(200, HEADERS).end(Buffer.alloc(9 << 20, '<'))))
  undo.push(() => store.close?.())
  await expect(keysOf(store, 'id/')).rejects.toEqual(corrupt(/more than 8388608 bytes/))
  expect(asked).toBe(1)
})

describe('a server of tpi’s own protocol', () => {
  const watched = async (answer: (response: ServerResponse) => void): Promise<unknown> => {
    const store = await STORES['http']!(await serve(answer))
    undo.push(() => store.close?.())
    const reported: unknown[] = []
    for await (const one of store.watch!([{ record: 'a/b', folder: 'a/c/' }], new AbortController().signal)) reported.push(one)
    return reported
  }

  test.each([
    ['a head that does not end', endless(Buffer.alloc(4096, 'x'))],
    [
      'a body that is larger than any object',
      (response: ServerResponse) => response.writeHead(200, HEADERS).end('["a/b","v",2000000000]\n'),
    ],
    ['a size that is none', (response: ServerResponse) => response.writeHead(200, HEADERS).end('["a/b","v",-5]\n')],
    ['something else', (response: ServerResponse) => response.writeHead(200, HEADERS).end('<html>\n')],
  ])('that answers %s is refused', async (_, answer) => {
    await expect(watched(answer)).rejects.toEqual(corrupt(/was not written by this program/))
  })

  test.each(['{"more":1}', '[["a",1]]\n{"more":false}', 'null', ''])('whose list is %j is refused', async (text) => {
    const store = await STORES['http']!(await serve((response) => response.writeHead(200, HEADERS).end(text)))
    undo.push(() => store.close?.())
    await expect(keysOf(store, 'id/')).rejects.toEqual(corrupt(/is not a list of objects/))
  })
})

describe('a folder', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tpi-bounds-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('with a file that is longer than any object of tpi', async () => {
    const store = await openStore({ url: `dir://${folder}` })
    await store.write('current.json', Buffer.from('x'))
    truncateSync(join(folder, 'current.json'), 2 ** 31)
    await expect(store.read('current.json')).rejects.toEqual(corrupt(/more than 67108864 bytes/))
    expect((await store.read('current.json', { from: 0, to: 10 }))?.bytes.length).toBe(10)
  })

  test('in which something other than a file is in place of an object: it is reported at once, and can be removed', async () => {
    const kept = join(folder, 'kept')
    writeFileSync(kept, 'of somebody else')
    symlinkSync(kept, join(folder, 'link'))
    execFileSync('mkfifo', [join(folder, 'pipe')])
    symlinkSync('/dev/zero', join(folder, 'device'))
    const store = await openStore({ url: `dir://${folder}` })
    for (const [key, says] of [
      ['link', /"[^"]*\/link": it is a link, which this program does not make/],
      ['device', /it is a link/],
      ['pipe', /it is a pipe/],
    ] as const) {
      await expect(store.read(key)).rejects.toEqual(corrupt(says))
      await expect(store.write(key, Buffer.from('x'), { version: 'a.1' })).rejects.toEqual(corrupt(says))
      await store.remove([key])
      expect(await store.read(key)).toBeUndefined()
    }
    expect(readFileSync(kept, 'utf8')).toBe('of somebody else')
  })

  test('whose states somebody else has numbered', async () => {
    const store = await openStore({ url: `dir://${folder}` })
    const version = await store.write('current.json', Buffer.from('1'), { absent: true })
    await store.write('current.json', Buffer.from('2'), { version })
    const [name = ''] = readdirSync(join(folder, 'current.json%v'))
    for (const number of ['1e9', '9'.repeat(30), 'x', '-1', ''])
      writeFileSync(join(folder, 'current.json%v', name.replace(/\.1$/, `.${number}`)), '3')
    expect(Buffer.from((await store.read('current.json'))?.bytes ?? []).toString()).toBe('2')
  })
})
