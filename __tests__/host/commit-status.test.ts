/** The mark beside a commit: on the one that people look at. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { actionsHost } from '../../src/host/actions.ts'
import { type CommitStatus, correctCommitStatus, setCommitStatus } from '../../src/host/commit-status.ts'
import { type ApiDouble, apiDouble } from '../lab/github-api.ts'

let api: ApiDouble
beforeEach(async () => {
  api = await apiDouble()
})
afterEach(async () => api.close())

const [CHECKED_OUT, BASE, PROPOSED] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string]

const OF_PULL = 'refs/pull/7/merge'
let debug: string[]
let said: string

/** The status of a run as one of the functions above gets it. */
async function marked(set: typeof setCommitStatus, status: Partial<CommitStatus>, url = api.url): Promise<void> {
  const env = { GITHUB_API_URL: url, GITHUB_REPOSITORY: 'octo/repo', GITHUB_RUN_ID: '7' }
  const host = actionsHost({ out: { write: (text) => (said += text) }, env, now: () => 0, verbose: false, logCommands: false })
  debug = []
  said = ''
  const listening = { ...host, debug: (text: string) => void debug.push(text) }
  const run = { sha: CHECKED_OUT, ref: undefined, name: 'fit', outcome: 'running', description: 'runs' } as const
  await set(listening, env, 'tok', { ...run, ...status })
}

const states = () => api.statuses.map(({ body }) => body['state'])

test.each([
  [OF_PULL, [BASE, PROPOSED], PROPOSED],
  [OF_PULL, undefined, CHECKED_OUT],
  ['refs/heads/main', [BASE, PROPOSED], CHECKED_OUT],
  [undefined, undefined, CHECKED_OUT],
])('of %s, which has merged %j: on %s', async (ref, merged, on) => {
  if (merged) api.parents.set(CHECKED_OUT, merged)
  await marked(setCommitStatus, { ref })
  expect(api.statuses.map(({ path }) => path)).toEqual([`/repos/octo/repo/statuses/${on}`])
})

describe('is corrected', () => {
  test('only if there is one of this name that says something else', async () => {
    await marked(correctCommitStatus, { outcome: 'script-failed' })
    await marked(setCommitStatus, { name: 'other', outcome: 'stopped' })
    await marked(correctCommitStatus, { outcome: 'success' })
    expect(states()).toEqual(['error'])
    await marked(setCommitStatus, { outcome: 'stopped' })
    await marked(correctCommitStatus, { outcome: 'timed-out' })
    expect(states()).toEqual(['error', 'error'])
    await marked(correctCommitStatus, { outcome: 'success' })
    await marked(correctCommitStatus, { outcome: 'success' })
    await marked(correctCommitStatus, { outcome: 'script-failed' })
    expect(api.statuses.map(({ body }) => [body['context'], body['state']]).slice(2)).toEqual([
      ['tpi/fit', 'success'],
      ['tpi/fit', 'failure'],
    ])
  })

  test('on the commit that the forge shows', async () => {
    api.parents.set(CHECKED_OUT, [BASE, PROPOSED])
    await marked(setCommitStatus, { ref: OF_PULL, outcome: 'stopped' })
    await marked(correctCommitStatus, { ref: OF_PULL, outcome: 'success' })
    expect(api.statuses.at(-1)).toMatchObject({ path: `/repos/octo/repo/statuses/${PROPOSED}`, body: { state: 'success' } })
  })

  test('not if it cannot be read, which only a debug line says', async () => {
    await marked(setCommitStatus, { outcome: 'stopped' })
    api.answer = 403
    await marked(correctCommitStatus, { outcome: 'success' })
    expect([states(), said, debug]).toEqual([['error'], '', [expect.stringContaining('(HTTP 403)')]])
    await marked(correctCommitStatus, { outcome: 'success' }, 'http://127.0.0.1:1')
    expect([said, debug]).toEqual(['', [expect.stringContaining('an earlier commit status, if any, stays')]])
  })
})
