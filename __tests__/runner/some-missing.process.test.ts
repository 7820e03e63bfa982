/** Some machines of a launch come, and one does not. */
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { pause } from '../../src/lib/clock.ts'
import { signalledBy } from '../setup/signals.ts'
import { until } from '../setup/wait.ts'
import type { World } from '../setup/world.ts'
import { onGithub, onStage, stages } from './stages.ts'

/** A script that ends once there is a file of this name. */
const waitsFor = ({ work }: World, name: string): string => `until test -e ${join(work, name)}; do sleep 0.1; done`

describe('started again', () => {
  const at = onGithub()
  const { tpi, online, status, over } = at

  test('one that cannot come is named, and the others stay and serve the job that waits', async () => {
    await at.w.write('setup.sh', `test ! -e ${join(at.w.work, 'broken')} || test $TPI_INDEX != 1\n`)
    const { facts } = await online('--count 2 --setup-file setup.sh')
    at.forge.push([1, 2].map(() => ({ labels: facts.runsOn, script: 'exit 1' })))
    await over()
    await at.w.write('broken', '')
    const run = at.forge.push([{ labels: facts.runsOn, script: waitsFor(at.w, 'go') }])
    const ran = await tpi('retry --json')
    expect(ran).toMatchObject({ code: 0, facts: [{ waiting: 1, relaunched: true }] })
    const warnings = ran.host.lines.filter((line) => /did not come online/.test(line))
    expect(warnings).toEqual([
      expect.stringMatching(/^warn: r: runner 1 did not come online: .*; the others stay, and serve the jobs that wait$/),
    ])
    await until('the job runs', () => run.jobs[0]?.status === 'in_progress', 30_000)
    expect((await status()).slots).toMatchObject([{ index: 0, state: 'running' }, { state: 'failed' }])
    await at.w.write('go', '')
    await over()
    expect(run.jobs).toMatchObject([{ conclusion: 'success', attempt: 1 }])
    expect((await at.w.tpi('logs r')).host.scriptText()).not.toContain('every runner of it was seen online')
    await tpi('destroy r --discard')
    expect(at.forge.runners.size).toBe(0)
  })
})

describe.each(Object.keys(stages))('at %s, a first start in which one does not come, and another one', (id) => {
  const on = onStage(id)

  test.each([
    ['has a job: they stay, and so does the error', true, 'broken'],
    ['has a job when the start is cancelled: they stay', true, 'cancelled'],
    ['waits for a job: everything is given back', false, 'broken'],
  ])('%s', async (_, busy, how) => {
    const { w, stage } = on
    await w.write('setup.sh', `test $TPI_INDEX = 0 && exit 0\n${waitsFor(w, 'broken')}\nexit 1\n`)
    const job = busy ? stage.push(['gpu'], waitsFor(w, 'go')) : undefined
    const cancelled = new AbortController()
    const signals = signalledBy(cancelled.signal, 'SIGTERM')
    const launching = on.launch('--count 2 --labels gpu --idle-timeout never --setup-file setup.sh', { signals })
    // At GitLab, only the forge knows that it has a job.
    const there = async (): Promise<boolean> => {
      const phase = (await on.tpi('status r --json')).facts.slots?.[0]?.phase
      return job ? ['in_progress', 'running'].includes(job() ?? '') && (id === 'gitlab' || phase === 'job') : phase === 'idle'
    }
    await until('the other one is there', there, 30_000)
    if (how === 'cancelled') cancelled.abort(new Error('SIGTERM'))
    else await w.write('broken', '')
    const { code, facts, host } = await launching
    expect({ code, facts }).toMatchObject(
      how === 'cancelled' ? { code: 143 } : { code: 76, facts: { error: expect.stringMatching(/^r: runner 1 did not come online/) } },
    )
    const stays = /some of its runners have jobs, so they stay until 2\d{3}-\S+; tpi destroy r --discard ends them now/
    expect(host.lines.some((line) => stays.test(line))).toBe(busy)
    expect((await w.alive()).length > 0).toBe(busy)
    expect(on.objects() > 0).toBe(busy)
    if (job) {
      await w.write('go', '')
      await until('the job is served', () => job() === 'success', 30_000)
      await on.tpi('destroy r --discard')
    }
    expect((await w.remains()).filter((path) => !path.startsWith('cache'))).toEqual([])
    expect(on.objects()).toBe(0)
  })

  test.each([['--jobs 1'], ['--jobs unlimited']])(
    '%s: the one that is there stays beyond its idle time, until the other one is there',
    async (jobs) => {
      // GitLab's program measures its idle time itself: with a number of jobs, it stays twice as long at most.
      const [idle, waits] = id === 'gitlab' && jobs === '--jobs 1' ? [20, 22_000] : [1, 4000]
      const { w, stage } = on
      await w.write('setup.sh', `test $TPI_INDEX = 0 && exit 0\n${waitsFor(w, 'go')}\n`)
      const launching = on.launch(`--count 2 --labels gpu --idle-timeout ${idle}s --setup-file setup.sh ${jobs}`)
      const idles = async (): Promise<boolean> => (await on.tpi('status r --json')).facts.slots?.[0]?.phase === 'idle'
      await until('one is there', idles, 30_000)
      await pause(waits)
      // Each of them needs the other one.
      const both = ['a', 'b'].map((name) => stage.push(['gpu'], `touch ${join(w.work, name)}; ${waitsFor(w, 'a')}; ${waitsFor(w, 'b')}`))
      await w.write('go', '')
      expect(await launching).toMatchObject({ code: 0 })
      await until('both jobs are served', () => both.every((conclusion) => conclusion() === 'success'), 30_000)
      await on.tpi('destroy r --discard')
    },
  )
})
