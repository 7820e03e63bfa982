import { expect, test } from '@jest/globals'
import { Standing } from '../../src/lib/refusal.ts'

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
  // Each failure in between does not begin that minute anew: it runs from the first refusal after the server came back.
  standing.outOfReach()
  expect(standing.mayPass('patch jobs')).toBe(true)
  now = 170_000
  standing.outOfReach()
  expect(standing.mayPass('patch jobs')).toBe(true)
  now = 180_000
  standing.outOfReach()
  expect([standing.mayPass('patch jobs'), standing.isSettling()]).toEqual([false, false])
  // What it answers in earnest ends that: the next time it is away is another one.
  standing.granted('get pods')
  standing.outOfReach()
  expect(standing.mayPass('patch jobs')).toBe(true)
  // Granted again, it may be refused again.
  standing.granted('get secrets')
  expect(standing.mayPass('get secrets')).toBe(true)
})
