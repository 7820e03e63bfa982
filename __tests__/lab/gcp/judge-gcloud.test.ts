/**
 * Google's `gcloud` command, as installed, accepts what a command has made as managed groups of Google Cloud: it logs in, reads, scales, and removes
 * machines and groups. It is in no registry that CI reaches, so this runs only where it is installed.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { until, untilSame } from '../../setup/wait.ts'
import { type World, world } from '../../setup/world.ts'
import { run } from '../shell.ts'
import { shareRuntime } from '../vm/runtime.ts'
import { type GcpLab, REGION, startGcpLab } from './lab.ts'

jest.setTimeout(600_000)

const wanted = (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, 'gcloud')))
if (!wanted) process.stderr.write('skipped: the gcloud command as a judge, which is not installed\n')

let lab: GcpLab | undefined
let w: World
let home: string
beforeAll(async () => {
  if (!wanted) return
  lab = await startGcpLab()
  home = await mkdtemp(join(tmpdir(), 'gcloud-'))
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

async function gcloud(...words: readonly string[]): Promise<unknown> {
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    ...lab?.env,
    CLOUDSDK_CONFIG: home,
    CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE: lab?.env['GOOGLE_APPLICATION_CREDENTIALS'],
    // It ignores the token address in a key.
    CLOUDSDK_AUTH_TOKEN_HOST: `${lab?.endpoint}/token`,
    CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK: 'true',
    CLOUDSDK_CORE_CHECK_GCE_METADATA: 'false',
    CLOUDSDK_CORE_DISABLE_PROMPTS: 'true',
    CLOUDSDK_CORE_DISABLE_USAGE_REPORTING: 'true',
  }
  const said = await run('gcloud', [...words, '--region', REGION, '--format', 'json'], { env })
  return said.trim() === '' ? undefined : JSON.parse(said)
}

test('it sees both groups, machines, templates and what starts the second group, enlarges one, and removes a machine and both groups', async () => {
  if (!wanted) return
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const { env, world: cloud } = lab
  const before = await lab.inventory()
  const words =
    'task --cloud gcp --machine n2-standard-2,n2d-standard-2 --spot prefer --name judged --parallelism 2 --workdir p --detach --script true --json'
  expect(await w.tpi(words.split(' '), { env })).toMatchObject({ code: 0 })
  const up = (): number => cloud.fleet.present(REGION).filter(({ state }) => state === 'up').length
  await until('its machines are up', () => up() === 2)
  const [name = '', twin = ''] = cloud
    .groups(REGION)
    .map((group) => group.name)
    .toSorted((one, other) => one.length - other.length)
  const of =
    (group: string) =>
    async (verb: string, ...more: readonly string[]): Promise<unknown> =>
      gcloud('compute', 'instance-groups', 'managed', verb, group, ...more)
  const managed = of(name)
  expect(await managed('describe')).toMatchObject({ targetSize: 2, distributionPolicy: { targetShape: 'ANY' } })
  expect(await of(twin)('describe')).toMatchObject({
    targetSize: 0,
    distributionPolicy: { targetShape: 'BALANCED' },
    autoscaler: {
      name: twin,
      autoscalingPolicy: { mode: 'ONLY_SCALE_OUT', scalingSchedules: { 'tpi-standby': { minRequiredReplicas: 2 } } },
    },
  })
  for (const [group, provisioningModel] of [
    [name, 'SPOT'],
    [twin, 'STANDARD'],
  ] as const)
    expect(await gcloud('compute', 'instance-templates', 'describe', group)).toMatchObject({
      properties: { scheduling: { provisioningModel, instanceTerminationAction: 'DELETE' } },
    })
  const machines = (await managed('list-instances')) as readonly { readonly name: string; readonly instanceStatus: string }[]
  expect(machines.map(({ instanceStatus }) => instanceStatus)).toEqual(['RUNNING', 'RUNNING'])
  await managed('resize', '--size', '3')
  await until('there are three', () => up() === 3)
  await managed('delete-instances', '--instances', machines[0]?.name ?? '')
  await until('there is one fewer', () => up() === 2 && cloud.groups(REGION).find((group) => group.name === name)?.sizes.wanted === 2)
  // With its autoscaler, which gcloud removes first.
  await of(twin)('delete')
  await managed('delete')
  expect(cloud.fleet.present(REGION)).toEqual([])
  // The record, the template and the firewall rule are left for tpi to remove.
  expect(await w.tpi('destroy judged --discard --json', { env })).toMatchObject({ code: 0 })
  await untilSame('the project is as before', async () => lab?.inventory(), before)
})
