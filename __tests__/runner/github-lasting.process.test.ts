/** Runners for unlimited jobs at GitHub: their machines register themselves once, and replacement machines take over the registration. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { until } from '../setup/wait.ts'
import { type Ran } from '../setup/world.ts'
import { processesOf } from '../storm/processes.ts'
import { onGithub } from './stages.ts'

const LONG = 60_000

const at = onGithub()
const { tpi, status, left } = at
const LASTING = '--labels gpu --jobs unlimited'
const launch = async (more: string): Promise<Ran> => at.launch(`${LASTING} ${more}`)
const online = async (more: string): Promise<Ran> => at.online(`${LASTING} ${more}`)
const agents = () => processesOf(at.w.home).filter(({ role }) => role === 'agent')

test('two machines serve one job after the other until there is none; no job or reader finds a token or a registration', async () => {
  Object.assign(at.forge, { session: 600_000 })
  at.forge.registrations.away = 2
  const script = `env; cat ../.credentials_rsaparams; until test -e ${join(at.w.work, 'go')}; do sleep 0.1; done`
  // They wait already, so that none of the machines is without a job while the other one starts.
  const run = at.forge.push([1, 2, 3, 4, 5].map(() => ({ labels: ['gpu'], script })))
  const { facts, host } = await online('--count 2 --idle-timeout 10s')
  const runners = [...at.forge.runners.values()]
  expect(runners.map(({ name, lasting }) => [name, lasting]).sort()).toEqual([0, 1].map((slot) => [facts.runners[slot], true]))
  expect(new Set(facts.runnerIds)).toEqual(new Set(runners.map(({ id }) => String(id))))
  expect(runners[0]?.labels).toEqual(expect.arrayContaining([facts.label, 'gpu', 'self-hosted', 'Linux']))
  expect(host.summaries.join('')).toMatch(/serves jobs without limit\. .*GitHub forgets one after 14 days without its machine/)
  // The machine's own setup does not print it, and no process shows it.
  const secrets = [...at.forge.registrations.tokens, ...runners.map(({ key }) => key)]
  for (const { pid } of processesOf(at.w.home))
    for (const file of ['cmdline', 'environ'])
      for (const secret of secrets) expect(await readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')).not.toContain(secret)
  for (const token of at.forge.registrations.tokens) expect(await at.w.filesWith(token)).toEqual([])
  await until('both have a job', () => run.jobs.filter((job) => job.status === 'in_progress').length === 2, LONG)
  await at.w.write('go', '')
  await until('all are served', () => run.jobs.every(({ conclusion }) => conclusion === 'success'), LONG)
  expect(new Set(run.jobs.map(({ runnerName }) => runnerName))).toEqual(new Set(facts.runners))
  for (const { key } of runners) {
    const found = await at.w.filesWith(key)
    expect(found.filter((path) => !/\/runner\/\.credentials_rsaparams$|\/secrets\/registration\/\d$/.test(path))).toEqual([])
  }
  await until('they have left', async () => (await status()).outcome !== 'running', LONG)
  expect(await status()).toMatchObject({ outcome: 'success', slots: [{ attempt: 1 }, { attempt: 1 }] })
  const log = (await at.w.tpi('logs r')).host.scriptText()
  expect(log).toContain('"d": "***"')
  expect(log).not.toContain('INPUT_TOKEN')
  const stored = async (): Promise<string[]> => (await Promise.all(runners.map(async ({ key }) => at.w.filesWith(key)))).flat()
  await until('the store has forgotten', async () => !(await stored()).some((path) => path.includes('/secrets/')), LONG)
  // Only the user's token can remove them; they do not count as machines that wait.
  expect([...at.forge.runners.values()].map((one) => one.online)).toEqual([false, false])
  const bare = await at.w.tpi('destroy r --discard', { env: { GITHUB_API_URL: at.forge.url } })
  expect(bare.host.lines.join('\n')).toContain('were not removed, because no token was given; GitHub forgets one after 14 days')
  expect(await left()).toEqual([])
  at.forge.now = () => Date.now() + 15 * 24 * 3_600_000
  await until(
    'GitHub has forgotten them',
    async () => (await tpi('sweep --repository octo/hello')).code === 0 && at.forge.runners.size === 0,
  )
})

test('interrupted, and killed without notice: the next machine is the same runner, with the same labels', async () => {
  const { facts } = await online('--idle-timeout never')
  const [id] = at.forge.runners.keys()
  expect((await online('--idle-timeout never')).facts).toMatchObject({ attached: true, runnerIds: [String(id)] })
  const cut = at.forge.push([{ labels: facts.runsOn, script: 'sleep 600' }])
  await until('the job is on record', async () => (await status()).slots[0].jobs?.length === 1)
  // However late: the token of the launch is no longer valid.
  at.forge.registrations.life = 0
  await tpi('interrupt r')
  await until('the job has failed', () => cut.jobs[0]?.conclusion === 'failure')
  const idle = (attempt: number) => async (): Promise<boolean> =>
    (await status()).slots.every((slot: { attempt: number; phase: string }) => slot.attempt === attempt && slot.phase === 'idle')
  await until('another machine is there', idle(2), LONG)
  const next = at.forge.push([{ labels: facts.runsOn, script: 'true' }])
  await until('it serves', () => next.jobs[0]?.conclusion === 'success', LONG)
  await until('that is on record', async () => (await status()).slots[0].jobs?.[1]?.end !== undefined)
  for (const { pid } of agents()) process.kill(-pid, 'SIGKILL')
  await until('a third is there', idle(3), LONG)
  const last = at.forge.push([{ labels: facts.runsOn, script: 'true' }])
  await until('it serves, too', () => last.jobs[0]?.conclusion === 'success', LONG)
  expect([...at.forge.runners.keys()]).toEqual([id])
  expect([...cut.jobs, ...next.jobs, ...last.jobs].map(({ runnerName }) => runnerName)).toEqual([1, 2, 3].map(() => facts.runners[0]))
  expect((await tpi('retry --json')).facts).toMatchObject([{ runs: [{ how: 'rerun' }], waiting: 0, relaunched: false }])
  await until('what was cut off has run again', () => cut.jobs[0]?.attempt === 2 && cut.jobs[0].status === 'in_progress', LONG)
  at.forge.end(cut.jobs[0] ?? never(), 'success')
  expect((await tpi('destroy r --discard')).code).toBe(0)
  expect(at.forge.runners.size).toBe(0)
  expect(await left()).toEqual([])
})

test('a job whose process died does not keep its machine: it serves another job, and leaves after its idle time', async () => {
  const run = at.forge.push(['kill -9 $PPID; sleep 600', 'true', 'kill -9 $PPID; sleep 600'].map((script) => ({ labels: ['gpu'], script })))
  await online('--idle-timeout 6s')
  await until('they have left', async () => (await status()).outcome !== 'running', LONG)
  expect(run.jobs.map(({ conclusion }) => conclusion)).toEqual(['failure', 'success', 'failure'])
  const { slots } = await status()
  expect(slots).toMatchObject([{ state: 'succeeded', attempt: 1, reason: expect.stringMatching(/^no job for 6s, served 3 jobs/) }])
  expect(slots[0].jobs.filter(({ interrupted }: { interrupted?: boolean }) => interrupted)).toEqual([])
  await tpi('destroy r --discard')
})

test('after an interruption, the runner has all the remaining time to report the job’s end', async () => {
  const { facts } = await online('--idle-timeout never --env TEST_RUNNER_LATE=1')
  const cut = at.forge.push([{ labels: facts.runsOn, script: 'sleep 600' }])
  await until('the job is on record', async () => (await status()).slots[0].jobs?.length === 1)
  await tpi('interrupt r')
  await until('the job has failed', () => cut.jobs[0]?.conclusion === 'failure', 10_000)
  expect(cut.jobs[0]?.annotation).toContain('shutdown signal')
  await tpi('destroy r --discard')
})

test.each([
  ['an organization', '/octo', () => '--organization octo --runner-group builders'],
  ['an Enterprise Server', '/octo/hello', () => `--forge github --forge-url ${at.forge.url} --repository octo/hello`],
  ['an organization of an Enterprise Server', '/octo', () => `--forge github --forge-url ${at.forge.url}/api/v3 --organization octo`],
])('for %s: a machine registers at its page, serves, and is the same runner after an interruption', async (_, page, words) => {
  at.forge.groups.set(7, 'builders')
  // An Enterprise Server is recognized by its address alone.
  const env = { REPO_TOKEN: 'good', ...(words().includes('--forge-url') ? {} : { GITHUB_API_URL: at.forge.url }) }
  const ran = await at.w.tpi(`runner --name r ${words()} --labels gpu --jobs unlimited --idle-timeout never --json`, { env })
  expect(ran.code).toBe(0)
  const own = [...at.forge.runners.values()]
  expect(own).toMatchObject([{ lasting: true, group: words().includes('builders') ? 7 : 1, name: ran.facts.runners[0] }])
  expect(at.forge.registrations.pages).toEqual([page])
  const serve = async (): Promise<void> => {
    const run = at.forge.push([{ labels: ran.facts.runsOn, script: 'true' }])
    await until('the job is served', () => run.jobs[0]?.conclusion === 'success', LONG)
  }
  await serve()
  await at.w.tpi('interrupt r', { env })
  await until('another machine is there', async () => (await status()).slots[0].attempt === 2, LONG)
  await serve()
  expect([...at.forge.runners.values()]).toEqual(own)
  const address = words()
    .split(' ')
    .filter((word, index, all) => word === '--forge-url' || all[index - 1] === '--forge-url')
  expect((await at.w.tpi(['destroy', 'r', '--discard', ...address], { env })).code).toBe(0)
  expect([at.forge.runners.size, await left()]).toEqual([0, []])
})

test('a machine that is told to stop while GitHub does not answer does not try again', async () => {
  at.forge.registrations.away = 100
  const launched = launch('--idle-timeout never')
  await until('it has tried', () => at.forge.registrations.away < 99, LONG)
  expect((await tpi('stop r')).code).toBe(0)
  const left = at.forge.registrations.away
  expect((await status()).slots).toMatchObject([{ state: 'stopped' }])
  expect((await launched).code).not.toBe(0)
  expect(left).toBeGreaterThan(95)
})

test('a machine that is too late to register reports that, and everything is removed', async () => {
  at.forge.registrations.life = 0
  const ran = await launch('--idle-timeout never')
  expect(ran).toMatchObject({ code: 76, facts: { error: expect.stringMatching(/could not be registered .*exit code 1.*for an hour/) } })
  expect(ran.host.scriptText() + ran.host.lines.join('\n')).toContain('Http response code: NotFound')
  expect(at.forge.runners.size).toBe(0)
  await at.w.deserted()
  expect(await left()).toEqual([])
})

test('killed while it registers, and told to update itself: in the end there is one runner; once it is removed at GitHub, its machine leaves', async () => {
  const [there, once] = ['there', 'once'].map((name) => join(at.w.work, name))
  const launched = online(
    `--idle-timeout never --env TEST_RUNNER_REGISTERED=${there} --env TEST_RUNNER_EXIT=4 --env TEST_RUNNER_ONCE=${once}`,
  )
  await until('GitHub knows it', () => at.forge.runners.size === 1, LONG)
  const [lost] = at.forge.runners.values()
  const key = lost?.key
  for (const { pid } of agents()) process.kill(-pid, 'SIGKILL')
  await at.w.write('there', '')
  const { facts } = await launched
  expect(facts.runnerIds).toEqual([...at.forge.runners.keys()].map(String))
  // With a new key: the key that the previous machine got is invalid.
  expect([...at.forge.runners.values()]).toMatchObject([{ key: expect.not.stringMatching(/^$/) }])
  expect(lost?.key).not.toBe(key)
  expect((await status()).slots).toMatchObject([{ phase: 'idle', attempt: 2 }])
  expect(await removed(facts.runnerIds[0])).toBe(204)
  await until('it has left', async () => (await status()).outcome !== 'running', LONG)
  expect(await status()).toMatchObject({ slots: [{ reason: 'the runner left: the forge no longer has its registration' }] })
  expect((await tpi('destroy r --discard')).code).toBe(0)
  expect(await left()).toEqual([])
})

async function removed(id: string): Promise<number> {
  const headers = { authorization: 'Bearer good' }
  return (await fetch(`${at.forge.url}/repos/octo/hello/actions/runners/${id}`, { method: 'DELETE', headers })).status
}

function never(): never {
  throw new Error('there is none')
}
