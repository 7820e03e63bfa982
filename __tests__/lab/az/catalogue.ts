/**
 * What Azure offers in every subscription: sizes (https://learn.microsoft.com/rest/api/compute/resource-skus/list), images, quotas
 * (https://learn.microsoft.com/rest/api/compute/usage/list), prices
 * (https://learn.microsoft.com/rest/api/cost-management/retail-prices/azure-retail-prices).
 */
import type { World } from '../vm/simulation/world.ts'
import type { Fields } from './tables.ts'

export const REGIONS: Readonly<Record<string, readonly string[]>> = {
  westeurope: ['1', '2', '3'],
  eastus: ['1', '2', '3'],
  northeurope: ['1', '2', '3'],
  /** Without zones. */
  westus: [],
}

interface Size {
  readonly name: string
  readonly family: string
  readonly cores: number
  readonly gib: number
  readonly gpus?: number
  readonly arm?: boolean
  /** Without trusted launch, or only of the first generation. */
  readonly old?: boolean
  /** Not available as Spot. */
  readonly regular?: boolean
  /** GiB of local disk. */
  readonly local?: number
}

/** Sizes, families and figures as `az vm list-skus` prints them. */
const SIZES: readonly Size[] = [
  { name: 'Standard_D2s_v5', family: 'standardDSv5Family', cores: 2, gib: 8 },
  { name: 'Standard_D2as_v5', family: 'standardDASv5Family', cores: 2, gib: 8 },
  { name: 'Standard_D2ads_v5', family: 'standardDADSv5Family', cores: 2, gib: 8, local: 75 },
  { name: 'Standard_D4s_v5', family: 'standardDSv5Family', cores: 4, gib: 16 },
  { name: 'Standard_D4as_v5', family: 'standardDASv5Family', cores: 4, gib: 16 },
  { name: 'Standard_D8s_v5', family: 'standardDSv5Family', cores: 8, gib: 32 },
  { name: 'Standard_D8as_v5', family: 'standardDASv5Family', cores: 8, gib: 32 },
  { name: 'Standard_D16s_v5', family: 'standardDSv5Family', cores: 16, gib: 64 },
  { name: 'Standard_D32s_v5', family: 'standardDSv5Family', cores: 32, gib: 128 },
  { name: 'Standard_E4s_v5', family: 'standardESv5Family', cores: 4, gib: 32 },
  { name: 'Standard_F2s_v2', family: 'standardFSv2Family', cores: 2, gib: 4, local: 16 },
  { name: 'Standard_F4s_v2', family: 'standardFSv2Family', cores: 4, gib: 8, local: 32 },
  { name: 'Standard_B2s', family: 'standardBSFamily', cores: 2, gib: 4, regular: true },
  { name: 'Standard_D2ps_v5', family: 'standardDPSv5Family', cores: 2, gib: 8, arm: true },
  { name: 'Standard_D4ps_v5', family: 'standardDPSv5Family', cores: 4, gib: 16, arm: true },
  { name: 'Standard_NC4as_T4_v3', family: 'Standard NCASv3_T4 Family', cores: 4, gib: 28, gpus: 1, local: 176 },
  { name: 'Standard_NC6s_v3', family: 'standardNCSv3Family', cores: 6, gib: 112, gpus: 1, old: true, local: 736 },
  { name: 'Standard_NC24ads_A100_v4', family: 'StandardNCADSA100v4Family', cores: 24, gib: 220, gpus: 1, local: 64 },
]

export const sizeNamed = (name: string): Size | undefined => SIZES.find((one) => one.name.toLowerCase() === name.toLowerCase())
export const cores = (name: string): number => sizeNamed(name)?.cores ?? 2

export function skus(region: string, restricted: ReadonlySet<string>): readonly Fields[] {
  return SIZES.map((size) => skuFields(size, region, restricted.has(size.name)))
}

function skuFields(
  { name, family, cores: count, gib, gpus = 0, arm, old, regular, local = 0 }: Size,
  region: string,
  restricted: boolean,
): Fields {
  const zones = REGIONS[region] ?? []
  const capabilities = {
    MaxResourceVolumeMB: local * 1024,
    OSVhdSizeMB: 1_047_552,
    vCPUs: count,
    MemoryPreservingMaintenanceSupported: gpus === 0 ? 'True' : 'False',
    HyperVGenerations: old ? 'V1' : arm ? 'V2' : 'V1,V2',
    MemoryGB: gib,
    MaxDataDiskCount: 4,
    CpuArchitectureType: arm ? 'Arm64' : 'x64',
    LowPriorityCapable: regular ? 'False' : 'True',
    PremiumIO: 'True',
    VMDeploymentTypes: 'IaaS',
    vCPUsAvailable: count,
    ...(gpus > 0 && { GPUs: gpus }),
    vCPUsPerCore: 2,
    EphemeralOSDiskSupported: local > 0 ? 'True' : 'False',
    AcceleratedNetworkingEnabled: 'True',
    RdmaEnabled: 'False',
    MaxNetworkInterfaces: 2,
    ...(old && { TrustedLaunchDisabled: 'True' }),
  }
  const [tier, ...rest] = name.split('_')
  return {
    resourceType: 'virtualMachines',
    name,
    tier,
    size: rest.join('_'),
    family,
    locations: [region],
    locationInfo: [{ location: region, zones, zoneDetails: [] }],
    capabilities: Object.entries(capabilities).map(([key, value]) => ({ name: key, value: String(value) })),
    restrictions: restricted
      ? [{ type: 'Location', values: [region], restrictionInfo: { locations: [region] }, reasonCode: 'NotAvailableForSubscription' }]
      : [],
  }
}

/** Each family has its own quota, all Spot machines share one, and the region has one for all others. */
export function usages(world: World, region: string, family: ReadonlyMap<string, number>): readonly Fields[] {
  const limit = (value: number): number => Math.min(value, 350)
  const used = (name?: string): number =>
    world.fleet
      .present(region)
      .filter(({ market, type }) => market === 'on-demand' && (name === undefined || sizeNamed(type)?.family === name))
      .reduce((sum, { type }) => sum + cores(type), 0)
  const one = (value: string, localizedValue: string, currentValue: number, most: number): Fields => ({
    unit: 'Count',
    currentValue,
    limit: most,
    name: { value, localizedValue },
  })
  const families = [...new Set(SIZES.map((size) => size.family))]
  return [
    one('cores', 'Total Regional vCPUs', used(), limit(world.supply.quota(region, 'on-demand'))),
    one('virtualMachines', 'Virtual Machines', world.fleet.present(region).length, 25_000),
    one('virtualMachineScaleSets', 'Virtual Machine Scale Sets', world.groups(region).length, 2500),
    one('lowPriorityCores', 'Total Regional Low-priority vCPUs', world.cores(region, 'spot'), limit(world.supply.quota(region, 'spot'))),
    ...families.map((name) => one(name, `${name.replace(/^standard ?/i, 'Standard ')} vCPUs`, used(name), family.get(name) ?? 100)),
  ]
}

interface Image {
  readonly urn: readonly [publisher: string, offer: string, sku: string]
  readonly versions: readonly string[]
  readonly generation: 'V1' | 'V2'
  readonly arm?: boolean
}

const IMAGES: readonly Image[] = [
  { urn: ['Canonical', 'ubuntu-24_04-lts', 'server'], versions: ['24.04.202609100', '24.04.202610070'], generation: 'V2' },
  { urn: ['Canonical', 'ubuntu-24_04-lts', 'server-gen1'], versions: ['24.04.202610070'], generation: 'V1' },
  { urn: ['Canonical', 'ubuntu-24_04-lts', 'server-arm64'], versions: ['24.04.202610070'], generation: 'V2', arm: true },
  { urn: ['Canonical', '0001-com-ubuntu-server-jammy', '22_04-lts-gen2'], versions: ['22.04.202610060'], generation: 'V2' },
  { urn: ['Canonical', '0001-com-ubuntu-server-jammy', '22_04-lts'], versions: ['22.04.202610060'], generation: 'V1' },
  {
    urn: ['Canonical', '0001-com-ubuntu-server-jammy', '22_04-lts-arm64'],
    versions: ['22.04.202610060'],
    generation: 'V2',
    arm: true,
  },
  { urn: ['Debian', 'debian-12', '12-gen2'], versions: ['0.20261001.2253'], generation: 'V2' },
  { urn: ['microsoft-dsvm', 'ubuntu-hpc', '2204'], versions: ['22.04.2026091501'], generation: 'V2' },
  { urn: ['microsoft-dsvm', 'ubuntu-hpc', '2404'], versions: ['24.04.2026091501'], generation: 'V2' },
  { urn: ['microsoft-dsvm', 'ubuntu-2204', '2204-gen2'], versions: ['26.09.15'], generation: 'V2' },
]

export function image(publisher: string, offer: string, sku: string): Image | undefined {
  const asked = [publisher, offer, sku].join(':').toLowerCase()
  return IMAGES.find(({ urn }) => urn.join(':').toLowerCase() === asked)
}

export function imageFields({ generation, arm }: Image, id: string, name: string, location: string): Fields {
  return {
    id,
    name,
    location,
    properties: {
      architecture: arm ? 'Arm64' : 'x64',
      automaticOSUpgradeProperties: { automaticOSUpgradeSupported: true },
      dataDiskImages: [],
      features: [{ name: 'SecurityType', value: 'TrustedLaunchSupported' }].slice(generation === 'V2' ? 0 : 1),
      hyperVGeneration: generation,
      osDiskImage: { operatingSystem: 'Linux' },
      imageDeprecationStatus: { imageState: 'Active' },
    },
  }
}

/** The answer for a filter such as `armRegionName eq 'westeurope' and armSkuName eq 'Standard_D2s_v5' and priceType eq 'Consumption'`. */
export function prices(world: World, filter: string): Fields {
  const asked = [...filter.matchAll(/(\w+) eq '([^']*)'/g)].map(([, name = '', value = '']) => [name, value] as const)
  const wanted = (name: string): readonly string[] => asked.flatMap(([key, value]) => (key === name ? [value.toLowerCase()] : []))
  const fits = (name: string, value: string): boolean => wanted(name).length === 0 || wanted(name).includes(value.toLowerCase())
  const items = Object.keys(REGIONS).flatMap((region) =>
    SIZES.flatMap(({ name }) =>
      (['on-demand', 'spot'] as const).map((market) => {
        const words = name.replace(/^Standard_/, '').replaceAll('_', ' ')
        const label = market === 'spot' ? `${words} Spot` : words
        const unitPrice = world.supply.price({ region, zone: '1', type: name, market })
        return {
          currencyCode: 'USD',
          tierMinimumUnits: 0,
          retailPrice: unitPrice,
          unitPrice,
          armRegionName: region,
          location: region,
          effectiveStartDate: '2026-01-01T00:00:00Z',
          meterId: '000a794b-bdb0-58be-a0cd-0c3a0f222923',
          meterName: label,
          productId: 'DZH318Z08M97',
          skuId: 'DZH318Z08M97/0001',
          productName: 'Virtual Machines Series',
          skuName: label,
          serviceName: 'Virtual Machines',
          serviceId: 'DZH313Z7MMC8',
          serviceFamily: 'Compute',
          unitOfMeasure: '1 Hour',
          type: 'Consumption',
          isPrimaryMeterRegion: true,
          armSkuName: name,
        }
      }),
    ),
  )
  const found = items.filter(
    (item) =>
      fits('armRegionName', item.armRegionName) &&
      fits('armSkuName', item.armSkuName) &&
      fits('serviceName', item.serviceName) &&
      fits('priceType', item.type),
  )
  return {
    BillingCurrency: 'USD',
    CustomerEntityId: 'Default',
    CustomerEntityType: 'Retail',
    Items: found,
    NextPageLink: null,
    Count: found.length,
  }
}
