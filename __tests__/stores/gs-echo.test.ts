import http from 'node:http'
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
