/** Checks of a real service at its limits: they wait as long as the service says, report that, and wait no longer than any forge's limits last. */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { Api } from '../../scripts/smoke/http.ts'
import { MANNERS } from '../../src/forges/github/api.ts'
import { GithubDouble } from '../lab/github/double.ts'
import { fakeClock } from '../lib/fake-clock.ts'

const TREES = '/repos/octo/hello/git/trees'
const TREE = { body: { tree: [{ path: 'a', mode: '100644', type: 'blob', content: 'a' }] } }

let double: GithubDouble
beforeEach(async () => {
  double = await new GithubDouble().start()
})
afterEach(async () => double.stop())

function asked(): { readonly api: Api; readonly said: string[]; readonly seconds: () => number } {
  const clock = fakeClock('2030-01-01T00:00:00.000Z', { auto: true })
  const said: string[] = []
  double.now = () => clock.date().getTime()
  const api = new Api(double.url, { authorization: 'Bearer good' }, { manners: MANNERS, say: (line) => void said.push(line), clock })
  return { api, said, seconds: () => clock.now() / 1000 }
}

const reset = (seconds: number) => ({
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': String(Date.parse('2030-01-01T00:00:00Z') / 1000 + seconds),
})

test('more changes than GitHub takes a minute: the next one waits as long as GitHub says', async () => {
  const { api, said, seconds } = asked()
  for (let change = 0; change < 81; change++) await api.call('POST', TREES, TREE)
  expect([double.limits.refused, said]).toEqual([['changesAMinute'], [expect.stringMatching(/^GitHub limits requests: going on in 1m/)]])
  expect(seconds()).toBeGreaterThanOrEqual(60)
})

test('it waits for the end of the hourly limit', async () => {
  const { api, said, seconds } = asked()
  double.faults.push({ path: /trees/, status: 403, headers: reset(3000), times: 1 })
  await api.call('POST', TREES, TREE)
  expect([said, seconds()]).toEqual([['GitHub limits requests (hourly limit): going on in 50m'], 3000])
})

test('a refusal is not a limit, nor is one that ends too late: the check gets those answers', async () => {
  const { api, said, seconds } = asked()
  double.faults.push({ path: /trees/, status: 403, times: 1 }, { path: /trees/, status: 403, headers: reset(7200), times: 1 })
  for (let time = 0; time < 2; time++) await expect(api.call('POST', TREES, TREE)).rejects.toThrow('HTTP 403')
  expect([said, seconds()]).toEqual([[], 0])
})
