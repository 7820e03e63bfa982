/**
 * Microsoft's `az` command, as installed, accepts what a command has made as a scale set of Azure: it logs in, reads, scales, and removes machines
 * and all the rest. It has hundreds of megabytes and takes seconds per call, so it runs on request (`TPI_JUDGE_AZ=1`), and wherever an earlier
 * request has fetched it.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { until } from '../../setup/wait.ts'
import { labCache } from '../cache.ts'
import { pythonPackages } from '../python-tool.ts'
import { run } from '../shell.ts'
import { type Judged, startJudged } from './judged.ts'

const CLI = 'azure-cli==2.91.0'
const NAME = CLI.replace('==', '-')
jest.setTimeout(1_200_000)
// This is seldom run, so every failure is worth a look.
jest.retryTimes(0)

const wanted = process.env['TPI_JUDGE_AZ'] === '1' || existsSync(join(labCache(), NAME))
if (!wanted) process.stderr.write('skipped: the az command as a judge, which has to be fetched first: TPI_JUDGE_AZ=1\n')

let judged: Judged | undefined
let home: string
let python: string | undefined
beforeAll(async () => {
  if (!wanted) return
  python = await pythonPackages(NAME, [CLI])
  judged = await startJudged()
  home = await mkdtemp(join(tmpdir(), 'az-'))
})
afterAll(async () => {
  if (!wanted) return
  await judged?.stop()
  await rm(home, { recursive: true, force: true })
})

/** Switches off its calls to addresses that the lab does not serve. */
async function az(...words: readonly string[]): Promise<unknown> {
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    AZURE_CONFIG_DIR: home,
    REQUESTS_CA_BUNDLE: judged?.lab.authority,
    AZURE_CORE_COLLECT_TELEMETRY: 'false',
    AZURE_CORE_INSTANCE_DISCOVERY: 'false',
    AZURE_CORE_SURVEY_MESSAGE: 'false',
    AZURE_CORE_ONLY_SHOW_ERRORS: 'true',
  }
  const said = await run(join(python ?? '', 'bin/python3'), ['-m', 'azure.cli', ...words, '--output', 'json'], { env })
  return said.trim() === '' ? undefined : JSON.parse(said)
}

test('it logs in, sees the set with its machines, tags and autoscale setting, enlarges it, and removes machines and all the rest', async () => {
  if (!wanted) return
  if (!judged || python === undefined) return expect(process.env['CI']).toBeUndefined()
  const { lab, name, up } = judged
  const { env, front, endpoint } = lab
  const [set] = front.sets.all()
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
  await until('it is gone', () => up().length === 0)
  // Its record and its storage are left for tpi to remove.
  await judged.over()
})
