/**
 * Some of what Google offers every project: regions and zones (https://cloud.google.com/compute/docs/regions-zones), machine types
 * (https://cloud.google.com/compute/docs/machine-resource), accelerators (https://cloud.google.com/compute/docs/gpus), public images
 * (https://cloud.google.com/compute/docs/images/os-details) and the default network of a new project
 * (https://cloud.google.com/vpc/docs/vpc#default-network).
 */
import type { Fields } from './discovery.ts'

export const PROJECT = 'tpi-lab'
export const NUMBER = '123456789012'
const WWW = 'https://www.googleapis.com/compute/v1'
const BORN = '2024-04-01T05:34:56.123-07:00'

/** Links as in recorded answers: templates on one host, everything else on the other. */
export const linkTo = (path: string): string =>
  path.includes('/instanceTemplates/') ? `https://compute.googleapis.com/compute/v1/${path}` : `${WWW}/${path}`

export const ZONES: Readonly<Record<string, readonly string[]>> = {
  'us-central1': ['us-central1-a', 'us-central1-b', 'us-central1-c', 'us-central1-f'],
  'us-west1': ['us-west1-a', 'us-west1-b', 'us-west1-c'],
  'europe-west4': ['europe-west4-a', 'europe-west4-b', 'europe-west4-c'],
}

export const regionOf = (zone: string): string => zone.replace(/-[a-z]$/, '')

/** GiB per processor. */
const MEMORY: Readonly<Record<string, number>> = { standard: 4, highmem: 8, highcpu: 1 }
const SIZES = [2, 4, 8, 16, 32]

interface Sold {
  readonly name: string
  readonly cores: number
  readonly gigabytes: number
  readonly arm?: boolean
  readonly shared?: boolean
  readonly gpus?: { readonly type: string; readonly count: number }
  /** Letters of the zones that have this type; absent: all have it. */
  readonly zones?: string
}

const SOLD: readonly Sold[] = [
  { name: 'e2-micro', cores: 2, gigabytes: 1, shared: true },
  { name: 'e2-small', cores: 2, gigabytes: 2, shared: true },
  { name: 'e2-medium', cores: 2, gigabytes: 4, shared: true },
  { name: 'n1-standard-1', cores: 1, gigabytes: 3.75 },
  ...['e2', 'n1', 'n2', 'n2d', 'n4', 'c3', 'c3d'].flatMap((family) =>
    ['standard', 'highmem', 'highcpu'].flatMap((kind) =>
      SIZES.map((cores) => ({ name: `${family}-${kind}-${cores}`, cores, gigabytes: cores * (MEMORY[kind] ?? 4) })),
    ),
  ),
  ...['c2', 'c2d', 't2d'].flatMap((family) =>
    [4, 8, 16].map((cores) => ({ name: `${family}-standard-${cores}`, cores, gigabytes: cores * 4 })),
  ),
  ...['t2a', 'c4a', 'n4a'].flatMap((family) =>
    [1, 2, 4, 8, 16, 32].map((cores) => ({ name: `${family}-standard-${cores}`, cores, gigabytes: cores * 4, arm: true, zones: 'abf' })),
  ),
  ...[4, 8, 12, 16, 24, 32, 48].map((cores) => ({
    name: `g2-standard-${cores}`,
    cores,
    gigabytes: cores * 4,
    gpus: { type: 'nvidia-l4', count: cores === 24 ? 2 : cores === 48 ? 4 : 1 },
    zones: 'abc',
  })),
  ...[1, 2, 4, 8].map((count) => ({
    name: `a2-highgpu-${count}g`,
    cores: 12 * count,
    gigabytes: 85 * count,
    gpus: { type: 'nvidia-tesla-a100', count },
    zones: 'abcf',
  })),
  ...[1, 2, 4, 8].map((count) => ({
    name: `a3-highgpu-${count}g`,
    cores: 26 * count,
    gigabytes: 234 * count,
    gpus: { type: 'nvidia-h100-80gb', count },
    zones: 'ac',
  })),
]

export const cores = (type: string): number => SOLD.find(({ name }) => name === type)?.cores ?? 2

const ACCELERATORS: Readonly<Record<string, string>> = {
  'nvidia-tesla-t4': 'abcf',
  'nvidia-tesla-v100': 'abcf',
  'nvidia-tesla-p100': 'cf',
  'nvidia-l4': 'abc',
  'nvidia-tesla-a100': 'abcf',
  'nvidia-h100-80gb': 'ac',
}

const has = (zones: string | undefined, zone: string): boolean => zones === undefined || zones.includes(zone.at(-1) ?? '')

export function machineTypes(project: string, zone: string): readonly Fields[] {
  return SOLD.filter(({ zones }) => has(zones, zone)).map(({ name, cores: guestCpus, gigabytes, arm, shared, gpus }, at) => ({
    kind: 'compute#machineType',
    id: `${801_000 + at}`,
    creationTimestamp: BORN,
    name,
    description: `${guestCpus} vCPUs, ${gigabytes} GB RAM`,
    guestCpus,
    memoryMb: gigabytes * 1024,
    maximumPersistentDisks: 128,
    maximumPersistentDisksSizeGb: '263168',
    isSharedCpu: shared ?? false,
    architecture: arm ? 'ARM64' : 'X86_64',
    ...(gpus && { accelerators: [{ guestAcceleratorType: gpus.type, guestAcceleratorCount: gpus.count }] }),
    zone,
    selfLink: linkTo(`projects/${project}/zones/${zone}/machineTypes/${name}`),
  }))
}

export function acceleratorTypes(project: string, zone: string): readonly Fields[] {
  return Object.entries(ACCELERATORS).flatMap(([name, zones], at) =>
    has(zones, zone)
      ? [
          {
            kind: 'compute#acceleratorType',
            id: `${10_010 + at}`,
            creationTimestamp: BORN,
            name,
            description: name.replaceAll('-', ' '),
            maximumCardsPerInstance: 4,
            zone: linkTo(`projects/${project}/zones/${zone}`),
            selfLink: linkTo(`projects/${project}/zones/${zone}/acceleratorTypes/${name}`),
          },
        ]
      : [],
  )
}

export function zone(project: string, name: string): Fields {
  return {
    kind: 'compute#zone',
    id: '2000',
    creationTimestamp: BORN,
    name,
    description: name,
    status: 'UP',
    region: linkTo(`projects/${project}/regions/${regionOf(name)}`),
    availableCpuPlatforms: ['Intel Cascade Lake', 'AMD Rome'],
    supportsPzs: false,
    selfLink: linkTo(`projects/${project}/zones/${name}`),
  }
}

interface PublicImage {
  readonly project: string
  readonly family: string
  readonly name: string
  readonly arm?: boolean
  readonly gigabytes: string
}

const IMAGES: readonly PublicImage[] = [
  { project: 'ubuntu-os-cloud', family: 'ubuntu-2404-lts-amd64', name: 'ubuntu-2404-noble-amd64-v20260915', gigabytes: '10' },
  { project: 'ubuntu-os-cloud', family: 'ubuntu-2404-lts-arm64', name: 'ubuntu-2404-noble-arm64-v20260915', arm: true, gigabytes: '10' },
  { project: 'ubuntu-os-cloud', family: 'ubuntu-2204-lts', name: 'ubuntu-2204-jammy-v20260910', gigabytes: '10' },
  { project: 'ubuntu-os-cloud', family: 'ubuntu-2204-lts-arm64', name: 'ubuntu-2204-jammy-arm64-v20260910', arm: true, gigabytes: '10' },
  { project: 'debian-cloud', family: 'debian-12', name: 'debian-12-bookworm-v20260909', gigabytes: '10' },
  { project: 'debian-cloud', family: 'debian-12-arm64', name: 'debian-12-bookworm-arm64-v20260909', arm: true, gigabytes: '10' },
  { project: 'debian-cloud', family: 'debian-13', name: 'debian-13-trixie-v20260909', gigabytes: '10' },
  {
    project: 'deeplearning-platform-release',
    family: 'common-cu129-ubuntu-2204-nvidia-580',
    name: 'common-cu129-ubuntu-2204-nvidia-580-v20260901',
    gigabytes: '50',
  },
  {
    project: 'deeplearning-platform-release',
    family: 'common-cu129-ubuntu-2404-nvidia-580',
    name: 'common-cu129-ubuntu-2404-nvidia-580-v20260901',
    gigabytes: '50',
  },
  {
    project: 'deeplearning-platform-release',
    family: 'pytorch-2-9-cu129-ubuntu-2404-nvidia-580',
    name: 'pytorch-2-9-cu129-ubuntu-2404-nvidia-580-v20260901',
    gigabytes: '50',
  },
]

export function images(project: string): readonly Fields[] {
  return IMAGES.filter((image) => image.project === project).map(({ family, name, arm, gigabytes }, at) => ({
    kind: 'compute#image',
    id: `${4_000_000 + at}`,
    creationTimestamp: BORN,
    name,
    family,
    status: 'READY',
    architecture: arm ? 'ARM64' : 'X86_64',
    diskSizeGb: gigabytes,
    archiveSizeBytes: '1000000000',
    sourceType: 'RAW',
    storageLocations: ['us', 'eu', 'asia'],
    guestOsFeatures: ['VIRTIO_SCSI_MULTIQUEUE', 'UEFI_COMPATIBLE', 'GVNIC'].map((type) => ({ type })),
    selfLink: linkTo(`projects/${project}/global/images/${name}`),
  }))
}

/** Other projects, whose images everybody may read. */
export const isPublic = (project: string): boolean => IMAGES.some((image) => image.project === project)

export function network(project: string, name: string): Fields {
  return {
    kind: 'compute#network',
    id: '5000',
    creationTimestamp: BORN,
    name,
    description: 'Default network for the project',
    autoCreateSubnetworks: true,
    networkFirewallPolicyEnforcementOrder: 'AFTER_CLASSIC_FIREWALL',
    subnetworks: Object.keys(ZONES).map((region) => linkTo(`projects/${project}/regions/${region}/subnetworks/${name}`)),
    selfLink: linkTo(`projects/${project}/global/networks/${name}`),
  }
}

export function subnetwork(project: string, region: string, name: string): Fields {
  const at = Object.keys(ZONES).indexOf(region)
  return {
    kind: 'compute#subnetwork',
    id: `${5100 + at}`,
    creationTimestamp: BORN,
    name,
    network: linkTo(`projects/${project}/global/networks/${name}`),
    ipCidrRange: `10.${128 + at * 2}.0.0/20`,
    gatewayAddress: `10.${128 + at * 2}.0.1`,
    privateIpGoogleAccess: false,
    purpose: 'PRIVATE',
    stackType: 'IPV4_ONLY',
    region: linkTo(`projects/${project}/regions/${region}`),
    selfLink: linkTo(`projects/${project}/regions/${region}/subnetworks/${name}`),
  }
}

/** A router with Cloud NAT for every subnetwork of the region: https://cloud.google.com/nat/docs/overview */
export function natRouter(project: string, region: string): Fields {
  return {
    kind: 'compute#router',
    id: '5200',
    creationTimestamp: BORN,
    name: 'nat-router',
    network: linkTo(`projects/${project}/global/networks/default`),
    nats: [{ name: 'nat', natIpAllocateOption: 'AUTO_ONLY', sourceSubnetworkIpRangesToNat: 'ALL_SUBNETWORKS_ALL_IP_RANGES' }],
    region: linkTo(`projects/${project}/regions/${region}`),
    selfLink: linkTo(`projects/${project}/regions/${region}/routers/nat-router`),
  }
}
