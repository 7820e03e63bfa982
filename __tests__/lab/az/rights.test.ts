/**
 * Rights are enforced in the emulated subscription: machines have what the roles of their identity allow where they were given, and callers need
 * rights to what their changes name. The calls of machines are made by the product's own code, with a token of the machines' identity.
 */
import { afterAll, afterEach, expect, jest, test } from '@jest/globals'
import { answers, remove } from '../../../src/clouds/az/leave.ts'
import { Manager } from '../../../src/clouds/az/machine-call.ts'
import { DATA, MACHINE_ACTIONS } from '../../../src/clouds/az/permissions.ts'
import { standbyOf } from '../../../src/clouds/az/spot-standby.ts'
import type { MachineConfig } from '../../../src/wire/machine.ts'
import type { StoreAccess } from '../../../src/wire/store.ts'
import { startAzureMetadata } from '../../boot/azure-metadata.ts'
import type { MetadataService } from '../../boot/metadata.ts'
import { hurriedIn } from '../../setup/hurried-clock.ts'
import { until, untilSame } from '../../setup/wait.ts'
import type { World } from '../../setup/world.ts'
import { onLab } from '../vm/on-lab.ts'
import { needsEach, usesStore } from '../vm/rights-kit.ts'
import { ACCOUNT } from './azurite.ts'
import { type AzLab, machineIdentity, REGION, startAzLab } from './lab.ts'
import { tokenFor } from './token.ts'

jest.setTimeout(300_000)

const HOUR = 3_600_000

let lab: AzLab | undefined
let tpi: World['tpi']
let metadata: MetadataService | undefined
/** Of a machine that is up. */
let config: MachineConfig
// The autoscale engine would make machines again, so it does not look for an hour.
onLab(
  async () => startAzLab({ pace: [HOUR, HOUR] }),
  async (ground) => {
    ;({ lab } = ground)
    tpi = hurriedIn(ground.w)
    if (!lab) return
    const { front, env, world: cloud } = lab
    metadata = await startAzureMetadata({
      instance: () => ({}),
      events: () => [],
      token: (resource, client) => tokenFor(resource, client),
    })
    // The account's own storage is made once, and stays.
    expect(await tpi(START('first'), { env })).toMatchObject({ code: 0 })
    expect(await tpi('destroy first --discard --json', { env })).toMatchObject({ code: 0 })
    expect(await tpi(START('kept', '--spot prefer --parallelism 2'), { env })).toMatchObject({ code: 0 })
    await until('its machines are up', () => cloud.fleet.present(REGION).filter(({ state }) => state === 'up').length === 2)
    const [set] = front.sets.all().filter(({ name }) => !name.endsWith('-on-demand'))
    config = configOf(set?.group ?? '', set?.name ?? '')
  },
)
afterAll(async () => metadata?.stop())
afterEach(() => lab && give(MACHINE_ACTIONS))

const SPOT = '--spot true'
const START = (name: string, kind = SPOT): string[] =>
  `task --cloud az --machine Standard_D2s_v5 ${kind} --name ${name} --workdir p --timeout 8h --detach --json --script true`.split(' ')
const discard = async (name: string): Promise<void> => {
  expect(await tpi(`destroy ${name} --discard --json`, { env: lab!.env })).toMatchObject({ code: 0 })
  await untilSame('nothing of it is left', async () => leftOf(name), [])
}
const leftOf = async (name: string): Promise<readonly string[]> => (await lab!.inventory()).filter((one) => one.includes(`tpi-${name}-`))

function configOf(resourceGroup: string, group: string): MachineConfig {
  const { subscription, plain, front, world: cloud } = lab!
  const machine = cloud.fleet.present(REGION).find(({ state }) => state === 'up')?.id ?? ''
  const twin = { twin: `${group}-on-demand`, count: '2', wait: '600' }
  const { clientId } = machineIdentity(front)
  const side = { subscription, resourceGroup, group, ...twin, clientId, endpoint: `${plain}/`, metadata: metadata?.url ?? '' }
  return { machine, side, hardDeadline: new Date(Date.now() + HOUR).toISOString() } as unknown as MachineConfig
}

/** The role of the machines' identity. */
function give(actions: readonly string[], dataActions: readonly string[] = DATA): void {
  const { account } = lab!.front
  const [role] = account.roles.values()
  if (role) account.roles.set(role.name, { ...role, properties: { ...role.properties, permissions: [{ actions, dataActions }] } })
}

/** What a machine uses its role for, with as little patience as there can be: refusals are retried otherwise. */
async function leaving(): Promise<void> {
  await answers(config, 1)
  const manager = new Manager(config, { patience: 1, failure: 'a machine' })
  let looks = 0
  await manager.change(config.side?.['group'] ?? '', async (profiles) => (looks++ === 0 ? profiles : undefined))
  await manager.call('DELETE', manager.machine)
}

async function storing(): Promise<void> {
  const token = tokenFor('https://storage.azure.com', config.side?.['clientId'])
  const access: StoreAccess = { url: `az://${ACCOUNT}/tpi`, settings: { endpoint: `${lab!.plain}/${ACCOUNT}` }, credentials: { token } }
  await usesStore(access)
}

/**
 * No document says that anything of these is needed, and the lab does not refuse without them. The target of an autoscale setting is a set, and a
 * vendor may check that its writer sees it; a new blob may be made by writing or by adding.
 */
const UNPROVEN = [
  'Microsoft.Compute/virtualMachineScaleSets/read',
  'Microsoft.Storage/storageAccounts/blobServices/containers/blobs/add/action',
]
const proven = (actions: readonly string[]): readonly string[] => actions.filter((one) => !UNPROVEN.includes(one))

test('a machine leaves and holds its twin back with its role, and uses all of it; without any one action it is refused by its name', async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const { account } = lab.front
  account.used.clear()
  await standbyOf(config)?.hold()
  await answers(config, 1)
  await remove(config, 'done', async () => ({ open: 1, holders: [], stopped: false }), { look: 20 })
  await storing()
  const used = [...account.used].flatMap((one) => /^machine (.*)/.exec(one)?.[1] ?? []).toSorted()
  expect(used).toEqual(
    proven([...MACHINE_ACTIONS, ...DATA])
      .map((one) => one.toLowerCase())
      .toSorted(),
  )
  await needsEach({ rights: proven(MACHINE_ACTIONS), give, act: leaving })
})

test('a machine uses its store with its role; without any one action on its data it is refused', async () => {
  if (!lab) return
  const calls: Readonly<Record<string, string>> = { read: 'Get Blob', write: 'Put Blob', delete: 'Delete Blob' }
  const role = { rights: proven(DATA), give: (data: readonly string[]) => give(MACHINE_ACTIONS, data), act: storing }
  await needsEach(role, (right) => calls[right.split('/').at(-1) ?? ''] ?? right)
})

test('a role counts where it was given, and below; one that was just given counts when it is known everywhere', async () => {
  if (!lab) return
  const { account, world: cloud } = lab.front
  const { principalId } = machineIdentity(lab.front)
  const [all] = account.assignments.values()
  const roleDefinitionId = all?.properties['roleDefinitionId']
  const group = `/subscriptions/${lab.subscription}/resourceGroups/${config.side?.['resourceGroup']}`
  const only = (scope: string, since?: 'now'): void => {
    account.assignments.clear()
    account.assign(scope, 'given', { principalId, roleDefinitionId }, since ?? 'always')
  }
  try {
    only(`${group}-not`)
    await expect(answers(config, 1)).rejects.toThrow('AuthorizationFailed')
    await expect(storing()).rejects.toThrow('Put Blob')
    only(group.toUpperCase())
    await answers(config, 1)
    await expect(storing()).rejects.toThrow('Put Blob')
    account.roleLag = 600_000
    only(group, 'now')
    await expect(answers(config, 1)).rejects.toThrow('does not have authorization')
    const waiting = answers(config, 60_000)
    await cloud.clock.skip(601_000)
    await waiting
  } finally {
    account.roleLag = 0
    account.assignments.clear()
    if (all) account.assignments.set(all.name, all)
  }
})

const RESERVED = '--spot false --reservation theirs/mine'
const LINKED = [
  ['Microsoft.ManagedIdentity/userAssignedIdentities/assign/action', SPOT],
  ['Microsoft.Network/virtualNetworks/subnets/join/action', SPOT],
  ['Microsoft.Network/networkSecurityGroups/join/action', SPOT],
  ['Microsoft.Network/publicIPAddresses/join/action', SPOT],
  ['Microsoft.Compute/capacityReservationGroups/deploy/action', RESERVED],
] as const

test.each([SPOT, RESERVED])('with the rights that we print, and no others, machines are started and destroyed (%s)', async (kind) => {
  if (!lab) return
  await lab.byRights(async () => {
    expect(await tpi(START('allowed', kind), { env: lab!.env })).toMatchObject({ code: 0 })
    await discard('allowed')
  })
})

test.each(LINKED)(
  'without %s, which is no call of its own, the command is refused where Azure checks it, and nothing is left',
  async (action, kind) => {
    if (!lab) return
    lab.front.account.missing.add(action)
    const { code, host } = await tpi(START('refused', kind), { env: lab.env }).finally(() => lab?.front.account.missing.clear())
    expect([code, JSON.stringify(host)]).toEqual([77, expect.stringContaining(action)])
    await untilSame('nothing of it is left', async () => leftOf('refused'), [])
  },
)

test.each(['read', 'write'])('a caller who may not %s blobs is told which role that needs, and nothing is left', async (verb) => {
  if (!lab) return
  const { missingData } = lab.front.account
  missingData.add(`Microsoft.Storage/storageAccounts/blobServices/containers/blobs/${verb}`)
  const { code, host } = await tpi(START('refused'), { env: lab.env }).finally(() => missingData.clear())
  expect([code, JSON.stringify(host)]).toEqual([77, expect.stringContaining('Storage Blob Data Contributor')])
  await untilSame('nothing of it is left', async () => leftOf('refused'), [])
})
