/** What a command with `--json` prints if its CI job is cancelled, or its user leaves. */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { Commands } from '../clouds/awkward/commands.ts'
import type { Death } from '../storm/dying.ts'

let all: Commands
beforeEach(() => {
  all = new Commands()
})
afterEach(() => all.close())

const WORDS = ['task', '--cloud', 'awkward', '--name', 'fit', '--output', 'result', '--script', 'true', '--json']

test.each([
  ['stop', 143, 'stopped'],
  ['detach', 75, 'running'],
])('one object, as in any other case: --on-cancel %s', async (how, code, outcome) => {
  const cancel = new AbortController()
  const ending = all.start([...WORDS, '--on-cancel', how], { signal: cancel.signal })
  await all.until(() => all.begun.length > 0)
  cancel.abort(new Error('SIGTERM'))
  const end = await all.passing(ending)
  expect([end.code, end.facts]).toMatchObject([code, { name: 'fit', attached: false, outcome }])
})

test.each(['SIGINT', 'SIGHUP'] as const)('and if a person leaves it to go on, by %s: the object says so', async (kind) => {
  const leave = new AbortController()
  const ending = all.start(WORDS, { signal: leave.signal, kind })
  await all.until(() => all.begun.length > 0)
  leave.abort(new Error(kind))
  const end = await all.passing(ending)
  expect([end.code, end.facts]).toMatchObject([
    75,
    { id: expect.any(String), name: 'fit', attached: false, outcome: 'running', exitCode: null },
  ])
})

test('a run that succeeds just before it is stopped counts as stopped for the command that was cancelled: nobody has its results yet', async () => {
  const cancel = new AbortController()
  const late: Death['through'] = async (call, act) => {
    const { clock } = all.account
    if (cancel.signal.aborted && call.startsWith('write') && call.includes('control'))
      await new Promise<void>((resolve) => void clock.at(clock.now() + 2 * all.work.takes, resolve))
    return act()
  }
  const ending = all.start(WORDS, { signal: cancel.signal, death: { through: late, died: new Promise(() => undefined) } })
  await all.until(() => all.begun.length > 0)
  cancel.abort(new Error('SIGTERM'))
  const end = await all.passing(ending)
  expect([end.code, end.facts, end.outputs]).toMatchObject([
    143,
    { outcome: 'stopped', slots: [{ state: 'succeeded' }] },
    { outcome: 'stopped' },
  ])
})
