/** The emulated subscription as a third-party client sees it: Microsoft's current one for JavaScript, which has no tables. */
import { isDeepStrictEqual } from 'node:util'
import { ComputeManagementClient } from '@azure/arm-compute'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { until } from '../shell.ts'
import { type AzLab, REGION, startAzLab } from './lab.ts'
import { tokenFor } from './token.ts'

let lab: AzLab | undefined
beforeAll(async () => {
  lab = await startAzLab()
})
afterAll(() => lab?.stop())

const set = (capacity: number): Parameters<ComputeManagementClient['virtualMachineScaleSets']['createOrUpdate']>[2] => ({
  location: REGION,
  sku: { name: 'Mix', capacity },
  tags: { 'tpi-id': 'judge' },
  orchestrationMode: 'Flexible',
  singlePlacementGroup: false,
  platformFaultDomainCount: 1,
  skuProfile: { vmSizes: [{ name: 'Standard_D2s_v5' }, { name: 'Standard_D2as_v5' }], allocationStrategy: 'CapacityOptimized' },
  virtualMachineProfile: {
    priority: 'Spot',
    evictionPolicy: 'Delete',
    osProfile: { computerNamePrefix: 'judge', adminUsername: 'tpi', customData: 'c2VjcmV0' },
    storageProfile: {
      imageReference: { publisher: 'Debian', offer: 'debian-12', sku: '12-gen2', version: 'latest' },
      osDisk: { createOption: 'FromImage', deleteOption: 'Delete' },
    },
  },
})

test("Microsoft's client for JavaScript makes, sees, scales and removes a set, and learns of failures from its pollers", async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const { front, world, endpoint, subscription } = lab
  const before = await lab.inventory()
  const credential = { getToken: async () => ({ token: tokenFor(endpoint), expiresOnTimestamp: Date.now() + 3_600_000 }) }
  const client = new ComputeManagementClient(credential, subscription, { endpoint, retryOptions: { maxRetries: 0 } })
  const sets = client.virtualMachineScaleSets
  const [group, name] = ['tpi-judge-node', 'judge']
  await expect(sets.createOrUpdate(group, name, set(0))).rejects.toMatchObject({ statusCode: 404, code: 'ResourceGroupNotFound' })
  front.resources.putGroup(group, { location: REGION })
  front.page = 2
  expect(await sets.createOrUpdate(group, name, set(0))).toMatchObject({ provisioningState: 'Succeeded', sku: { capacity: 0 } })
  const grown = await sets.update(group, name, { sku: { name: 'Mix', capacity: 3 } })
  expect(grown).toMatchObject({ sku: { capacity: 3 }, provisioningState: 'Succeeded' })
  expect(JSON.stringify(grown)).not.toContain('c2VjcmV0')
  const members = []
  for await (const one of client.virtualMachines.list(group, {
    filter: `'virtualMachineScaleSet/id' eq '${grown.id}'`,
    expand: 'instanceView',
  }))
    members.push(one)
  expect(members.map(({ instanceView }) => instanceView?.statuses?.map(({ code }) => code))).toEqual(
    Array.from({ length: 3 }, () => ['ProvisioningState/succeeded', 'PowerState/running']),
  )
  world.supply.setRoom({}, 0)
  await expect(sets.update(group, name, { sku: { name: 'Mix', capacity: 5 } })).rejects.toThrow('AllocationFailed')
  world.supply.setRoom({}, Infinity)
  expect(await sets.get(group, name)).toMatchObject({ sku: { capacity: 3 }, provisioningState: 'Failed' })
  await sets.deleteInstances(group, name, { instanceIds: [members[0]?.name ?? ''] })
  expect(await sets.get(group, name)).toMatchObject({ sku: { capacity: 2 } })
  front.troubles.on(/virtualMachineScaleSets\.get$/, { kind: 'throttle' })
  await expect(sets.get(group, name)).rejects.toMatchObject({ statusCode: 429, code: 'OperationNotAllowed' })
  front.account.missing.add('Microsoft.Compute/virtualMachineScaleSets/delete')
  await expect(sets.delete(group, name)).rejects.toMatchObject({ statusCode: 403, code: 'AuthorizationFailed' })
  front.account.missing.clear()
  await sets.delete(group, name)
  await expect(sets.get(group, name)).rejects.toMatchObject({ code: 'ResourceNotFound' })
  front.resources.removeGroup(group)
  await until('what ends has ended', 20, async () => isDeepStrictEqual(await lab?.inventory(), before) || undefined)
})
