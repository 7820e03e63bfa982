/**
 * Machine types that tpi can choose, by family. The project is asked which of them a region has. A type that is not in this list works, too, if the
 * user names it. https://cloud.google.com/compute/docs/machine-resource · GPUs: https://cloud.google.com/compute/docs/gpus
 */
import type { Arch, TypeFacts } from '../../core/size.ts'

/** The kind of boot disk; all types of a group share it. https://cloud.google.com/compute/docs/disks#machine_series_support */
export type DiskKind = 'pd-balanced' | 'hyperdisk-balanced'

export interface GoogleType extends TypeFacts {
  readonly disk: DiskKind
  /** Number of local disks that are added if the user wants some: the fewest that the type takes. Absent for a `local` type that always has some. */
  readonly ssds?: number
  /** GPUs that are added to a type, instead of being a part of it. */
  readonly added?: { readonly type: string; readonly count: number }
}

interface Family {
  readonly arch?: Arch
  /** GiB of memory for each vCPU. */
  readonly ratio: number
  /** GiB of the largest size, if that has less than the others for each vCPU. */
  readonly most?: number
  /** The sizes of the family, in vCPUs. */
  readonly cpus: readonly number[]
  readonly disk?: DiskKind
}

const HYPER = 'hyperdisk-balanced'
const COMMON = [2, 4, 8, 16, 32, 48, 64, 80] as const

/** The oldest first. */
const FAMILIES: Readonly<Record<string, Family>> = {
  'n1-standard': { ratio: 3.75, cpus: [1, 2, 4, 8, 16, 32, 64, 96] },
  'n1-highmem': { ratio: 6.5, cpus: [2, 4, 8, 16, 32, 64, 96] },
  'e2-highcpu': { ratio: 1, cpus: [2, 4, 8, 16, 32] },
  'e2-standard': { ratio: 4, cpus: [2, 4, 8, 16, 32] },
  'e2-highmem': { ratio: 8, cpus: [2, 4, 8, 16] },
  'n2-standard': { ratio: 4, cpus: [...COMMON, 96, 128] },
  'n2-highmem': { ratio: 8, most: 864, cpus: [...COMMON, 96, 128] },
  'n2d-standard': { ratio: 4, cpus: [...COMMON, 96, 128, 224] },
  'n2d-highmem': { ratio: 8, cpus: [2, 4, 8, 16, 32, 48, 64, 80, 96] },
  'c2-standard': { ratio: 4, cpus: [4, 8, 16, 30, 60] },
  'c2d-standard': { ratio: 4, cpus: [2, 4, 8, 16, 32, 56, 112] },
  't2d-standard': { ratio: 4, cpus: [1, 2, 4, 8, 16, 32, 48, 60] },
  'c3-standard': { ratio: 4, cpus: [4, 8, 22, 44, 88, 176] },
  'c3d-standard': { ratio: 4, cpus: [4, 8, 16, 30, 60, 90, 180, 360] },
  'n4-standard': { ratio: 4, cpus: COMMON, disk: HYPER },
  'n4-highmem': { ratio: 8, cpus: COMMON, disk: HYPER },
  't2a-standard': { arch: 'arm64', ratio: 4, cpus: [1, 2, 4, 8, 16, 32, 48] },
  'c4a-standard': { arch: 'arm64', ratio: 4, cpus: [1, 2, 4, 8, 16, 32, 48, 64, 72], disk: HYPER },
  'c4a-highmem': { arch: 'arm64', ratio: 8, cpus: [1, 2, 4, 8, 16, 32, 48, 64, 72], disk: HYPER },
}

/** Name · vCPUs · memory in GiB. */
const SMALL: readonly (readonly [string, number, number])[] = [
  ['e2-micro', 2, 1],
  ['e2-small', 2, 2],
  ['e2-medium', 2, 4],
]

/** Name · vCPUs · memory in GiB · kind of GPU · number of GPUs: GPUs that are a part of the type. */
const GPUS: readonly (readonly [string, number, number, string, number, DiskKind?])[] = [
  ['g2-standard-4', 4, 16, 'l4', 1],
  ['g2-standard-8', 8, 32, 'l4', 1],
  ['g2-standard-12', 12, 48, 'l4', 1],
  ['g2-standard-16', 16, 64, 'l4', 1],
  ['g2-standard-32', 32, 128, 'l4', 1],
  ['g2-standard-24', 24, 96, 'l4', 2],
  ['g2-standard-48', 48, 192, 'l4', 4],
  ['g2-standard-96', 96, 384, 'l4', 8],
  ['a2-highgpu-1g', 12, 85, 'a100', 1],
  ['a2-highgpu-2g', 24, 170, 'a100', 2],
  ['a2-highgpu-4g', 48, 340, 'a100', 4],
  ['a2-highgpu-8g', 96, 680, 'a100', 8],
  ['a2-megagpu-16g', 96, 1360, 'a100', 16],
  ['a2-ultragpu-1g', 12, 170, 'a100-80gb', 1],
  ['a2-ultragpu-2g', 24, 340, 'a100-80gb', 2],
  ['a2-ultragpu-4g', 48, 680, 'a100-80gb', 4],
  ['a2-ultragpu-8g', 96, 1360, 'a100-80gb', 8],
  ['a3-highgpu-1g', 26, 234, 'h100', 1],
  ['a3-highgpu-2g', 52, 468, 'h100', 2],
  ['a3-highgpu-4g', 104, 936, 'h100', 4],
  ['a3-highgpu-8g', 208, 1872, 'h100', 8],
  ['a3-ultragpu-8g', 224, 2952, 'h200', 8, HYPER],
  ['a4-highgpu-8g', 224, 3968, 'b200', 8, HYPER],
  ['g4-standard-48', 48, 180, 'rtx-pro-6000', 1, HYPER],
  ['g4-standard-96', 96, 360, 'rtx-pro-6000', 2, HYPER],
  ['g4-standard-192', 192, 720, 'rtx-pro-6000', 4, HYPER],
  ['g4-standard-384', 384, 1440, 'rtx-pro-6000', 8, HYPER],
]

/**
 * GPUs that are added to N1 machines · number · fewest and most vCPUs that suit them: the fewest are tpi's own choice, so that many GPUs do
 * not wait for few processors. https://cloud.google.com/compute/docs/gpus#general_comparison_chart
 */
const ADDED: readonly (readonly [kind: string, count: number, least: number, most: number])[] = [
  ['t4', 1, 4, 32],
  ['t4', 2, 8, 32],
  ['t4', 4, 16, 96],
  ['v100', 1, 4, 8],
  ['v100', 2, 8, 16],
  ['v100', 4, 16, 32],
  ['v100', 8, 32, 96],
  ['p100', 1, 4, 16],
  ['p100', 2, 8, 32],
  ['p100', 4, 16, 64],
  ['p4', 1, 4, 16],
  ['p4', 2, 8, 32],
  ['p4', 4, 16, 96],
]

/** Kinds of GPU that Google no longer has → the closest replacement. */
export const RETIRED: Readonly<Record<string, string>> = { k80: 't4' }

/** NVIDIA's open kernel modules and the latest drivers do not support these. */
export const OLD_GPUS: readonly string[] = ['v100', 'p100', 'p4']

/** The vendor's name for a GPU that is added. */
export const acceleratorOf = (kind: string): string => `nvidia-tesla-${kind}`

/**
 * The fewest local disks that a type takes, by series and from this number of vCPUs on.
 * https://cloud.google.com/compute/docs/disks/local-ssd#choose_number_local_ssds
 */
const SSDS: Readonly<Record<string, readonly (readonly [cpus: number, disks: number])[]>> = {
  n1: [[1, 1]],
  n2: [
    [2, 1],
    [12, 2],
    [22, 4],
    [42, 8],
    [82, 16],
  ],
  n2d: [
    [2, 1],
    [32, 2],
    [64, 4],
    [96, 8],
  ],
  c2: [
    [4, 1],
    [16, 2],
    [30, 4],
    [60, 8],
  ],
  c2d: [
    [2, 1],
    [32, 2],
    [56, 4],
    [112, 8],
  ],
  g4: [
    [12, 1],
    [24, 2],
    [48, 4],
    [96, 8],
    [192, 16],
    [384, 32],
  ],
  m3: [
    [32, 4],
    [128, 8],
  ],
}
/** These types get one local disk for each GPU, up to the number below. */
const SSD_PER_GPU = /^(?:g2-standard|a2-highgpu|a2-megagpu)-/
const MOST_PER_GPU = 8
/**
 * Types that always have local disks: all of these series, and of some others those that say so. (A4X Max is `a4x-maxgpu-4g-metal`.)
 * https://docs.cloud.google.com/compute/docs/disks/add-local-ssd · https://docs.cloud.google.com/compute/docs/disks/local-ssd#lssd_disks_fixed
 * Types with GPUs are also sold without: https://github.com/GoogleCloudPlatform/guest-test-infra (a3-ultragpu-8g-nolssd)
 */
const WITH_SSDS = /^(?:a2-ultragpu|a3|a4|a4x|a5x|z3|z4d|z4m)-(?!.*-nolssd$)|-lssd(?:-metal)?$/

/** Goes by the type's name, so it works for types that are not in the list, too. */
export function disksOf(name: string, cpu: number, gpus = 0): Pick<GoogleType, 'local' | 'ssds'> {
  if (WITH_SSDS.test(name)) return { local: true }
  if (SSD_PER_GPU.test(name)) return { local: true, ssds: Math.min(gpus, MOST_PER_GPU) }
  const ssds = SSDS[name.split('-')[0] ?? '']?.findLast(([from]) => cpu >= from)?.[1]
  return ssds === undefined ? { local: false } : { local: true, ssds }
}

const N1 = [1, 2, 4, 8, 16, 32, 64, 96] as const

const TYPES: readonly Omit<GoogleType, 'rank' | 'local' | 'ssds'>[] = [
  ...SMALL.map(([name, cpu, memoryGiB]) => ({ name, arch: 'x86_64' as const, cpu, memoryGiB, disk: 'pd-balanced' as const })),
  ...Object.entries(FAMILIES).flatMap(([family, { arch = 'x86_64', ratio, most = Infinity, cpus, disk = 'pd-balanced' }]) =>
    cpus.map((cpu) => ({ name: `${family}-${cpu}`, arch, cpu, memoryGiB: Math.min(cpu * ratio, most), disk })),
  ),
  ...ADDED.flatMap(([kind, count, least, most]) =>
    N1.filter((cpu) => cpu >= least && cpu <= most).map((cpu) => ({
      name: `n1-standard-${cpu}`,
      arch: 'x86_64' as const,
      cpu,
      memoryGiB: cpu * 3.75,
      disk: 'pd-balanced' as const,
      gpu: { kind, count },
      added: { type: acceleratorOf(kind), count },
    })),
  ),
  ...GPUS.map(([name, cpu, memoryGiB, kind, count, disk = 'pd-balanced']) => ({
    name,
    arch: 'x86_64' as const,
    cpu,
    memoryGiB,
    disk,
    gpu: { kind, count },
  })),
]

export const CATALOGUE: readonly GoogleType[] = TYPES.map((facts, rank) => ({
  ...facts,
  ...disksOf(facts.name, facts.cpu, facts.gpu?.count),
  rank,
}))

export const GPU_KINDS: readonly string[] = [...new Set(CATALOGUE.flatMap(({ gpu }) => gpu?.kind ?? []))]
