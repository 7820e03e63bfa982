/** Verbs that act on all runs of their user, where there is none. */
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
