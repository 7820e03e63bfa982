/** Changes in virtual time, with a forge that counts them by minute and hour, and refuses more than its documented limits. */
import { beforeEach, expect, test } from '@jest/globals'
import { RemoteError } from '../../src/core/errors.ts'
import { Pace } from '../../src/forges/github/pace.ts'
import { Limits } from '../lab/github/limits.ts'
import { type FakeClock, fakeClock } from '../lib/fake-clock.ts'
import { silent } from '../setup/silent-log.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const AT_ONCE = 8

let clock: FakeClock
let limits: Limits
let said: string[]

beforeEach(() => {
  clock = fakeClock('2030-01-01T00:00:00.000Z', { auto: true })
  limits = new Limits()
  said = []
})

function paceUntil(until?: number): Pace {
  const log = { ...silent, info: (line: string) => void said.push(line) }
  return new Pace({ clock, log, signal: new AbortController().signal, ...(until === undefined ? {} : { until }) })
}

/** Makes this many changes, some at a time; each takes a hundred milliseconds. */
async function change(pace: Pace, method: string, count: number): Promise<void> {
  let left = count
  const one = async (): Promise<void> => {
    while (left-- > 0) {
      await pace.turn(method)
      limits.begin()
      limits.admit('token', method, `/repos/octo/hello/actions/runners/${left}`, clock.now())
      await clock.sleep(100)
      limits.end()
      pace.over(method)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

test('600 creations take little more than an hour, none is refused, and the limit and the waiting time are reported', async () => {
  await change(paceUntil(3 * HOUR), 'POST', 600)
  expect(limits.refused).toEqual([])
  expect(clock.now()).toBeGreaterThanOrEqual(HOUR)
  expect(clock.now()).toBeLessThan(HOUR + 5 * MINUTE)
  expect(said).toContainEqual(expect.stringMatching(/^GitHub accepts 80 changes a minute, and has had 75: going on in (?:\d+s|1m)$/))
  expect(said).toContainEqual(expect.stringMatching(/^GitHub accepts 500 creations an hour, and has had 475: going on in 5\dm( \d+s)?$/))
})

test('one that would wait longer than the command has time fails at once; removals count only by the minute, so that all succeed', async () => {
  const pace = paceUntil(15 * MINUTE)
  const error = await change(pace, 'POST', 500).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(RemoteError)
  expect(error).toMatchObject({
    message: expect.stringMatching(/^GitHub accepts 500 creations an hour, and has had 475: the next may follow in 5\dm/),
    hint: expect.stringContaining('fewer at a time'),
  })
  const failed = clock.now()
  expect(failed).toBeLessThan(10 * MINUTE)
  await change(pace, 'DELETE', 475)
  expect(clock.now() - failed).toBeLessThan(10 * MINUTE)
  expect(limits.refused).toEqual([])
})

test('the double refuses what exceeds either limit', () => {
  for (let at = 0; at < 81; at++) limits.admit('a', 'POST', '/x', 0)
  for (let at = 0; at < 501; at++) limits.admit('b', 'POST', `/x/${'y'.repeat(at)}`, at * 2000)
  expect(limits.refused).toEqual(['changesAMinute', 'creationsAnHour'])
})
