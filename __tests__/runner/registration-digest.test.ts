/** The digest of a run's runners in the tags of its group, which reveals a changed record. */
import { expect, test } from '@jest/globals'
import { isSamePlace, matchesDigest, type RecordedRunners, registrationDigest } from '../../src/runner/registration-digest.ts'

const recorded = {
  forge: 'github',
  scope: { api: 'https://api.github.com', kind: 'repository', name: 'octo/hello' },
  again: { labels: ['tpi-1', 'gpu'], request: { count: 2, env: { A: '1', B: '2' }, setup: undefined } },
} satisfies RecordedRunners
const { forge, scope, again } = recorded
const digest = registrationDigest(recorded)

test('it depends on the contents of a record, not on their order', () => {
  const stored = JSON.parse(JSON.stringify(recorded)) as RecordedRunners
  const turned = { again: { request: { env: { B: '2', A: '1' }, count: 2 }, labels: again.labels }, scope: { ...scope }, forge }
  for (const one of [recorded, stored, turned, { forge, scope }]) expect(matchesDigest(['', digest], one)).toBe(true)
  expect(digest.length).toBeLessThan(100)
})

test.each<[string, RecordedRunners]>([
  ['another forge', { ...recorded, forge: 'gitlab' }],
  ['another repository', { ...recorded, scope: { ...scope, name: 'octo/deploys' } }],
  ['another repository alone', { forge, scope: { ...scope, name: 'octo/deploys' } }],
  ['a scope with more in it', { forge, scope: { ...scope, more: '' } }],
  ['other labels', { ...recorded, again: { ...again, labels: ['gpu', 'tpi-1'] } }],
  ['another request', { ...recorded, again: { ...again, request: { ...again.request, permissionSet: 'admin' } } }],
  ['no request', { ...recorded, again: { labels: [], request: {} } }],
])('it is not about %s', (_name, other) => {
  expect(matchesDigest([digest], other)).toBe(false)
  expect(matchesDigest([], recorded)).toBe(false)
})

test('a place is the same only if all facts about it are', () => {
  expect(isSamePlace(recorded, { forge, scope: { name: scope.name, kind: scope.kind, api: scope.api } })).toBe(true)
  expect(isSamePlace(recorded, { forge, scope: { ...scope, kind: 'organization' } })).toBe(false)
})
