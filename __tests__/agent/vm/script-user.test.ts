/** Which groups the script's user belongs to. */
import { expect, test } from '@jest/globals'
import { groupsOf } from '../../../src/agent/vm/script-user.ts'

test.each([
  [true, ['docker', 'render', 'video']],
  [false, ['render', 'video']],
])('with sudo %s its groups are %j: docker makes root of whoever may use it', (sudo, groups) => {
  expect(groupsOf({ sudo })).toEqual(groups)
})
