/** Jobs that were cut off, and are not re-run yet when their runners start again: the records of the next launch have them. */
import { expect, test } from '@jest/globals'
import type { Forge } from '../../src/core/forge.ts'
import { type Deployment, deploymentOf } from '../../src/engine/deployment.ts'
import { type Asked, repositoriesOf, rerunCutOff, rerunEarlier, undecidedJobs, waitingJobs } from '../../src/runner/rerun.ts'
import { parseRecord, recordBytes } from '../../src/wire/parse.ts'
import { CURRENT, type CurrentRecord } from '../../src/wire/records.ts'
import type { EarlierJobs, ServedJob } from '../../src/wire/runner.ts'
import { type Attempt, newSlot, type SlotRecord } from '../../src/wire/slot.ts'
import { type RunnerSpec, SPEC } from '../../src/wire/spec.ts'
import { atDouble } from '../forges/github-at.ts'
import type { DoubleJob, DoubleRun } from '../lab/github/double.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryStore } from '../snapshot/memory-store.ts'
import { AT, COMMON, RELAUNCH, RUNNER } from '../wire/specs.ts'

const on = atDouble()
const MINUTE = 60_000
const time = (minutes: number): string => new Date(Date.now() + minutes * MINUTE).toISOString()

/** A launch of three machines for one job each; what is left of the one before comes from its record. */
function launched(incarnation: string, earlier?: EarlierJobs): { d: Deployment; spec: RunnerSpec } {
  const d = deploymentOf({ store: memoryStore(), id: 'tpi-r-0123456789', name: 'r', incarnation } as unknown as Deployment)
  const enrolled = [0, 1, 2].map((slot) => ({ slot, k: 0, id: `${slot}`, name: `tpi-r-${incarnation}-${slot}-0` }))
  const runner = { ...RUNNER, labels: ['tpi-1'], enrolled, relaunch: { retry: 2 }, ...(earlier && { earlier }) }
  const own = { v: 2, id: d.id, incarnation, name: 'r', createdAt: AT, count: 3, mode: 'runner' }
  const spec = { ...COMMON, ...own, origin: { repository: 'github.com/octo/hello' }, runner } as unknown as RunnerSpec
  return { d, spec: parseRecord(SPEC, recordBytes(SPEC, spec), 'spec.json') as RunnerSpec }
}

/** How a machine ended that was there in these minutes. */
function life(cause: Attempt['cause'], from = -9, to = -3): Attempt {
  return { epoch: 1, holder: 'm', start: time(from), end: time(to), ...(cause && { cause }) }
}

function ended(index: number, state: SlotRecord['state'], attempt: Attempt, jobs: readonly ServedJob[] = []): SlotRecord {
  return { ...newSlot(index, 'n', AT), state, epoch: 1, claimed: 1, attempts: [attempt], ...(jobs.length > 0 && { jobs }) }
}

/** As its runner took it; the record that its hooks made of it. */
function taken(job: DoubleJob | undefined, runner: string): ServedJob {
  Object.assign(job!, { status: 'in_progress', runnerName: runner, started: new Date(Date.now() - 5 * MINUTE) })
  const { run, attempt, name } = job!
  return {
    epoch: 1,
    start: time(-5),
    facts: { repository: run.repository, run: String(run.id), attempt: String(attempt), job: name, runner },
  }
}

/** A run with a job for each machine: the first one failed by itself, the others were cut off. */
function oneFailedTwoCutOff(incarnation: string): { run: DoubleRun; slots: SlotRecord[] } {
  const run = on.double.push([0, 1, 2].map((at) => ({ labels: ['tpi-1'], script: '', name: `leg-${at}` })))
  const jobs = run.jobs.map((job, at) => taken(job, `tpi-r-${incarnation}-${at}-0`))
  for (const job of run.jobs) on.double.end(job, 'failure')
  const cut = { end: time(-3), interrupted: true }
  return {
    run,
    slots: jobs.map((job, at) =>
      at === 0
        ? ended(at, 'succeeded', life('exit'), [{ ...job, end: time(-4) }])
        : ended(at, 'failed', life('interrupted'), [{ ...job, ...cut }]),
    ),
  }
}

/** Reports each job that the forge was asked to run again, with those that were served beside it. */
function listened(): { readonly forge: Forge; readonly asked: ServedJob[][] } {
  const asked: ServedJob[][] = []
  const rerun: Forge['rerun'] = async (jobs, most, served = []) => {
    for (const all of [jobs, served]) expect(new Set(all.map(({ facts, start }) => JSON.stringify([facts, start]))).size).toBe(all.length)
    asked.push([...jobs])
    return on.forge.rerun(jobs, most, served)
  }
  return { forge: { ...on.forge, rerun }, asked }
}

async function retried(
  { d, spec }: { d: Deployment; spec: RunnerSpec },
  slots: readonly SlotRecord[],
  forge: Forge = listened().forge,
  clock = fakeClock(time(0)),
): ReturnType<typeof rerunCutOff> {
  return rerunCutOff(clock, { d, spec, slots, forge, repositories: repositoriesOf(spec, slots) })
}

const statuses = ({ jobs }: DoubleRun): string[] => jobs.map(({ status }) => status)

test('two jobs that were cut off beside one that failed by itself: one is re-run, and the other one by what the next launch has on record', async () => {
  const { run, slots } = oneFailedTwoCutOff('a')
  const { runs, left } = await retried(launched('a'), slots)
  expect(runs).toMatchObject([{ how: 'rerun', says: expect.stringContaining('1 more have to wait for its end') }])
  expect(statuses(run)).toEqual(['completed', 'queued', 'completed'])
  const next = launched('b', left)
  expect(next.spec.runner.earlier).toEqual(left)
  const served = taken(run.jobs[1], 'tpi-r-b-0-0')
  const working = [{ ...ended(0, 'running', { epoch: 1, holder: 'm', start: time(-1) }, [served]), phase: 'job' as const }]
  expect((await retried(next, working)).runs).toMatchObject([{ how: 'waiting' }])
  on.double.end(run.jobs[1]!, 'success')
  const over = [ended(0, 'succeeded', life('exit'), [{ ...served, end: time(0) }])]
  expect((await retried(next, over)).runs).toMatchObject([{ how: 'rerun' }])
  expect(statuses(run)).toEqual(['completed', 'completed', 'queued'])
  const done = await retried(next, over)
  expect(done).toMatchObject({ runs: [{ how: 'refused', says: expect.stringContaining('already re-run (attempt 3)') }] })
  // The forge has said so for good: it is not asked again, and no later launch will.
  expect(done.left).toBeUndefined()
  const { forge, asked } = listened()
  await retried(next, over, forge)
  expect(asked).toEqual([])
})

test('cut off in the launch before, and in this one: the forge is asked about each of them once', async () => {
  const { run, slots } = oneFailedTwoCutOff('a')
  const { left } = await retried(launched('a'), slots)
  const again = taken(run.jobs[1], 'tpi-r-b-0-0')
  on.double.end(run.jobs[1]!, 'failure')
  const { forge, asked } = listened()
  const next = launched('b', left)
  const both = await retried(next, [ended(0, 'failed', life('interrupted'), [{ ...again, end: time(-3), interrupted: true }])], forge)
  expect(asked.map((jobs) => jobs.map(({ facts }) => facts['runner']))).toEqual([['tpi-r-a-1-0', 'tpi-r-a-2-0', 'tpi-r-b-0-0']])
  expect(both.runs).toMatchObject([{ how: 'rerun' }])
  expect(both.left?.jobs.map(({ facts, interrupted }) => [facts['runner'], interrupted])).toEqual([
    ['tpi-r-a-0-0', undefined],
    ['tpi-r-a-1-0', true],
    ['tpi-r-a-2-0', true],
    ['tpi-r-b-0-0', true],
  ])
})

test('a start of the same name takes over the same, without asking the forge; of what it has decided, nothing', async () => {
  const { run, slots } = oneFailedTwoCutOff('a')
  const { d, spec } = launched('a')
  const before = await undecidedJobs(fakeClock(new Date().toISOString()), { d, spec, slots })
  expect(on.double.calls()).toEqual([])
  expect(before).toEqual((await retried(launched('a'), slots)).left)
  run.created = new Date(Date.now() - 31 * 24 * 60 * MINUTE)
  on.double.end(run.jobs[1]!, 'failure')
  expect((await retried({ d, spec }, slots)).runs).toMatchObject([{ how: 'refused', says: expect.stringContaining('older than 30 days') }])
  expect(await undecidedJobs(fakeClock(new Date().toISOString()), { d, spec, slots })).toBeUndefined()
  expect(
    await undecidedJobs(fakeClock(new Date().toISOString()), {
      d,
      spec: { ...spec, runner: { ...spec.runner, relaunch: { retry: 0 } } },
      slots,
    }),
  ).toBeUndefined()
})

test('a job of a runner that was stopped, beside one that was cut off before: the next launch does not run it again either', async () => {
  const { run, slots } = oneFailedTwoCutOff('a')
  const stopped = slots.map((slot) => (slot.index === 2 ? { ...slot, state: 'stopped' as const, attempts: [life('stopped')] } : slot))
  run.jobs[0]!.status = 'in_progress'
  const { runs, left } = await retried(launched('a'), stopped)
  expect(runs).toMatchObject([{ how: 'waiting' }])
  on.double.end(run.jobs[0]!, 'failure')
  const { forge, asked } = listened()
  await retried(launched('b', left), [], forge)
  expect(asked.map((jobs) => jobs.map(({ facts }) => facts['job']))).toEqual([['leg-1']])
  expect(statuses(run)).toEqual(['completed', 'queued', 'completed'])
})

test('machines that were taken away before any hook: the next launch asks the forge about them, until it must know', async () => {
  const run = on.double.push([{ labels: ['tpi-1'], script: '', name: 'train' }])
  const lost = [ended(0, 'failed', life('lost')), ended(1, 'failed', life('lost')), ended(2, 'succeeded', life('exit'))]
  Object.assign(run, { created: new Date(Date.now() - 6 * MINUTE) })
  taken(run.jobs[0], 'tpi-r-a-0-0')
  const first = await retried(launched('a'), lost)
  expect(first).toMatchObject({
    runs: [{ how: 'waiting' }],
    left: { jobs: [], unreported: [{ as: 'tpi-r-a-0-0' }, { as: 'tpi-r-a-1-0' }] },
  })
  expect(first.left?.unreported.map(({ away }) => away.length)).toEqual([1, 1])
  on.double.end(run.jobs[0]!, 'failure')
  const next = launched('b', first.left)
  const { forge, asked } = listened()
  const second = await retried(next, [], forge)
  expect([second.runs, asked.map((jobs) => jobs.map(({ facts }) => facts['job']))]).toMatchObject([[{ how: 'rerun' }], [['train']]])
  expect(statuses(run)).toEqual(['queued'])
  const later = fakeClock(time(180))
  expect(await retried(next, [], forge, later)).toMatchObject({
    runs: [{ says: expect.stringContaining('already re-run') }],
    left: undefined,
  })
})

test('from the record of runners that are being started again: the same, and what is decided is not carried any further', async () => {
  const { run, slots } = oneFailedTwoCutOff('a')
  const { left } = await retried(launched('a'), slots)
  const current = { v: 2, nonce: 'n', id: 'tpi-r-0123456789', name: 'r', incarnation: 'a', createdAt: AT, origin: {}, state: 'destroying' }
  const record = { ...current, relaunch: { ...RELAUNCH, ...(left && { earlier: left }) } } as CurrentRecord
  const { earlier } = parseRecord(CURRENT, recordBytes(CURRENT, record), 'current.json').relaunch ?? {}
  expect(earlier).toEqual(left)
  const asked: Asked = { forge: on.forge, repositories: ['octo/hello'], labels: ['tpi-1'], lasting: false, runs: [], most: 2 }
  const clock = fakeClock(time(0))
  expect(await rerunEarlier(clock, earlier!, asked)).toMatchObject({ runs: [{ how: 'waiting' }], left })
  on.double.end(run.jobs[1]!, 'success')
  const second = await rerunEarlier(clock, earlier!, asked)
  expect(second).toMatchObject({ runs: [{ how: 'rerun' }], left })
  expect(statuses(run)).toEqual(['completed', 'completed', 'queued'])
  const unreported = [{ enrolled: { slot: 0, k: 0, name: 'tpi-r-a-9-0' }, away: [{ from: time(-300), to: time(-200) }], as: 'tpi-r-a-9-0' }]
  expect((await rerunEarlier(clock, { jobs: second.left?.jobs ?? [], unreported }, asked)).left).toBeUndefined()
})

test.each([
  ['is listed some moments later', 'rerun', [0, 0, 1], 3],
  ['is never listed', 'rerun', [0], 4],
  ['was not re-run', 'refused', [0], 1],
  ['is listed at once', 'rerun', [1], 1],
])('a job that %s: runners are started for what waits then', async (_what, how, answers, looks) => {
  let asked = 0
  const forge = { waiting: async () => answers[Math.min(asked++, answers.length - 1)] ?? 0 }
  const about = { labels: ['tpi-1'], repositories: ['octo/hello'], runs: [{ run: '7', how, says: '' }] }
  const waiting = await waitingJobs(fakeClock(AT, { auto: true }), forge, about, new AbortController().signal)
  expect([waiting, asked]).toEqual([answers.at(-1), looks])
})
