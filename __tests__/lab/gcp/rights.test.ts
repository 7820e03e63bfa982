/**
 * Rights are enforced in the emulated project: machines have what the policy gives their service account where its conditions hold, and callers need
 * rights to what their changes use. The calls of machines are made by the product's own code, with a token of the machines' service account.
 */
import { afterAll, afterEach, expect, jest, test } from '@jest/globals'
import { remove } from '../../../src/clouds/gcp/leave.ts'
import { Group } from '../../../src/clouds/gcp/machine-call.ts'
import { MACHINE_LEAVE, MACHINE_ROLES, MACHINE_STORE } from '../../../src/clouds/gcp/permissions.ts'
import { standbyOf } from '../../../src/clouds/gcp/spot-standby.ts'
import { GoogleMetadata } from '../../../src/vendors/google/metadata.ts'
import type { MachineConfig } from '../../../src/wire/machine.ts'
import type { StoreAccess } from '../../../src/wire/store.ts'
import { startGceMetadata } from '../../boot/gce-metadata.ts'
import type { MetadataService } from '../../boot/metadata.ts'
import { hurriedIn } from '../../setup/hurried-clock.ts'
import { until, untilSame } from '../../setup/wait.ts'
import type { World } from '../../setup/world.ts'
import { onLab } from '../vm/on-lab.ts'
import { needsEach, usesStore } from '../vm/rights-kit.ts'
import { MACHINE_ACCOUNT } from './account.ts'
import { holds } from './condition.ts'
import type { Fields } from './discovery.ts'
import { type GcpLab, REGION, startGcpLab } from './lab.ts'
import { tokenFor } from './token.ts'

jest.setTimeout(300_000)

const HOUR = 3_600_000
const BUCKET = 'tpi-tpi-lab-us-central1'
const [STORE, LEAVE] = MACHINE_ROLES.map(({ id }) => id) as [string, string]

let lab: GcpLab | undefined
let tpi: World['tpi']
let service: MetadataService | undefined
let metadata: GoogleMetadata
/** Of a machine that is up. */
let config: MachineConfig
/** Whose metadata it is. */
let own: ReadonlyMap<string, string> = new Map()
onLab(startGcpLab, async (ground) => {
  ;({ lab } = ground)
  tpi = hurriedIn(ground.w)
  if (!lab) return
  const { env, world: cloud, endpoint, project, front } = lab
  service = await startGceMetadata(() => own)
  metadata = new GoogleMetadata(service.url)
  // The project's own storage is made once, and stays.
  expect(await tpi(START('kept', '--spot prefer --parallelism 2'), { env })).toMatchObject({ code: 0 })
  await until('its machines are up', () => cloud.fleet.present(REGION).filter(({ state }) => state === 'up').length === 2)
  const group = cloud.groups(REGION).find(({ name }) => !name.endsWith('-on-demand'))?.name ?? ''
  const side = { project, region: REGION, group, twin: twinOf(group), count: '2', wait: '600', endpoint: `${endpoint}/compute/v1/` }
  const { id = '' } = cloud.fleet.present(REGION)[0] ?? {}
  config = { machine: id, side, hardDeadline: new Date(Date.now() + HOUR).toISOString() } as unknown as MachineConfig
  beMachine(front.instances.byId(id)?.path ?? '')
})
afterAll(async () => service?.stop())
afterEach(() => {
  if (lab) for (const { id, permissions } of MACHINE_ROLES) give(id, permissions)
})

const SPOT = '--spot true'
const START = (name: string, kind = SPOT): string[] =>
  `task --cloud gcp --machine n2-standard-2 ${kind} --name ${name} --workdir p --timeout 8h --detach --json --script true`.split(' ')
const twinOf = (group: string): string =>
  lab?.world.groups(REGION).find(({ name }) => name !== group && name.endsWith('-on-demand'))?.name ?? ''
const leftOf = async (name: string): Promise<readonly string[]> => (await lab!.inventory()).filter((one) => one.includes(`tpi-${name}-`))

function beMachine(path: string): void {
  const token = JSON.stringify({ access_token: tokenFor(MACHINE_ACCOUNT), expires_in: 3599, token_type: 'Bearer' })
  own = new Map([
    ['instance/name', path.split('/').at(-1) ?? ''],
    ['instance/zone', path.replace(/\/instances\/.*/, '')],
    ['instance/service-accounts/default/token', token],
  ])
}

function give(role: string, permissions: readonly string[]): void {
  const { roles } = lab!.front.account
  roles.set(role, { ...roles.get(role), includedPermissions: permissions })
}

/** What a machine uses its role for, with as little patience as there can be: refusals are retried otherwise. */
async function leaving(): Promise<void> {
  const { group = '', twin = '' } = config.side ?? {}
  const named = (name: string): Group => new Group(config, metadata, { name, patience: 1, tried: 'be a machine' })
  await named(group).size()
  await named(twin).autoscale({ autoscalingPolicy: { mode: 'OFF' } })
  await named(group).resize((await named(group).size()) ?? 0)
  await named(group).deleteSelf()
  await named(twin).endAutoscaling()
}

async function storing(bucket = BUCKET): Promise<void> {
  const credentials = { token: tokenFor(MACHINE_ACCOUNT) }
  const access: StoreAccess = { url: `gs://${bucket}`, settings: { endpoint: lab!.endpoint }, credentials }
  await usesStore(access)
}

test('a machine leaves, holds its twin back and uses its store with its roles, and needs all that they include', async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const { account } = lab.front
  account.used.clear()
  await standbyOf(config, metadata)?.hold()
  await storing()
  await remove(config, 'done', async () => ({ open: 0, holders: [], stopped: false }), metadata)
  const used = [...account.used].flatMap((one) => /^machine (.*)/.exec(one)?.[1] ?? []).toSorted()
  expect(used).toEqual([...MACHINE_LEAVE, ...MACHINE_STORE].toSorted())
})

test('without any one permission of its roles, a machine is refused by its name', async () => {
  if (!lab) return
  await needsEach({ rights: MACHINE_LEAVE, give: (permissions) => give(LEAVE, permissions), act: leaving })
})

test('a machine uses its store with its role; without any one permission it is refused, also if it only overwrites', async () => {
  if (!lab) return
  await needsEach({ rights: MACHINE_STORE, give: (permissions) => give(STORE, permissions), act: async () => storing() })
})

/** https://cloud.google.com/iam/docs/conditions-overview */
test('the conditions of the roles hold: a machine reaches no bucket and ends no machine that is not of tpi', async () => {
  if (!lab) return
  const { account } = lab.front
  await makeBucket('theirs')
  await expect(storing('theirs')).rejects.toThrow("Permission 'storage.objects.create' denied")
  beMachine(`projects/${lab.project}/zones/us-central1-a/instances/theirs-1`)
  await expect(leaving()).rejects.toThrow("Required 'compute.instances.delete' permission")
  const [kept] = lab.world.fleet.machines.values()
  beMachine(lab.front.instances.byId(kept?.id ?? '')?.path ?? '')
  await leaving()
  // Without its condition, a role reaches everything.
  const { policy } = account
  const open = (policy['bindings'] as readonly Fields[]).map(({ role, members }) => ({ role, members }))
  account.policy = { ...policy, bindings: open }
  try {
    await storing('theirs')
  } finally {
    account.policy = policy
  }
})

test('a condition that the lab cannot evaluate is an error, whatever its start says', () => {
  const object = { name: 'projects/_/buckets/tpi-x/objects/a', type: 'storage.googleapis.com/Object' }
  for (const { condition } of MACHINE_ROLES) expect(holds(condition.expression, object)).toBe(true)
  expect(holds('resource.name.extract("buckets/{bucket}/objects") == "tpi-x" && resource.type == "other"', object)).toBe(false)
  expect(holds('(resource.type != "other")', object)).toBe(true)
  for (const unknown of [
    'resource.name.endsWith("a")',
    'resource.service == "storage.googleapis.com"',
    'request.time < timestamp("2030-01-01T00:00:00Z")',
    'resource.name',
    'resource.name.startsWith("projects") || !resource.matchTag("a", "b")',
    'resource.name.startsWith("projects") resource.type',
  ])
    expect(() => holds(unknown, object)).toThrow(/cannot evaluate|neither true nor false/)
})

test('a service account that is gone, and one without a role, may do nothing', async () => {
  if (!lab) return
  const { account } = lab.front
  const { policy } = account
  account.policy = { ...policy, bindings: [] }
  await expect(leaving()).rejects.toThrow('403')
  await expect(storing()).rejects.toThrow("Permission 'storage.objects.create' denied")
  account.policy = policy
  account.serviceAccounts.delete(MACHINE_ACCOUNT)
  await expect(leaving()).rejects.toThrow('401')
  account.serviceAccounts.add(MACHINE_ACCOUNT)
  await storing()
})

test.each([SPOT, '--spot prefer --parallelism 2', '--spot false --reservation mine --region us-central1-b'])(
  'with the rights that we print, and no others, machines are started and destroyed (%s)',
  async (kind) => {
    if (!lab) return
    const { env } = lab
    await lab.byRights(async () => {
      const { code, host } = await tpi(START('allowed', kind), { env })
      expect([code, code === 0 ? '' : host.lines]).toEqual([0, ''])
      expect(await tpi('destroy allowed --discard --json', { env })).toMatchObject({ code: 0 })
    })
    await untilSame('nothing of it is left', async () => leftOf('allowed'), [])
  },
)

test.each([
  ['compute.instances.setServiceAccount', SPOT],
  ['compute.subnetworks.useExternalIp', SPOT],
  ['compute.instances.setTags', `${SPOT} --parallelism 2`],
  ['storage.objects.create', SPOT],
  ['storage.objects.list', SPOT],
  ['storage.buckets.get', SPOT],
])('a caller without %s is told so, and nothing is left', async (permission, kind) => {
  if (!lab) return
  const { missing } = lab.front.account
  missing.add(permission)
  const { code, host } = await tpi(START('refused', kind), { env: lab.env }).finally(() => missing.clear())
  expect([code, JSON.stringify(host)]).toEqual([77, expect.stringContaining(permission)])
  await untilSame('nothing of it is left', async () => leftOf('refused'), [])
})

test('a caller who may not act as the machines’ service account is refused before anything is made, or else where Google checks it', async () => {
  if (!lab) return
  const { account } = lab.front
  account.missing.add('iam.serviceAccounts.actAs')
  try {
    const early = await tpi(START('refused'), { env: lab.env })
    expect([early.code, JSON.stringify(early.host)]).toEqual([64, expect.stringContaining('you may not use the service account')])
    // Whether they may cannot be seen.
    account.disabled.add('iam.googleapis.com')
    const late = await tpi(START('refused'), { env: lab.env })
    expect([late.code, JSON.stringify(late.host)]).toEqual([77, expect.stringContaining('does not have access to service account')])
  } finally {
    account.missing.clear()
    account.disabled.clear()
  }
  await untilSame('nothing of it is left', async () => leftOf('refused'), [])
})

async function makeBucket(name: string): Promise<void> {
  const headers = { authorization: 'Bearer ya29.lab', 'content-type': 'application/json' }
  const url = `${lab!.endpoint}/storage/v1/b?project=${lab!.project}`
  expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify({ name }) })).status).toBe(200)
}
