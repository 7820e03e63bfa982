import { expect, test } from '@jest/globals'
import { Refusals } from '../../src/lib/refusals.ts'

test('a refusal may pass where the right was granted before, or nobody answered a moment ago: for a minute', () => {
  let now = 0
  const refusals = new Refusals(() => now)
  expect(refusals.mayPass('get secrets')).toBe(false)
  refusals.granted('get secrets')
  expect([refusals.mayPass('get secrets'), refusals.mayPass('patch jobs')]).toEqual([true, false])
  now = 59_999
  expect(refusals.mayPass('get secrets')).toBe(true)
  now = 60_000
  expect(refusals.mayPass('get secrets')).toBe(false)
  refusals.outOfReach()
  expect([refusals.mayPass('get secrets'), refusals.mayPass('patch jobs')]).toEqual([true, true])
  now = 120_000
  expect(refusals.mayPass('patch jobs')).toBe(false)
  // Each failure in between does not begin that minute anew: it runs from the first refusal after the server came back.
  refusals.outOfReach()
  expect(refusals.mayPass('patch jobs')).toBe(true)
  now = 170_000
  refusals.outOfReach()
  expect(refusals.mayPass('patch jobs')).toBe(true)
  now = 180_000
  refusals.outOfReach()
  expect([refusals.mayPass('patch jobs'), refusals.isSettling()]).toEqual([false, false])
  // What it answers in earnest ends that: the next time it is away is another one.
  refusals.granted('get pods')
  refusals.outOfReach()
  expect(refusals.mayPass('patch jobs')).toBe(true)
  // Granted again, it may be refused again.
  refusals.granted('get secrets')
  expect(refusals.mayPass('get secrets')).toBe(true)
})
