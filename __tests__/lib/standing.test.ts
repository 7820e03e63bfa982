import { expect, test } from '@jest/globals'
import { Standing } from '../../src/lib/standing.ts'

test('a refusal may pass where the right was granted before, or nobody answered a moment ago: for a minute', () => {
  let now = 0
  const standing = new Standing(() => now)
  expect(standing.mayPass('get secrets')).toBe(false)
  standing.granted('get secrets')
  expect([standing.mayPass('get secrets'), standing.mayPass('patch jobs')]).toEqual([true, false])
  now = 59_999
  expect(standing.mayPass('get secrets')).toBe(true)
  now = 60_000
  expect(standing.mayPass('get secrets')).toBe(false)
  standing.outOfReach()
  expect([standing.mayPass('get secrets'), standing.mayPass('patch jobs')]).toEqual([true, true])
  now = 120_000
  expect(standing.mayPass('patch jobs')).toBe(false)
  // Granted again, it may be refused again.
  standing.granted('get secrets')
  expect(standing.mayPass('get secrets')).toBe(true)
})
