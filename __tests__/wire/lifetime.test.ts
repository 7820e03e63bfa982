import { expect, test } from '@jest/globals'
import { hardDeadline, keptUntil, lifetimeOf, overtime, softDeadline } from '../../src/wire/lifetime.ts'

test('after the soft deadline come the grace, the reserve for the last save, and the retention', () => {
  const lifetime = lifetimeOf('2030-01-01T00:00:00.000Z', { timeout: 3600, grace: 60, reserve: 30, retention: 3600 })
  expect(lifetime).toEqual({ deadline: '2030-01-01T01:00:00.000Z', grace: 60, reserve: 30, retention: 3600 })
  expect(new Date(softDeadline(lifetime)).toISOString()).toBe(lifetime.deadline)
  expect(overtime(lifetime)).toBe(90)
  expect(new Date(hardDeadline(lifetime)).toISOString()).toBe('2030-01-01T01:01:30.000Z')
  expect(new Date(keptUntil(lifetime)).toISOString()).toBe('2030-01-01T02:01:30.000Z')
})
