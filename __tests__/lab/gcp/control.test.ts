/**
 * The command line in an emulated project whose machines are records: how it reports refusals, what the vendor does without it, and that nothing is
 * left.
 */
import { afterEach, expect, jest, test } from '@jest/globals'
import { controlOf } from '../../conformance/vm-control.ts'
import { monthsLater } from '../../setup/hurried-clock.ts'
import { memoryHost } from '../../setup/memory-host.ts'
import { until, untilSame } from '../../setup/wait.ts'
import type { World } from '../../setup/world.ts'
import { LABS } from '../vm/labs.ts'
import { onLab } from '../vm/on-lab.ts'
import { type GcpLab, REGION, startGcpLab } from './lab.ts'

jest.setTimeout(300_000)

let lab: GcpLab | undefined
let w: World
onLab(startGcpLab, (ground) => {
  ;({ lab, w } = ground)
})
afterEach(() => {
  lab?.front.troubles.clear()
  lab?.world.supply.setRoom({}, Infinity)
})

// First, because the later tests change the world's time, and leave records of refusals.
controlOf(LABS.gcp, () => lab)

const words = (name: string, ...more: string[]): string[] =>
  `task --cloud gcp --machine n2-standard-2,n2d-standard-2 --spot --name ${name} --workdir p --json`
    .split(' ')
    .concat('--script', 'cat data', ...more)
const detached = (name: string, ...more: string[]): string[] => words(name, '--detach', ...more)

const settled = async (before: readonly string[]): Promise<void> =>
  untilSame('the project is as before', async () => lab?.inventory(), before)

const discard = async (name: string, { env }: GcpLab): Promise<void> => {
  expect(await w.tpi(`destroy ${name} --discard --json`, { env })).toMatchObject({ code: 0 })
}

test('Google Cloud accepts a template with the user’s own reservation', async () => {
  if (!lab) return
  const before = await lab.inventory()
  const place = '--machine n2-standard-2 --region us-central1-b --reservation mine'
  expect(await w.tpi(`task --cloud gcp ${place} --name reserved --detach --json --script true`.split(' '), { env: lab.env })).toMatchObject(
    {
      code: 0,
    },
  )
  await discard('reserved', lab)
  await settled(before)
})

/**
 * What a group reports of machines that cannot be made; the exit code; and what the command says.
 * https://cloud.google.com/compute/docs/troubleshooting/troubleshooting-vm-creation
 */
const UNLAUNCHED: readonly (readonly [says: string, code: number, said: string])[] = [
  ["QUOTA_EXCEEDED: Quota 'GPUS_ALL_REGIONS' exceeded.  Limit: 0.0 globally.", 69, 'ask for more of GPUS_ALL_REGIONS'],
  [
    "SERVICE_ACCOUNT_ACCESS_DENIED: The user does not have access to service account 'tpi-machine@tpi-lab.iam.gserviceaccount.com'.",
    77,
    'the service account of the machines is gone, or may not be used: tpi permissions gcp',
  ],
  [
    "IAM_PERMISSION_DENIED: Required 'compute.instances.create' permission for 'projects/tpi-lab/zones/us-central1-a/instances/tpi-x'.",
    77,
    'a permission is missing: tpi permissions gcp says which are needed',
  ],
  [
    'CONDITION_NOT_MET: Constraint constraints/compute.vmExternalIpAccess violated for project tpi-lab.',
    77,
    'a policy of the organization forbids such machines',
  ],
]

test('a quota, a missing permission and a switched-off API end a run at once with their names, and nothing stays', async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const { env, front, world: cloud } = lab
  const before = await lab.inventory()
  cloud.supply.setQuota(REGION, 'spot', 0)
  const quota = await w.tpi(words('short'), { env })
  cloud.supply.setQuota(REGION, 'spot', Infinity)
  expect(quota).toMatchObject({ code: 69, facts: { outcome: 'no-capacity' } })
  expect(JSON.stringify(quota.host)).toContain('PREEMPTIBLE_CPUS')
  await settled(before)
  for (const [says, code, said] of UNLAUNCHED) {
    front.instances.mayLaunch = () => says
    const { host, ...ran } = await w.tpi(words('unlaunched'), { env })
    front.instances.mayLaunch = () => undefined
    expect([ran, JSON.stringify(host)]).toMatchObject([{ code }, expect.stringContaining(said)])
    await settled(before)
  }
  for (const permission of ['compute.instanceTemplates.create', 'compute.instanceGroupManagers.create']) {
    front.account.missing.add(permission)
    const refused = await w.tpi(words('refused'), { env })
    front.account.missing.clear()
    expect(refused).toMatchObject({ code: 77, facts: { outcome: 'denied' } })
    expect(JSON.stringify(refused.host)).toContain(permission)
    await settled(before)
  }
  front.account.disabled.add('compute.googleapis.com')
  const off = await w.tpi(words('off'), { env })
  front.account.disabled.clear()
  expect(off).toMatchObject({ code: 77 })
  expect(JSON.stringify(off.host)).toContain('https://console.developers.google.com/apis/api/compute.googleapis.com/overview?project=')
  await settled(before)
})

test('an operation that ends with an error undoes the start, even the last one, that of the size; a lack of room is reported within a minute while the group keeps trying', async () => {
  if (!lab) return
  const { env, front, world: cloud } = lab
  const before = await lab.inventory()
  for (const call of ['regionInstanceTemplates.insert', 'regionInstanceGroupManagers.insert', 'regionInstanceGroupManagers.resize']) {
    front.failOperation(new RegExp(call), {
      code: 'QUOTA_EXCEEDED',
      message: "Quota 'INSTANCE_TEMPLATES' exceeded.  Limit: 100.0 globally.",
      status: 403,
    })
    const failed = await w.tpi(detached('failed'), { env })
    expect([call, failed.code]).toEqual([call, 69])
    expect(JSON.stringify(failed.host)).toContain('INSTANCE_TEMPLATES')
    await settled(before)
  }
  cloud.supply.setRoom({}, 0)
  const dryHost = memoryHost()
  const dry = w.tpi(words('dry', '--grace', '1s'), { env, host: dryHost })
  const says = /^warn: .*Google Cloud has no such machine available; it keeps trying all zones and types/
  await until('it says why no machine comes', () => dryHost.lines.some((line) => says.test(line)), 60_000)
  cloud.supply.setRoom({ zone: 'us-central1-c' }, 1)
  await until('a machine comes where there is room', () => cloud.fleet.present(REGION).some(({ place }) => place.zone === 'us-central1-c'))
  expect(await w.tpi('stop dry --json', { env })).toMatchObject({ code: 0 })
  expect(await dry).toMatchObject({ code: 130, facts: { outcome: 'stopped' } })
  await discard('dry', lab)
  await settled(before)
})

/** https://cloud.google.com/compute/docs/troubleshooting/api-errors */
const BUSY = { code: 'RESOURCE_OPERATION_RATE_EXCEEDED', message: 'Operation rate exceeded for resource {name}.', status: 403 }
const NEW = {
  code: 'RESOURCE_NOT_FOUND',
  message: "The resource 'regions/us-central1/instanceTemplates/{name}' was not found",
  status: 404,
}

test('what is not known everywhere yet, throttling, lost answers and late ones neither fail a start nor make anything twice', async () => {
  if (!lab) return
  const { env, front, world: cloud } = lab
  const before = await lab.inventory()
  front.young = 2
  front.troubles.on(/^compute:.*\.(?:get|list|aggregatedList)$/, { kind: 'throttle' }, 2)
  front.troubles.on(/^compute:regionInstanceTemplates\.insert/, { kind: 'lost-reply' })
  front.troubles.on(/^compute:regionInstanceGroupManagers\.insert/, { kind: 'lost-reply' })
  front.troubles.on(/^compute:regionInstanceGroupManagers\.resize/, { kind: 'lost-reply' })
  front.troubles.on(/^compute:regionOperations\.wait/, { kind: 'broken' })
  front.failOperation(/regionInstanceTemplates\.insert/, BUSY)
  front.failOperation(/regionInstanceGroupManagers\.insert/, NEW)
  front.failOperation(/regionInstanceGroupManagers\.resize/, BUSY)
  expect(await w.tpi(detached('rough', '--scratch'), { env })).toMatchObject({ code: 0 })
  expect(front.unfailed).toEqual([])
  front.young = 0
  // The vendor accepts the template with a local disk.
  await until('a machine with both of its disks', async () => (await lab!.inventory()).filter((one) => one.includes('disk')).length === 2)
  await until('its machine is up', () => cloud.fleet.present(REGION).some(({ state }) => state === 'up'))
  expect(cloud.groups(REGION)).toMatchObject([{ sizes: { wanted: 1 } }])
  front.troubles.on(/^compute:regionInstanceGroupManagers\.delete$/, { kind: 'lost-reply' })
  await discard('rough', lab)
  await settled(before)
})

test.each(['shrink', 'refill'] as const)(
  'the time limit ends the machines when no command is left, and none comes after it (%s)',
  async (kind) => {
    // A project of its own, because its clock is moved forward.
    const own = await startGcpLab()
    if (!own) return expect(process.env['CI']).toBeUndefined()
    const { env, front, world: cloud } = own
    try {
      const before = await own.inventory()
      front.instances.atDeadline = kind
      expect((await w.tpi(detached(`alone-${kind}`, '--timeout', '1h'), { env })).code).toBe(0)
      await until('its machine is up', () => cloud.fleet.present(REGION).length === 1)
      await cloud.clock.skip(50 * 60_000)
      expect(cloud.fleet.present(REGION)).toHaveLength(1)
      await cloud.clock.skip(3 * 3600_000)
      await until('nothing runs', () => cloud.fleet.present(REGION).length === 0)
      const made = cloud.fleet.machines.size
      await cloud.clock.skip(24 * 3600_000)
      expect(cloud.fleet.machines.size).toBe(made)
      expect(cloud.groups(REGION)).toMatchObject([{ sizes: { wanted: kind === 'shrink' ? 0 : 1 } }])
      // Sweeping after the results' retention removes the rest.
      const swept = await w.tpi('sweep --yes --cloud gcp --json', { env, given: monthsLater })
      expect([swept.code, swept.facts]).toEqual([0, [expect.objectContaining({ name: `alone-${kind}`, removed: true })]])
      await untilSame('the project is as before', async () => own.inventory(), before)
    } finally {
      await own.stop()
    }
  },
)
