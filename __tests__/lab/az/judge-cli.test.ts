/**
 * The `az` command of Microsoft, as it is installed, takes what a command has made for a scale set of Azure: it logs in, reads, scales, takes machines and
 * all of it away. It has hundreds of megabytes and takes seconds a call: it is asked where somebody wants it (`TPI_JUDGE_AZ=1`), not in each run.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { until, untilSame } from '../../setup/wait.ts'
import { type World, world } from '../../setup/world.ts'
import { pythonPackages } from '../python-tool.ts'
import { run } from '../shell.ts'
import { shareRuntime } from '../vm/runtime.ts'
import { type AzLab, REGION, startAzLab } from './lab.ts'

const CLI = 'azure-cli==2.91.0'
const HOUR = 3_600_000
jest.setTimeout(1_200_000)
// Whoever asks for it looks at it.
jest.retryTimes(0)

const wanted = process.env['TPI_JUDGE_AZ'] === '1'
if (!wanted) process.stderr.write('skipped: the az command as a judge, which takes minutes: TPI_JUDGE_AZ=1\n')

let lab: AzLab | undefined
let w: World
let home: string
let python: string | undefined
beforeAll(async () => {
  if (!wanted) return
  python = await pythonPackages(`azure-cli-${CLI.split('==')[1]}`, [CLI])
  // What keeps the number would take it back within seconds, and is not looking now.
  lab = await startAzLab({ pace: [HOUR, HOUR] })
  home = await mkdtemp(join(tmpdir(), 'az-'))
  w = await world()
  await shareRuntime(w.home)
  await w.write('p/data', 'one\n')
})
afterAll(async () => {
  if (!wanted) return
  await w.end()
  await lab?.stop()
  await rm(home, { recursive: true, force: true })
})

/** Without the places that it would tell of itself, and that nobody here answers for. */
async function az(...words: readonly string[]): Promise<unknown> {
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    AZURE_CONFIG_DIR: home,
    REQUESTS_CA_BUNDLE: lab?.authority,
    AZURE_CORE_COLLECT_TELEMETRY: 'false',
    AZURE_CORE_INSTANCE_DISCOVERY: 'false',
    AZURE_CORE_SURVEY_MESSAGE: 'false',
    AZURE_CORE_ONLY_SHOW_ERRORS: 'true',
  }
  const said = await run(join(python ?? '', 'bin/python3'), ['-m', 'azure.cli', ...words, '--output', 'json'], { env })
  return said.trim() === '' ? undefined : JSON.parse(said)
}

test('it logs in, sees the set with its machines, its tags and what keeps them, makes it larger, takes machines and all of it away', async () => {
  if (!wanted) return
  if (!lab || python === undefined) return expect(process.env['CI']).toBeUndefined()
  const { env, front, world: cloud, endpoint } = lab
  const before = await lab.inventory()
  const words = 'task --cloud az --machine Standard_D2s_v5 --spot --name judged --parallelism 2 --workdir p --detach --script true --json'
  expect(await w.tpi(words.split(' '), { env })).toMatchObject({ code: 0 })
  const up = (): readonly string[] => cloud.fleet.present(REGION).flatMap(({ id, state }) => (state === 'up' ? [id] : []))
  await until('its machines are up', () => up().length === 2)
  const [set] = front.sets.all()
  const name = set?.name ?? ''
  const [group, both] = [
    ['--resource-group', name],
    ['--resource-group', name, '--name', name],
  ]
  const places = ['resource-manager', 'active-directory', 'active-directory-resource-id', 'management'].flatMap((one) => [
    `--endpoint-${one}`,
    endpoint,
  ])
  await az('cloud', 'register', '--name', 'lab', '--skip-endpoint-discovery', ...places)
  await az('cloud', 'set', '--name', 'lab')
  const secret = ['--username', env['AZURE_CLIENT_ID'] ?? '', '--password', env['AZURE_CLIENT_SECRET'] ?? '']
  expect(await az('login', '--service-principal', '--tenant', env['AZURE_TENANT_ID'] ?? '', ...secret)).toMatchObject([
    { id: lab.subscription },
  ])
  expect(await az('vmss', 'show', ...both)).toMatchObject({
    orchestrationMode: 'Flexible',
    sku: { capacity: 2 },
    tags: { 'tpi-name': 'judged' },
    virtualMachineProfile: { priority: 'Spot', evictionPolicy: 'Delete' },
  })
  const machines = (await az('vm', 'list', ...group)) as readonly { readonly name: string; readonly id: string }[]
  expect(machines).toHaveLength(2)
  expect(await az('monitor', 'autoscale', 'show', ...both)).toMatchObject({
    profiles: [
      { name: 'open', capacity: { minimum: '2', maximum: '2' } },
      { name: 'over', capacity: { maximum: '0' } },
    ],
  })
  await az('vmss', 'scale', ...both, '--new-capacity', '3')
  await until('there are three', () => up().length === 3)
  await az('vm', 'delete', '--ids', machines[0]?.id ?? '', '--yes')
  await until('there is one fewer', () => up().length === 2 && set?.capacity === 2)
  await az('group', 'delete', '--name', name, '--yes')
  await until('it is gone', () => cloud.fleet.present(REGION).length === 0)
  // Its record and its storage are ours to remove.
  expect(await w.tpi('destroy judged --discard --json', { env })).toMatchObject({ code: 0 })
  await untilSame('the subscription is as before', async () => lab?.inventory(), before)
})
