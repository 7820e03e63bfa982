/** A request for a machine → resources of a container. */
import type { Fault } from '../../core/errors.ts'
import { GENERIC, type SizeRequest } from '../../core/size.ts'

export interface Resources {
  /** Cores. */
  readonly cpu?: number
  readonly memoryBytes?: number
  readonly gpus?: number
  /** Label value of the wanted kind of GPU. */
  readonly accelerator?: string
}

const GB = 1_000_000_000

/** The sizes that every cloud has. A GB here is 10^9 bytes, not 2^30, because a node keeps some of its memory for itself. */
const generic = Object.fromEntries(
  Object.entries(GENERIC).map(([name, { cpu, memoryGiB }]) => [name, { cpu, memoryBytes: memoryGiB * GB }]),
)

/** These, and the names that TPI had for this cloud. */
const SIZES: Readonly<Record<string, Resources>> = {
  ...generic,
  xs: { cpu: 0.5, memoryBytes: GB / 2 },
  'm+t4': { cpu: 4, memoryBytes: 16 * GB, gpus: 1, accelerator: 'nvidia-tesla-t4' },
  'l+t4': { cpu: 32, memoryBytes: 128 * GB, gpus: 4, accelerator: 'nvidia-tesla-t4' },
  'xl+t4': { cpu: 64, memoryBytes: 256 * GB, gpus: 8, accelerator: 'nvidia-tesla-t4' },
  'm+v100': { cpu: 8, memoryBytes: 64 * GB, gpus: 1, accelerator: 'nvidia-tesla-v100' },
  'l+v100': { cpu: 32, memoryBytes: 256 * GB, gpus: 4, accelerator: 'nvidia-tesla-v100' },
  'xl+v100': { cpu: 64, memoryBytes: 512 * GB, gpus: 8, accelerator: 'nvidia-tesla-v100' },
}

/** `cpu-memoryMB`, `cpu-memoryMB+accelerator`, `cpu-memoryMB+accelerator*count` */
const NATIVE = /^(\d+(?:\.\d+)?)-(\d+)(?:\+([a-z0-9][a-z0-9._-]*)(?:\*(\d+))?)?$/i

/** The resources that a machine type means; `undefined`: there is no such type. */
export function machineOf(name: string): Resources | undefined {
  if (Object.hasOwn(SIZES, name)) return SIZES[name]
  const match = NATIVE.exec(name)
  if (!match) return undefined
  const [, cpu, memory, accelerator, count] = match
  return { cpu: Number(cpu), memoryBytes: Number(memory) * 1_000_000, ...(accelerator && { accelerator, gpus: Number(count ?? 1) }) }
}

/** The resources of the named machine type, except for those that were requested separately. */
export function resourcesOf(request: SizeRequest): Resources {
  const machine = request.machine === undefined ? {} : (machineOf(request.machine) ?? {})
  return {
    ...machine,
    ...(request.cpu !== undefined && { cpu: request.cpu }),
    ...(request.memoryBytes !== undefined && { memoryBytes: request.memoryBytes }),
    ...(request.gpu && { gpus: request.gpu.count, ...(request.gpu.kind !== undefined && { accelerator: request.gpu.kind }) }),
  }
}

export function sizeFaults(request: SizeRequest): Fault[] {
  if (request.machine === undefined || machineOf(request.machine)) return []
  const known = Object.keys(SIZES).join(', ')
  return [
    {
      option: 'machine',
      message: `"${request.machine}" is not a machine type of cloud k8s`,
      hint: `write ${known}, or CPU-MEMORYMB[+ACCELERATOR*COUNT]`,
    },
  ]
}

/** Bytes of tpi's runtime on the pod's disk: they count, too, when a kubelet measures the pod. */
const OUR_DISK = 300_000_000

/** To be used as requests and as limits: a pod then gets what it was promised, and is not evicted for using more than it requested. */
export function quantities(resources: Resources, diskBytes: number | undefined): Record<string, string> {
  const { cpu, memoryBytes, gpus } = resources
  return {
    ...(cpu !== undefined && { cpu: `${Math.round(cpu * 1000)}m` }),
    ...(memoryBytes !== undefined && { memory: String(memoryBytes) }),
    ...(diskBytes !== undefined && { 'ephemeral-storage': String(diskBytes + OUR_DISK) }),
    ...(gpus !== undefined && gpus > 0 && { 'nvidia.com/gpu': String(gpus) }),
  }
}
