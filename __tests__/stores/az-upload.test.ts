/** Large uploads to Blob Storage, against a local server with Microsoft's rules for blocks, for cases that Azurite cannot produce. */
import http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import type { Store } from '../../src/wire/store.ts'
import { fault } from '../conformance/store-lab.ts'
import { listening } from '../setup/listening.ts'

/**
 * One blob. A sent block is uncommitted; a block list makes the blob from the blocks that its entries name (`Latest`: uncommitted, otherwise
 * committed), and discards all uncommitted blocks; so does a whole blob that is put meanwhile.
 * https://learn.microsoft.com/rest/api/storageservices/put-block-list
 */
class Blob {
  readonly #uncommitted = new Map<string, Buffer>()
  #committed = new Map<string, Buffer>()
  bytes: Buffer | undefined
  lists = 0
  etag = 0

  block(id: string, bytes: Buffer): void {
    this.#uncommitted.set(id, bytes)
  }

  put(bytes: Buffer): void {
    this.#committed = new Map()
    this.#commit(bytes)
  }

  /** `false`: `InvalidBlockList`. */
  list(text: string): boolean {
    this.lists += 1
    const blocks = [...text.matchAll(/<(Latest|Uncommitted|Committed)>([^<]+)</g)].map(([, from, id = '']) => {
      const committed = from === 'Uncommitted' ? undefined : this.#committed.get(id)
      return [id, (from === 'Committed' ? undefined : this.#uncommitted.get(id)) ?? committed] as const
    })
    const known = blocks.flatMap(([id, bytes]) => (bytes ? [[id, bytes] as const] : []))
    if (known.length < blocks.length) return false
    this.#committed = new Map(known)
    this.#commit(Buffer.concat(known.map(([, bytes]) => bytes)))
    return true
  }

  #commit(bytes: Buffer): void {
    this.#uncommitted.clear()
    this.bytes = bytes
    this.etag += 1
  }
}

let blob: Blob
let server: http.Server
let store: Store
/** What happens at the n-th block list, counted from 1. `before`: runs first. `status`: the answer instead of 201, although the list takes effect. */
let troubles: Record<number, { readonly before?: () => void; readonly status?: number; readonly lost?: boolean }>
beforeEach(async () => {
  blob = new Blob()
  troubles = {}
  server = http.createServer((request, response) => {
    void buffer(request).then((body) => {
      const query = new URL(request.url ?? '', 'http://az').searchParams
      const what = query.get('comp')
      if (what === 'block') {
        blob.block(query.get('blockid') ?? '', body)
        response.writeHead(201).end()
      } else if (what === 'blocklist') {
        const { before, status = 201, lost } = troubles[blob.lists + 1] ?? {}
        before?.()
        if (!blob.list(body.toString('utf8'))) response.writeHead(400, { 'x-ms-error-code': 'InvalidBlockList' }).end()
        else if (lost) response.destroy()
        else response.writeHead(status, { etag: `"${blob.etag}"` }).end()
      } else response.writeHead(400).end()
    })
  })
  const port = await listening(server)
  const endpoint = `http://127.0.0.1:${port}/lab`
  store = await openStore({ url: 'az://lab/box/pre', settings: { endpoint }, credentials: { token: 'token' } })
})
afterEach(async () => {
  await store.close?.()
  server.close()
})

const body = Buffer.alloc(9 * 1024 * 1024, 'large')

test.each([[{ status: 500 }], [{ lost: true }]])(
  'a block list that took effect but was answered with %j can be put again',
  async (trouble) => {
    troubles = { 1: trouble }
    await store.write('id/pack', body)
    expect(blob.bytes?.equals(body)).toBe(true)
    expect(blob.lists).toBe(2)
  },
)

test('blocks that the service discarded because of another writer are sent once more', async () => {
  troubles = { 1: { before: () => blob.put(Buffer.from('another')) } }
  await store.write('id/pack', body)
  expect(blob.bytes?.equals(body)).toBe(true)
})

test('a failed condition is final: nothing is sent once more', async () => {
  troubles = { 1: { before: () => blob.put(Buffer.from('another')) } }
  await expect(store.write('id/pack', body, { absent: true })).rejects.toEqual(fault('invalid'))
  expect([blob.lists, blob.bytes?.toString()]).toEqual([1, 'another'])
})
