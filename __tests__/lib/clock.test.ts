import { describe, expect, jest, test } from '@jest/globals'
import { abortIn, bootId, bootNow, dueIn, inTime, pause, systemClock, untilDue } from '../../src/lib/clock.ts'
import { fakeClock } from './fake-clock.ts'

describe('boot clock', () => {
  test('never goes back and agrees with the process clock', () => {
    // `outside` is taken before the first reading and `inside` after it, so they bound the time in between, however busy the host is.
    const outside = performance.now()
    const from = bootNow()
    const inside = performance.now()
    let last = from
    for (let round = 0; round < 2000; round += 1) {
      const now = bootNow()
      expect(now).toBeGreaterThanOrEqual(last)
      last = now
    }
    expect(last - from).toBeLessThan(performance.now() - outside + 60)
    const between = performance.now() - inside
    expect(bootNow() - from).toBeGreaterThan(between - 60)
  })

  test('does not run ahead after it was held up while it was read', () => {
    const outside = performance.now()
    const from = bootNow()
    const { bigint } = process.hrtime
    const held = jest.spyOn(process.hrtime, 'bigint').mockImplementation(() => {
      const read = bigint.call(process.hrtime)
      for (const until = performance.now() + 300; performance.now() < until; );
      return read
    })
    bootNow()
    held.mockRestore()
    expect(bootNow() - from).toBeLessThan(performance.now() - outside + 60)
  })

  test('one boot has one name', () => {
    expect(bootId()).toMatch(/^[0-9a-fA-F-]{36}$/)
    expect(bootId()).toBe(bootId())
  })

  test('a deadline in wall time is converted to a due time once', () => {
    const wall = Date.parse('2030-01-01T00:00:00Z')
    const due = dueIn('2030-01-01T00:01:00Z', wall)
    expect(due - bootNow()).toBeGreaterThan(59_000)
    expect(due - bootNow()).toBeLessThanOrEqual(60_000)
    expect(dueIn('2029-12-31T23:59:00Z', wall)).toBeLessThan(bootNow())
    expect(() => dueIn('soon')).toThrow(RangeError)
  })

  test('waits end when due, at once when due is past, and early with the reason of the signal', async () => {
    await untilDue(bootNow() - 1)
    const due = bootNow() + 20
    await untilDue(due)
    expect(bootNow()).toBeGreaterThanOrEqual(due)
    const reason = new Error('enough')
    await expect(untilDue(bootNow() + 60_000, AbortSignal.abort(reason))).rejects.toBe(reason)
    const stop = new AbortController()
    const sleeping = systemClock.sleep(60_000, stop.signal)
    stop.abort(reason)
    await expect(sleeping).rejects.toBe(reason)
    await expect(pause(60_000, stop.signal)).rejects.toBe(reason)
    const long = new AbortController()
    const months = pause(100 * 86_400_000, long.signal)
    await pause(20)
    long.abort(reason)
    await expect(months).rejects.toBe(reason)
  })
})

describe('fake clock', () => {
  test('wakes sleepers in order and jumps only the wall clock', async () => {
    const clock = fakeClock('2030-01-01T00:00:00.000Z')
    const woken: string[] = []
    const both = Promise.all([clock.sleep(20).then(() => woken.push('late')), clock.sleep(10).then(() => woken.push('early'))])
    await clock.advance(15)
    expect(woken).toEqual(['early'])
    clock.jump(3_600_000)
    expect(clock.now()).toBe(15)
    expect(clock.date().toISOString()).toBe('2030-01-01T01:00:00.015Z')
    await clock.advance(5)
    await both
    expect(woken).toEqual(['early', 'late'])
    expect(clock.sleepers).toBe(0)
  })
})

describe('limits', () => {
  test('a month is a month', async () => {
    const clock = fakeClock()
    using limit = abortIn(clock, 30 * 86_400_000)
    await clock.advance(30 * 86_400_000 - 1)
    expect(limit.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(limit.signal.reason).toMatchObject({ name: 'TimeoutError' })
  })

  test('of the real clock neither ends at once nor refuses, and lets the process end when disposed of', async () => {
    for (const days of [30, 60]) {
      const { signal, [Symbol.dispose]: dispose } = abortIn(systemClock, days * 86_400_000)
      await systemClock.sleep(20)
      expect(signal.aborted).toBe(false)
      dispose()
    }
  })
})

test('work is waited for as long as that, and no timer stays behind it', async () => {
  const clock = fakeClock()
  const late = inTime(clock, 5000, new Promise(() => undefined))
  await clock.advance(5000)
  expect(await late).toBeUndefined()
  expect(await inTime(clock, 5000, Promise.resolve('done'))).toBe('done')
  await expect(inTime(clock, 5000, Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(clock.sleepers).toBe(0)
})
