/** The condition of a removal is part of the request, because only the service can check it at that moment. */
import http from 'node:http'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import { listening } from '../setup/listening.ts'

/** State of the only object. */
let state: string
let there: boolean
let server: http.Server
let endpoint: string
beforeEach(async () => {
  there = true
  server = http.createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    // https://learn.microsoft.com/rest/api/storageservices/specifying-conditional-headers-for-blob-service-operations (If-Match)
    // https://docs.cloud.google.com/storage/docs/json_api/v1/objects/delete (ifGenerationMatch)
    const asked = request.headers['if-match'] ?? searchParams.get('ifGenerationMatch')
    if (asked !== null && asked !== state) return response.writeHead(412, { etag: state, 'x-ms-error-code': 'ConditionNotMet' }).end()
    if (request.method === 'DELETE') there = false
    // https://docs.cloud.google.com/storage/docs/json_api/v1/objects#resource
    const facts = JSON.stringify({ generation: state, name: 'pre/id/record', size: '1' })
    return response.writeHead(request.method === 'DELETE' ? 204 : 200, { etag: state, 'x-goog-generation': state }).end(facts)
  })
  endpoint = `http://127.0.0.1:${await listening(server)}`
})
afterEach(() => void server.close())

test.each([
  ['az', 'az://lab/box/pre', '/lab', '"0x1"', '"0x2"'],
  ['gs', 'gs://bucket/pre', '', '1', '2'],
])('%s: removes only the state that the condition names', async (_, url, path, now, other) => {
  state = now
  const store = await openStore({ url, settings: { endpoint: `${endpoint}${path}` }, credentials: { token: 'token' } })
  await expect(store.remove(['id/record'], { version: other })).rejects.toMatchObject({ kind: 'conflict' })
  await expect(store.remove(['id/record', 'id/other'], { version: now })).rejects.toMatchObject({ kind: 'invalid' })
  expect(there).toBe(true)
  await store.remove(['id/record'], { version: now })
  expect(there).toBe(false)
  await store.close?.()
})
