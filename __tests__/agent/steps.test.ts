import { expect, test } from '@jest/globals'
import type { Work } from '../../src/agent/attempt/context.ts'
import { goThrough, setUp } from '../../src/agent/attempt/steps.ts'
import { Ending } from '../../src/agent/slot/ending.ts'
import type { LogShipper } from '../../src/agent/telemetry/log-shipper.ts'
import { SnapshotError } from '../../src/snapshot/errors.ts'
import { StoreError } from '../../src/wire/store.ts'

const roomLeft = async (): Promise<boolean> => false
const noneLeft = async (): Promise<boolean> => true
const noFolder = async (): Promise<boolean> => {
  throw Object.assign(new Error('no such folder'), { code: 'ENOENT' })
}

test.each([
  [Object.assign(new Error('r'), { code: 'ENOSPC' }), roomLeft, true],
  [Object.assign(new Error('r'), { code: 'EDQUOT' }), roomLeft, true],
  [new SnapshotError('disk-full', 'r'), roomLeft, true],
  [new SnapshotError('local', 'r'), roomLeft, false],
  [Object.assign(new Error('r'), { code: 'EIO' }), roomLeft, false],
  [new Error('r'), noneLeft, true],
  [new StoreError('invalid', 'r'), noneLeft, false],
  [new Error('r'), noFolder, false],
])(
  'an attempt that fails with %p before its script, %p: for lack of room, as each part of it sees that: %p',
  async (error, full, diskFull) => {
    const ending = new Ending({ grace: 1, reserve: 1 })
    const run = async (): Promise<never> => {
      throw error
    }
    const imposed = (): never => {
      throw new Error('nothing was imposed')
    }
    expect(await goThrough({ ending, run, imposed, full })).toEqual({ kind: 'broken', reason: 'r', diskFull })
  },
)

test('no set-up starts on a machine that must leave already', async () => {
  const ending = new Ending({ grace: 1, reserve: 1 })
  const cause = { kind: 'interrupted', reason: 'machine reclaimed' } as const
  ending.impose(cause)
  const nothing = new Proxy({}, { get: (_, name) => expect(name).toBe('not asked for') })
  const work = { ending, context: nothing } as unknown as Work
  expect(await setUp(work, nothing as LogShipper, { script: 'exit 1' }, { env: {}, cwd: '/' })).toEqual({ kind: 'imposed', cause })
})
