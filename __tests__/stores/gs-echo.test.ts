import http from 'node:http'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import type { CredentialSource } from '../../src/wire/store.ts'
import { listening } from '../setup/listening.ts'

/** A server, or a proxy in front of it, that repeats the request in its answers. */
let server: http.Server
let endpoint: string
beforeEach(async () => {
  server = http.createServer((request, response) => {
    response.writeHead(400, { 'content-type': 'text/plain' }).end(`${request.headers.authorization} is odd`)
  })
  const port = await listening(server)
  endpoint = `http://127.0.0.1:${port}`
})
afterEach(() => void server.close())

test('no message shows a token: neither the first one nor a renewed one', async () => {
  let token = 'first-token-of-all'
  const source: CredentialSource = { get: async () => ({ token }), refused: () => false }
  const store = await openStore({ url: 'gs://bucket/pre', settings: { endpoint }, source })
  for (token of ['first-token-of-all', 'second-token-of-all']) {
    const failed = await store.read('id/x').catch(String)
    expect(failed).toContain('is odd')
    expect(failed).not.toContain('token-of-all')
  }
  await store.close?.()
})

// https://cloud.google.com/storage/docs/transcoding: without the header, it is unpacked, and a range is ignored.
test('an object that was uploaded as gzip is read as it is stored, by its ranges', async () => {
  const plain = Buffer.alloc(6000, 'training data ')
  const stored = gzipSync(plain)
  const google = http.createServer((request, response) => {
    const headers = { 'x-goog-generation': '1' }
    const unpacks = !request.headers['accept-encoding']?.includes('gzip')
    const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? []
    const part = stored.subarray(Number(from), to === '' ? undefined : Number(to) + 1)
    if (unpacks) response.writeHead(200, headers).end(plain)
    else response.writeHead(request.headers.range ? 206 : 200, { ...headers, 'content-encoding': 'gzip' }).end(part)
  })
  const store = await openStore({
    url: 'gs://bucket/pre',
    settings: { endpoint: `http://127.0.0.1:${await listening(google)}` },
    credentials: { token: 'token' },
  })
  try {
    const [first, second] = [await store.read('x', { from: 0, to: 10 }), await store.read('x', { from: 10, to: stored.length })]
    expect(gunzipSync(Buffer.concat([first!.bytes, second!.bytes]))).toEqual(plain)
    expect(Buffer.from((await store.read('x'))!.bytes)).toEqual(stored)
  } finally {
    await store.close?.()
    google.close()
  }
})
