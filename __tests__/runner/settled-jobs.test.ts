/** What `tpi retry` remembers of a forge's final answers. */
import { expect, test } from '@jest/globals'
import { deploymentOf } from '../../src/engine/deployment.ts'
import { addSettled, readSettled } from '../../src/runner/settled-jobs.ts'
import type { ServedJob } from '../../src/wire/runner.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

test('an answer counts only for that execution of a job, also if a runner has many in one run', async () => {
  const store = memoryStore()
  const d = deploymentOf({ store, id: 'r', name: 'r', incarnation: 'i' } as unknown as Parameters<typeof deploymentOf>[0])
  const job = (minute: number): ServedJob => ({
    epoch: 1,
    start: new Date(Date.UTC(2030, 0, 1, 0, minute)).toISOString(),
    facts: { repository: 'octo/hello', run: '7', attempt: '1', runner: 'tpi-r-0-0' },
  })
  await addSettled(d, { jobs: [job(1)], says: 'done already' })
  const settled = await readSettled(d)
  expect(settled.said([job(1)])).toMatchObject({ how: 'refused', says: 'done already', final: true })
  expect([settled.said([job(2)]), settled.said([job(1), job(2)])]).toEqual([undefined, undefined])
})
