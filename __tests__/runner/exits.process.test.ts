/** How a machine handles the exit codes that GitHub documents for its runner program, and an undocumented one. */
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { until } from '../setup/wait.ts'
import { onGithub } from './stages.ts'

const at = onGithub()
const launch = async (more: string, jobs = 2) => at.launch(`--jobs ${jobs} ${more}`.trim())

describe('the runner ends', () => {
  test.each([
    [2, 'a temporary failure'],
    [3, 'it wants to update itself'],
    [4, 'it wants to update itself'],
    [6, 'its settings were renewed'],
  ])('with exit code %d, at once: it is started again with the same registration, and serves', async (code, says) => {
    const {
      facts,
      host,
      code: outcome,
    } = await launch(`--env TEST_RUNNER_EXIT=${code} --env TEST_RUNNER_ONCE=${join(at.w.work, 'once')}`, 1)
    expect([outcome, host.lines.join('\n')]).toEqual([0, expect.stringContaining('runner 1 of 1 is online')])
    const run = at.forge.push([{ labels: facts.runsOn, script: 'true' }])
    await until('the job is served', () => run.jobs[0]?.conclusion === 'success', 30_000)
    expect(run.jobs[0]?.runnerName).toMatch(/-0-0$/)
    // It is in the log of the machine.
    expect(await at.w.filesWith(`runner: ${says}`)).not.toEqual([])
    await at.tpi('destroy r --discard')
    expect(at.forge.runners.size).toBe(0)
  })

  test.each([
    [1, 'the runner gave up'],
    [5, 'another runner has its registration'],
  ])('with exit code %d, at once: the next registration serves', async (code, says) => {
    const { facts } = await launch(`--env TEST_RUNNER_EXIT=${code} --env TEST_RUNNER_ONCE=${join(at.w.work, 'once')}`)
    const run = at.forge.push([{ labels: facts.runsOn, script: 'true' }])
    await until('the job is served', () => run.jobs[0]?.conclusion === 'success', 30_000)
    expect(run.jobs[0]?.runnerName).toMatch(/-0-1$/)
    expect(await at.w.filesWith(`runner: ${says}`)).not.toEqual([])
    await at.tpi('destroy r --discard')
  })

  test('with exit code 2 repeatedly: restarted with pauses until the time is over, and everything is removed', async () => {
    expect(await launch('--env TEST_RUNNER_EXIT=2 --online-timeout 8s')).toMatchObject({ code: 124 })
    expect(at.forge.runners.size).toBe(0)
    await at.w.deserted()
  })

  test.each([
    [1, 'the runner gave up (exit code 1)'],
    [5, 'another runner has its registration'],
    [7, 'GitHub no longer accepts this version of the runner'],
    [42, 'the runner ended with exit code 42'],
  ])('with exit code %d each time: it ends, and says why', async (code, says) => {
    expect(await launch(`--env TEST_RUNNER_EXIT=${code}`)).toMatchObject({ code: 76, facts: { error: expect.stringContaining(says) } })
    expect(at.forge.runners.size).toBe(0)
    await at.w.deserted()
  })
})

describe('a machine that does not get as far as its runner', () => {
  test('the end of its boot log is shown, with the number of tries, and everything is removed', async () => {
    const whole = process.env['TPI_AGENT_BUNDLE'] ?? ''
    await at.w.write(
      'broken.mjs',
      `if (process.argv[2] !== 'run') await import('file://${whole}')\nelse {\n  console.error('kernel: no such device nvme7')\n  process.exit(1)\n}\n`,
    )
    process.env['TPI_AGENT_BUNDLE'] = join(at.w.work, 'broken.mjs')
    try {
      expect(await launch('')).toMatchObject({
        code: 76,
        facts: {
          error: expect.stringMatching(
            /runner 0 did not come online: machine does not start \(3 in a row; .*boot log ends: .*no such device nvme7/,
          ),
        },
      })
    } finally {
      process.env['TPI_AGENT_BUNDLE'] = whole
    }
    expect(at.forge.runners.size).toBe(0)
    expect((await at.w.remains()).filter((path) => !path.startsWith('cache'))).toEqual([])
    await at.w.deserted()
  })

  test('the last lines of its set-up are shown when the time is over', async () => {
    await at.w.write('setup.sh', 'echo waiting for the driver of card 7\nsleep 600\n')
    const ran = await launch('--setup-file setup.sh --online-timeout 40s')
    expect(ran).toMatchObject({ code: 124, facts: { error: expect.stringContaining('machine 0 is setup') } })
    expect(ran.host.scriptText()).toContain('waiting for the driver of card 7')
    expect(at.forge.runners.size).toBe(0)
    await at.w.deserted()
  })
})
