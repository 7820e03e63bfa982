/** What GitLab's limits mean, by status and headers alone, on virtual time. */
import { createServer, type RequestListener } from 'node:http'
import { expect, test } from '@jest/globals'
import { Api } from '../../src/forges/gitlab/api.ts'
import { client } from '../../src/forges/gitlab/sdk.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { listening, portOf } from '../setup/listening.ts'
import { silent } from '../setup/silent-log.ts'

const MINUTE = 60_000
const PURPOSE = { doing: 'look', needs: 'a scope' }

/** `reply` gets the virtual milliseconds since the start. */
async function play(
  reply: (now: number, ...rest: Parameters<RequestListener>) => void,
): Promise<{ took: number; calls: number; result: unknown }> {
  const clock = fakeClock('2030-01-01T00:00:00.000Z', { auto: true })
  const begun = clock.now()
  let calls = 0
  const server = createServer((request, response) => {
    calls++
    reply(clock.now() - begun, request, response)
  })
  await listening(server)
  try {
    const port = portOf(server)
    const api = new Api({ clock, log: silent, signal: new AbortController().signal }, client(`http://127.0.0.1:${port}`, 'secret'))
    const result = await api.call(PURPOSE, async ({ metadata }) => metadata.show()).catch((error: unknown) => error)
    return { took: clock.now() - begun, calls, result }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('it waits for the limit per minute, as long as the headers say', async () => {
  const reset = String(Date.parse('2030-01-01T00:00:00Z') / 1000 + 45)
  const { result, calls, took } = await play((now, _, response) => {
    if (now >= 45_000) response.end('{"fine":true}')
    else response.writeHead(429, { 'ratelimit-remaining': '0', 'ratelimit-reset': reset }).end('Retry later')
  })
  expect({ result, calls }).toEqual({ result: expect.objectContaining({ status: 200, data: { fine: true } }), calls: 2 })
  expect(took).toBeLessThan(MINUTE)
})

test('a limit that ends too late is an error at once; one without an announced end is waited for', async () => {
  const late = await play((_, __, response) => void response.writeHead(429, { 'retry-after': '3600' }).end())
  expect(late).toMatchObject({ calls: 1, took: 0, result: { retryable: true, message: expect.stringContaining('longer than tpi waits') } })
  const unnamed = await play((now, _, response) => void (now < MINUTE ? response.writeHead(429).end() : response.end('{}')))
  expect(unnamed.result).toMatchObject({ status: 200 })
})

test('a refusal stays one even near a limit, and says what the token needs', async () => {
  const body = JSON.stringify({ error: 'insufficient_scope', error_description: 'more than this token gives' })
  const { result, calls } = await play((_, __, response) => void response.writeHead(403, { 'ratelimit-remaining': '0' }).end(body))
  expect(calls).toBe(1)
  expect(result).toMatchObject({
    name: 'AuthError',
    message: 'GitLab: could not look: the token is not allowed to; it needs a scope (HTTP 403: more than this token gives)',
  })
})
