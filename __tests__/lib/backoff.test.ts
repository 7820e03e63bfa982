import { describe, expect, test } from '@jest/globals'
import { backoff, retry } from '../../src/lib/backoff.ts'

const rule = { tries: 4, first: 100, longest: 1_000, again: () => true as boolean | number, random: () => 0 }

describe('retry', () => {
  test('tries until it works, with the prescribed pauses', async () => {
    const waits: number[] = []
    const result = await retry(async (tries) => (tries < 4 ? Promise.reject(new Error(String(tries))) : tries), {
      ...rule,
      sleep: async (milliseconds) => void waits.push(milliseconds),
    })
    expect(result).toBe(4)
    expect(waits).toEqual([100, 200, 400])
  })

  test('ends with the last error after the last try', async () => {
    const failing = retry(async (tries) => Promise.reject(new Error(String(tries))), { ...rule, sleep: async () => {} })
    await expect(failing).rejects.toThrow('4')
  })

  test('does not repeat a final error, and waits as long as the error says', async () => {
    let tries = 0
    const waits: number[] = []
    const again = (error: unknown) => ((error as Error).message === '1' ? 5_000 : false)
    const failing = retry(async () => Promise.reject(new Error(String(++tries))), {
      ...rule,
      again,
      sleep: async (time) => void waits.push(time),
    })
    await expect(failing).rejects.toThrow('2')
    expect(waits).toEqual([5_100])
  })

  test('obeys the signal before, between and after tries', async () => {
    const reason = new Error('enough')
    const stop = new AbortController()
    const trying = retry(
      async () => {
        setTimeout(() => stop.abort(reason), 5)
        throw new Error('failed')
      },
      { ...rule, first: 60_000, longest: 60_000, signal: stop.signal },
    )
    await expect(trying).rejects.toBe(reason)
    await expect(retry(async () => 1, { ...rule, signal: stop.signal })).rejects.toBe(reason)
  })

  test('jitter covers everything from zero to the ceiling', () => {
    expect(backoff(1, { first: 100, longest: 1_000, random: () => 0.75 })).toBe(25)
    expect(backoff(30, { first: 100, longest: 1_000, random: () => 0 })).toBe(1_000)
    expect(backoff(3, { first: 100, longest: 1_000, random: () => 0.999 })).toBeCloseTo(0.4)
  })
})
