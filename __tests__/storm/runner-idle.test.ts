/** Jobs that arrive in the very moment in which a machine has been idle for long enough to leave: none is ever killed by that. Real machines; a thousand more in `__tests__/agent/runner-watch.test.ts`. */
import { expect, jest, test } from '@jest/globals'
import { GithubDouble } from '../lab/github/double.ts'
import { until, world } from '../setup/world.ts'

const ROUNDS = Number(process.env['TPI_RACES'] ?? 40)
const AT_ONCE = 4

jest.setTimeout(ROUNDS * 10_000)

/** Repeatable: the same seed, the same moments. */
function moments(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x7fffffff
  }
}

test('a job at the second of idle expiry is served, or waits for another runner', async () => {
  const random = moments(7)
  const outcomes: Record<string, number> = { served: 0, waits: 0 }
  for (let round = 0; round < ROUNDS; round += AT_ONCE) {
    const forge = await new GithubDouble().start()
    forge.requeue = 1500
    const w = await world()
    try {
      const env = { GITHUB_API_URL: forge.url, REPO_TOKEN: 'good' }
      const { facts } = await w.tpi(`runner --name r --repository octo/hello --idle-timeout 3s --count ${AT_ONCE} --json`, { env })
      const online = Date.now()
      // It is held at rest only: jobs fall before, into and after that moment.
      const jobs = await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          const at = 2300 + random() * 2200
          await new Promise((resolve) => setTimeout(resolve, Math.max(0, online + at - Date.now())))
          return forge.push([{ labels: facts.runsOn, script: 'sleep 0.3' }]).jobs[0]
        }),
      )
      await until('the machines have left', async () => (await w.alive()).length === 0, 60_000)
      await new Promise((resolve) => setTimeout(resolve, forge.requeue + 200))
      for (const job of jobs) {
        expect([job?.status, job?.conclusion]).toEqual(job?.status === 'queued' ? ['queued', null] : ['completed', 'success'])
        outcomes[job?.status === 'queued' ? 'waits' : 'served']!++
      }
    } finally {
      await w.end()
      await forge.stop()
    }
  }
  // Both happen, or the moments were not the right ones.
  expect(outcomes['served']).toBeGreaterThan(0)
  expect(outcomes['waits']).toBeGreaterThan(0)
})
