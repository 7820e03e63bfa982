/**
 * `tpi doctor az` in an emulated subscription: each check when all is well, with only the rights that `tpi permissions az` prints, and when it is
 * not.
 */
import { afterEach, expect, test } from '@jest/globals'
import type { World } from '../../setup/world.ts'
import { type Diagnosis, diagnosis } from '../vm/diagnosis.ts'
import { onLab } from '../vm/on-lab.ts'
import { idOf } from './instances.ts'
import { type AzLab, REGION, startAzLab } from './lab.ts'
import { SUBSCRIPTION } from './resources.ts'

let lab: AzLab | undefined
let w: World
onLab(startAzLab, (ground) => {
  ;({ lab, w } = ground)
  lab?.world.supply.setQuota(REGION, 'spot', 64)
})
afterEach(() => {
  if (!lab) return
  lab.front.account.missing.clear()
  lab.front.account.missingData.clear()
  lab.front.account.unregistered.clear()
  lab.front.restricted.clear()
  lab.front.account.locks.clear()
})

const look = async (words = '', machine = 'Standard_D2s_v5,Standard_D2as_v5'): Promise<Diagnosis> =>
  diagnosis(w, 'az', `--machine ${machine} ${words}`, lab?.env)

test('everything is in order, with the rights of the printed role and no others, and nothing is made', async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const before = await lab.inventory()
  const { code, checks } = await lab.byRights(async () => look())
  expect(checks).toMatchObject({
    subscription: expect.stringMatching(/^ok: Lab in westeurope, as /),
    machines: expect.stringMatching(/^ok: Standard_D2s_v5 and Standard_D2as_v5 in 3 zones$/),
    image: expect.stringMatching(/^ok: .*, by trusted launch$/),
    identity: 'ok: machines are tpi-machine, which has a role',
    'way out': 'ok: a public address for each machine',
    quota: expect.stringMatching(/^ok: lowPriorityCores 0 of 64$/),
    providers: expect.stringMatching(/^ok: all 5 that are needed are registered$/),
    permissions: expect.stringMatching(/^ok: you have all \d\d that tpi uses, in the whole subscription$/),
    'storage account': expect.stringMatching(/^ok: tpi[0-9a-f]{21} does not exist yet: the first run creates it$/),
  })
  expect(code).toBe(0)
  expect(await lab.inventory()).toEqual(before)
})

test.each([
  [
    'permissions',
    (l: AzLab) => l.front.account.missing.add('Microsoft.Insights/autoscalesettings/write'),
    /^warning: .*you lack .*autoscalesettings\/write .*tpi permissions az/,
    0,
  ],
  [
    'permissions',
    (l: AzLab) => l.front.account.missingData.add('Microsoft.Storage/storageAccounts/blobServices/containers/blobs/write'),
    /^warning: .*you lack .*blobs\/write/,
    0,
  ],
  [
    'providers',
    (l: AzLab) => l.front.account.unregistered.add('Microsoft.Insights'),
    /^fault: Microsoft\.Insights is not registered az provider register/,
    1,
  ],
  [
    'machines',
    (l: AzLab) => ['Standard_D2s_v5', 'Standard_D2as_v5'].forEach((one) => l.front.restricted.add(one)),
    /^fault: your subscription is not allowed to use /,
    1,
  ],
] as const)('%s (%#): what is missing is reported with a remedy', async (what, change, says, exit) => {
  if (!lab) return
  change(lab)
  const { code, checks } = await look()
  expect(checks[what]).toMatch(says)
  expect(code).toBe(exit)
})

test('a machines’ identity without a role is reported before any machine starts; a caller who may not see roles is told so', async () => {
  if (!lab) return
  const { account } = lab.front
  const given = [...account.assignments]
  account.assignments.clear()
  const { code, checks } = await look()
  for (const [name, one] of given) account.assignments.set(name, one)
  expect([code, checks['identity']]).toEqual([0, expect.stringMatching(/^warning: machines are tpi-machine, which has no role .*--apply$/)])
  account.missing.add('Microsoft.Authorization/roleAssignments/read')
  expect((await look()).checks['identity']).toBe('ok: machines are tpi-machine; whether it has a role cannot be seen')
})

test('faults are reported with a remedy: a quota, no way out, a missing image, subnet or group, an unknown size', async () => {
  if (!lab) return
  const { world: cloud } = lab
  cloud.supply.setQuota(REGION, 'spot', 0)
  expect((await look()).checks['quota']).toMatch(/^fault: .*lowPriorityCores 0 of 0: .*portal, Quotas/)
  cloud.supply.setQuota(REGION, 'spot', 64)
  expect((await look('--public-address false')).checks['way out']).toMatch(/^warning: .*NAT gateway/)
  expect((await look('--image octo:none:none:latest')).checks['machines']).toMatch(/^fault: .*octo/)
  expect((await look('--azure-subnet mine/none/machines')).checks['machines']).toMatch(/^fault: .*mine\/none\/machines/)
  expect((await look('--resource-group none')).checks['resource group']).toMatch(/^fault: there is no none az group create/)
  expect(Object.values((await look('', 'Standard_D2s_v99')).checks).join('\n')).toMatch(/^fault: .*Standard_D2s_v99/im)
})

test('a lock above the machines is named before anything starts, one beside them is not', async () => {
  if (!lab) return
  const { account, resources } = lab.front
  for (const name of ['locked', 'other']) resources.putGroup(name, { location: REGION })
  const lock = { name: 'keep', properties: { level: 'CanNotDelete' } }
  account.locks.set(`/subscriptions/${SUBSCRIPTION}/resourceGroups/locked`, lock)
  expect((await look('--resource-group locked')).checks['machines']).toMatch(/^fault: .*locked has the lock "keep" \(CanNotDelete\)/)
  expect((await look('--resource-group other')).checks['machines']).toMatch(/^ok: /)
  expect((await look()).checks['machines']).toMatch(/^ok: /)
  account.locks.set(`/subscriptions/${SUBSCRIPTION}`, lock)
  expect((await look()).checks['machines']).toMatch(/^fault: .*the subscription has the lock "keep" .*az lock list/)
  account.missing.add('Microsoft.Authorization/locks/read')
  expect((await look()).checks['machines']).toMatch(/^ok: /)
})

test('the user’s own subnet with a NAT gateway is a way out: machines in it need no public address', async () => {
  if (!lab) return
  const { resources } = lab.front
  const network = { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } }
  const natGateway = { id: idOf('mine', 'Microsoft.Network/natGateways/out') }
  const subnet = (name: string, more: object): object => ({ name, properties: { addressPrefix: '10.0.0.0/24', ...more } })
  const subnets = [subnet('closed', {}), subnet('open', { natGateway })]
  resources.putGroup('mine', { location: REGION })
  resources.put({
    id: idOf('mine', 'Microsoft.Network/virtualNetworks/net'),
    type: 'Microsoft.Network/virtualNetworks',
    group: 'mine',
    fields: { location: REGION, properties: { ...network, subnets } },
    busy: 0,
  })
  const out = async (name: string): Promise<string | undefined> =>
    (await look(`--azure-subnet mine/net/${name} --public-address false`)).checks['way out']
  expect(await out('open')).toBe('ok: a NAT gateway or a route of your own in open: machines need no public address')
  expect(await out('closed')).toMatch(/^warning: .*NAT gateway/)
})
