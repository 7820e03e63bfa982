/** What an API server's answers mean, and what they do not mean while it is coming up. */
import { Agent, createServer, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { Api } from '../../src/clouds/k8s/api.ts'
import type { Login } from '../../src/clouds/k8s/sdk.ts'
import { AuthError } from '../../src/core/errors.ts'
import { listening } from '../setup/listening.ts'

/** The next answers; the last one repeats. `away`: the connection breaks. */
let answers: (number | 'away')[]
let server: Server
let api: Api
let renewals: number
/** What the server says to a refusal. */
let said: object

beforeEach(async () => {
  server = createServer((_, reply) => {
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (answer === undefined || answer === 'away') {
      reply.destroy()
      return
    }
    reply.writeHead(answer, { 'content-type': 'application/json', connection: 'close' })
    reply.end(JSON.stringify(answer === 200 ? { metadata: { name: 'x' } } : said))
  })
  await listening(server)
  const { port } = server.address() as { port: number }
  // The client's https agent speaks plain HTTP here, so no certificate is needed.
  const agent = Object.assign(new Agent(), { protocol: 'https:' })
  const options = async () => ({ agent })
  renewals = 0
  said = { message: 'forbidden: User "ci" cannot get resource "secrets"' }
  const renew = (): void => void (renewals += 1)
  const login = { server: `https://127.0.0.1:${port}`, context: 'lab', namespace: 'ns', options, renew } as unknown as Login
  api = new Api(login, async () => {})
})
afterEach(() => {
  server.close()
})

describe('a right that an API server does not grant', () => {
  test('is missing', async () => {
    answers = [403]
    await expect(api.get('secrets', 'x')).rejects.toThrow(AuthError)
  })

  test('may be unknown for now if the server was out of reach a moment ago', async () => {
    answers = ['away', 403, 403, 200]
    expect(await api.get('secrets', 'x')).toMatchObject({ metadata: { name: 'x' } })
    answers = [503, 403, 200]
    expect(await api.get('secrets', 'x')).toMatchObject({ metadata: { name: 'x' } })
  })

  test('so may accounts: a refusal of credentials is final only if the server was up for long', async () => {
    answers = ['away', 401, 401, 401, 401, 200]
    expect(await api.get('secrets', 'x')).toMatchObject({ metadata: { name: 'x' } })
    answers = [503, 401, 200]
    expect(await api.get('secrets', 'x')).toMatchObject({ metadata: { name: 'x' } })
  })

  test('a status that the caller expects is no sign that the server was away', async () => {
    answers = [500, 401]
    expect(await api.log('pod', 'main', 1)).toBe('')
    await expect(api.get('secrets', 'x')).rejects.toThrow(AuthError)
  })

  test('credentials that are not accepted are renewed, once', async () => {
    answers = [401]
    await expect(api.get('secrets', 'x')).rejects.toThrow(AuthError)
    answers = [401, 200]
    expect(await api.get('secrets', 'x')).toMatchObject({ metadata: { name: 'x' } })
    expect(renewals).toBe(2)
  })

  test('credentials that were accepted have expired: whoever waits goes on after the next login', async () => {
    answers = [200, 401]
    await api.get('secrets', 'x')
    const waits = {
      retryable: true,
      exitCode: 77,
      outcome: 'denied',
      message: expect.stringMatching(/does not accept these credentials any more: log in again/),
    }
    await expect(api.get('secrets', 'x')).rejects.toMatchObject(waits)
    answers = [401, 200]
    expect(await api.get('secrets', 'x')).toMatchObject({ metadata: { name: 'x' } })
  })

  test.each([
    ['two changes at once, of a quota, pass', 'Conflict', true],
    ['another reason does not', 'Odd', false],
  ])('an object that is refused with 409: %s', async (_, reason, retryable) => {
    answers = [409]
    said = { reason, message: 'Operation cannot be fulfilled on resourcequotas "q": the object has been modified' }
    await expect(api.create('secrets', { metadata: { name: 'x' } })).rejects.toMatchObject({ retryable })
  })

  test('may be unknown for now if it was granted before', async () => {
    answers = [200, 403, 200]
    await api.get('secrets', 'x')
    expect(await api.get('secrets', 'x')).toMatchObject({ metadata: { name: 'x' } })
    // A caller that waits for a cloud that is away keeps waiting.
    answers = [403]
    await expect(api.get('secrets', 'x')).rejects.toMatchObject({
      retryable: true,
      message: expect.stringContaining('may not have loaded all rights yet'),
    })
  })
})
