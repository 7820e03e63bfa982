import { expect, test } from '@jest/globals'
import { Refusals } from '../../src/lib/refusals.ts'

test('a refusal counts as temporary for a minute, if the right was granted before or the server was out of reach', () => {
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
  // Further failures do not restart that minute: it runs from the first refusal after the server came back.
  refusals.outOfReach()
  expect(refusals.mayPass('patch jobs')).toBe(true)
  now = 170_000
  refusals.outOfReach()
  expect(refusals.mayPass('patch jobs')).toBe(true)
  now = 180_000
  refusals.outOfReach()
  expect([refusals.mayPass('patch jobs'), refusals.isSettling()]).toEqual([false, false])
  // A real answer ends the outage, so the next one counts anew.
  refusals.granted('get pods')
  refusals.outOfReach()
  expect(refusals.mayPass('patch jobs')).toBe(true)
  // After it was granted again, a refusal may be temporary again.
  refusals.granted('get secrets')
  expect(refusals.mayPass('get secrets')).toBe(true)
})
