/** Jobs that wait for runners are found in all runs that are in progress, however many there are, and however many jobs each has. */
import { expect, test } from '@jest/globals'
import { atDouble } from './github-at.ts'

const LABELS = ['tpi-1', 'gpu']
const OTHER = { labels: ['ubuntu-latest'], script: '' }
const OURS = { labels: LABELS, script: '' }

const on = atDouble()

test('in the oldest of many runs, in one that has begun, and behind a hundred other jobs', async () => {
  on.double.push([OURS])
  const begun = on.double.push([OTHER, OURS])
  if (begun.jobs[0]) on.double.end(begun.jobs[0], 'success')
  on.double.push([...Array.from({ length: 120 }, () => OTHER), OURS])
  for (let at = 0; at < 210; at++) on.double.push([OTHER])
  expect(await on.forge.waiting(LABELS, [])).toBe(3)
  expect(on.warned).toEqual([])
})

test('of more runs than are read, the newest count, and that is reported', async () => {
  on.double.push([OURS])
  for (let at = 0; at < 300; at++) on.double.push([OTHER])
  on.double.push([OURS])
  expect(await on.forge.waiting(LABELS, [])).toBe(1)
  expect(on.warned).toEqual(['repository octo/hello has more runs than are checked (status=queued): only the 300 newest are'])
})
