/** Runners on this host for a forge that behaves as GitLab's documentation says. The runner program is a test double; everything of tpi is real. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { DoubleJob } from '../lab/gitlab/double.ts'
import { until } from '../setup/wait.ts'
import { type Ran } from '../setup/world.ts'
import { onGitlab } from './stages.ts'

const on = onGitlab()
const { tpi, launch: online, status, over, left } = on

describe('GitLab runners', () => {
  test('one object per launch; serves a job by tag, never an untagged one; the last machine removes it', async () => {
    await online()
    expect(on.forge.made).toBe(1)
    const untagged = on.forge.push([], 'echo no')
    const job = on.forge.push(['gpu'], 'env; echo from the job')
    await over()
    expect(job).toMatchObject({ status: 'success', trace: expect.stringContaining('from the job') })
    expect(job.trace).not.toContain('glrt-')
    expect(untagged.status).toBe('pending')
    expect(await status()).toMatchObject({ outcome: 'success', slots: [{ state: 'succeeded' }] })
    expect(on.forge.runners.size).toBe(0)
    await tpi('destroy r')
    expect(await left()).toEqual([])
  })

  test('a job succeeds although the .bash_logout of Debian would fail it, which a login shell runs at its end', async () => {
    await on.w.write('.bash_logout', 'if [ "$SHLVL" = 1 ]; then false; fi\n')
    await online(`--env HOME=${on.w.work}`)
    const job = on.forge.push(['gpu'], 'echo from the job')
    await over()
    expect(job).toMatchObject({ status: 'success', trace: expect.stringContaining('from the job') })
    await tpi('destroy r')
  })

  test('if the forge is away when the last machine leaves, the call is repeated: no object stays', async () => {
    const farewell = { method: 'DELETE', path: /^\/runners$/ }
    const faults = [
      { ...farewell, status: 502, times: 1 },
      // Without effect and without an answer.
      { ...farewell, status: 0, cut: true, times: 2 },
    ]
    on.forge.faults.push(...faults)
    await online('--jobs unlimited --idle-timeout 1s')
    await over()
    expect(faults.map(({ times }) => times)).toEqual([0, 0])
    expect(on.forge.runners.size).toBe(0)
    await tpi('destroy r')
  })

  test("several machines share the object; without a job they leave by the runner's own clock", async () => {
    // Two of them keep both machines until all have been seen.
    const jobs = [1, 2, 3, 4].map((n) => on.forge.push(['gpu'], `until test -e ${join(on.w.work, 'go')}; do sleep 0.1; done; echo ${n}`))
    await online('--count 2 --jobs unlimited --idle-timeout 6s')
    expect(on.forge.made).toBe(1)
    await on.w.write('go', '')
    await over()
    expect(jobs.map(({ status: state }) => state)).toEqual(['success', 'success', 'success', 'success'])
    expect(on.forge.runners.size).toBe(0)
  })

  test.each([
    ['', 'sleep 600'],
    // It holds the job's output, and belongs to nobody once the script has ended.
    [', although what its script has started does not end at SIGTERM', '(trap "" TERM; exec sleep 600) & wait'],
  ])(
    'interrupted in mid-job: the job fails at once and says why%s, and another machine registers with the same tags',
    async (_, script) => {
      const cut = on.forge.push(['gpu'], script)
      await online('--jobs unlimited --idle-timeout 15s')
      await until('the job runs', () => cut.status === 'running')
      await tpi('interrupt r')
      await until('the job has failed', () => cut.status === 'failed', 20_000)
      expect(cut.reason).toBe('runner_interrupted')
      const again = on.forge.push(['gpu'], 'echo again')
      await over()
      expect(again.status).toBe('success')
      expect(await status()).toMatchObject({ slots: [{ state: 'succeeded', attempt: 2 }] })
      expect(on.forge).toMatchObject({ made: 1 })
      expect(on.forge.runners.size).toBe(0)
    },
  )

  test('discarded in mid-job: GitLab removes no runner that has a job, and is asked again when the job has ended', async () => {
    await online('--jobs unlimited --idle-timeout never')
    const cut = on.forge.push(['gpu'], 'sleep 600')
    await until('the job runs', () => cut.status === 'running')
    // The machine's own attempt to remove it fails.
    on.forge.faults.push({ method: 'DELETE', path: /^\/runners$/, status: 403, times: 1 })
    const ran = await tpi('destroy r --discard')
    expect([ran.code, ran.host.annotations]).toEqual([0, []])
    expect(on.forge.runners.size).toBe(0)
    expect(cut).toMatchObject({ status: 'failed', reason: 'runner_interrupted' })
  })

  describe('run again', () => {
    const again = async (): Promise<Ran> => tpi('retry --json', 'api')
    /** Sleeps, to be cut off, this many times, then succeeds. */
    const SCRIPT = (times: number): string =>
      `n=$(wc -c < "$HOME/n" 2>/dev/null || echo 0); printf x >> "$HOME/n"; [ "$n" -ge ${times} ] || sleep 600`
    const HOME = (): string => `--env HOME=${on.w.work}`
    async function cutOff(job: DoubleJob): Promise<void> {
      await until('the job runs', () => on.forge.latest(job).status === 'running')
      // Only then its next execution knows that it is not the first.
      const executions = on.forge.jobs.filter(({ name, pipeline }) => name === job.name && pipeline === job.pipeline).length
      const counted = (): number => statSync(join(on.w.work, 'n'), { throwIfNoEntry: false })?.size ?? 0
      await until('its script has counted itself', () => counted() >= executions)
      await tpi('interrupt r')
      await until('the job has failed', () => on.forge.latest(job).status === 'failed')
      await until('it is on record', async () => (await status()).slots[0].attempts.at(-2)?.end !== undefined, 30_000)
    }

    test('what was cut off, with one call, beside a job that failed by itself and is left alone', async () => {
      await online(`--jobs unlimited --idle-timeout 60s ${HOME()}`)
      const own = on.forge.push(['gpu'], 'exit 1', { pipeline: 5 })
      await until('one has failed by itself', () => own.status === 'failed')
      const cut = on.forge.push(['gpu'], SCRIPT(1), { pipeline: 5, name: 'train' })
      await cutOff(cut)
      expect((await again()).facts).toMatchObject([{ runs: [{ how: 'rerun' }], relaunched: false }])
      const asked = (): number => on.forge.seen.filter(({ path }) => path.includes('/pipelines/')).length
      const before = asked()
      // A final answer is requested once, and reported each time.
      for (const _ of [1, 2, 3]) {
        expect((await again()).facts).toMatchObject([{ runs: [{ how: 'refused', says: expect.stringContaining('already') }] }])
        expect(asked()).toBe(before + 1)
      }
      await until('it is served', () => on.forge.latest(cut).status === 'success')
      expect([on.forge.latest(own), on.forge.jobs.length]).toEqual([own, 3])
      expect(on.forge.seen.filter(({ path }) => path.endsWith('/retry')).map(({ path }) => path)).toEqual([
        `/projects/octo%2Fhello/jobs/${cut.id}/retry`,
      ])
      await tpi('destroy r --discard')
    })

    test('everything that was cut off with one call, and no more often than "retry" says; an older server has no better reason', async () => {
      on.forge.version = '17.4'
      await online(`--count 2 --retry 1 --jobs unlimited --idle-timeout 60s ${HOME()}`)
      const cut = [1, 2].map(() => on.forge.push(['gpu'], 'sleep 600', { pipeline: 5 }))
      for (let round = 0; round < 2; round++) {
        await until('both run', () => cut.every((job) => on.forge.latest(job).status === 'running'), 30_000)
        await tpi('interrupt r')
        await until('both have failed', () => cut.every((job) => on.forge.latest(job).status === 'failed'))
        await until(
          'that is on record',
          async () => (await status()).slots.every((slot: { attempts: { end?: string }[] }) => slot.attempts[round]?.end !== undefined),
          30_000,
        )
        const how = round === 0 ? 'rerun' : 'refused'
        expect((await again()).facts).toMatchObject([{ runs: [{ how, says: expect.stringContaining('pipeline 5') }] }])
      }
      expect(on.forge.seen.filter(({ path }) => path.endsWith('/retry')).map(({ path }) => path)).toEqual([
        '/projects/octo%2Fhello/pipelines/5/retry',
      ])
      await tpi('destroy r --discard')
    })

    test('when all machines have left: the recorded runners are started again for it', async () => {
      const cut = on.forge.push(['gpu'], SCRIPT(1))
      await online(`--idle-timeout 2s ${HOME()}`)
      await cutOff(cut)
      await over()
      expect(on.forge.runners.size).toBe(0)
      expect((await again()).facts).toMatchObject([{ runs: [{ how: 'rerun' }], waiting: 1, relaunched: true }])
      await over()
      expect(on.forge.latest(cut).status).toBe('success')
      await tpi('destroy r --discard')
      expect(on.forge.runners.size).toBe(0)
    })

    test.each([
      ['while their runners are there', '60s', false],
      ['when those have left', '2s', true],
    ])('of a group: jobs of any of its projects, %s', async (_, idle, left) => {
      on.forge.projects.push('octo/closed', 'octo/sub/deep')
      on.forge.without.push('octo/closed')
      const cut = on.forge.push(['gpu'], SCRIPT(1), { project: 'octo/sub/deep' })
      const options = `--organization octo --labels gpu --jobs unlimited --idle-timeout ${idle} ${HOME()}`
      expect((await tpi(`runner --name r --forge gitlab --forge-url ${on.forge.url} ${options}`)).code).toBe(0)
      const foreign = on.forge.push(['gpu'], 'exit 1', { project: 'else/where' })
      on.forge.end(foreign, 'failed', 'runner_system_failure')
      await cutOff(cut)
      if (left) await over()
      expect((await again()).facts).toMatchObject([{ runs: [{ how: 'rerun' }], relaunched: left }])
      await until('it is served', () => on.forge.latest(cut).status === 'success', 30_000)
      expect(on.forge.seen.filter(({ path }) => path.endsWith('/retry')).map(({ path }) => path)).toEqual([
        `/projects/octo%2Fsub%2Fdeep/jobs/${cut.id}/retry`,
      ])
      expect(on.forge.seen.some(({ path }) => path.startsWith('/groups/octo/projects'))).toBe(left)
      await tpi('destroy r --discard')
      expect(on.forge.runners.size).toBe(0)
    })

    test('not with a token without the right: the error says what it needs', async () => {
      await online(`--jobs unlimited --idle-timeout never ${HOME()}`)
      const cut = on.forge.push(['gpu'], SCRIPT(1))
      await cutOff(cut)
      const ran = await tpi('retry --json')
      expect(ran.facts).toMatchObject([{ runs: [{ how: 'refused', says: expect.stringContaining('the scope "api"') }] }])
      expect(on.forge.latest(cut)).toBe(cut)
      await tpi('destroy r --discard')
    })
  })

  test('in containers: image, volumes and environment are as requested', async () => {
    // No other process of this host contains it.
    const colour = `red-${process.pid}`
    const odd = '"{name}\\, \u007f=µ'
    const given = [
      '--docker-image',
      'debian:13',
      '--docker-volumes',
      '/cache,/data:/data:ro',
      '--env',
      `COLOUR=${colour}`,
      '--env',
      `ODD=${odd}`,
    ]
    const target = ['--forge', 'gitlab', '--forge-url', on.forge.url, '--repository', 'octo/hello', '--labels', 'gpu']
    expect((await tpi(['runner', '--name', 'r', ...target, ...given])).code).toBe(0)
    const job = on.forge.push(['gpu'], 'echo "$CONTAINER, $COLOUR, [$TPI_ID]"; printf %s "$ODD"; ps -eo args')
    await over()
    expect(job.status).toBe('success')
    expect(job.trace.startsWith(`debian:13 /cache /data:/data:ro, ${colour}, []\n${odd}`)).toBe(true)
    // A list of the machine's processes shows the runner, but nothing that it or its jobs were given.
    const listed = job.trace.slice(job.trace.indexOf(odd) + odd.length)
    expect(listed).toContain('run-single --config')
    for (const value of [colour, odd, 'glrt-']) expect(listed).not.toContain(value)
  })

  test('in containers of a runner that is too old to read a file: refused before anything is made', async () => {
    const ran = await tpi(
      'runner --name r --forge gitlab --repository octo/hello --labels gpu --json --docker-image debian:13 --runner-version 17.0.0',
    )
    expect(ran).toMatchObject({ code: 64, facts: { error: expect.stringMatching(/^runner-version: 17\.0\.0 .*17\.1 or later/) } })
    expect(on.forge.made).toBe(0)
  })

  test('it says which retry reasons this server knows; an older one reports an interrupted job as an unknown failure', async () => {
    on.forge.version = '17.4'
    const ran = await online('--jobs unlimited --idle-timeout never')
    const said = ran.host.lines.join('\n')
    expect(said).toContain('[runner_system_failure, unknown_failure, stuck_or_timeout_failure]')
    const cut = on.forge.push(['gpu'], 'sleep 600')
    await until('the job runs', () => cut.status === 'running')
    await tpi('interrupt r')
    await until('the job has failed', () => cut.status === 'failed')
    expect(cut.reason).toBe('unknown_failure')
    await tpi('destroy r --discard')
    on.forge.version = '19.4'
    expect((await online('--idle-timeout never')).host.lines.join('\n')).toContain(
      '[runner_system_failure, runner_interrupted, no_updates_running]',
    )
    await tpi('destroy r --discard')
    expect(on.forge.runners.size).toBe(0)
  })

  test('a lost answer: its object is removed, and another one serves', async () => {
    on.forge.faults.push({ path: /^\/user\/runners$/, status: 201, lost: true, times: 1 })
    await online('--idle-timeout never')
    expect([on.forge.made, on.forge.runners.size]).toEqual([2, 1])
    const job = on.forge.push(['gpu'], 'echo served')
    await over()
    expect(job.status).toBe('success')
    expect(on.forge.runners.size).toBe(0)
  })

  test('an object that other projects use, too, does not keep the others: sweep says what to do about it', async () => {
    const lost = (id: string) =>
      on.forge.foreign({ description: `tpi-${id}-0123456789-0123456789-0-0`, tags: ['gpu'], projects: ['octo/hello'] })
    const [given, other] = [lost('given'), lost('other')]
    given.projects.push('octo/other')
    for (const one of [given, other]) one.note = `tpi saw no machine of it at ${new Date(Date.now() - 7_200_000).toISOString()}`
    const ran = await tpi(`sweep --forge gitlab --forge-url ${on.forge.url} --repository octo/hello --yes --json`)
    expect(ran).toMatchObject({ code: 76, facts: [{ removed: false }, { removed: true }] })
    expect(ran.host.lines.join('\n')).toMatch(
      new RegExp(`tpi-given-.*could not remove runner ${given.id}: it was given to several projects .octo/hello, octo/other.`),
    )
    expect([...on.forge.runners.keys()]).toEqual([given.id])
  })

  test('stop and destroy remove the object', async () => {
    await online('--idle-timeout never')
    expect((await tpi('destroy r --discard')).code).toBe(0)
    expect(on.forge.runners.size).toBe(0)
  })

  test('a token that may not create runners is refused before anything is created, and failures of the forge are waited for', async () => {
    const ran = await tpi(`runner --name r --forge gitlab --forge-url ${on.forge.url} --repository octo/hello --json`, 'reader')
    expect(ran).toMatchObject({ code: 77, facts: { error: expect.stringContaining('create_runner') } })
    expect(on.forge.made).toBe(0)
    on.forge.faults.push({ path: /./, status: 502, times: 2 })
    await online('--idle-timeout 1s')
    await over()
    expect(on.forge.runners.size).toBe(0)
  })
})
