import { expect, test } from '@jest/globals'
import { goThrough } from '../../src/agent/attempt/steps.ts'
import { Ending } from '../../src/agent/slot/ending.ts'
import { SnapshotError } from '../../src/snapshot/errors.ts'

test.each([
  [Object.assign(new Error('r'), { code: 'ENOSPC' }), true],
  [Object.assign(new Error('r'), { code: 'EDQUOT' }), true],
  [new SnapshotError('disk-full', 'r'), true],
  [new SnapshotError('local', 'r'), false],
  [Object.assign(new Error('r'), { code: 'EIO' }), false],
])('an attempt that fails with %p before its script: for lack of room, as each part of it sees that: %p', async (error, diskFull) => {
  const ending = new Ending({ grace: 1, reserve: 1 })
  const stages = async (): Promise<never> => {
    throw error
  }
  expect(await goThrough(ending, stages, (cause) => ({ kind: 'imposed', cause }))).toEqual({ kind: 'broken', reason: 'r', diskFull })
})
