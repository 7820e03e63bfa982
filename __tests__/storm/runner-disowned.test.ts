/** Machines of runners that GitLab knows nothing of any more leave, whatever they may wait for; a refusal now and then is none. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { GitlabDouble } from '../lab/gitlab/double.ts'
import { type Ran, until, type World, world } from '../setup/world.ts'

jest.setTimeout(3 * 60_000)
const LONG = 60_000

let w: World
let forge: GitlabDouble
beforeEach(async () => {
  forge = await new GitlabDouble().start()
  w = await world()
})
afterEach(async () => {
  await w.end()
  await forge.stop()
  expect(forge.breaches).toEqual([])
})

const tpi = async (words: string): Promise<Ran> =>
  w.tpi(words, { env: { GITLAB_RUNNER_DOWNLOADS: `${forge.url}/downloads`, REPO_TOKEN: 'good', TPI_FORGE_URL: forge.url } })
const status = async () => (await w.tpi('status r --json')).facts

async function launch(options: string): Promise<void> {
  const ran = await tpi(`runner --name r --forge gitlab --repository octo/hello --labels gpu ${options}`)
  if (ran.code !== 0) throw new Error(ran.host.lines.join('\n'))
}

test('an object that somebody has removed: its machines end their job and leave, however long they may be idle', async () => {
  await launch('--count 2 --jobs unlimited --idle-timeout never')
  const job = forge.push(['gpu'], 'sleep 8; echo to the end')
  await until('the job runs', () => job.status === 'running', LONG)
  forge.runners.clear()
  await until('the machines have left', async () => (await w.alive()).length === 0, LONG)
  expect(job).toMatchObject({ status: 'success', trace: 'to the end\n' })
  const left = { state: 'succeeded', reason: 'the forge has no registration of it any more' }
  expect(await status()).toMatchObject({ outcome: 'success', slots: [left, left] })
  expect((await tpi('destroy r --discard')).code).toBe(0)
  expect(forge.runners.size).toBe(0)
})

test('a forge that refuses now and then, or is away, has not forgotten them', async () => {
  await launch('--jobs unlimited --idle-timeout never')
  const asked = (): number => forge.seen.filter(({ path }) => path === '/runners/verify').length
  forge.faults.push({ path: /^\/runners\/verify$/, status: 403, times: 1 }, { path: /^\/runners\/verify$/, status: 502, times: 1 })
  await until('it was asked three times', () => asked() >= 3, LONG)
  const job = forge.push(['gpu'], 'echo served')
  await until('it is served', () => job.status === 'success', LONG)
  expect((await tpi('destroy r --discard')).code).toBe(0)
  expect(forge.runners.size).toBe(0)
})
