/** Runners whose records somebody has forged: whoever retries, stops or removes them asks their forge for nothing but their own, whatever the token may do. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import { currentKey, layout } from '../../src/wire/layout.ts'
import { GithubDouble } from '../lab/github/double.ts'
import { until, type World, world } from '../setup/world.ts'

jest.setTimeout(120_000)

type Made = Record<string, unknown>
interface Records {
  readonly spec: Made
  readonly slot: Made
  readonly current: Made
}

let w: World
let forge: GithubDouble
let id: string
let stranger: number
let keys: Readonly<Record<keyof Records, string>>
let honest: Records
const aside = (): string => `${w.home}.kept`

const tpi = async (words: string) => w.tpi(words, { env: { GITHUB_API_URL: forge.url, REPO_TOKEN: 'good' } })
const store = async () => openStore({ url: `dir://${join(w.home, 'store')}` })

beforeAll(async () => {
  ;[w, forge] = [await world(), await new GithubDouble().start()]
  const { facts, host } = await tpi('runner --name r --repository octo/hello --retention 1h --json')
  if (!facts) throw new Error(host.lines.join('\n'))
  const run = forge.push([{ labels: facts.runsOn, script: 'echo served' }])
  await until('it has served', async () => (await tpi('status r --json')).facts.outcome !== 'running', 60_000)
  await w.deserted()
  // The machine of a run that is taken for cut off: what retry is for.
  for (const job of run.jobs) forge.end(job, 'failure')
  id = facts.id
  const read = async (key: string): Promise<Made> =>
    JSON.parse(Buffer.from((await (await store()).read(key))?.bytes ?? '{}').toString()) as Made
  const current = await read(currentKey(id))
  const all = layout(id, String(current['incarnation']))
  keys = { spec: all.spec, slot: all.slot(0).record, current: currentKey(id) }
  honest = { spec: await read(keys.spec), slot: await read(keys.slot), current }
  stranger = 4711
  forge.runners.set(stranger, { ...forge.runners.values().next().value, id: stranger, name: 'somebody-elses', labels: ['gpu'] } as never)
  cpSync(w.home, aside(), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
})
afterAll(async () => {
  rmSync(aside(), { recursive: true, force: true })
  await w?.end()
  await forge?.stop()
})

const runner = ({ spec }: Records): Made => spec['runner'] as Made
/** Young, so that what it registered may not be listed yet. */
const enrolled = (records: Records, ...ids: readonly string[]): Partial<Records> => ({
  spec: {
    ...records.spec,
    createdAt: new Date().toISOString(),
    runner: { ...runner(records), enrolled: ids.map((one, k) => ({ slot: 0, k, id: one, name: `tpi-r-${k}` })) },
  },
})
const scope = (records: Records, change: Made): Partial<Records> => {
  const was = runner(records)['scope'] as Made
  return {
    spec: { ...records.spec, runner: { ...runner(records), scope: { ...was, ...change } } },
    current: { ...records.current, registry: { forge: 'github', scope: { ...was, ...change } } },
  }
}
const jobs = (records: Records, facts: Made): Partial<Records> => {
  const served = { epoch: 1, start: '2030-01-01T00:00:00.000Z', interrupted: true }
  return {
    slot: {
      ...records.slot,
      jobs: [{ ...served, facts: { attempt: '1', runner: 'tpi-r-0', repository: 'octo/hello', run: '1', ...facts } }],
    },
  }
}
const relaunched = (records: Records, change: Made): Partial<Records> => {
  const facts = { since: '2030-01-01T00:00:00.000Z', labels: ['x'], request: runner(records)['relaunch'], repositories: ['octo/hello'] }
  const registry = { forge: 'github', scope: runner(records)['scope'] }
  return { current: { ...records.current, registry, relaunch: { ...facts, ...change } } }
}

const LIES: readonly (readonly [string, (records: Records) => Partial<Records>])[] = [
  ['nothing', () => ({})],
  [
    'a registration that is a whole repository',
    (r) => enrolled(r, '../../../../repos/octo/hello', '..', '%2e%2e/%2e%2e', '1?x=', '#', '1/../../..'),
  ],
  ['a registration of somebody else', (r) => enrolled(r, String(stranger))],
  ['another repository', (r) => scope(r, { name: 'octo/hello?x=' })],
  ['no repository', (r) => scope(r, { name: '../user' })],
  ['a part of one', (r) => scope(r, { name: 'octo/hello#' })],
  ['an organization that is none', (r) => scope(r, { kind: 'organization', name: '..' })],
  ['a kind of place that is none', (r) => scope(r, { kind: 'constructor' })],
  ['another server', (r) => scope(r, { api: 'http://127.0.0.1:9/api/v3' })],
  ['a server that is a file', (r) => scope(r, { api: 'file:///etc/passwd' })],
  ['a job of another repository', (r) => jobs(r, { repository: 'other/deploys' })],
  ['a job of anything', (r) => jobs(r, { repository: 'octo/hello/../..' })],
  ['a run that is approved', (r) => jobs(r, { run: '1/approve?x=' })],
  ['a run that is none', (r) => jobs(r, { run: '../../../user' })],
  ['places to look for jobs', (r) => relaunched(r, { repositories: ['other/deploys', '../..'] })],
  ['a start without what', (r) => relaunched(r, { request: {} })],
  [
    'a start of anything',
    (r) => relaunched(r, { request: { ...(runner(r)['relaunch'] as Made), lease: { ttl: {} }, platform: 'x', count: 1e9 } }),
  ],
]

test.each(LIES)('%s', async (_name, lie) => {
  rmSync(w.home, { recursive: true, force: true })
  cpSync(aside(), w.home, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  for (const [what, record] of Object.entries(lie(honest)))
    await (await store()).write(keys[what as keyof Records], Buffer.from(JSON.stringify(record)))
  const before = forge.seen.length
  const said: string[] = []
  for (const words of ['retry r', 'stop r', 'sweep --yes', 'destroy r --discard']) {
    const { code, host } = await tpi(words)
    if (code === 70 || host.lines.some((line) => /TypeError|undefined/.test(line))) said.push(`${words}: ${code} ${host.lines.join('\n')}`)
  }
  expect(said).toEqual([])
  // Of its own repository, its runners and the runs of its jobs; and of what it says of itself nothing else is asked.
  const own = /^\/repos\/octo\/hello\/actions\/(runners(\/\d+)?|runs(\/\d+)?(\/jobs)?|runs\/\d+\/rerun-failed-jobs|jobs\/\d+\/rerun)$/
  expect(
    forge.seen
      .slice(before)
      .filter(({ path }) => !own.test(path))
      .map(({ method, path }) => `${method} ${path}`),
  ).toEqual([])
  expect(forge.runners.has(stranger)).toBe(true)
  expect(await w.alive()).toEqual([])
})
