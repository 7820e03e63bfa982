/** Which jobs GitHub itself knows were cut off with their machine, and how many calls it takes to find them. */
import { expect, test } from '@jest/globals'
import type { CutOffRequest } from '../../src/core/forge.ts'
import type { ServedJob } from '../../src/wire/runner.ts'
import type { DoubleJob, DoubleRun, DoubleStep } from '../lab/github/double.ts'
import { atDouble } from './github-at.ts'

const MINUTE = 60_000
/** A machine that lived for ten minutes and has just ended. */
const NOW = Date.now()
const AWAY = [{ from: new Date(NOW - 10 * MINUTE).toISOString(), to: new Date(NOW).toISOString() }]
const SET_UP: readonly DoubleStep[] = [{ name: 'Set up job', status: 'in_progress', conclusion: null }]

const on = atDouble()

const enrolled = (...names: string[]) => names.map((name, k) => ({ slot: 0, k, id: String(k), name }))
const find = async (request: Partial<CutOffRequest>): Promise<readonly ServedJob[]> =>
  on.forge.cutOff({ enrolled: enrolled('tpi-r-0-0'), labels: ['tpi-1'], away: AWAY, repositories: ['octo/hello'], ...request })
const lists = (): number => on.double.calls('GET', /\/runs$/).length
const looks = (): number => on.double.calls('GET', /\/jobs$/).length

/** The job as this runner took it, some minutes ago. */
function begun(job: DoubleJob | undefined, runner: string, steps = SET_UP, minutes = 5): DoubleJob {
  if (!job) throw new Error('there is no such job')
  return Object.assign(job, { status: 'in_progress', runnerName: runner, started: new Date(NOW - minutes * MINUTE), steps })
}

function pushed(...names: string[]): DoubleRun {
  const run = on.double.push(names.map((name) => ({ name, labels: ['tpi-1'], script: '' })))
  return Object.assign(run, { created: new Date(NOW - 6 * MINUTE) })
}

test('a job that was being set up: found among the runs of that time while it still looks alive, and once it has failed', async () => {
  const run = pushed('train')
  const job = begun(run.jobs[0], 'tpi-r-0-0')
  const record = {
    interrupted: true,
    facts: { repository: 'octo/hello', run: String(run.id), attempt: '1', job: 'train', runner: 'tpi-r-0-0' },
  }
  const early = await find({})
  expect(early).toMatchObject([record])
  expect(await on.forge.rerun(early, 2)).toMatchObject({ how: 'waiting' })
  on.double.end(job, 'failure')
  const late = await find({})
  expect(late).toMatchObject([{ ...record, end: job.ended?.toISOString() }])
  expect(await on.forge.rerun(late, 2)).toMatchObject({ how: 'rerun' })
  // It is recognized in later attempts, too, and nothing is done twice.
  expect(await on.forge.rerun(await find({}), 2)).toMatchObject({ how: 'refused', says: expect.stringContaining('already re-run') })
  expect(on.double.calls('POST', /rerun/)).toHaveLength(1)
})

test('earlier jobs of a runner for any number of jobs do not hide the one that was cut off', async () => {
  const served = pushed('fine')
  on.double.end(begun(served.jobs[0], 'tpi-r-0-0', [], 9), 'success')
  const cut = pushed('train')
  on.double.end(begun(cut.jobs[0], 'tpi-r-0-0'), 'failure')
  const runs = [served].map(({ id }) => ({ repository: 'octo/hello', run: String(id) }))
  expect(await find({ runs })).toEqual([])
  expect(await find({ runs, lasting: true })).toMatchObject([{ facts: { run: String(cut.id), job: 'train' } }])
})

test.each<[string, (job: DoubleJob, rest: DoubleJob[]) => void]>([
  [
    'failed by itself while it was set up',
    (job) => on.double.end(Object.assign(job, { steps: [{ ...SET_UP[0], status: 'completed', conclusion: 'failure' }] }), 'failure'),
  ],
  [
    'failed by its script, and then lost its machine',
    (job) =>
      on.double.end(
        Object.assign(job, {
          steps: [
            { name: 'Set up job', status: 'completed', conclusion: 'success' },
            { name: 'Run script', status: 'completed', conclusion: 'failure' },
            { name: 'Complete job', status: 'completed', conclusion: 'success' },
          ],
        }),
        'failure',
      ),
  ],
  ['has succeeded', (job) => on.double.end(job, 'success')],
  [
    'was cancelled together with others',
    (job, rest) => {
      for (const one of [job, ...rest]) on.double.end(one, 'cancelled')
    },
  ],
  [
    'had failed long before the machine was lost',
    (job) => {
      on.double.end(job, 'failure')
      job.ended = new Date(NOW - 6 * MINUTE)
    },
  ],
  [
    'began before the machine did',
    (job) => {
      on.double.end(job, 'failure')
      job.started = new Date(NOW - 12 * MINUTE)
    },
  ],
  [
    'ran on a runner of somebody else',
    (job) => {
      job.runnerName = 'theirs'
      on.double.end(job, 'failure')
    },
  ],
])('a job that %s does not count', async (_, end) => {
  const run = pushed('train', 'other')
  end(begun(run.jobs[0], 'tpi-r-0-0'), run.jobs.slice(1))
  expect(await find({})).toEqual([])
})

test('a job that alone was cancelled, as by a runner that is told to end in time, counts as cut off', async () => {
  const run = pushed('train', 'other')
  on.double.end(begun(run.jobs[0], 'tpi-r-0-0'), 'cancelled')
  expect(await find({})).toHaveLength(1)
})

test('likely runs are read first, and no list is read once every registration has its job', async () => {
  const run = pushed('train', 'fine')
  on.double.end(begun(run.jobs[0], 'tpi-r-0-0'), 'failure')
  on.double.end(begun(run.jobs[1], 'tpi-r-0-1'), 'success')
  const runs = [{ repository: 'octo/hello', run: String(run.id) }]
  expect(await find({ enrolled: enrolled('tpi-r-0-0', 'tpi-r-0-1'), runs })).toHaveLength(1)
  expect([lists(), looks()]).toEqual([0, 1])
})

test('of hundreds of runs, on all pages, only those are read that failed or were running in the machine’s time', async () => {
  const cut = pushed('train')
  on.double.end(begun(cut.jobs[0], 'tpi-r-0-0'), 'failure')
  const dated = (run: DoubleRun, minutes: number): void => void Object.assign(run, { created: new Date(NOW - minutes * MINUTE) })
  for (let at = 0; at < 230; at++) {
    const run = pushed('fine')
    dated(run, 5)
    on.double.end(begun(run.jobs[0], `theirs-${at}`), 'success')
  }
  const [old, waits] = [pushed('old'), pushed('waits')]
  dated(old, 60 * 26)
  dated(waits, 3)
  on.double.end(begun(old.jobs[0], 'elsewhere'), 'failure')
  expect(await find({})).toMatchObject([{ facts: { run: String(cut.id) } }])
  expect([lists(), looks()]).toEqual([3, 1])
  expect(on.warned).toEqual([])
})

test('with more jobs than fit on one page the last of them is found, too', async () => {
  const run = pushed(...Array.from({ length: 130 }, (_, at) => `leg-${at}`))
  on.double.end(begun(run.jobs[129], 'tpi-r-0-0'), 'failure')
  expect(await find({})).toMatchObject([{ facts: { job: 'leg-129' } }])
})
