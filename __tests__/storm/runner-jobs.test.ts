/** Many jobs of one run: more than a launch serves, and many that are cut off at once. */
import { expect, jest, test } from '@jest/globals'
import { onGithub } from '../runner/stages.ts'
import { until } from '../setup/wait.ts'

jest.setTimeout(5 * 60_000)

const at = onGithub()
const { tpi, launch, status } = at

test('a matrix of four legs: one single-job runner serves one, as the step announces; with count and jobs all are served', async () => {
  const legs = (labels: readonly string[]) => at.forge.push([1, 2, 3, 4].map((leg) => ({ labels, script: `echo leg ${leg}` })))
  const one = await launch('')
  expect(one.host.summaries.join('')).toContain('serves 1 job; further jobs with this label wait')
  const first = legs(one.facts.runsOn)
  await at.w.deserted()
  expect(first.jobs.map(({ status: is }) => is).sort()).toEqual(['completed', 'queued', 'queued', 'queued'])
  await tpi('destroy r --discard')
  for (const more of ['--count 4', '--jobs 4', '--count 2 --jobs 2']) {
    const { facts, host } = await launch(more)
    expect(host.summaries.join('')).toContain('serves 4 jobs; further jobs with this label wait')
    const run = legs(facts.runsOn)
    await until(`all legs are served by ${more}`, () => run.jobs.every(({ conclusion }) => conclusion === 'success'), 60_000)
    await at.w.deserted()
    await tpi('destroy r --discard')
    expect(at.forge.runners.size).toBe(0)
  }
})

test('ten machines are reclaimed during their jobs: the run is still in progress, so they run again later, all with one call', async () => {
  const { facts } = await launch('--count 10 --labels gpu')
  const script = '[ "$GITHUB_RUN_ATTEMPT" = 2 ] || sleep 120'
  const cut = Array.from({ length: 10 }, () => ({ labels: facts.runsOn as string[], script }))
  const run = at.forge.push([...cut, { labels: ['elsewhere'], script: '' }])
  const [other] = run.jobs.slice(-1)
  await until(
    'all jobs are on record',
    async () => (await status()).slots.every(({ jobs }: { jobs?: unknown[] }) => jobs?.length === 1),
    60_000,
  )
  await tpi('interrupt r')
  await until('all jobs have failed', () => run.jobs.slice(0, 10).every(({ conclusion }) => conclusion === 'failure'), 60_000)
  await at.w.deserted()
  expect(await tpi('retry --json')).toMatchObject({ code: 75, facts: [{ runs: [{ how: 'waiting' }], relaunched: false }] })
  at.forge.end(other!, 'success')
  expect(await tpi('retry --json')).toMatchObject({ code: 0, facts: [{ runs: [{ how: 'rerun' }], waiting: 10, relaunched: true }] })
  await until('all have run again', () => run.jobs.every(({ conclusion }) => conclusion === 'success'), 60_000)
  expect(run.attempt).toBe(2)
  expect(at.forge.calls('POST', /rerun/).map(({ path }) => path.split('/').at(-1))).toEqual(['rerun-failed-jobs'])
  await at.w.deserted()
  await tpi('destroy r --discard')
  expect(at.forge.runners.size).toBe(0)
  expect((await at.w.remains()).filter((path) => !path.startsWith('cache'))).toEqual([])
})
