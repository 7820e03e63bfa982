import { expect, test } from '@jest/globals'
import { outlast } from '../../src/wire/outage.ts'
import { StoreError } from '../../src/wire/store.ts'

const away = new StoreError('unavailable', 'away')

/** A clock that moves only by sleeping. */
function clockwork() {
  let now = 0
  return { now: () => now, sleep: async (milliseconds: number) => void (now += milliseconds) }
}

test('temporary errors are retried, and reported with the number of the try; others are thrown at once', async () => {
  const reported: number[] = []
  const rule = { first: 10, longest: 20, clock: clockwork(), onTrouble: (_: unknown, tries: number) => void reported.push(tries) }
  let left = 3
  const call = async () => {
    if (left-- > 0) throw away
    return 'there'
  }
  expect(await outlast(call, rule)).toBe('there')
  expect(reported).toEqual([1, 2, 3])
  const denied = new StoreError('denied', 'no')
  await expect(outlast(() => Promise.reject(denied), rule)).rejects.toBe(denied)
  expect(reported).toHaveLength(3)
})

test('patience ends with the last error', async () => {
  const clock = clockwork()
  await expect(outlast(() => Promise.reject(away), { first: 100, longest: 100, patience: 5000, clock })).rejects.toBe(away)
  expect(clock.now()).toBeGreaterThan(5000)
  expect(clock.now()).toBeLessThan(5200)
})

test('the time for which the computer sleeps is no patience: after it, the call is tried again', async () => {
  const clock = clockwork()
  const eightHours = 8 * 3_600_000
  const nights = [0, eightHours, 0, eightHours]
  const call = async (): Promise<string> => {
    const night = nights.shift()
    if (night === undefined) return 'there'
    await clock.sleep(night)
    throw away
  }
  expect(await outlast(call, { first: 100, longest: 100, patience: 180_000, clock })).toBe('there')
  nights.push(...Array.from({ length: 9 }, () => eightHours))
  await expect(outlast(call, { first: 100, longest: 100, patience: 180_000, clock })).rejects.toBe(away)
})

test('a call without an answer counts as failed, and is aborted', async () => {
  const signals: AbortSignal[] = []
  const call = async (signal: AbortSignal | undefined): Promise<string> => {
    if (signals.push(signal!) > 1) return 'there'
    return new Promise<never>(() => undefined)
  }
  expect(await outlast(call, { first: 1, longest: 1, callLimit: 20, clock: clockwork() })).toBe('there')
  expect(signals.map((signal) => signal.aborted)).toEqual([true, false])
})

test('a signal ends a call that does not listen to it', async () => {
  const over = new AbortController()
  const waiting = outlast(() => new Promise<never>(() => undefined), { first: 1, longest: 1, callLimit: 60_000, signal: over.signal })
  over.abort(new Error('over'))
  await expect(waiting).rejects.toThrow('over')
})
