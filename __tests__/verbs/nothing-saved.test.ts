/** A run that ends before it has saved anything promises no checkpoint, and the command that would go on from one says that there is none. */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Status } from '../../src/engine/follow/status.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { keptWords } from '../../src/verbs/shared/fleeting-host.ts'
import { Commands } from '../clouds/awkward/commands.ts'

let all: Commands
beforeEach(() => {
  all = new Commands()
})
afterEach(() => all.close())

const WORDS = ['task', '--cloud', 'awkward', '--name', 'fit', '--script', 'true']
const text = async (...words: readonly string[]): Promise<string> => (await all.passing(all.start(words))).lines.join('\n')

const NOTHING = 'fit: nothing to resume, because nothing had been saved: starting from the beginning'

test('it fails at once', async () => {
  all.work = { takes: 0, exitCode: 127, results: undefined }
  const first = await text(...WORDS)
  expect(first).toMatch(/kept +logs until /)
  expect(first).not.toContain('resume')
  expect(await text(...WORDS, '--resume')).toContain(NOTHING)
})

test('it has saved something: then it goes on from that', async () => {
  all.work = { takes: 0, exitCode: 3 }
  expect(await text(...WORDS)).toMatch(/kept +last checkpoints and logs until .*resume/)
  const next = await text(...WORDS, '--resume')
  expect(next).toContain('fit: slot 0 goes on from its checkpoint of ')
  expect(next).not.toContain('nothing to resume')
})

test.each([
  ['nothing', undefined, 'fit: stopped; its logs are kept: tpi logs fit shows them, tpi destroy fit removes them'],
  ['something', 'made', 'fit: stopped; its checkpoints and logs are kept: the same command with `resume: true` goes on from them, '],
])('it is stopped, and has saved %s', async (_, results, says) => {
  all.work = { takes: 3_600_000, ...(results === undefined && { results }) }
  await text(...WORDS, '--detach')
  await all.until(() => all.begun.length > 0)
  expect(await text('stop', 'fit', '--cloud', 'awkward')).toContain(says)
})

test('its job is cancelled while it may still save: that is promised', async () => {
  all.work = { takes: 3_600_000 }
  const cancel = new AbortController()
  const ending = all.start(WORDS, { signal: cancel.signal })
  await all.until(() => all.begun.length > 0)
  cancel.abort(new Error('SIGTERM'))
  const says = 'the last checkpoint and the log are kept for 7d: the same command with `resume: true` goes on from them, '
  expect((await all.passing(ending)).lines.join('\n')).toContain(says)
})

test('its job is cancelled when nobody can save any more', () => {
  const context = { env: {}, engine: { home: '/h' } as VerbContext['engine'] }
  const slots = [{ state: 'stopped', savedAt: null } as Status['slots'][number]]
  expect(keptWords(context, { name: 'fit', store: 's3://bucket', slots }, 3600)).toBe(
    'the log is kept for 1h: `tpi logs fit` shows it, `tpi destroy fit` removes it',
  )
})
