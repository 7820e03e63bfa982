/** Jobs that wait for runners are found in all runs that go on, however many those are, and however many jobs each has. */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Forge } from '../../src/core/forge.ts'
import { GithubDouble } from '../lab/github/double.ts'
import { listening, openAt } from './github-at.ts'

const LABELS = ['tpi-1', 'gpu']
const OTHER = { labels: ['ubuntu-latest'], script: '' }
const OURS = { labels: LABELS, script: '' }

let double: GithubDouble
let forge: Forge
let warned: string[]
beforeEach(async () => {
  double = await new GithubDouble().start()
  const { log, said } = listening('warn')
  warned = said
  forge = await openAt(double, { log })
})
afterEach(async () => {
  await double.stop()
  expect(double.breaches).toEqual([])
  expect(double.limits.refused).toEqual([])
})

test('in the oldest of many runs, in one that has begun, and behind a hundred other jobs', async () => {
  double.push([OURS])
  const begun = double.push([OTHER, OURS])
  if (begun.jobs[0]) double.end(begun.jobs[0], 'success')
  double.push([...Array.from({ length: 120 }, () => OTHER), OURS])
  for (let at = 0; at < 210; at++) double.push([OTHER])
  expect(await forge.waiting(LABELS, [])).toBe(3)
  expect(warned).toEqual([])
})

test('of more runs than anybody looks at the newest count, and that is said', async () => {
  double.push([OURS])
  for (let at = 0; at < 300; at++) double.push([OTHER])
  double.push([OURS])
  expect(await forge.waiting(LABELS, [])).toBe(1)
  expect(warned).toEqual(['repository octo/hello has more runs than are looked at (status=queued): only the 300 newest of them are'])
})
