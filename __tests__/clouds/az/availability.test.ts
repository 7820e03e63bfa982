/** Which sizes a scale set may have, according to the subscription's list, and which quotas they need. */
import { expect, test } from '@jest/globals'
import type { Api } from '../../../src/clouds/az/api.ts'
import { soldIn } from '../../../src/clouds/az/availability.ts'
import { quotaSays } from '../../../src/clouds/az/doctor.ts'
import type { Settings } from '../../../src/clouds/az/settings.ts'

/** An answer of https://learn.microsoft.com/rest/api/compute/resource-skus/list */
function sku(name: string, family: string, more: Readonly<Record<string, string>> = {}): object {
  const capabilities = {
    vCPUs: '8',
    MaxResourceVolumeMB: '0',
    PremiumIO: 'True',
    LowPriorityCapable: 'True',
    HyperVGenerations: 'V1,V2',
    ...more,
  }
  return {
    resourceType: 'virtualMachines',
    name,
    family,
    locationInfo: [{ location: 'westeurope', zones: ['1'] }],
    capabilities: Object.entries(capabilities).map(([key, value]) => ({ name: key, value })),
  }
}

const sold = async (...skus: readonly { name?: string }[]): ReturnType<typeof soldIn> => soldTo(false, ...skus)

async function soldTo(scratch: boolean, ...skus: readonly { name?: string }[]): ReturnType<typeof soldIn> {
  const api = { all: async () => skus } as unknown as Api
  const types = skus.map(({ name = '' }) => name)
  return soldIn(api, { region: 'westeurope' } as Settings, { types, arch: 'x86_64' }, { spot: true, scratch })
}

const FIRST = sku('Standard_D8s_v5', 'standardDSv5Family')

test('a set mixes only sizes with the same disks, as Azure demands: https://learn.microsoft.com/azure/virtual-machine-scale-sets/instance-mix-overview', async () => {
  const like = sku('Standard_D8as_v5', 'standardDASv5Family', { DiskControllerTypes: 'SCSI' })
  const { choice } = await sold(
    FIRST,
    sku('Standard_D8ads_v5', 'standardDADSv5Family', { MaxResourceVolumeMB: '307200' }),
    sku('Standard_D8ds_v6', 'standardDDSv6Family', { NvmeDiskSizeInMiB: '450560' }),
    sku('Standard_D8s_v6', 'standardDSv6Family', { DiskControllerTypes: 'NVMe' }),
    sku('Standard_D8a_v4', 'standardDAv4Family', { PremiumIO: 'False' }),
    like,
  )
  expect(choice.types).toEqual(['Standard_D8s_v5', 'Standard_D8as_v5'])
})

test('machines are in all zones that offer every size, or in one of them', async () => {
  const inZones = (zones: readonly string[], name: string): object => ({
    ...sku(name, 'standardDSv5Family'),
    locationInfo: [{ location: 'westeurope', zones }],
  })
  const skus = [inZones(['3', '1', '2'], 'Standard_D8s_v5'), inZones(['2', '3'], 'Standard_D8as_v5')]
  const zones = async (settings: object): Promise<readonly string[]> => {
    const api = { all: async () => skus } as unknown as Api
    const asked = { types: ['Standard_D8s_v5', 'Standard_D8as_v5'], arch: 'x86_64' } as const
    return (await soldIn(api, { region: 'westeurope', ...settings } as Settings, asked, { spot: true, scratch: false })).zones
  }
  expect(await zones({})).toEqual(['2', '3'])
  expect(await zones({ oneZone: true, zone: 'westeurope-3' })).toEqual(['3'])
  const picked = await Promise.all(Array.from({ length: 100 }, async () => zones({ oneZone: true })))
  expect([...new Set(picked.map((one) => one.join()))].toSorted()).toEqual(['2', '3'])
  skus.splice(0, 2, inZones([], 'Standard_D8s_v5'), inZones([], 'Standard_D8as_v5'))
  expect(await zones({ oneZone: true })).toEqual([])
})

test('a size that a zone does not have is not called forbidden; one that the subscription may not use there is', async () => {
  const inZone = async (zone: string, more: object = {}): Promise<unknown> => {
    const api = { all: async () => [{ ...FIRST, ...more }] } as unknown as Api
    const asked = { types: ['Standard_D8s_v5'], arch: 'x86_64' } as const
    return soldIn(api, { region: 'westeurope', zone } as Settings, asked, { spot: true, scratch: false })
  }
  await expect(inZone('westeurope-3')).rejects.toThrow('Standard_D8s_v5 is not available in westeurope-3')
  const restrictions = [{ type: 'Zone', restrictionInfo: { zones: ['1'] }, reasonCode: 'NotAvailableForSubscription' }]
  await expect(inZone('westeurope-1', { restrictions })).rejects.toThrow('your subscription is not allowed to use Standard_D8s_v5')
})

test('for scratch, each size has a local disk according to the subscription', async () => {
  const nvme = sku('Standard_D8ads_v7', 'standardDADSv7Family', { NvmeDiskSizeInMiB: '450560' })
  expect((await soldTo(true, nvme)).choice.types).toEqual(['Standard_D8ads_v7'])
  await expect(soldTo(true, nvme, FIRST)).rejects.toThrow('Standard_D8s_v5 of Azure has no local disk')
})

test('each size of a set needs quota of its own family', async () => {
  const placement = await sold(FIRST, sku('Standard_D8as_v5', 'standardDASv5Family'))
  const usage = (value: string, limit: number): object => ({ name: { value }, currentValue: 0, limit })
  const of = (second: number, spot: 'never' | 'only', count = 1): unknown =>
    quotaSays(
      [
        usage('standardDSv5Family', 100),
        usage('standardDASv5Family', second),
        usage('cores', 100),
        usage('lowPriorityCores', 100),
      ] as never,
      placement,
      spot === 'only',
      count,
    )
  expect(of(100, 'never')).toBe('standardDSv5Family 0 of 100, standardDASv5Family 0 of 100 and cores 0 of 100')
  expect(of(4, 'never')).toMatchObject({ state: 'fault', hint: expect.stringContaining('standardDASv5Family') })
  expect(of(4, 'never')).toMatchObject({ says: expect.stringContaining('Standard_D8as_v5 needs 8 of standardDASv5Family') })
  expect(of(4, 'only')).toBe('lowPriorityCores 0 of 100')
  expect(of(100, 'only', 13)).toMatchObject({
    says: expect.stringContaining('13 machines of Standard_D8s_v5 need 104 of lowPriorityCores'),
  })
})
