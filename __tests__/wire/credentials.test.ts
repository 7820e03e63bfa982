/** Credentials that expire: new ones are there in time, and a lender that is away does no harm while the old ones are valid. */
import { describe, expect, test } from '@jest/globals'
import { fixed, type Lent, passing, renewing } from '../../src/wire/credentials.ts'
import { type CredentialSource, isStoreError } from '../../src/wire/store.ts'
import { fakeClock } from '../lib/fake-clock.ts'

const HOUR = 3_600_000
const MINUTE = 60_000

interface Bank {
  readonly clock: ReturnType<typeof fakeClock>
  readonly source: CredentialSource
  /** How often the lender was asked. */
  asked: number
  /** The error with which it now fails. */
  away?: Error
  readonly troubles: unknown[]
}

/** Lends tokens for an hour, each named by its number; `life`: another lifetime. */
function bank(life = HOUR): Bank {
  const clock = fakeClock()
  const self: Bank = { clock, asked: 0, troubles: [], source: renewing({ clock, lend, trouble: (error) => self.troubles.push(error) }) }
  async function lend(): Promise<Lent> {
    self.asked += 1
    if (self.away) throw self.away
    return { credentials: { token: String(self.asked) }, until: new Date(clock.date().getTime() + life).toISOString() }
  }
  return self
}

const token = async ({ source }: Bank): Promise<string | undefined> => (await source.get())['token']

/** Calls every ten seconds for a time; returns all tokens that were used, and the longest use of one. */
async function use(one: Bank, time: number): Promise<{ used: Set<string | undefined>; longest: number }> {
  const since = new Map<string | undefined, number>()
  let longest = 0
  for (const end = one.clock.now() + time; one.clock.now() < end; await one.clock.advance(10_000)) {
    const now = one.clock.now()
    const held = await token(one)
    if (!since.has(held)) since.set(held, now)
    longest = Math.max(longest, now - (since.get(held) ?? now))
  }
  return { used: new Set(since.keys()), longest }
}

describe('a source', () => {
  test('asks once for all who call at the same time', async () => {
    const one = bank()
    expect(await Promise.all([token(one), token(one), token(one)])).toEqual(['1', '1', '1'])
    expect(one.asked).toBe(1)
  })

  test('has new ones ten minutes before the old ones expire: a day of ten tokens and more, none used past its hour', async () => {
    const one = bank()
    const { used, longest } = await use(one, 24 * HOUR)
    expect(longest).toBeLessThanOrEqual(51 * MINUTE)
    expect(used.size).toBe(29)
    expect(one.asked).toBeLessThan(32)
  })

  test('keeps using the old ones while the lender is away, and fails only when they have expired', async () => {
    const one = bank()
    await use(one, 49 * MINUTE)
    one.away = new Error('503')
    expect((await use(one, 11 * MINUTE - 10_000)).used).toEqual(new Set(['1']))
    expect(one.asked).toBeLessThan(60)
    expect(one.troubles.length).toBeGreaterThan(10)
    await one.clock.advance(10_000)
    await expect(token(one)).rejects.toThrow('503')
    delete one.away
    expect(await token(one)).toBe(String(one.asked))
  })

  test('measures their time without the wall clock, which may jump', async () => {
    const one = bank()
    await token(one)
    one.clock.jump(12 * HOUR)
    expect(await token(one)).toBe('1')
    one.clock.jump(-24 * HOUR)
    await one.clock.advance(HOUR)
    expect(await token(one)).toBe('2')
  })

  test('does not ask at every call if new ones look expired: a clock is wrong, and the store decides', async () => {
    const one = bank(-HOUR)
    for (let at = 0; at < 30; at++) {
      await token(one)
      await one.clock.advance(1000)
    }
    expect(one.asked).toBeLessThan(3)
  })

  test('asks for new ones when they were refused, once for all callers', async () => {
    const one = bank()
    const [a, b] = [await one.source.get(), await one.source.get()]
    expect(one.source.refused(a)).toBe(true)
    expect(await token(one)).toBe('2')
    expect(one.source.refused(b)).toBe(true)
    expect(await token(one)).toBe('2')
  })

  test('of fixed ones has no new ones', async () => {
    const credentials = { token: 'x' }
    const source = fixed(credentials)
    expect(await source.get()).toBe(credentials)
    expect(source.refused(credentials)).toBe(false)
  })
})

test('a lender with temporary failures: the error says that the store is out of reach, and which lender failed', async () => {
  const lend = passing(async () => Promise.reject(new Error('404')), 'the identity of this machine')
  const thrown: unknown = await lend().catch((error: unknown) => error)
  expect(isStoreError(thrown, 'unavailable')).toBe(true)
  expect(String(thrown)).toContain('no credentials from the identity of this machine: 404')
})
