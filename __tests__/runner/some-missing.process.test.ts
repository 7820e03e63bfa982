/** Some machines of a launch come, and one does not. */
import { join } from 'node:path'
import { expect, jest, test } from '@jest/globals'
import { until } from '../setup/wait.ts'
import { onGithub } from './stages.ts'

jest.setTimeout(90_000)

const at = onGithub()
const { tpi, launch, online, status, over, left } = at

/** A script that ends once there is a file of this name. */
const waitsFor = (name: string): string => `until test -e ${join(at.w.work, name)}; do sleep 0.1; done`
const running = (): unknown => until('the job runs', () => [...at.forge.runs.values()].at(-1)?.jobs[0]?.status === 'in_progress', 30_000)

test('started again: one that cannot come is named, and the others stay and serve the job that waits', async () => {
  await at.w.write('setup.sh', `test ! -e ${join(at.w.work, 'broken')} || test $TPI_INDEX != 1\n`)
  const { facts } = await online('--count 2 --setup-file setup.sh')
  at.forge.push([1, 2].map(() => ({ labels: facts.runsOn, script: 'exit 1' })))
  await over()
  await at.w.write('broken', '')
  const run = at.forge.push([{ labels: facts.runsOn, script: waitsFor('go') }])
  const ran = await tpi('retry --json')
  expect(ran).toMatchObject({ code: 0, facts: [{ waiting: 1, relaunched: true }] })
  const warnings = ran.host.lines.filter((line) => /did not come online/.test(line))
  expect(warnings).toEqual([
    expect.stringMatching(/^warn: r: runner 1 did not come online: .*; the others stay, and serve the jobs that wait$/),
  ])
  await running()
  expect((await status()).slots).toMatchObject([{ index: 0, state: 'running' }, { state: 'failed' }])
  await at.w.write('go', '')
  await over()
  expect(run.jobs).toMatchObject([{ conclusion: 'success', attempt: 1 }])
  expect((await at.w.tpi('logs r')).host.scriptText()).not.toContain('every runner of it was seen online')
  await tpi('destroy r --discard')
  expect(at.forge.runners.size).toBe(0)
})

test.each([
  ['has a job: they stay, and so does the error', true],
  ['waits for a job: everything is given back', false],
])('a first start in which one does not come, and another one %s', async (_, busy) => {
  await at.w.write('setup.sh', `test $TPI_INDEX = 0 && exit 0\n${waitsFor('broken')}\nexit 1\n`)
  const run = busy ? at.forge.push([{ labels: ['gpu'], script: waitsFor('go') }]) : undefined
  const launching = launch('--count 2 --labels gpu --idle-timeout never --setup-file setup.sh')
  const phase = async (): Promise<unknown> => (await status()).slots?.[0]?.phase
  await until('the other one is there', async () => (await phase()) === (busy ? 'job' : 'idle'), 30_000)
  await at.w.write('broken', '')
  const { code, facts, host } = await launching
  expect({ code, facts }).toMatchObject({ code: 76, facts: { error: expect.stringMatching(/^r: runner 1 did not come online/) } })
  const stays = /some of its runners have jobs, so they stay, and leave when they are idle; tpi destroy r --discard ends them now/
  expect(host.lines.some((line) => stays.test(line))).toBe(busy)
  expect((await at.w.alive()).length > 0).toBe(busy)
  expect(at.forge.runners.size > 0).toBe(busy)
  if (run) {
    await at.w.write('go', '')
    await until('the job is served', () => run.jobs[0]?.conclusion === 'success', 30_000)
    await tpi('destroy r --discard')
  }
  expect(await left()).toEqual([])
  expect(at.forge.runners.size).toBe(0)
})
