/**
 * Sizes of virtual machines that are on sale, by family. The subscription is asked which of them a region has; a size that is new
 * there works by its own name without being in this list. https://learn.microsoft.com/azure/virtual-machines/sizes/overview
 */
import type { Arch, TypeFacts } from '../../core/size.ts'

interface Family {
  /** The parts of the name before and after the number of vCPUs. */
  readonly name: readonly [before: string, after: string]
  readonly arch?: Arch
  /** GiB of memory for each vCPU. */
  readonly ratio: number
  /** GiB that no size exceeds: the largest ones have less for each vCPU. */
  readonly most?: number
  /** The sizes of the family, in vCPUs. */
  readonly cpus: readonly number[]
  /** With a temporary disk. */
  readonly local?: true
}

const COMMON = [2, 4, 8, 16, 32, 48, 64] as const
const MEMORY = [2, 4, 8, 16, 20, 32, 48, 64] as const

/** The oldest first. */
const FAMILIES: readonly Family[] = [
  { name: ['F', 's_v2'], ratio: 2, cpus: [2, 4, 8, 16, 32, 48, 64, 72], local: true },
  { name: ['D', 's_v3'], ratio: 4, cpus: COMMON, local: true },
  { name: ['D', 's_v4'], ratio: 4, cpus: COMMON },
  { name: ['D', 'as_v5'], ratio: 4, cpus: [...COMMON, 96] },
  { name: ['D', 's_v5'], ratio: 4, cpus: [...COMMON, 96] },
  { name: ['D', 'ads_v5'], ratio: 4, cpus: [...COMMON, 96], local: true },
  { name: ['D', 'ds_v5'], ratio: 4, cpus: [...COMMON, 96], local: true },
  { name: ['E', 's_v4'], ratio: 8, most: 504, cpus: MEMORY },
  { name: ['E', 'as_v5'], ratio: 8, most: 672, cpus: [...MEMORY, 96] },
  { name: ['E', 's_v5'], ratio: 8, most: 672, cpus: [...MEMORY, 96] },
  { name: ['E', 'ads_v5'], ratio: 8, most: 672, cpus: [...MEMORY, 96], local: true },
  { name: ['E', 'ds_v5'], ratio: 8, most: 672, cpus: [...MEMORY, 96], local: true },
  { name: ['D', 'pls_v5'], arch: 'arm64', ratio: 2, cpus: COMMON },
  { name: ['D', 'ps_v5'], arch: 'arm64', ratio: 4, most: 208, cpus: COMMON },
  { name: ['D', 'pds_v5'], arch: 'arm64', ratio: 4, most: 208, cpus: COMMON, local: true },
  { name: ['E', 'ps_v5'], arch: 'arm64', ratio: 8, most: 208, cpus: [2, 4, 8, 16, 20, 32] },
  // Only the sizes that the earlier families of ARM do not have.
  { name: ['D', 'ps_v6'], arch: 'arm64', ratio: 4, cpus: [64, 96] },
]

/** Name · vCPUs · memory in GiB. They are never on the spot market. https://learn.microsoft.com/azure/virtual-machines/spot-vms#limitations */
const BURSTABLE: readonly (readonly [string, number, number])[] = [
  ['B1s', 1, 1],
  ['B1ms', 1, 2],
  ['B2s', 2, 4],
]

/** Name · vCPUs · memory in GiB · kind of GPU · number of GPUs. https://learn.microsoft.com/azure/virtual-machines/sizes/overview#gpu-accelerated */
const GPUS: readonly (readonly [string, number, number, string, number])[] = [
  ['ND40rs_v2', 40, 672, 'v100', 8],
  ['NC4as_T4_v3', 4, 28, 't4', 1],
  ['NC8as_T4_v3', 8, 56, 't4', 1],
  ['NC16as_T4_v3', 16, 110, 't4', 1],
  ['NC64as_T4_v3', 64, 440, 't4', 4],
  ['NV36ads_A10_v5', 36, 440, 'a10', 1],
  ['NV72ads_A10_v5', 72, 880, 'a10', 2],
  ['NC24ads_A100_v4', 24, 220, 'a100', 1],
  ['NC48ads_A100_v4', 48, 440, 'a100', 2],
  ['NC96ads_A100_v4', 96, 880, 'a100', 4],
  ['ND96amsr_A100_v4', 96, 1900, 'a100', 8],
  ['ND96asr_v4', 96, 900, 'a100-40gb', 8],
  ['NC40ads_H100_v5', 40, 320, 'h100', 1],
  ['NC80adis_H100_v5', 80, 640, 'h100', 2],
  ['ND96isr_H100_v5', 96, 1900, 'h100', 8],
  ['ND96isr_H200_v5', 96, 1850, 'h200', 8],
]

/**
 * Kinds of GPU that Azure no longer has → the closest replacement.
 * NVv3 (M60): https://learn.microsoft.com/azure/virtual-machines/sizes/lifecycle/retirements-and-capacity-restrictions ·
 * NC (K80), NCv2 (P100), ND (P40): https://learn.microsoft.com/azure/virtual-machines/sizes/lifecycle/retirement/n-series-migration
 */
export const RETIRED: Readonly<Record<string, string>> = { k80: 't4', m60: 't4', p40: 't4', p100: 'a100' }

/**
 * Kinds of GPU for which the image "nvidia" has no driver, and what has one. Some need NVIDIA's GRID driver, even if a machine gets a whole one:
 * https://github.com/Azure/azhpc-images/issues/398 · https://learn.microsoft.com/azure/virtual-machines/linux/n-series-driver-setup
 * V100 needs NVIDIA's closed kernel modules: https://github.com/Azure/azhpc-images (README.md, components/install_nvidiagpudriver.sh)
 */
export const NO_DRIVER: Readonly<Record<string, string>> = {
  a10: 'an image with the GRID driver for Azure',
  rtxpro6000bse: 'an image with the GRID driver for Azure',
  v100: 'microsoft-dsvm:ubuntu-hpc:2204-v100:latest',
}

const named = (name: string): string => `Standard_${name}`

export const CATALOGUE: readonly TypeFacts[] = [
  ...BURSTABLE.map(([name, cpu, memoryGiB]) => ({ name: named(name), arch: 'x86_64' as const, cpu, memoryGiB, local: true })),
  ...FAMILIES.flatMap(({ name: [before, after], arch = 'x86_64', ratio, most = Infinity, cpus, local = false }) =>
    cpus.map((cpu) => ({ name: named(`${before}${cpu}${after}`), arch, cpu, memoryGiB: Math.min(cpu * ratio, most), local })),
  ),
  ...GPUS.map(([name, cpu, memoryGiB, kind, count]) => ({
    name: named(name),
    arch: 'x86_64' as const,
    cpu,
    memoryGiB,
    local: true,
    gpu: { kind, count },
  })),
].map((facts, rank) => ({ ...facts, rank }))

export const GPU_KINDS: readonly string[] = [...new Set(CATALOGUE.flatMap(({ gpu }) => gpu?.kind ?? []))]

export const isBurstable = (name: string): boolean => /^standard_b\d/i.test(name)
