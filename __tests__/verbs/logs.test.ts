/** What `tpi logs --follow` ends with if it is ended before the run, so that a line like `tpi logs fit --follow && next` does what its user wants. */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { RemoteError } from '../../src/core/errors.ts'
import { Commands, type Given } from '../clouds/awkward/commands.ts'

let all: Commands
beforeEach(() => {
  all = new Commands()
})
afterEach(() => all.close())

const FOLLOWS = ['logs', 'fit', '--follow', '--cloud', 'awkward']

async function endedBy(kind: Given['kind'], reason: Error): Promise<unknown> {
  all.work = { takes: 3_600_000 }
  await all.passing(all.start(['task', '--cloud', 'awkward', '--name', 'fit', '--detach', '--script', 'true']))
  await all.until(() => all.begun.length > 0)
  const end = new AbortController()
  const follows = all.start(FOLLOWS, { signal: end.signal, kind })
  await all.pass(60_000)
  end.abort(reason)
  const { code, lines } = await all.passing(follows)
  expect(lines.filter((line) => line.includes('outcome:'))).toEqual([])
  return code
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 130],
  ['unread', 0],
] as const)('%s: exit code %d', async (kind, code) => {
  expect(await endedBy(kind, new Error(kind))).toBe(code)
})

test('a full disk: the error that says so', async () => {
  expect(await endedBy('full', new RemoteError('the output is not complete'))).toBe(76)
})

test('the end of the run: success', async () => {
  all.work = { takes: 60_000 }
  await all.passing(all.start(['task', '--cloud', 'awkward', '--name', 'fit', '--detach', '--script', 'true']))
  await all.until(() => all.begun.length > 0)
  expect((await all.passing(all.start(FOLLOWS))).code).toBe(0)
})
