/** Which exit code tells whose fault an error is. */
import { expect, test } from '@jest/globals'
import { publishError } from '../../src/app.ts'
import { InputError } from '../../src/core/errors.ts'
import { PROGRAM } from '../../src/core/product-version.ts'
import { plainText } from '../../src/lib/control-characters.ts'
import { SnapshotError } from '../../src/snapshot/errors.ts'
import { exitOf } from '../../src/verbs/shared/error-exit.ts'
import { StoreError } from '../../src/wire/store.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { world } from '../setup/world.ts'

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
  [Object.assign(new Error('open'), { code: 'EACCES' }), 76, expect.stringMatching(/not for this user: open \(.* chown/)],
  [new TypeError('undefined is not a function'), 70, expect.stringContaining('this is a bug in tpi')],
  [
    Object.assign(new Error("Cannot find module '/x/dist/7.index.js'"), { code: 'ERR_MODULE_NOT_FOUND' }),
    70,
    expect.stringMatching(/^this installation of tpi is not complete: Cannot find module .*install it again/),
  ],
])('%s', (error, exitCode, message) => {
  expect(exitOf(error)).toMatchObject({ exitCode, message })
})

test('on the page, no message ends the block of code that it is in, whatever is taken out of it', async () => {
  const host = { ...memoryHost(), words: plainText }
  await publishError(host, { outcome: 'invalid', exitCode: 64, message: 'name: "``\u0007`"' })
  expect(host.summaries).toEqual([expect.stringContaining('````text\nname: "```"\n````')])
  expect(host.outputs).toEqual({ outcome: 'invalid', 'exit-code': '64' })
})

test('what is to be reported of a bug says in which version it is', async () => {
  const here = await world()
  const given = (): never => {
    throw new TypeError('x is not a function')
  }
  const { code, host } = await here.tpi('list', { given })
  await here.end()
  expect([code, host.lines]).toEqual([
    70,
    expect.arrayContaining([expect.stringContaining(`error: ${PROGRAM}\nTypeError: x is not a function\n`)]),
  ])
})
