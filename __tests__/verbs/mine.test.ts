/** Verbs that act on all runs of their user: where there is none, and where one fails. */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { Commands } from '../clouds/awkward/commands.ts'

let all: Commands
beforeEach(() => {
  all = new Commands()
})
afterEach(() => all.close())

test.each(['stop', 'collect', 'destroy'])('%s --mine says that there is nothing, and where it has looked', async (verb) => {
  const end = await all.passing(all.start([verb, '--mine', '--cloud', 'awkward']))
  expect([end.code, end.lines]).toEqual([0, [`nothing to ${verb} on awkward`]])
})

test('a run that cannot be handled is reported, and the outcome of the command is an output and on its last line', async () => {
  await all.passing(all.start(['task', '--cloud', 'awkward', '--name', 'fit', '--output', 'result', '--detach', '--script', 'true']))
  await all.until(() => all.begun.length > 0)
  const end = await all.passing(all.start(['destroy', '--mine', '--cloud', 'awkward']))
  expect([end.code, end.lines.filter((line) => line.startsWith('error: ')).length, end.lines.at(-1)]).toEqual([
    64,
    1,
    'info: outcome: invalid, exit code 64',
  ])
  expect(end.outputs).toEqual({ outcome: 'invalid', 'exit-code': '64' })
})

test.each([['fails'], ['succeeds']])(
  'of several runs that are collected, the worst is the outcome, also if the last one %s',
  async (last) => {
    const codes = { fails: [0, 3], succeeds: [3, 0] }[last] ?? []
    for (const [index, exitCode] of codes.entries()) {
      all.work = { takes: 0, exitCode }
      await all.passing(
        all.start(['task', '--cloud', 'awkward', '--name', `fit${index}`, '--output', 'result', '--detach', '--script', 'true']),
      )
      await all.until(() => all.begun.length > index)
      await all.pass(60_000)
    }
    const end = await all.passing(all.start(['collect', '--mine', '--cloud', 'awkward']))
    expect([end.code, end.lines.at(-1)?.split('\n').at(-1)]).toEqual([3, 'outcome: script-failed, exit code 3'])
    expect(end.outputs).toMatchObject({ outcome: 'script-failed', 'exit-code': '3' })
  },
)
