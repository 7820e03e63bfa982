/** Which jobs GitHub is requested to run again, when, and how often. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import type { Rerun } from '../../src/core/forge.ts'
import type { ServedJob } from '../../src/wire/runner.ts'
import type { DoubleJob, DoubleRun } from '../lab/github/double.ts'
import { atDouble } from './github-at.ts'

const on = atDouble()

/** A run with jobs for our runners, one per runner, and jobs for other runners. */
function pushed(ours: number, others: number): { run: DoubleRun; cut: DoubleJob[]; rest: DoubleJob[]; records: ServedJob[] } {
  const jobs = (many: number, label: string) =>
    Array.from({ length: many }, (_, at) => ({ labels: [label], script: '', name: `${label}-${at}` }))
  const run = on.double.push([...jobs(ours, 'ours'), ...jobs(others, 'others')])
  const cut = run.jobs.slice(0, ours)
  const records = cut.map((job, at) => {
    job.runnerName = `tpi-r-${at}-0`
    const facts = { repository: 'octo/hello', run: String(run.id), attempt: '1', runner: job.runnerName }
    return { epoch: 1, start: '', interrupted: true, facts }
  })
  return { run, cut, rest: run.jobs.slice(ours), records }
}

/** Ends the job's next execution on a new runner; returns that runner's name. */
function served(job: DoubleJob | undefined, conclusion: 'success' | 'failure'): string {
  if (!job) throw new Error('there is no such job')
  job.runnerName = `tpi-s-${randomUUID().slice(0, 8)}-0`
  on.double.end(job, conclusion)
  return job.runnerName
}

const again = async (records: readonly ServedJob[], most = 2): Promise<Rerun> => on.forge.rerun(records, most)
const asked = (): string[] => on.double.calls('POST').map(({ path }) => path.replace(/\d+/g, 'N').split('/actions/')[1] ?? '')

test('ten jobs that were cut off: not before the end of the run, then with one call, only once', async () => {
  const { run, cut, rest, records } = pushed(10, 1)
  for (const job of cut) on.double.end(job, 'failure')
  expect(await again(records)).toMatchObject({ how: 'waiting', says: expect.stringContaining('run "tpi retry" after that') })
  expect(asked()).toEqual([])
  for (const job of rest) on.double.end(job, 'success')
  expect(await again(records)).toMatchObject({ how: 'rerun' })
  expect(run.jobs.map(({ status }) => status)).toEqual([...cut.map(() => 'queued'), 'completed'])
  expect(await again(records)).toMatchObject({ how: 'refused', says: expect.stringContaining('already re-run') })
  expect(asked()).toEqual(['runs/N/rerun-failed-jobs'])
})

test('beside a job that failed by itself: one job alone, which is left if GitHub refuses that', async () => {
  const { run, cut, rest, records } = pushed(2, 1)
  for (const job of [...cut, ...rest]) on.double.end(job, 'failure')
  on.double.faults.push({ path: /\/rerun$/, status: 403, times: 1 })
  expect(await again(records)).toMatchObject({ how: 'refused' })
  expect(run.attempt).toBe(1)
  expect(await again(records)).toMatchObject({ how: 'rerun', says: expect.stringContaining('1 more have to wait for its end') })
  expect(run.jobs.map(({ status }) => status)).toEqual(['queued', 'completed', 'completed'])
  // The running one is waited for; then comes the second, and the job that failed by itself is left alone.
  expect(await again(records)).toMatchObject({ how: 'waiting' })
  served(run.jobs[0], 'success')
  expect(await again(records)).toMatchObject({ how: 'rerun' })
  expect(run.jobs.map(({ status }) => status)).toEqual(['completed', 'queued', 'completed'])
  expect(await again(records)).toMatchObject({ how: 'refused', says: expect.stringContaining('already re-run (attempt 3)') })
  served(run.jobs[1], 'success')
  expect(await again(records)).toMatchObject({ how: 'refused', says: expect.stringContaining('already re-run (attempt 3)') })
  expect(asked()).toEqual(['jobs/N/rerun', 'jobs/N/rerun', 'jobs/N/rerun'])
})

test('a re-run that has begun, and has no job yet: those that wait for its end are not forgotten', async () => {
  const { run, cut, rest, records } = pushed(2, 1)
  for (const job of [...cut, ...rest]) on.double.end(job, 'failure')
  expect(await again(records)).toMatchObject({ how: 'rerun' })
  const jobs = run.jobs.splice(0)
  expect(await again(records)).toMatchObject({ how: 'waiting' })
  run.jobs.push(...jobs)
  served(run.jobs[0], 'success')
  expect(await again(records)).toMatchObject({ how: 'rerun' })
})

describe('jobs that were cancelled beside one that was cut off', () => {
  /** What somebody does who cancels the run. */
  const cancel = async ({ id }: DoubleRun): Promise<unknown> =>
    fetch(`${on.double.url}/repos/octo/hello/actions/runs/${id}/cancel`, { method: 'POST', headers: { authorization: 'Bearer good' } })

  test('are run again with it, with one call, if that is why: its matrix cancels them', async () => {
    const { run, cut, rest, records } = pushed(1, 2)
    for (const job of cut) on.double.end(job, 'failure')
    for (const job of rest) on.double.end(job, 'cancelled')
    expect(await again(records)).toMatchObject({ how: 'rerun', says: expect.stringContaining('its failed jobs run again') })
    expect(run.jobs.map(({ status }) => status)).toEqual(['queued', 'queued', 'queued'])
    expect(await again(records)).toMatchObject({ how: 'refused', says: expect.stringContaining('already re-run') })
    expect(asked()).toEqual(['runs/N/rerun-failed-jobs'])
  })

  test.each<[string, (ours: DoubleJob, others: readonly DoubleJob[], run: DoubleRun) => unknown]>([
    [
      'somebody has cancelled the run',
      (ours, _, run) => {
        on.double.end(ours, 'failure')
        return cancel(run)
      },
    ],
    [
      'one was cancelled before it was cut off',
      (ours, [early, late]) => {
        for (const [at, job] of [early, ours, late].entries()) {
          on.double.end(job!, job === ours ? 'failure' : 'cancelled')
          job!.ended = new Date(Date.now() + at * 1000)
        }
      },
    ],
    [
      'another one has failed by itself',
      (ours, [failed, other]) => {
        on.double.end(ours, 'failure')
        on.double.end(failed!, 'failure')
        on.double.end(other!, 'cancelled')
      },
    ],
  ])('are left alone if %s', async (_, play) => {
    const { run, cut, rest, records } = pushed(1, 2)
    await play(cut[0]!, rest, run)
    expect(await again(records)).toMatchObject({ how: 'rerun' })
    expect(run.jobs.map(({ status }) => status)).toEqual(['queued', 'completed', 'completed'])
    expect(asked().filter((path) => path.includes('rerun'))).toEqual(['jobs/N/rerun'])
  })
})

test('cut off in one attempt after the other: as often as "retry" says, whatever the records of earlier ones say', async () => {
  const { run, cut, records } = pushed(1, 0)
  const all = [...records]
  const cutAgain = (attempt: number): void => {
    const runner = served(run.jobs[0], 'failure')
    all.push({ epoch: attempt, start: '', interrupted: true, facts: { ...records[0]?.facts, attempt: String(attempt), runner } })
  }
  for (const one of cut) on.double.end(one, 'failure')
  expect(await again(all)).toMatchObject({ how: 'rerun' })
  expect(await again(all)).toMatchObject({ how: 'refused', says: expect.stringContaining('already re-run (attempt 2)') })
  cutAgain(2)
  expect(await again(all)).toMatchObject({ how: 'rerun' })
  expect(run.attempt).toBe(3)
  cutAgain(3)
  expect(await again(all)).toMatchObject({ how: 'refused', says: expect.stringContaining('2 times, as often as "retry" allows') })
  expect(asked()).toEqual(['runs/N/rerun-failed-jobs', 'runs/N/rerun-failed-jobs'])
})

test('a job that failed by itself after it was run again is left alone', async () => {
  const { run, cut, records } = pushed(1, 0)
  for (const job of cut) on.double.end(job, 'failure')
  expect(await again(records)).toMatchObject({ how: 'rerun' })
  served(run.jobs[0], 'failure')
  expect(await again(records)).toMatchObject({ how: 'refused', says: expect.stringContaining('already re-run (attempt 2)') })
  expect(asked()).toEqual(['runs/N/rerun-failed-jobs'])
})

test('no more often than requested, nor than GitHub allows', async () => {
  const { run, cut, records } = pushed(1, 0)
  for (const job of cut) on.double.end(job, 'failure')
  const of = (attempt: number): ServedJob[] => {
    run.attempt = attempt
    return records.map((record) => ({ ...record, facts: { ...record.facts, attempt: String(attempt) } }))
  }
  expect(await again(of(3), 2)).toMatchObject({ how: 'refused', says: expect.stringContaining('as often as "retry" allows') })
  expect(await again(of(51), 60)).toMatchObject({ how: 'refused', says: expect.stringContaining('50 times, as often as GitHub allows') })
  expect(asked()).toEqual([])
  expect(await again(of(2), 2)).toMatchObject({ how: 'rerun' })
})

test('refused just when somebody else runs it again: it is waited for all the same', async () => {
  const { run, cut, rest, records } = pushed(1, 1)
  for (const job of [...cut, ...rest]) on.double.end(job, 'failure')
  on.double.gate = async (call, act) => {
    if (/^POST .*rerun$/.test(call)) for (const job of run.jobs) job.status = 'queued'
    return act()
  }
  expect(await again(records)).toMatchObject({ how: 'waiting' })
})

test('refused for good: a run that is too old, a job alone in a reusable workflow, and the maximum number of attempts', async () => {
  const old = pushed(1, 0)
  for (const job of old.cut) on.double.end(job, 'failure')
  old.run.created = new Date(Date.now() - 31 * 24 * 3_600_000)
  expect(await again(old.records)).toMatchObject({ how: 'refused', final: true, says: expect.stringContaining('older than 30 days') })
  const reused = pushed(1, 1)
  for (const job of [...reused.cut, ...reused.rest]) on.double.end(job, 'failure')
  reused.run.reusable = true
  expect(await again(reused.records)).toMatchObject({ how: 'refused', final: true, says: expect.stringContaining('reusable workflow') })
  const often = pushed(1, 0)
  for (const job of often.cut) on.double.end(job, 'failure')
  often.run.attempt = 51
  const records = often.records.map((record) => ({ ...record, facts: { ...record.facts, attempt: '51' } }))
  expect(await again(records, 60)).toMatchObject({ how: 'refused', final: true, says: expect.stringContaining('50 times') })
})

test('refused without a visible reason: the token’s needs are reported, and it is not for good', async () => {
  const { cut, records } = pushed(1, 0)
  for (const job of cut) on.double.end(job, 'failure')
  on.double.faults.push({ path: /rerun-failed-jobs$/, status: 403, times: 1 })
  const refused = await again(records)
  expect(refused).toMatchObject({ how: 'refused', says: expect.stringContaining('"Actions: write"') })
  expect(refused.final).toBeUndefined()
  expect(await again(records)).toMatchObject({ how: 'rerun' })
})

test('a limit is no such refusal: it is waited for', async () => {
  const { cut, records } = pushed(1, 0)
  for (const job of cut) on.double.end(job, 'failure')
  on.double.faults.push({ path: /rerun-failed-jobs$/, status: 403, headers: { 'retry-after': '1' }, times: 1 })
  expect(await again(records)).toMatchObject({ how: 'rerun' })
  expect(asked()).toEqual(['runs/N/rerun-failed-jobs', 'runs/N/rerun-failed-jobs'])
})

test('a run that somebody else has run again, or that is gone: nothing is requested', async () => {
  const { run, cut, records } = pushed(1, 0)
  for (const job of cut) on.double.end(job, 'failure')
  run.attempt = 2
  served(run.jobs[0], 'failure')
  expect(await again(records)).toMatchObject({ how: 'refused', says: expect.stringContaining('already re-run (attempt 2)') })
  on.double.runs.delete(run.id)
  expect(await again(records)).toMatchObject({ how: 'refused', says: expect.stringContaining('is gone') })
  expect(asked()).toEqual([])
})

/**
 * Records of one runner, which had these jobs in turn; times in minutes after the start of the run. `late`: minutes by which the runner's clock is
 * late.
 */
function lasting(run: DoubleRun, lives: readonly (readonly [job: number, from: number, to: number])[], late = 0): ServedJob[] {
  const begun = run.created.getTime()
  return lives.map(([at, from, to]) => {
    const job = run.jobs[at]!
    job.runnerName = 'tpi-r-0-0'
    on.double.end(job, 'failure')
    Object.assign(job, { started: new Date(begun + from * 60_000), ended: new Date(begun + to * 60_000) })
    const facts = { repository: 'octo/hello', run: String(run.id), attempt: String(job.attempt), runner: job.runnerName }
    // Its hook runs ten seconds after it got the job.
    return { epoch: 1, start: new Date(begun + (from - late) * 60_000 + 10_000).toISOString(), facts }
  })
}
const onOne = (many: number): DoubleRun => on.double.push(Array.from({ length: many }, () => ({ labels: ['ours'], script: '' })))
const cutOff = (record: ServedJob | undefined): ServedJob[] => (record ? [{ ...record, interrupted: true }] : [])

test.each([0, 0.5])('a runner of many jobs: what failed by itself on it is left alone, with a clock %d minutes late', async (late) => {
  const run = onOne(3)
  const [, record] = lasting(
    run,
    [
      [0, 0, 10],
      [1, 12, 20],
      [2, 35, 40],
    ],
    late,
  )
  expect(await again(cutOff(record))).toMatchObject({ how: 'rerun' })
  expect(run.jobs.map(({ status }) => status)).toEqual(['completed', 'queued', 'completed'])
})

test('a runner of many jobs: each is identified by its turn if all are on record, however wrong its clock', async () => {
  const run = onOne(3)
  const lives = [
    [0, 0, 0.1],
    [1, 0.2, 5],
    [2, 5.1, 6],
  ] as const
  const records = lasting(run, lives, -5)
  const [cut] = cutOff(records[1])
  expect(
    cut &&
      (await on.forge.rerun(
        [cut],
        2,
        records.map((one, at) => (at === 1 ? cut : one)),
      )),
  ).toMatchObject({ how: 'rerun' })
  expect(run.jobs.map(({ status }) => status)).toEqual(['completed', 'queued', 'completed'])
})

test('a runner of many jobs: a record that fits two jobs is not run again', async () => {
  const run = onOne(2)
  const [record] = lasting(run, [
    [0, 0, 1],
    [1, 1.5, 2],
  ])
  const between = { ...record!, start: new Date(run.created.getTime() + 75_000).toISOString() }
  expect(await again(cutOff(between))).toMatchObject({ how: 'refused', final: true })
  expect(asked()).toEqual([])
})

test('cut off, run again on the same runner, where it fails by itself: it is left alone', async () => {
  const run = onOne(1)
  const records = lasting(run, [[0, 0, 10]]).flatMap(cutOff)
  expect(await again(records)).toMatchObject({ how: 'rerun' })
  lasting(run, [[0, 12, 15]])
  expect(await again(records)).toMatchObject({ how: 'refused', says: expect.stringContaining('already re-run (attempt 2)') })
  expect(asked()).toEqual(['runs/N/rerun-failed-jobs'])
})
