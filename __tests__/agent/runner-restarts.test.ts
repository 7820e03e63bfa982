/** How often a runner that ends is restarted. */
import { expect, test } from '@jest/globals'
import { Restarts } from '../../src/agent/runner/restarts.ts'

const never = new AbortController().signal

test('with growing pauses, and not for ever, unless it gets something done in between', async () => {
  const rests: number[] = []
  const restarts = new Restarts(async (milliseconds) => rests.push(milliseconds))
  const vain = { lasted: 100, jobs: 0 }
  for (let at = 0; at < 8; at++) expect(await restarts.again(vain, never)).toBe(true)
  expect(rests).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000])
  expect(await restarts.again(vain, never)).toBe(false)
  const other = new Restarts(async (milliseconds) => rests.push(milliseconds))
  for (let at = 0; at < 20; at++) {
    expect(await other.again(vain, never)).toBe(true)
    expect(await other.again(at % 2 === 0 ? { lasted: 100, jobs: 1 } : { lasted: 3_600_000, jobs: 0 }, never)).toBe(true)
  }
  expect(new Set(rests.slice(8))).toEqual(new Set([500]))
})
