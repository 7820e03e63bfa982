/** What the tags of a group say of its runners, so that a record that was changed is told from one that was not. */
import { expect, test } from '@jest/globals'
import { isPromised, isSamePlace, promiseOf, type RunnersSaid } from '../../src/runner/promise.ts'

const said = {
  forge: 'github',
  scope: { api: 'https://api.github.com', kind: 'repository', name: 'octo/hello' },
  again: { labels: ['tpi-1', 'gpu'], request: { count: 2, env: { A: '1', B: '2' }, setup: undefined } },
} satisfies RunnersSaid
const { forge, scope, again } = said
const promise = promiseOf(said)

test('it is about what was said, in whatever order a record has it', () => {
  const stored = JSON.parse(JSON.stringify(said)) as RunnersSaid
  const turned = { again: { request: { env: { B: '2', A: '1' }, count: 2 }, labels: again.labels }, scope: { ...scope }, forge }
  for (const one of [said, stored, turned, { forge, scope }]) expect(isPromised(['', promise], one)).toBe(true)
  expect(promise.length).toBeLessThan(100)
})

test.each<[string, RunnersSaid]>([
  ['another forge', { ...said, forge: 'gitlab' }],
  ['another repository', { ...said, scope: { ...scope, name: 'octo/deploys' } }],
  ['another repository alone', { forge, scope: { ...scope, name: 'octo/deploys' } }],
  ['a scope with more in it', { forge, scope: { ...scope, more: '' } }],
  ['other labels', { ...said, again: { ...again, labels: ['gpu', 'tpi-1'] } }],
  ['another request', { ...said, again: { ...again, request: { ...again.request, permissionSet: 'admin' } } }],
  ['no request', { ...said, again: { labels: [], request: {} } }],
])('it is not about %s', (_name, other) => {
  expect(isPromised([promise], other)).toBe(false)
  expect(isPromised([], said)).toBe(false)
})

test('a place is one and the same by all that is known of it', () => {
  expect(isSamePlace(said, { forge, scope: { name: scope.name, kind: scope.kind, api: scope.api } })).toBe(true)
  expect(isSamePlace(said, { forge, scope: { ...scope, kind: 'organization' } })).toBe(false)
})
