/** Which exit code tells whose fault an error is. */
import { expect, test } from '@jest/globals'
import { InputError } from '../../src/core/errors.ts'
import { SnapshotError } from '../../src/snapshot/errors.ts'
import { exitOf } from '../../src/verbs/shared/error-exit.ts'
import { StoreError } from '../../src/wire/store.ts'

test.each([
  [new InputError('name: which?', { hint: 'say it' }), 64, 'name: which? (say it)'],
  [new StoreError('denied', 'no'), 77, 'no'],
  [new SnapshotError('no-folder', 'x does not exist'), 64, 'x does not exist'],
  [new SnapshotError('too-large', 'too many files'), 64, 'too many files'],
  [new SnapshotError('disk-full', 'could not read: no space left'), 76, 'could not read: no space left'],
  [new SnapshotError('local', 'could not read x: EACCES'), 76, 'could not read x: EACCES'],
  [new SnapshotError('lost', 'the snapshot of slot 3 is not whole'), 76, 'the snapshot of slot 3 is not whole'],
  [new SnapshotError('corrupt', 'not what its hash says'), 76, 'not what its hash says'],
  [Object.assign(new Error('write'), { code: 'ENOSPC' }), 76, expect.stringContaining('no space is left')],
  [new TypeError('undefined is not a function'), 70, expect.stringContaining('this is a bug in tpi')],
])('%s', (error, exitCode, message) => {
  expect(exitOf(error)).toMatchObject({ exitCode, message })
})
