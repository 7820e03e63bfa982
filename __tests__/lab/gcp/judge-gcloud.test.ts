/**
 * The `gcloud` command of Google, as it is installed, takes what a command has made for a managed group of Google Cloud: it logs in, reads, scales, takes
 * machines and the group away. It is in no registry that CI reaches, and takes seconds a call: it is asked where somebody has it (`TPI_JUDGE_GCLOUD=1`).
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { until, untilSame } from '../../setup/wait.ts'
import { type World, world } from '../../setup/world.ts'
import { run } from '../shell.ts'
import { shareRuntime } from '../vm/runtime.ts'
import { type GcpLab, startGcpLab } from './lab.ts'

const REGION = 'us-central1'
jest.setTimeout(600_000)

const wanted = process.env['TPI_JUDGE_GCLOUD'] === '1'
if (!wanted) process.stderr.write('skipped: the gcloud command as a judge, which has to be installed: TPI_JUDGE_GCLOUD=1\n')

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
    // It takes no address of tokens from a key.
    CLOUDSDK_AUTH_TOKEN_HOST: `${lab?.endpoint}/token`,
    CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK: 'true',
    CLOUDSDK_CORE_CHECK_GCE_METADATA: 'false',
    CLOUDSDK_CORE_DISABLE_PROMPTS: 'true',
    CLOUDSDK_CORE_DISABLE_USAGE_REPORTING: 'true',
  }
  const said = await run('gcloud', [...words, '--region', REGION, '--format', 'json'], { env })
  return said.trim() === '' ? undefined : JSON.parse(said)
}

test('it sees the group with its machines and its template, makes it larger, takes a machine and the group away', async () => {
  if (!wanted) return
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const { env, world: cloud } = lab
  const before = await lab.inventory()
  const words = 'task --cloud gcp --machine n2-standard-2 --spot --name judged --parallelism 2 --workdir p --detach --script true --json'
  expect(await w.tpi(words.split(' '), { env })).toMatchObject({ code: 0 })
  const up = (): number => cloud.fleet.present(REGION).filter(({ state }) => state === 'up').length
  await until('its machines are up', () => up() === 2)
  const name = cloud.groups(REGION)[0]?.name ?? ''
  const managed = async (verb: string, ...more: readonly string[]): Promise<unknown> =>
    gcloud('compute', 'instance-groups', 'managed', verb, name, ...more)
  expect(await managed('describe')).toMatchObject({ targetSize: 2, distributionPolicy: { targetShape: 'ANY' } })
  expect(await gcloud('compute', 'instance-templates', 'describe', name)).toMatchObject({
    properties: { scheduling: { provisioningModel: 'SPOT', instanceTerminationAction: 'DELETE' } },
  })
  const machines = (await managed('list-instances')) as readonly { readonly name: string; readonly instanceStatus: string }[]
  expect(machines.map(({ instanceStatus }) => instanceStatus)).toEqual(['RUNNING', 'RUNNING'])
  await managed('resize', '--size', '3')
  await until('there are three', () => up() === 3)
  await managed('delete-instances', '--instances', machines[0]?.name ?? '')
  await until('there is one fewer', () => up() === 2 && cloud.groups(REGION)[0]?.sizes.wanted === 2)
  await managed('delete')
  expect(cloud.fleet.present(REGION)).toEqual([])
  // Its record, its template and its rule are ours to remove.
  expect(await w.tpi('destroy judged --discard --json', { env })).toMatchObject({ code: 0 })
  await untilSame('the project is as before', async () => lab?.inventory(), before)
})
