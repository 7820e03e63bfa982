/**
 * Instance types that are on sale, by family. The account is asked which of them a region has; a type that is new there
 * works by its own name without being in this list. Retired families (P2, G3, M1 … M3) are left out on purpose.
 * https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-types.html
 */
import type { Arch, TypeFacts } from '../../core/size.ts'

interface Family {
  readonly arch: Arch
  /** GiB of memory for each vCPU. */
  readonly ratio: number
  /** The sizes of the family, in vCPUs. */
  readonly cpus: readonly number[]
  /** With instance storage. */
  readonly local?: true
}

const COMMON = [2, 4, 8, 16, 32, 48, 64, 96] as const
const LARGE = [...COMMON, 192] as const
const MIDDLE = [2, 4, 8, 16, 32, 64] as const
const SEVENTH = [2, 4, 8, 16, 32, 48, 64, 96, 128, 192] as const

/** The oldest first. Those with local disks: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-store-volumes.html */
const FAMILIES: Readonly<Record<string, Family>> = {
  m5d: { arch: 'x86_64', ratio: 4, cpus: COMMON, local: true },
  c5d: { arch: 'x86_64', ratio: 2, cpus: [2, 4, 8, 16, 36, 48, 72, 96], local: true },
  r5d: { arch: 'x86_64', ratio: 8, cpus: COMMON, local: true },
  m6id: { arch: 'x86_64', ratio: 4, cpus: [...COMMON, 128], local: true },
  c6id: { arch: 'x86_64', ratio: 2, cpus: [...COMMON, 128], local: true },
  r6id: { arch: 'x86_64', ratio: 8, cpus: [...COMMON, 128], local: true },
  m6gd: { arch: 'arm64', ratio: 4, cpus: MIDDLE, local: true },
  c6gd: { arch: 'arm64', ratio: 2, cpus: MIDDLE, local: true },
  r6gd: { arch: 'arm64', ratio: 8, cpus: MIDDLE, local: true },
  m7gd: { arch: 'arm64', ratio: 4, cpus: MIDDLE, local: true },
  c7gd: { arch: 'arm64', ratio: 2, cpus: MIDDLE, local: true },
  r7gd: { arch: 'arm64', ratio: 8, cpus: MIDDLE, local: true },
  m8gd: { arch: 'arm64', ratio: 4, cpus: LARGE, local: true },
  c8gd: { arch: 'arm64', ratio: 2, cpus: LARGE, local: true },
  r8gd: { arch: 'arm64', ratio: 8, cpus: LARGE, local: true },
  m5: { arch: 'x86_64', ratio: 4, cpus: COMMON },
  m5a: { arch: 'x86_64', ratio: 4, cpus: COMMON },
  c5: { arch: 'x86_64', ratio: 2, cpus: [2, 4, 8, 16, 36, 48, 72, 96] },
  c5a: { arch: 'x86_64', ratio: 2, cpus: COMMON },
  r5: { arch: 'x86_64', ratio: 8, cpus: COMMON },
  m6a: { arch: 'x86_64', ratio: 4, cpus: SEVENTH },
  m6i: { arch: 'x86_64', ratio: 4, cpus: [...COMMON, 128] },
  c6a: { arch: 'x86_64', ratio: 2, cpus: SEVENTH },
  c6i: { arch: 'x86_64', ratio: 2, cpus: [...COMMON, 128] },
  r6i: { arch: 'x86_64', ratio: 8, cpus: [...COMMON, 128] },
  m7a: { arch: 'x86_64', ratio: 4, cpus: SEVENTH },
  m7i: { arch: 'x86_64', ratio: 4, cpus: LARGE },
  c7a: { arch: 'x86_64', ratio: 2, cpus: SEVENTH },
  c7i: { arch: 'x86_64', ratio: 2, cpus: LARGE },
  r7a: { arch: 'x86_64', ratio: 8, cpus: SEVENTH },
  r7i: { arch: 'x86_64', ratio: 8, cpus: LARGE },
  m6g: { arch: 'arm64', ratio: 4, cpus: MIDDLE },
  c6g: { arch: 'arm64', ratio: 2, cpus: MIDDLE },
  r6g: { arch: 'arm64', ratio: 8, cpus: MIDDLE },
  m7g: { arch: 'arm64', ratio: 4, cpus: MIDDLE },
  c7g: { arch: 'arm64', ratio: 2, cpus: MIDDLE },
  r7g: { arch: 'arm64', ratio: 8, cpus: MIDDLE },
  m8g: { arch: 'arm64', ratio: 4, cpus: LARGE },
  c8g: { arch: 'arm64', ratio: 2, cpus: LARGE },
  r8g: { arch: 'arm64', ratio: 8, cpus: LARGE },
}

/** Name · vCPUs · memory in GiB. */
const SMALL: readonly (readonly [string, number, number, Arch?])[] = [
  ['t2.micro', 1, 1],
  ['t3a.micro', 2, 1],
  ['t3.micro', 2, 1],
  ['t3a.small', 2, 2],
  ['t3.small', 2, 2],
  ['t3a.medium', 2, 4],
  ['t3.medium', 2, 4],
  ['t4g.micro', 2, 1, 'arm64'],
  ['t4g.small', 2, 2, 'arm64'],
  ['t4g.medium', 2, 4, 'arm64'],
]

/** Name · vCPUs · memory in GiB · kind of GPU · number of GPUs. */
const GPUS: readonly (readonly [string, number, number, string, number, Arch?])[] = [
  ['p3.2xlarge', 8, 61, 'v100', 1],
  ['p3.8xlarge', 32, 244, 'v100', 4],
  ['p3.16xlarge', 64, 488, 'v100', 8],
  ['g4dn.xlarge', 4, 16, 't4', 1],
  ['g4dn.2xlarge', 8, 32, 't4', 1],
  ['g4dn.4xlarge', 16, 64, 't4', 1],
  ['g4dn.8xlarge', 32, 128, 't4', 1],
  ['g4dn.16xlarge', 64, 256, 't4', 1],
  ['g4dn.12xlarge', 48, 192, 't4', 4],
  ['g4dn.metal', 96, 384, 't4', 8],
  ['g5.xlarge', 4, 16, 'a10g', 1],
  ['g5.2xlarge', 8, 32, 'a10g', 1],
  ['g5.4xlarge', 16, 64, 'a10g', 1],
  ['g5.8xlarge', 32, 128, 'a10g', 1],
  ['g5.16xlarge', 64, 256, 'a10g', 1],
  ['g5.12xlarge', 48, 192, 'a10g', 4],
  ['g5.24xlarge', 96, 384, 'a10g', 4],
  ['g5.48xlarge', 192, 768, 'a10g', 8],
  ['g5g.xlarge', 4, 8, 't4g', 1, 'arm64'],
  ['g5g.2xlarge', 8, 16, 't4g', 1, 'arm64'],
  ['g5g.16xlarge', 64, 128, 't4g', 2, 'arm64'],
  ['g6.xlarge', 4, 16, 'l4', 1],
  ['g6.2xlarge', 8, 32, 'l4', 1],
  ['g6.4xlarge', 16, 64, 'l4', 1],
  ['g6.8xlarge', 32, 128, 'l4', 1],
  ['g6.16xlarge', 64, 256, 'l4', 1],
  ['g6.12xlarge', 48, 192, 'l4', 4],
  ['g6.24xlarge', 96, 384, 'l4', 4],
  ['g6.48xlarge', 192, 768, 'l4', 8],
  ['g6e.xlarge', 4, 32, 'l40s', 1],
  ['g6e.2xlarge', 8, 64, 'l40s', 1],
  ['g6e.4xlarge', 16, 128, 'l40s', 1],
  ['g6e.8xlarge', 32, 256, 'l40s', 1],
  ['g6e.16xlarge', 64, 512, 'l40s', 1],
  ['g6e.12xlarge', 48, 384, 'l40s', 4],
  ['g6e.24xlarge', 96, 768, 'l40s', 4],
  ['g6e.48xlarge', 192, 1536, 'l40s', 8],
  ['g7e.2xlarge', 8, 64, 'rtx-pro-6000', 1],
  ['g7e.4xlarge', 16, 128, 'rtx-pro-6000', 1],
  ['g7e.8xlarge', 32, 256, 'rtx-pro-6000', 1],
  ['g7e.12xlarge', 48, 512, 'rtx-pro-6000', 2],
  ['g7e.24xlarge', 96, 1024, 'rtx-pro-6000', 4],
  ['g7e.48xlarge', 192, 2048, 'rtx-pro-6000', 8],
  ['p4d.24xlarge', 96, 1152, 'a100', 8],
  ['p4de.24xlarge', 96, 1152, 'a100-80gb', 8],
  ['p5.4xlarge', 16, 256, 'h100', 1],
  ['p5.48xlarge', 192, 2048, 'h100', 8],
  ['p5e.48xlarge', 192, 2048, 'h200', 8],
  ['p5en.48xlarge', 192, 2048, 'h200', 8],
  ['p6-b200.48xlarge', 192, 2048, 'b200', 8],
  ['p6-b300.48xlarge', 192, 4096, 'b300', 8],
]

/** GPU types without instance storage; all others have some. */
const WITHOUT_DISKS = /^(?:p3|g5g)\./

/** Kinds of GPU that AWS no longer has → the closest replacement. */
export const RETIRED: Readonly<Record<string, string>> = { k80: 't4', m60: 't4' }

const sizeName = (cpu: number): string => (cpu === 2 ? 'large' : cpu === 4 ? 'xlarge' : `${cpu / 4}xlarge`)

export const CATALOGUE: readonly TypeFacts[] = [
  ...SMALL.map(([name, cpu, memoryGiB, arch = 'x86_64']) => ({ name, arch, cpu, memoryGiB, local: false })),
  ...Object.entries(FAMILIES).flatMap(([family, { arch, ratio, cpus, local = false }]) =>
    cpus.map((cpu) => ({ name: `${family}.${sizeName(cpu)}`, arch, cpu, memoryGiB: cpu * ratio, local })),
  ),
  ...GPUS.map(([name, cpu, memoryGiB, kind, count, arch = 'x86_64']) => ({
    name,
    arch,
    cpu,
    memoryGiB,
    gpu: { kind, count },
    local: !WITHOUT_DISKS.test(name),
  })),
].map((facts, rank) => ({ ...facts, rank }))

export const GPU_KINDS: readonly string[] = [...new Set(GPUS.map(([, , , kind]) => kind))]
