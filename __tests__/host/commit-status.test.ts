/** The mark beside a commit: on the one that people look at. */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { actionsHost } from '../../src/host/actions.ts'
import { setCommitStatus } from '../../src/host/commit-status.ts'
import { type ApiDouble, apiDouble } from '../lab/github-api.ts'

let api: ApiDouble
beforeEach(async () => {
  api = await apiDouble()
})
afterEach(async () => api.close())

const [CHECKED_OUT, BASE, PROPOSED] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string]

test.each([
  ['refs/pull/7/merge', [BASE, PROPOSED], PROPOSED],
  ['refs/pull/7/merge', undefined, CHECKED_OUT],
  ['refs/heads/main', [BASE, PROPOSED], CHECKED_OUT],
  [undefined, undefined, CHECKED_OUT],
])('of %s, which has merged %j: on %s', async (ref, merged, marked) => {
  if (merged) api.parents.set(CHECKED_OUT, merged)
  const env = { GITHUB_API_URL: api.url, GITHUB_REPOSITORY: 'octo/repo', GITHUB_RUN_ID: '7' }
  const host = actionsHost({ out: { write: () => true }, env, now: () => 0, verbose: false, logCommands: false })
  await setCommitStatus(host, env, 'tok', { sha: CHECKED_OUT, ref, name: 'fit', outcome: 'running', description: 'runs' })
  expect(api.statuses.map(({ path }) => path)).toEqual([`/repos/octo/repo/statuses/${marked}`])
})
