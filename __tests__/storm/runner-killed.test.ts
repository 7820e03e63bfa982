/** A runner's machine dies during a GitLab job, without notice: the job that was cut off runs again, one that failed by itself does not. */
import { beforeEach, expect, test } from '@jest/globals'
import type { DoubleJob } from '../lab/gitlab/double.ts'
import { onGitlab } from '../runner/stages.ts'
import { until } from '../setup/wait.ts'
import { processesOf } from './processes.ts'

const LONG = 60_000

const on = onGitlab('api')
const { tpi } = on
// Stands for GitLab's half an hour; longer than a busy host delays the heartbeats of a living runner.
beforeEach(() => void (on.forge.queue.silence = 6000))

const slot = async () => (await on.status()).slots[0]
const launch = async (): Promise<unknown> => on.launch(`--jobs unlimited --idle-timeout never --env HOME=${on.w.work}`)

/** Sleeps for ever in its first attempt. */
const SCRIPT = 'if test -e "$HOME/begun"; then echo again; else echo > "$HOME/begun"; sleep 300; fi'

/** Kills the whole process group at once; the guard must find what that leaves on this host. */
async function machineDies(): Promise<void> {
  const before = (await slot()).attempts.length as number
  const agents = processesOf(on.w.home).filter(({ role }) => role === 'agent')
  expect(agents).toHaveLength(1)
  for (const { pid } of agents) process.kill(-pid, 'SIGKILL')
  await until('another machine is there', async () => (await slot()).attempts.length === before + 1, LONG)
  expect((await slot()).attempts[before - 1]).toMatchObject({ cause: 'lost' })
}

const machines = (job: DoubleJob): number => on.forge.runners.get(job.runner ?? 0)?.managers.size ?? 0

test.each([
  ['17.4', 'stuck_or_timeout_failure'],
  ['19.4', 'no_updates_running'],
])('killed in mid-job, GitLab %s: "%s", and tpi retry runs the job again, on the replacement', async (version, reason) => {
  on.forge.version = version
  await launch()
  const own = on.forge.push(['gpu'], 'exit 3', { pipeline: 5 })
  await until('one has failed by itself', () => own.status === 'failed', LONG)
  const cut = on.forge.push(['gpu'], SCRIPT, { pipeline: 5, name: 'train' })
  await until('the job has begun', async () => (await on.w.read('begun').catch(() => '')) !== '', LONG)
  await machineDies()
  // Until then, GitLab considers it running, and there is nothing to run again.
  await until('GitLab has noticed', () => cut.status === 'failed', LONG)
  expect(cut.reason).toBe(reason)
  expect((await tpi('retry --json')).facts).toMatchObject([{ runs: [{ how: 'rerun' }], relaunched: false }])
  await until('it was served', () => on.forge.latest(cut).status === 'success', LONG)
  const again = on.forge.latest(cut)
  expect(again).toMatchObject({ trace: 'again\n', runner: cut.runner })
  // To GitLab, every holder of the slot is the same machine.
  expect([again.system === cut.system, machines(again)]).toEqual([true, 1])
  expect([on.forge.latest(own), on.forge.jobs.length]).toEqual([own, 3])
  expect((await tpi('retry --json')).facts).toMatchObject([{ runs: [{ how: 'refused' }], relaunched: false }])
  expect((await tpi('destroy r --discard')).code).toBe(0)
  expect(on.forge.runners.size).toBe(0)
  expect((await on.w.remains()).filter((path) => !path.startsWith('cache'))).toEqual([])
})

test('a script that failed by itself on a machine that died just after it is not run again', async () => {
  await launch()
  const own = on.forge.push(['gpu'], 'exit 3')
  await until('it has failed', () => own.status === 'failed', LONG)
  await machineDies()
  expect((await tpi('retry --json')).facts).toMatchObject([{ runs: [], waiting: 0, relaunched: false }])
  expect([own.reason, on.forge.jobs.length]).toEqual(['script_failure', 1])
  expect((await tpi('destroy r --discard')).code).toBe(0)
  expect(on.forge.runners.size).toBe(0)
})

test('a dozen machines are reclaimed, one after the other: the next one serves, with the same token, which is removed with the slot', async () => {
  await launch()
  const waits = async (machine: number): Promise<void> =>
    until('it is there', async () => (await slot()).attempt === machine && (await slot()).phase === 'idle', LONG)
  for (let machine = 1; machine <= 12; machine++) {
    await waits(machine)
    await tpi('interrupt r')
  }
  await waits(13)
  const job = on.forge.push(['gpu'], 'true')
  await until('the job is served', () => job.status === 'success', LONG)
  expect(await slot()).toMatchObject({ attempt: 13, state: 'running' })
  const stored = async (): Promise<string[]> =>
    (await Promise.all(on.forge.secrets.map(async (secret) => on.w.filesWith(secret)))).flat().filter((path) => path.includes('/secrets/'))
  expect(await stored()).toHaveLength(1)
  await tpi('stop r')
  await until('the store has forgotten', async () => (await stored()).length === 0, LONG)
  expect((await tpi('destroy r --discard')).code).toBe(0)
  expect(on.forge.runners.size).toBe(0)
})
