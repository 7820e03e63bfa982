/** A machine of runners dies in the middle of a job of GitLab, without a word to anybody: what was cut off runs again, what failed by itself does not. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { type DoubleJob, GitlabDouble } from '../lab/gitlab/double.ts'
import { type Ran, until, type World, world } from '../setup/world.ts'
import { processesOf } from './processes.ts'

jest.setTimeout(3 * 60_000)
const LONG = 60_000

let w: World
let forge: GitlabDouble
beforeEach(async () => {
  forge = await new GitlabDouble().start()
  // Half an hour there. Longer than a busy host keeps a runner that lives from saying so.
  forge.queue.silence = 6000
  w = await world()
})
afterEach(async () => {
  await w.end()
  await forge.stop()
  expect(forge.breaches).toEqual([])
})

const tpi = async (words: string): Promise<Ran> =>
  w.tpi(words, { env: { GITLAB_RUNNER_DOWNLOADS: `${forge.url}/downloads`, REPO_TOKEN: 'api', TPI_FORGE_URL: forge.url } })
const slot = async () => (await w.tpi('status r --json')).facts.slots[0]

async function launch(): Promise<void> {
  const options = `--labels gpu --jobs unlimited --idle-timeout never --env HOME=${w.work}`
  const ran = await tpi(`runner --name r --forge gitlab --repository octo/hello ${options}`)
  if (ran.code !== 0) throw new Error(ran.host.lines.join('\n'))
}

/** Sleeps for ever in its first attempt. */
const SCRIPT = 'if test -e "$HOME/begun"; then echo again; else echo > "$HOME/begun"; sleep 300; fi'

/** The whole process group at once; what it leaves on this host is the guard's to find. */
async function machineDies(): Promise<void> {
  const before = (await slot()).attempts.length as number
  const agents = processesOf(w.home).filter(({ role }) => role === 'agent')
  expect(agents).toHaveLength(1)
  for (const { pid } of agents) process.kill(-pid, 'SIGKILL')
  await until('another machine is there', async () => (await slot()).attempts.length === before + 1, LONG)
  expect((await slot()).attempts[before - 1]).toMatchObject({ cause: 'lost' })
}

const machines = (job: DoubleJob): number => forge.runners.get(job.runner ?? 0)?.managers.size ?? 0

test.each([
  ['17.4', 'stuck_or_timeout_failure'],
  ['19.4', 'no_updates_running'],
])('killed in mid-job, GitLab %s: "%s", and tpi retry runs the job again, on the replacement', async (version, reason) => {
  forge.version = version
  await launch()
  const own = forge.push(['gpu'], 'exit 3', { pipeline: 5 })
  await until('one has failed by itself', () => own.status === 'failed', LONG)
  const cut = forge.push(['gpu'], SCRIPT, { pipeline: 5, name: 'train' })
  await until('the job has begun', async () => (await w.read('begun').catch(() => '')) !== '', LONG)
  await machineDies()
  // Until then GitLab takes it for running, and there is nothing to run again.
  await until('GitLab has noticed', () => cut.status === 'failed', LONG)
  expect(cut.reason).toBe(reason)
  expect((await tpi('retry --json')).facts).toMatchObject([{ runs: [{ how: 'rerun' }], relaunched: false }])
  await until('it was served', () => forge.latest(cut).status === 'success', LONG)
  const again = forge.latest(cut)
  expect(again).toMatchObject({ trace: 'again\n', runner: cut.runner })
  expect([again.system === cut.system, machines(again)]).toEqual([false, 2])
  expect([forge.latest(own), forge.jobs.length]).toEqual([own, 3])
  expect((await tpi('retry --json')).facts).toMatchObject([{ runs: [{ how: 'refused' }], relaunched: false }])
  expect((await tpi('destroy r --discard')).code).toBe(0)
  expect(forge.runners.size).toBe(0)
  expect((await w.remains()).filter((path) => !path.startsWith('cache'))).toEqual([])
})

test('a script that failed by itself on a machine that died just after it is not run again', async () => {
  await launch()
  const own = forge.push(['gpu'], 'exit 3')
  await until('it has failed', () => own.status === 'failed', LONG)
  await machineDies()
  expect((await tpi('retry --json')).facts).toMatchObject([{ runs: [], waiting: 0, relaunched: false }])
  expect([own.reason, forge.jobs.length]).toEqual(['script_failure', 1])
  expect((await tpi('destroy r --discard')).code).toBe(0)
  expect(forge.runners.size).toBe(0)
})
