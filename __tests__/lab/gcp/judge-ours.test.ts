/**
 * Third-party clients accept what a command has made: Google's for Node.js and for Python read, resize and remove it; then the command finds only
 * what they have left, and removes that.
 */
import { join } from 'node:path'
import compute from '@google-cloud/compute'
import { expect, jest, test } from '@jest/globals'
import { until, untilSame } from '../../setup/wait.ts'
import type { World } from '../../setup/world.ts'
import { run } from '../shell.ts'
import { onLab } from '../vm/on-lab.ts'
import { clientOptions, over } from './judge-kit.ts'
import { type GcpLab, REGION, startGcpLab } from './lab.ts'

jest.setTimeout(300_000)

let lab: GcpLab | undefined
let w: World
onLab(startGcpLab, (ground) => {
  ;({ lab, w } = ground)
})

const up = ({ world: cloud }: GcpLab): number => cloud.fleet.present(REGION).filter(({ state }) => state === 'up').length

/** Everything of a run, made by one command. */
async function made(it: GcpLab): Promise<readonly [group: string, twin: string]> {
  const words =
    'task --cloud gcp --machine n2-standard-2,n2d-standard-2 --spot prefer --name judged --parallelism 2 --workdir p --detach --script true --json'
  expect(await w.tpi(words.split(' '), { env: it.env })).toMatchObject({ code: 0 })
  await until('its machines are up', () => up(it) === 2)
  const names = it.world.groups(REGION).map(({ name }) => name)
  expect(names).toHaveLength(2)
  const twin = names.find((name) => name.endsWith('-on-demand')) ?? ''
  return [names.find((name) => name !== twin) ?? '', twin]
}

/** Somebody else has removed the groups: tpi removes the record, the templates and the rule, and then nothing is left. */
async function cleared({ env, world: cloud, inventory }: GcpLab, before: readonly string[]): Promise<void> {
  const listed = async (): Promise<unknown> => (await w.tpi('list --cloud gcp --json', { env })).facts
  expect(cloud.fleet.present(REGION)).toEqual([])
  expect(await listed()).toMatchObject([{ name: 'judged' }])
  expect(await w.tpi('destroy judged --discard --json', { env })).toMatchObject({ code: 0, facts: { destroyed: true } })
  expect(await listed()).toEqual([])
  expect((await w.tpi('sweep --cloud gcp --json', { env })).facts).toEqual([])
  await untilSame('the project is as before', inventory, before)
}

test('the client for Node.js sees both groups, what each is made from and what starts the second, resizes one, and removes both', async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const { project } = lab
  const it = lab
  const before = await lab.inventory()
  const [name, twin] = await made(lab)
  const given = clientOptions(lab)
  const done = over(lab, REGION)
  const groups = new compute.RegionInstanceGroupManagersClient(given)
  const autoscalers = new compute.RegionAutoscalersClient(given)
  const of = (instanceGroupManager: string) => ({ project, region: REGION, instanceGroupManager })
  const template = async (instanceTemplate: string): Promise<unknown> =>
    (await new compute.RegionInstanceTemplatesClient(given).get({ project, region: REGION, instanceTemplate }))[0].properties
  const ends = { instanceTerminationAction: 'DELETE', terminationTime: expect.any(String) }
  const notice = { seconds: '120' }
  expect(await template(name)).toMatchObject({ scheduling: { ...ends, provisioningModel: 'SPOT', preemptionNoticeDuration: notice } })
  expect(await template(twin)).toMatchObject({ labels: { 'tpi-name': 'judged' }, scheduling: { ...ends, provisioningModel: 'STANDARD' } })
  expect((await groups.get(of(name)))[0]).toMatchObject({ targetSize: 2, distributionPolicy: { targetShape: 'ANY' } })
  expect((await groups.get(of(twin)))[0]).toMatchObject({ targetSize: 0, distributionPolicy: { targetShape: 'BALANCED' } })
  const bell = { project, region: REGION, autoscaler: twin }
  expect((await autoscalers.get(bell))[0].autoscalingPolicy).toMatchObject({
    mode: 'ONLY_SCALE_OUT',
    maxNumReplicas: 2,
    scalingSchedules: { 'tpi-standby': { minRequiredReplicas: 2, schedule: expect.stringMatching(/^\d+ \d+ \d+ \d+ \* \d{4}$/) } },
  })
  expect(await done((await groups.resize({ ...of(name), size: 3 }))[0])).toEqual([])
  await until('there are three', () => up(it) === 3)
  const [members] = await groups.listManagedInstances(of(name))
  expect(new Set(members.map(({ instanceStatus, currentAction }) => `${instanceStatus} ${currentAction}`))).toEqual(
    new Set(['RUNNING NONE']),
  )
  const [left] = await groups.deleteInstances({
    ...of(name),
    regionInstanceGroupManagersDeleteInstancesRequestResource: { instances: [members[0]?.instance ?? ''] },
  })
  expect(await done(left)).toEqual([])
  expect((await groups.get(of(name)))[0]).toMatchObject({ targetSize: 2 })
  await expect(groups.delete(of(twin))).rejects.toThrow('already being used by')
  expect(await done((await autoscalers.delete(bell))[0])).toEqual([])
  for (const group of [twin, name]) expect(await done((await groups.delete(of(group)))[0])).toEqual([])
  await cleared(lab, before)
})

test('so does the client for Python', async () => {
  if (!lab) return
  const before = await lab.inventory()
  const [name, twin] = await made(lab)
  const words = [join(import.meta.dirname, 'judge_ours.py'), lab.endpoint, lab.project, name, twin]
  const said = await run(lab.vendor.python, words, { env: { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1' } })
  expect(JSON.parse(said)).toEqual({
    markets: ['SPOT', 'STANDARD'],
    ends: ['DELETE', 'DELETE'],
    labels: ['tpi-id', 'tpi-incarnation', 'tpi-mode', 'tpi-name'],
    shapes: ['ANY', 'BALANCED'],
    policy: ['ONLY_SCALE_OUT', 2, [2]],
    'one less': [2, 2],
    'in use': 'BadRequest',
    gone: 'NotFound',
  })
  await cleared(lab, before)
})
