/** What the script's user may use of its machine. */
import { expect, test } from '@jest/globals'
import { groupsOf } from '../../../src/agent/vm/prepare.ts'

test.each([
  [true, ['docker', 'render', 'video']],
  [false, ['render', 'video']],
])('with sudo %s it is of the groups %j: docker makes root of whoever may use it', (sudo, groups) => {
  expect(groupsOf({ sudo })).toEqual(groups)
})
