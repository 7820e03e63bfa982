/** Runners on this host for a forge that behaves as GitHub's documentation says. The runner program is a test double; everything of tpi is real. */

import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import type { DoubleRun } from '../lab/github/double.ts'
import { ImpatientClock } from '../setup/impatient-clock.ts'
import { smallDisk } from '../setup/small-disk.ts'
import { until } from '../setup/wait.ts'
import { DEAD, deathAt, dyingStore } from '../storm/dying.ts'
import { signal } from '../storm/processes.ts'
import { sampledBy } from '../storm/random.ts'
import { onGithub } from './stages.ts'

const at = onGithub()
const { env, tpi, launch, online, status, over, left } = at

/** Waits until the only machine would show its next job that the launch is complete. */
const informed = async (): Promise<void> =>
  until('the machine knows', async () => (await at.w.filesWith('the launch is complete')).some((path) => path.endsWith('/.setup_info')))

/** The lines of a job's timeline, without times. */
function timeline(log: string): string[] {
  return [...log.matchAll(/^ *(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\dZ +(?:\+\S+ +)?(.*)$/gm)].map(([, what = '']) => what)
}

/** Does what the button "Re-run failed jobs" does. */
async function pressed({ id, repository }: DoubleRun): Promise<number> {
  const address = `${at.forge.url}/repos/${repository}/actions/runs/${id}/rerun-failed-jobs`
  return (await fetch(address, { method: 'POST', headers: { authorization: 'Bearer actions' } })).status
}

describe('runners', () => {
  test('one job: served, removed at the forge and here, with the report in the job; sweep removes the rest', async () => {
    const { facts, host } = await online('--labels gpu --retention 0s')
    for (const said of [host.lines.join('\n'), host.summaries.join('\n')])
      expect(said.includes('this is root, so the runners and every job on them are root too')).toBe(process.getuid?.() === 0)
    expect(facts).toMatchObject({ mode: 'runner', outcome: 'running', runsOn: [expect.stringMatching(/^tpi-[0-9a-f]{16}$/), 'gpu'] })
    expect(facts.labels).toEqual(expect.arrayContaining(['gpu', 'self-hosted']))
    await informed()
    const run = at.forge.push([{ labels: facts.runsOn, script: 'env; echo from the job' }])
    await over()
    expect(run.jobs[0]?.conclusion).toBe('success')
    expect(await status()).toMatchObject({ outcome: 'success', slots: [{ state: 'succeeded', reason: 'served 1 job' }] })
    const log = (await at.w.tpi('logs r')).host.scriptText()
    expect(log).toContain('from the job')
    expect(log).not.toContain('JITCONFIG')
    expect(log).toMatch(/##\[group\]tpi\nrunner tpi-r-/)
    expect(timeline(log)).toEqual([
      'asked for',
      'registered at the forge',
      'machine is up',
      'machine takes slot 0',
      'runner program 2.336.0 is in place',
      `runner ${facts.runners[0]} starts: it connects, and waits for a job`,
      'the launch is complete: every runner of it was seen online at the forge',
    ])
    expect(log).toMatch(/^job started at \S+Z, \d+s after the runner: /m)
    expect([...at.forge.runners.values()]).toEqual([])
    expect(await tpi('sweep --yes')).toMatchObject({ code: 0 })
    await until('nothing is left', async () => (await at.w.alive()).length === 0)
    expect(await left()).toEqual([])
    // How often a start looks depends on how long it takes.
    expect(at.forge.calls().filter(({ path }) => !/runners\/\d+$/.test(path)).length).toBeLessThanOrEqual(12)
  })

  test('the second job sees what its machine did before', async () => {
    await at.w.write('setup.sh', 'true\n')
    const { facts } = await online('--jobs 2 --setup-file setup.sh')
    await informed()
    at.forge.push([1, 2].map(() => ({ labels: facts.runsOn, script: 'true' })))
    await over()
    const parts = (await at.w.tpi('logs r')).host.scriptText().split('##[group]tpi').slice(1).map(timeline)
    const ready = ['machine is up', 'machine takes slot 0', 'set-up is done', 'runner program 2.336.0 is in place']
    const first = ['asked for', 'registered at the forge', ...ready]
    const starts = expect.stringMatching(/^runner \S+ starts: /)
    const complete = expect.stringMatching(/^the launch is complete: /)
    expect(parts).toEqual([
      [...first, starts, complete],
      [...first, complete, 'the previous job is over (number 1)', starts],
    ])
    await tpi('destroy r --discard')
  })

  test('three jobs on one machine, one registration each', async () => {
    const { facts } = await online('--jobs 3')
    expect(at.forge.runners.size).toBe(3)
    const run = at.forge.push([1, 2, 3].map((n) => ({ labels: facts.runsOn, script: `echo job ${n}; exit ${n - 1}` })))
    await over()
    expect(run.jobs.map((job) => job.conclusion)).toEqual(['success', 'failure', 'failure'])
    expect(await status()).toMatchObject({ slots: [{ state: 'succeeded', reason: 'served 3 jobs (2 failed on their own)', attempt: 1 }] })
    expect(at.forge.runners.size).toBe(0)
  })

  // The runner crashes if it cannot write its log any more, and otherwise goes on.
  test.each([
    ['fills the disk', '--jobs 2', 'dd if=/dev/zero of=fill bs=1M; true'],
    ['leaves hardly any room on the disk', '--jobs 2', 'dd if=/dev/zero of=fill bs=1M; truncate -s -1500000 fill'],
    ['fills the disk', '--jobs unlimited', 'dd if=/dev/zero of=fill bs=1M; true'],
    ['leaves hardly any room on the disk', '--jobs unlimited', 'dd if=/dev/zero of=fill bs=1M; truncate -s -1500000 fill'],
  ])('a job that %s of its machine does not take the next one with it: another machine serves that (%s)', async (_, jobs, script) => {
    const disk = join(at.w.home, 'local')
    await mkdir(disk, { recursive: true })
    const unmount = smallDisk(disk, '256m')
    if (!unmount) return
    try {
      const { facts } = await online(`${jobs} --idle-timeout 20s`)
      const run = at.forge.push([{ labels: facts.runsOn, script }])
      await until('the first job is over', () => run.jobs[0]?.status === 'completed')
      await until('another machine is there', async () => (await status()).slots[0].attempt === 2)
      const next = at.forge.push([{ labels: facts.runsOn, script: 'echo there is room > file' }])
      await over()
      expect(next.jobs[0]?.conclusion).toBe('success')
      const reason = 'a job has filled the disk of its machine'
      expect((await status()).slots).toMatchObject([{ state: 'succeeded', attempt: 2, attempts: [{ reason }, { cause: 'exit' }] }])
    } finally {
      unmount()
    }
  })

  test('the only job of a launch fills the disk, and the runner crashes: the reason says both', async () => {
    const disk = join(at.w.home, 'local')
    await mkdir(disk, { recursive: true })
    const unmount = smallDisk(disk, '256m')
    if (!unmount) return
    try {
      const { facts } = await online('')
      at.forge.push([{ labels: facts.runsOn, script: 'dd if=/dev/zero of=fill bs=1M; true' }])
      await over()
      const reason = expect.stringMatching(/^a job has filled the disk of its machine: the runner crashed \(exit code 134\)/)
      expect((await status()).slots).toMatchObject([
        { state: 'failed', exitCode: 134, reason, attempt: 1, attempts: [{ cause: 'disk-full' }] },
      ])
    } finally {
      unmount()
    }
  })

  test('two machines serve two jobs at a time; a third waits, as announced', async () => {
    const ran = await online('--count 2')
    expect(ran.host.summaries.join('')).toContain('serves 2 jobs; further jobs with this label wait')
    const run = at.forge.push([1, 2, 3].map(() => ({ labels: ran.facts.runsOn, script: 'sleep 1' })))
    await over()
    expect(run.jobs.map((job) => job.status).sort()).toEqual(['completed', 'completed', 'queued'])
  })

  test('without a job it leaves after the idle time, and its session with it, and sweep removes the registration that it did not use', async () => {
    at.forge.session = 600_000
    await online('--idle-timeout 1s')
    await over()
    expect([...at.forge.runners.values()].map((one) => one.online)).toEqual([false])
    expect(await status()).toMatchObject({ outcome: 'success', slots: [{ reason: 'no job for 1s, served 0 jobs' }] })
    expect(at.forge.runners.size).toBe(1)
    await tpi('sweep --yes')
    expect(at.forge.runners.size).toBe(0)
    await until('no process is left', async () => (await at.w.alive()).length === 0)
  })

  test('processes that the setup left running do not keep a machine without a job', async () => {
    await at.w.write('setup.sh', 'while :; do sleep 0.02; done > /dev/null 2>&1 &\n')
    await online('--idle-timeout 1s --setup-file setup.sh')
    await over()
    expect(await status()).toMatchObject({ outcome: 'success', slots: [{ reason: 'no job for 1s, served 0 jobs' }] })
    await tpi('destroy r --discard')
  })

  test('a busy machine does not leave, however short the idle time is', async () => {
    const run = at.forge.push([{ labels: ['gpu'], script: 'sleep 8' }])
    await online('--labels gpu --idle-timeout 4s --jobs 2')
    await over()
    expect(run.jobs[0]?.conclusion).toBe('success')
  })

  test('stop ends job and runner, and the registration is removed; the job is not run again', async () => {
    const { facts } = await online('--grace 20s')
    const run = at.forge.push([{ labels: facts.runsOn, script: 'sleep 600' }])
    await until('the job runs', async () => run.jobs[0]?.status === 'in_progress' && (await status()).slots[0].phase === 'job')
    expect((await tpi('stop r')).code).toBe(0)
    await until('the forge knows', () => run.jobs[0]?.status === 'completed')
    expect(run.jobs[0]).toMatchObject({ status: 'completed', conclusion: 'failure' })
    expect(at.forge.runners.size).toBe(0)
    expect(await tpi('retry --json')).toMatchObject({ code: 0, facts: [{ runs: [], waiting: 0, relaunched: false }] })
    expect(at.forge.calls('POST', /rerun/)).toEqual([])
    expect((await tpi('destroy r')).code).toBe(0)
    expect(await left()).toEqual([])
  })

  test('the same command again finds what is there; a different one says what differs', async () => {
    const first = await online('--labels gpu --idle-timeout never')
    const again = await launch('--labels gpu --idle-timeout never')
    expect(again).toMatchObject({ code: 0, facts: { attached: true, label: first.facts.label } })
    const other = await launch('--labels cpu --idle-timeout never')
    expect(other).toMatchObject({ code: 64, facts: { error: expect.stringContaining('differs in: labels') } })
    expect(at.forge.runners.size).toBe(1)
    expect((await tpi('destroy r --discard')).code).toBe(0)
    expect(at.forge.runners.size).toBe(0)
    expect(await left()).toEqual([])
  })
})

/** The rest is much: CI plays half of it with each commit. */
const some = sampledBy<() => Promise<void>>(test)

describe("with the behaviour of GitHub's own program", () => {
  some('a job that fails while it is set up, which no hook reports, counts as served', async () => {
    const { facts } = await online('--jobs 3')
    const run = at.forge.push(['uses: nobody/nothing', 'true', 'true'].map((script) => ({ labels: facts.runsOn, script })))
    await over()
    expect(run.jobs.map((job) => job.conclusion)).toEqual(['failure', 'success', 'success'])
    expect(await status()).toMatchObject({
      outcome: 'success',
      slots: [{ state: 'succeeded', reason: 'served 3 jobs (1 failed on its own)', attempt: 1 }],
    })
    expect(at.forge.runners.size).toBe(0)
    await tpi('destroy r --discard')
  })

  some('a runner whose job is gone before it got it leaves in order: the next registration serves the next job', async () => {
    at.forge.vanishing = 1
    const { facts } = await online('--jobs 2')
    const run = at.forge.push([1, 2].map(() => ({ labels: facts.runsOn, script: 'true' })))
    await until('the second is served', () => run.jobs[1]?.conclusion === 'success', 30_000)
    expect([run.jobs[0]?.conclusion, run.jobs[1]?.runnerName]).toEqual(['cancelled', expect.stringMatching(/-0-1$/)])
    await over()
    expect(await status()).toMatchObject({
      outcome: 'success',
      slots: [{ reason: expect.stringMatching(/^served 1 job; the forge no longer has/) }],
    })
    await tpi('destroy r --discard')
  })

  some(
    'a registration is valid until it has had its job: the successor of a machine that was reclaimed while it waited uses the same one',
    async () => {
      const { facts } = await online('--idle-timeout never')
      await tpi('interrupt r')
      await until(
        'the next one waits',
        async () => (await status()).slots[0].attempt === 2 && (await status()).slots[0].phase === 'idle',
        30_000,
      )
      const run = at.forge.push([{ labels: facts.runsOn, script: 'true' }])
      await over()
      expect(run.jobs[0]).toMatchObject({ conclusion: 'success', runnerName: expect.stringMatching(/-0-0$/) })
      expect(await status()).toMatchObject({ outcome: 'success', slots: [{ state: 'succeeded', reason: 'served 1 job', attempt: 2 }] })
      for (const secret of at.forge.secrets) expect((await at.w.filesWith(secret)).filter((path) => path.includes('/secrets/'))).toEqual([])
      await tpi('destroy r --discard')
    },
  )

  some('and if that is reclaimed before it has claimed the registration, so does the one after it', async () => {
    const { facts } = await online('--idle-timeout never')
    await tpi('interrupt r')
    await until('the next one has its slot', async () => (await status()).slots[0].attempt === 2, 30_000)
    await tpi('interrupt r')
    const run = at.forge.push([{ labels: facts.runsOn, script: 'true' }])
    await over()
    expect(run.jobs[0]).toMatchObject({ conclusion: 'success', runnerName: expect.stringMatching(/-0-0$/) })
    await tpi('destroy r --discard')
  })

  some('an outage of the forge in which the runner gives up does not use up a registration', async () => {
    const { facts } = await online('--idle-timeout never')
    at.forge.away = true
    await until('it has given up', async () => (await at.w.filesWith('runner: a temporary failure')).length > 0, 30_000)
    at.forge.away = false
    const run = at.forge.push([{ labels: facts.runsOn, script: 'true' }])
    await until('the job is served', () => run.jobs[0]?.conclusion === 'success', 30_000)
    expect(run.jobs[0]?.runnerName).toMatch(/-0-0$/)
    await tpi('destroy r --discard')
  })

  some('registrations that GitHub has removed, as it does after a day, are skipped', async () => {
    const { facts } = await online('--jobs 3')
    const [, second] = [...at.forge.runners.keys()]
    at.forge.runners.delete(second ?? 0)
    const run = at.forge.push([1, 2].map(() => ({ labels: facts.runsOn, script: 'true' })))
    await over()
    expect(run.jobs.map(({ conclusion, runnerName }) => [conclusion, runnerName?.slice(-2)])).toEqual([
      ['success', '-0'],
      ['success', '-2'],
    ])
    await tpi('destroy r --discard')
  })

  some('a job whose process died has failed by itself: it is not run again, and its machine serves the next one', async () => {
    const { facts } = await online('--jobs 2')
    const run = at.forge.push(['kill -9 $PPID; sleep 600', 'true'].map((script) => ({ labels: facts.runsOn, script })))
    await over()
    expect(run.jobs.map(({ conclusion }) => conclusion)).toEqual(['failure', 'success'])
    const { slots } = await status()
    expect(slots).toMatchObject([{ state: 'succeeded', reason: 'served 2 jobs (1 failed on its own)', attempt: 1 }])
    expect(slots[0].jobs.map(({ end, interrupted }: { end?: string; interrupted?: boolean }) => [typeof end, interrupted])).toEqual([
      ['string', undefined],
      ['string', undefined],
    ])
    expect((await tpi('retry --json')).facts).toMatchObject([{ runs: [] }])
    expect(run.attempt).toBe(1)
    await tpi('destroy r --discard')
  })

  some('credentials that GitHub renewed for one registration are not used for the next', async () => {
    const { facts } = await online('--jobs 2 --env TEST_RUNNER_MIGRATES=1')
    const run = at.forge.push([1, 2].map(() => ({ labels: facts.runsOn, script: 'true' })))
    await over()
    expect(run.jobs.map(({ conclusion }) => conclusion)).toEqual(['success', 'success'])
    await tpi('destroy r --discard')
  })

  some('trace output that an image asks for is in no log', async () => {
    const { facts } = await online('--env ACTIONS_RUNNER_PRINT_LOG_TO_STDOUT=1')
    at.forge.push([{ labels: facts.runsOn, script: 'echo from the job' }])
    await over()
    const log = (await at.w.tpi('logs r')).host.scriptText()
    expect(log).toContain('from the job')
    expect(log).not.toContain('[VERB Trace]')
    await tpi('destroy r --discard')
  })
})

describe('interrupted', () => {
  some('the job fails at once, is on record, and runs again on new runners with the same label', async () => {
    const { facts } = await online('--jobs 1')
    const run = at.forge.push([{ labels: facts.runsOn, script: '[ "$GITHUB_RUN_ATTEMPT" = 2 ] || sleep 600' }])
    await until('the job is on record', async () => (await status()).slots[0].jobs?.length === 1)
    await tpi('interrupt r')
    await over()
    expect(run.jobs[0]).toMatchObject({ conclusion: 'failure', annotation: 'The runner has received a shutdown signal.' })
    expect(await status()).toMatchObject({ slots: [{ state: 'failed', attempts: [{ announced: true, cause: 'interrupted' }] }] })
    expect((await tpi('retry --json')).facts).toMatchObject([{ runs: [{ how: 'rerun' }], waiting: 1, relaunched: true }])
    await over()
    expect(run).toMatchObject({ attempt: 2, jobs: [{ conclusion: 'success' }] })
    expect(at.forge.runners.size).toBe(0)
    await tpi('destroy r --discard')
  })

  some(
    'the last registration serves the job that was cut off on the one before: the launch has not failed, though it has served one job of two',
    async () => {
      const { facts } = await online('--jobs 2')
      const run = at.forge.push([{ labels: facts.runsOn, script: '[ "$GITHUB_RUN_ATTEMPT" = 2 ] || sleep 600' }])
      await until('the job is on record', async () => (await status()).slots[0].jobs?.length === 1)
      await tpi('interrupt r')
      await until('it has failed', () => run.jobs[0]?.conclusion === 'failure')
      await until('that is on record', async () => (await status()).slots[0].jobs?.[0]?.interrupted === true, 30_000)
      expect((await tpi('retry --json')).facts).toMatchObject([{ runs: [{ how: 'rerun' }], relaunched: false }])
      await over()
      const reason = 'served 1 job; the other registrations were lost with machines that were taken away'
      expect(await status()).toMatchObject({ outcome: 'success', slots: [{ state: 'succeeded', attempt: 2, reason }] })
      await tpi('destroy r')
      expect(at.forge.runners.size).toBe(0)
    },
  )

  some(
    'a machine that dies with its job is on record, too; among jobs that failed by themselves only the cut-off one runs again',
    async () => {
      const { facts } = await online('--jobs 2')
      const run = at.forge.push([
        { labels: ['elsewhere'], script: 'exit 1', name: 'own-failure' },
        { labels: facts.runsOn, script: 'sleep 600', name: 'cut-off' },
      ])
      const job = run.jobs[1] ?? never()
      await until('the job is on record', async () => (await status()).slots[0].jobs?.length === 1)
      const [agent] = (await at.w.alive()).filter((line) => line.includes('agent.mjs run'))
      process.kill(Number(agent?.split(' ')[0]), 'SIGKILL')
      await until('another machine is there', async () => (await status()).slots[0].attempt === 2, 30_000)
      expect(await tpi('retry --json')).toMatchObject({ code: 75, facts: [{ runs: [{ how: 'waiting' }] }] })
      at.forge.end(job, 'failure')
      at.forge.end(run.jobs[0] ?? never(), 'failure')
      expect(await tpi('retry --json')).toMatchObject({ code: 0, facts: [{ runs: [{ how: 'rerun' }], relaunched: false }] })
      expect(at.forge.calls('POST', /\/jobs\/\d+\/rerun$/).length).toBe(1)
      expect((await tpi('retry --json')).facts[0].runs[0].how).toBe('refused')
      expect(run.attempt).toBe(2)
      // Cut off once more: both attempts are on record, and the job runs for the third time.
      await until('the job runs anew', async () => (await status()).slots[0].jobs?.length === 2, 30_000)
      expect((await at.w.tpi('logs r')).host.scriptText()).toContain('the previous machine is gone (lost)')
      await tpi('interrupt r')
      await until('it was cut off again', async () => (await status()).slots[0].jobs?.[1]?.interrupted === true, 30_000)
      at.forge.end(run.jobs[1] ?? never(), 'failure')
      expect(await tpi('retry --json')).toMatchObject({ facts: [{ runs: [{ how: 'rerun' }] }] })
      expect(run.attempt).toBe(3)
      await tpi('destroy r --discard')
    },
  )

  some('too early: it ends with 75, and says when to try again; a final answer is not requested again', async () => {
    const { facts } = await online()
    const run = at.forge.push([
      { labels: facts.runsOn, script: 'sleep 600' },
      { labels: ['elsewhere'], script: '' },
    ])
    await until('the job is on record', async () => (await status()).slots[0].jobs?.length === 1)
    const alive = await tpi('retry')
    expect([alive.code, alive.host.printed.at(-1)]).toEqual([0, expect.stringContaining('1 runner is there, at work or waiting for jobs')])
    await tpi('interrupt r')
    await over()
    const early = await tpi('retry')
    expect(early.code).toBe(75)
    expect(early.host.printed.at(-1)).toContain(
      `run ${run.id} has not ended yet, and GitHub re-runs nothing before it ends: run "tpi retry" after that`,
    )
    at.forge.end(run.jobs[1] ?? never(), 'success')
    run.created = new Date(Date.now() - 31 * 24 * 3_600_000)
    for (const _ of [1, 2]) {
      const late = await tpi('retry')
      expect([late.code, late.host.printed.at(-1)]).toEqual([0, expect.stringContaining('it is older than 30 days')])
    }
    expect(at.forge.calls('POST', /rerun/)).toHaveLength(1)
    await tpi('destroy r --discard')
  })

  some('without a name it undoes a start of its owner that was cut off, and leaves somebody else’s alone', async () => {
    const death = deathAt(1, true, (call) => /^write .*\/spec\.json$/.test(call))
    const dies = (context: VerbContext): VerbContext => ({
      ...context,
      engine: { ...context.engine, process: DEAD },
      access: async (place) => dyingStore(await context.access(place), death),
    })
    void at.w.tpi('runner --name r --repository octo/hello', { env: env(), given: dies }).catch(() => undefined)
    await death.died
    const bob = (context: VerbContext): VerbContext => ({
      ...context,
      owner: { ...context.owner, origin: { ...context.owner.origin, user: 'bob' } },
    })
    const others = await at.w.tpi('retry', { env: env(), given: bob })
    expect([others.code, others.host.printed]).toEqual([0, [expect.stringContaining('there are no runners')]])
    expect(await left()).toContainEqual(expect.stringMatching(/spec\.json$/))
    expect((await tpi('retry')).code).toBe(0)
    expect(await left()).toEqual([])
  })

  some('a machine that ended while it waited for a job: GitHub is asked about one until it must know, and not again', async () => {
    await online('--idle-timeout never')
    await tpi('interrupt r')
    await until(
      'the next one waits',
      async () => (await status()).slots[0].attempt === 2 && (await status()).slots[0].phase === 'idle',
      30_000,
    )
    await tpi('stop r')
    await over()
    const hours = 3 * 3_600_000
    const later = (context: VerbContext): VerbContext => {
      const clock = { ...context.engine.clock, date: () => new Date(Date.now() + hours) }
      return { ...context, engine: { ...context.engine, clock } }
    }
    /** The number of lists of runs that a retry reads; two of them are for waiting jobs. */
    const lists = async (given?: typeof later): Promise<number> => {
      const before = at.forge.calls('GET', /\/runs$/).length
      const { facts } = await at.w.tpi('retry --json', { env: env(), ...(given ? { given } : {}) })
      expect(facts).toMatchObject([{ runs: [], waiting: 0, alive: 0, relaunched: false }])
      return at.forge.calls('GET', /\/runs$/).length - before
    }
    expect([await lists(), await lists(later), await lists(later), await lists()]).toEqual([3, 3, 2, 2])
    await tpi('destroy r --discard')
    expect(await left()).toEqual([])
  })

  some('"retry" is 0: nothing is run again, and GitHub is not asked', async () => {
    const { facts } = await online('--retry 0')
    at.forge.push([{ labels: facts.runsOn, script: 'sleep 600' }])
    await until('the job is on record', async () => (await status()).slots[0].jobs?.length === 1)
    await tpi('interrupt r')
    await over()
    const ran = await tpi('retry')
    expect([ran.code, ran.host.printed.at(-1)]).toEqual([
      0,
      expect.stringMatching(/jobs that were cut off in octo\/hello \d+ are not re-run, because "retry" is 0$/),
    ])
    expect(at.forge.calls(undefined, /\/runs\/\d+$|rerun/)).toEqual([])
    await tpi('destroy r --discard')
  })

  test.each(['told to end', 'gone without a word'])(
    'during a job’s setup, before any hook ran, the machine %s: GitHub knows the job',
    async (how) => {
      const ready = join(at.w.work, 'ready')
      const { facts } = await online(`--env TEST_RUNNER_SET_UP=${ready}`)
      const run = at.forge.push([{ labels: facts.runsOn, script: 'true' }])
      const [first] = run.jobs
      await until('the job is being set up', () => first?.steps.length === 1, 30_000)
      if (how === 'told to end') await tpi('interrupt r')
      else
        for (const line of (await at.w.alive()).filter((one) => /agent\.mjs run|Runner\./.test(one)))
          signal(Number(line.split(' ')[0]), 'SIGKILL')
      await over()
      if (first?.status === 'in_progress') at.forge.end(first, 'failure')
      expect((await status()).slots[0].jobs).toBeUndefined()
      await at.w.write('ready', '')
      expect((await tpi('retry --json')).facts).toMatchObject([{ runs: [{ how: 'rerun' }], waiting: 1, relaunched: true }])
      await over()
      expect(run).toMatchObject({ attempt: 2, jobs: [{ conclusion: 'success' }] })
      await tpi('destroy r --discard')
    },
  )

  some(
    '"Re-run failed jobs" after a failed script: the start job does not run, its job waits, and retry starts the recorded runners',
    async () => {
      const { facts } = await online()
      const mended = join(at.w.work, 'mended')
      const run = at.forge.push([
        { labels: ['ubuntu-latest'], script: '', name: 'start' },
        { labels: facts.runsOn, script: `test -e ${mended}`, name: 'train' },
      ])
      at.forge.end(run.jobs[0] ?? never(), 'success')
      await over()
      expect(run.jobs[1]?.conclusion).toBe('failure')
      expect((await tpi('retry --json')).facts).toMatchObject([{ runs: [], waiting: 0, relaunched: false }])
      await at.w.write('mended', '')
      expect(await pressed(run)).toBe(201)
      expect(run.jobs).toMatchObject([
        { name: 'start', status: 'completed', attempt: 1 },
        { name: 'train', status: 'queued', attempt: 2 },
      ])
      const ran = await tpi('retry --json')
      expect(ran).toMatchObject({ code: 0, facts: [{ runs: [], waiting: 1, relaunched: true }] })
      await over()
      expect(run).toMatchObject({ attempt: 2, jobs: [{ attempt: 1 }, { attempt: 2, conclusion: 'success' }] })
      // With the same label, on a new runner.
      expect(run.jobs[1]?.runnerName).not.toBe(run.past[0]?.runnerName)
      expect(await status()).toMatchObject({ outcome: 'success', slots: [{ reason: 'served 1 job' }] })
      expect((await tpi('retry --json')).facts).toMatchObject([{ runs: [], waiting: 0, relaunched: false }])
      // A person has requested it, once, and nobody else has.
      expect(at.forge.calls('POST', /rerun/)).toHaveLength(1)
      expect(at.forge.runners.size).toBe(0)
      await tpi('destroy r --discard')
      expect(await left()).toEqual([])
    },
  )

  describe('started again, but they do not come online', () => {
    /** Runners that have served, and a job that waits for more of them; from then on their setup fails, until `heal` is called. */
    async function waitsInVain(): Promise<{ runsOn: string[]; heal(): Promise<void> }> {
      const broken = join(at.w.work, 'broken')
      await at.w.write('setup.sh', `test ! -e ${broken}\n`)
      const { facts } = await online('--setup-after-file setup.sh')
      at.forge.push([{ labels: facts.runsOn, script: 'exit 1' }])
      await over()
      await at.w.write('broken', '')
      at.forge.push([{ labels: facts.runsOn, script: 'echo again' }])
      return { runsOn: facts.runsOn, heal: () => rm(broken) }
    }

    some('nothing is lost: the next retry starts them again, with the same label; meanwhile nothing exists', async () => {
      const { heal } = await waitsInVain()
      const failed = await tpi('retry --json')
      expect(failed).toMatchObject({
        code: 76,
        facts: [{ name: 'r', relaunched: false, error: expect.stringContaining('did not come online') }],
      })
      expect(failed.host.lines.join('\n')).toContain('(try 1 of 3)')
      await at.w.deserted()
      expect(at.forge.runners.size).toBe(0)
      // Neither the failed retry nor a sweep makes the job wait for ever.
      expect((await tpi('sweep --yes')).code).toBe(0)
      await heal()
      expect(await tpi('retry --json')).toMatchObject({ code: 0, facts: [{ name: 'r', waiting: 1, relaunched: true }] })
      await over()
      expect(at.forge.queued).toEqual([])
      expect((await tpi('destroy r --discard')).code).toBe(0)
      expect(await left()).toEqual([])
    })

    some('three times in a row: they are given up with a message, and nothing is left', async () => {
      await waitsInVain()
      for (const _ of [1, 2]) expect((await tpi('retry')).code).toBe(76)
      const last = await tpi('retry')
      expect(last.code).toBe(76)
      expect(last.host.lines.join('\n')).toMatch(/failed to come online 3 times in a row, so tpi gives up: 1 job waits/)
      expect((await tpi('retry --json')).facts).toEqual([])
      await at.w.deserted()
      expect(await left()).toEqual([])
      expect(at.forge.runners.size).toBe(0)
    })

    some('a job that also names a label which they lack does not count', async () => {
      const { facts } = await online()
      at.forge.push([{ labels: facts.runsOn, script: 'exit 0' }])
      await over()
      at.forge.push([{ labels: [...facts.runsOn, 'windows'], script: 'exit 0' }])
      expect(await tpi('retry --json')).toMatchObject({ code: 0, facts: [{ waiting: 0, relaunched: false }] })
      await tpi('destroy r --discard')
    })
  })
})

describe('runners of an organization', () => {
  some('"Re-run failed jobs" is found in the repositories that they have served', async () => {
    const { facts } = await tpi('runner --name r --organization octo --json')
    const run = at.forge.push([{ labels: facts.runsOn, script: '[ "$GITHUB_RUN_ATTEMPT" = 2 ]' }], 'octo/one')
    await over()
    expect(await pressed(run)).toBe(201)
    expect((await tpi('retry --json')).facts).toMatchObject([{ waiting: 1, relaunched: true }])
    await over()
    expect(run.jobs).toMatchObject([{ conclusion: 'success' }])
    await tpi('destroy r --discard')
  })
})

describe('strangers in an organization', () => {
  const AWAY = ['theirs', 'tpi-build-box', 'tpi-0123456789-0-0', 'my-tpi-x-0123456789-0-0', 'tpi-x-0123456789', 'tpi-x-012345678g-0-0']
  /** Somebody else's launch: one registration waits for its turn while another one serves. */
  const SERVING = ['tpi-other-0123456789-0-0', 'tpi-other-0123456789-0-1']

  const strange = (name: string, id: number, online = false): void =>
    void at.forge.runners.set(id, {
      id,
      name,
      labels: ['gpu'],
      key: '',
      client: '',
      online,
      job: undefined,
      seen: Number.POSITIVE_INFINITY,
    })

  some('are never touched, neither by sweeps, however late, nor by the end of a launch', async () => {
    for (const [at, name] of AWAY.entries()) strange(name, 10 + at)
    for (const [at, name] of SERVING.entries()) strange(name, 20 + at, at === 0)
    strange('tpi-lost-0123456789-0-0', 30)
    await tpi('runner --name r --organization octo --labels gpu --jobs 2 --idle-timeout never --json')
    for (let look = 0; look < 3; look++) {
      expect((await tpi('sweep --organization octo --yes')).code).toBe(0)
      for (const runner of at.forge.runners.values())
        runner.labels = runner.labels.map((label) => label.replace(/^tpi-unseen-(\d+)$/, (_, at) => `tpi-unseen-${Number(at) - 120}`))
    }
    expect((await tpi('destroy r --discard')).code).toBe(0)
    await tpi('sweep --organization octo --yes')
    expect([...at.forge.runners.values()].map(({ name, labels }) => ({ name, labels }))).toEqual(
      [...AWAY, ...SERVING].map((name) => ({ name, labels: ['gpu'] })),
    )
    const touched = at.forge.calls().filter(({ method }) => method === 'DELETE' || method === 'POST')
    const ids = touched.flatMap(({ path }) => /runners\/(\d+)/.exec(path)?.[1] ?? [])
    expect(ids.filter((id) => Number(id) < 30)).toEqual([])
  })
})

describe('what goes wrong', () => {
  test.each([
    ['expired', 77, /is not valid, or expired/],
    ['reader', 77, /Administration: write/],
  ])('a token that is %s: reported before anything is created', async (token, code, text) => {
    const ran = await at.w.tpi('runner --name r --repository octo/hello --json', { env: { ...env(), REPO_TOKEN: token } })
    expect(ran.code).toBe(code)
    expect(ran.facts.error).toMatch(text)
    expect(ran.facts.error).not.toContain(token === 'expired' ? 'REPO_TOKEN' : 'nothing')
    expect(await left()).toEqual([])
    expect(at.forge.runners.size).toBe(0)
  })

  some('a lost answer: its registration is removed, and another name is used', async () => {
    at.forge.faults.push({ method: 'POST', path: /generate-jitconfig$/, status: 201, lost: true, times: 1 })
    const { facts } = await online()
    expect(facts.runners[0]).toMatch(/-0-0-r1$/)
    expect(at.forge.runners.size).toBe(1)
    await tpi('destroy r --discard')
    expect(at.forge.runners.size).toBe(0)
  })

  some('it waits for limits and failures of the forge, by status code', async () => {
    at.forge.faults.push(
      { path: /registration-token$/, status: 403, headers: { 'retry-after': '1' }, times: 1 },
      { path: /downloads$/, status: 502, times: 1 },
      {
        path: /generate-jitconfig$/,
        status: 403,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 1) },
        times: 1,
      },
      { path: /runners\/\d+$/, status: 500, times: 2 },
    )
    await online()
    await tpi('destroy r --discard')
  })

  some('container options are refused: jobs choose their containers', async () => {
    expect(await launch('--docker-image debian:13')).toMatchObject({
      code: 64,
      facts: { error: expect.stringContaining('docker-image: ') },
    })
    expect(at.forge.runners.size).toBe(0)
  })

  some('it waits for a forge that is away while the machines start, as long as requested', async () => {
    // Longer than any call waits, so each look fails at once.
    at.forge.faults.push({ method: 'GET', path: /runners\/\d+$/, status: 403, headers: { 'retry-after': '99999' }, times: 3 })
    const ran = await online('--idle-timeout never')
    expect(ran.host.lines.filter((line) => line.includes('still waiting'))).toHaveLength(3)
    await tpi('destroy r --discard')
    expect(at.forge.runners.size).toBe(0)
  })

  some('a runner that looks busy for a while after its job: removed again when its machine is gone, and by then it is free', async () => {
    at.forge.lag = 6000
    const { facts } = await online('--jobs 2 --idle-timeout never')
    const run = at.forge.push([{ labels: facts.runsOn, script: 'true' }])
    await until('the job is done', () => run.jobs[0]?.status === 'completed')
    const ran = await tpi('destroy r --discard')
    expect([ran.code, ran.host.annotations]).toEqual([0, []])
    expect(at.forge.calls('DELETE').map(({ status }) => status)).toEqual(expect.arrayContaining([422, 404]))
    expect(at.forge.runners.size).toBe(0)
    await at.w.deserted()
  })

  some(
    'a runner that looks busy for longer: the machine is removed all the same, and what happens to its registration is reported',
    async () => {
      at.forge.lag = 600_000
      const { facts } = await online('--jobs 2 --idle-timeout never')
      const run = at.forge.push([{ labels: facts.runsOn, script: 'true' }])
      await until('the job is done', () => run.jobs[0]?.status === 'completed')
      const clock = new ImpatientClock()
      const ran = await at.w.tpi('destroy r --discard', { env: env(), given: clock.given })
      expect(ran.code).toBe(0)
      expect(clock.ahead).toBeGreaterThan(8000)
      expect(ran.host.lines.join('\n')).toContain(
        'has a job, as far as the forge knows, and stays registered; unused ones disappear by themselves within a day',
      )
      await at.w.deserted()
      expect(await left()).toEqual([])
    },
  )

  some('a program with another digest than the forge says is not started', async () => {
    at.forge.claimedDigest = 'a'.repeat(64)
    const ran = await launch()
    expect(ran).toMatchObject({ code: 76, facts: { error: expect.stringContaining('does not have the digest that the forge gives') } })
    expect(at.forge.runners.size).toBe(0)
    expect(await left()).toEqual([])
  })

  some('a runner that GitHub no longer accepts: its reason and log are shown, and everything is removed', async () => {
    const ran = await launch('--env TEST_RUNNER_EXIT=7')
    expect(ran).toMatchObject({ code: 76, facts: { error: expect.stringContaining('no longer accepts this version') } })
    expect(at.forge.runners.size).toBe(0)
    expect(await left()).toEqual([])
    await at.w.deserted()
  })

  some("no secret is in any of tpi's files: neither token nor registration", async () => {
    const { facts } = await online()
    const { config: jit = never(), key = never() } = [...at.forge.runners.values()][0] ?? {}
    // Allowed places: the deployment's storage until the job was seen, and the runner's own file.
    const found = async (): Promise<string[]> =>
      (await Promise.all([jit, key].map(async (secret) => at.w.filesWith(secret))))
        .flat()
        .filter((path) => !/\/secrets\/once\/|\/runner\/\.credentials_rsaparams$/.test(path))
    expect(await found()).toEqual([])
    expect(await at.w.filesWith('REPO_TOKEN')).toEqual([])
    for (const line of await at.w.alive())
      expect(await readFile(`/proc/${line.split(' ')[0]}/cmdline`, 'utf8').catch(() => '')).not.toContain(jit)
    const run = at.forge.push([{ labels: facts.runsOn, script: `until test -e ${join(at.w.work, 'go')}; do sleep 0.1; done` }])
    await until('the job runs', () => run.jobs[0]?.status === 'in_progress')
    await until('the storage has it no more', async () => !(await at.w.filesWith(jit)).some((path) => path.includes('/secrets/')))
    expect(await found()).toEqual([])
    await at.w.write('go', '')
    await over()
    await tpi('destroy r --discard')
  })
})

function never(): never {
  throw new Error('there is none')
}
