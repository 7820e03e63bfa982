/** What GitHub's answers mean, by status and headers wherever these tell, on virtual time. */
import { describe, expect, test } from '@jest/globals'
import { AuthError, RemoteError } from '../../src/core/errors.ts'
import type { Answer } from '../../src/forges/call.ts'
import { Api } from '../../src/forges/github/api.ts'
import { type Login, tokenLogin } from '../../src/forges/github/auth.ts'
import { GithubDouble } from '../lab/github/double.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { silent } from '../setup/silent-log.ts'
import { listening, openAt } from './github-at.ts'
import { runnerRequest } from './runner-request.ts'

const MINUTE = 60_000
const CALL = { doing: 'look', method: 'GET', path: '/x' }
const fine: Answer = { status: 200, headers: {}, data: { fine: true } }
const answer = (status: number, headers: Answer['headers'] = {}): Answer => ({ status, headers, data: { message: 'any words' } })

interface Played {
  /** Virtual milliseconds. */
  readonly took: number
  readonly calls: number
  readonly said: readonly string[]
  readonly result: Answer | Error
}

/** `reply` gets the virtual milliseconds since the start, and the token. */
async function play(reply: (now: number, authorization: string) => Answer, login: Login = tokenLogin('t')): Promise<Played> {
  const clock = fakeClock('2030-01-01T00:00:00.000Z', { auto: true })
  const said: string[] = []
  const log = { ...silent, info: (line: string) => void said.push(line) }
  const begun = clock.now()
  let calls = 0
  const api = new Api(
    { clock, log, signal: new AbortController().signal },
    async (_, __, token) => {
      calls++
      return reply(clock.now() - begun, token)
    },
    login,
  )
  const result = await api.call(CALL).catch((error: unknown) => error as Error)
  return { took: clock.now() - begun, calls, said, result }
}

const resetAfter = (milliseconds: number): Answer =>
  answer(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String((Date.parse('2030-01-01T00:00:00Z') + milliseconds) / 1000) })

describe('limits', () => {
  test('it visibly waits for the hourly limit if its end is near', async () => {
    const { result, took, said, calls } = await play((now) => (now < 5 * MINUTE ? resetAfter(5 * MINUTE) : fine))
    expect(result).toEqual(fine)
    expect(took).toBeLessThan(6 * MINUTE)
    expect(calls).toBe(2)
    expect(said.join()).toContain('hourly limit')
  })

  test('a limit that ends too late is an error at once, and says so', async () => {
    const { result, took, calls } = await play(() => resetAfter(50 * MINUTE))
    expect(result).toBeInstanceOf(RemoteError)
    expect(result).toMatchObject({ message: expect.stringContaining('hourly limit') })
    expect([took, calls]).toEqual([0, 1])
  })

  test('the secondary limit: as long as it says, or a minute and more if it says nothing', async () => {
    const reported = await play((now) => (now < 20_000 ? answer(403, { 'retry-after': '20' }) : fine))
    expect(reported).toMatchObject({ result: fine, calls: 2 })
    const unnamed = await play((now) => (now < 30_000 ? answer(429) : fine))
    expect(unnamed).toMatchObject({ result: fine, calls: 2 })
    expect(unnamed.took).toBeGreaterThanOrEqual(MINUTE)
  })

  test.each([
    { message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.' },
    { documentation_url: 'https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits' },
  ])('the secondary limit without a header (%j): waited for, not taken for a missing right', async (data) => {
    const { result, took } = await play((now) => (now < 30_000 ? { ...answer(403, { 'x-ratelimit-remaining': '14' }), data } : fine))
    expect(result).toEqual(fine)
    expect(took).toBeGreaterThanOrEqual(MINUTE)
    expect((await play(() => answer(403, { 'x-ratelimit-remaining': '14' }))).result).toBeInstanceOf(AuthError)
  })
})

describe('failures', () => {
  test.each([
    ['answers 502', (): Answer => answer(502)],
    [
      'does not answer',
      (): Answer => {
        throw new Error('connect ECONNREFUSED')
      },
    ],
  ])('a forge that %s for a minute is waited for; one that is down for ten is an error that may pass', async (_, down) => {
    expect((await play((now) => (now < MINUTE ? down() : fine))).result).toEqual(fine)
    const { result, took, calls } = await play((now) => (now < 10 * MINUTE ? down() : fine))
    expect(result).toMatchObject({ retryable: true })
    expect(took).toBeLessThanOrEqual(2 * MINUTE)
    expect(calls).toBeLessThan(20)
  })

  test("an App's token that expires in mid-run is minted again, once; a token of the user's is an error that names the kind of token", async () => {
    let minted = 1
    const app: Login = { kind: 'App 1', authorization: async () => `Bearer token-${minted}`, renew: () => Boolean(minted++) }
    expect(await play((_, token) => (token === 'Bearer token-2' ? fine : answer(401)), app)).toMatchObject({ result: fine, calls: 2 })
    const never = await play(() => answer(401), app)
    expect(never).toMatchObject({ calls: 2, result: expect.any(AuthError) })
    const own = await play(() => answer(401), tokenLogin('ghp_x'))
    expect(own.calls).toBe(1)
    expect(own.result).toMatchObject({ message: expect.stringContaining('classic token is not valid, or expired') })
  })
})

test('160 registrations stay below every limit of GitHub and report their progress; all are found again on their pages, and removed', async () => {
  const double = await new GithubDouble().start()
  try {
    const clock = fakeClock('2030-01-01T00:00:00.000Z', { auto: true })
    double.now = () => clock.now()
    const { log, said } = listening('info')
    const forge = await openAt(double, { log, clock })
    const places = Array.from({ length: 160 }, (_, slot) => ({ slot, k: 0, name: `tpi-x-${slot}-0` }))
    const { enrolled } = await forge.enroll(runnerRequest({ places }))
    expect(enrolled).toHaveLength(160)
    expect(said).toEqual(expect.arrayContaining(['75 of 160 runners are registered', '150 of 160 runners are registered']))
    expect(said).toContainEqual(expect.stringMatching(/^GitHub accepts 80 changes a minute, and has had 75: going on in \d+(?:s|m)$/))
    // The waiting is needed, and not longer than needed.
    expect(clock.now()).toBeGreaterThanOrEqual(2 * MINUTE)
    expect(clock.now()).toBeLessThan(2.5 * MINUTE)
    expect(await forge.runners('tpi-x-')).toHaveLength(160)
    expect(double.calls('GET', /runners$/)).toHaveLength(2)
    for (const { id } of enrolled) await forge.evict(id ?? '')
    expect(double.runners.size).toBe(0)
    expect(double.limits.refused).toEqual([])
  } finally {
    await double.stop()
    expect(double.breaches).toEqual([])
  }
})

describe('lists', () => {
  const listOf = (pages: readonly Answer[]) => {
    const left = [...pages]
    const clock = fakeClock('2030-01-01T00:00:00.000Z', { auto: true })
    const api = new Api({ clock, log: silent, signal: new AbortController().signal }, async () => left.shift() ?? fine, tokenLogin('t'))
    return async (accept?: readonly number[]) => api.list({ doing: 'list things', ...(accept && { accept }) }, '/x', 'things')
  }
  const page = (things: unknown): Answer => ({ status: 200, headers: {}, data: { things } })

  test('all pages, until one is not full', async () => {
    const full = Array.from({ length: 100 }, (_, index) => index)
    expect(await listOf([page(full), page([100])])()).toEqual([...full, 100])
  })

  test('an answer without the list is an error, not an empty list; of an accepted status, there is none', async () => {
    await expect(listOf([fine])()).rejects.toThrow('GitHub: could not list things: its answer has no "things"')
    await expect(listOf([page('some')])()).rejects.toThrow(RemoteError)
    expect(await listOf([answer(404)])([404])).toEqual([])
  })
})
