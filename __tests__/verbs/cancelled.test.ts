/** What a command with `--json` prints if its CI job is cancelled. */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { Commands } from '../clouds/awkward/commands.ts'

let all: Commands
beforeEach(() => {
  all = new Commands()
})
afterEach(() => all.close())

const WORDS = ['task', '--cloud', 'awkward', '--name', 'fit', '--output', 'result', '--script', 'true', '--json']

test.each([
  ['stop', 143],
  ['detach', 75],
])('one object, as in any other case: --on-cancel %s', async (how, code) => {
  const cancel = new AbortController()
  const ending = all.start([...WORDS, '--on-cancel', how], { signal: cancel.signal })
  await all.until(() => all.begun.length > 0)
  cancel.abort(new Error('SIGTERM'))
  const end = await all.passing(ending)
  expect([end.code, end.facts]).toMatchObject([code, { name: 'fit', attached: false, outcome: expect.any(String) }])
})
