import { expect, test } from '@jest/globals'
import { machineChange } from '../../src/report/attempt-end.ts'

const AT = '2030-01-01T00:00:00.000Z'

test('a change of machine is reported with the reason and the place where it continues', () => {
  const attempts = [
    { epoch: 1, holder: 'm-a', start: AT, end: AT, cause: 'interrupted' as const, reason: 'machine reclaimed' },
    { epoch: 2, holder: 'm-b', start: AT, end: AT, cause: 'exit' as const, reason: 'exit code 3' },
    { epoch: 3, holder: 'm-c', start: AT },
  ]
  expect(machineChange(attempts, 1, 2)).toBe('attempt 1 on m-a was interrupted: machine reclaimed; attempt 2 begins on m-b')
  expect(machineChange(attempts, 2, 3)).toBe('attempt 2 on m-b ended: exit code 3; attempt 3 begins on m-c')
  expect(machineChange([], 1, 3)).toBe('attempt 1 ended: its machine is gone; attempt 3 begins on another machine')
})
