/** The machine that a user asks for → the types in a vendor's list that fit about equally well, the best first. */

import type { GpuRequest } from './option.ts'

/** A request for a machine, before any cloud has turned it into one of its own types. */
export interface SizeRequest {
  /** Generic (`s m l xl`, `m+t4`) or the cloud's own type. */
  readonly machine?: string
  /** Virtual CPUs. */
  readonly cpu?: number
  readonly memoryBytes?: number
  readonly gpu?: GpuRequest
  /** With local disks, which then hold the folder of the machine. */
  readonly scratch?: boolean
}

export type Arch = 'x86_64' | 'arm64'

export interface TypeFacts {
  readonly name: string
  readonly arch: Arch
  readonly cpu: number
  readonly memoryGiB: number
  readonly gpu?: { readonly kind: string; readonly count: number }
  /** It has, or can have, local disks: what is on them is lost with the machine. */
  readonly local?: boolean
  /** If several fit equally well, newer ones are taken first. */
  readonly rank: number
}

/** A vendor's list. */
export interface Catalogue<T extends TypeFacts> {
  readonly types: readonly T[]
  /** The kind of a GPU, as the list names it. */
  readonly kindOf: (written: string) => string
  /** Kinds that are used only if they are named: the usual image does not drive them, or they cost far more than others that would do. */
  readonly shy: readonly string[]
}

const ENOUGH = 12
/** How many times larger than the smallest fitting type a type may be: a market also picks the dearest, if it has nothing else. */
const REACH = 2

interface Floor {
  readonly cpu: number
  readonly memoryGiB: number
}

/** Sizes that every cloud has, as large as those of TPI. */
export const GENERIC: Readonly<Record<string, Floor>> = {
  s: { cpu: 1, memoryGiB: 1 },
  m: { cpu: 8, memoryGiB: 32 },
  l: { cpu: 32, memoryGiB: 128 },
  xl: { cpu: 64, memoryGiB: 256 },
}

/** GPUs of a generic size with a kind; where the vendor sells no such number, the next larger one. */
const GENERIC_GPUS: Readonly<Record<string, number>> = { m: 1, l: 4, xl: 8 }

const SUFFIX = /^(s|m|l|xl)((?:\+[a-z0-9-]+)*)$/

export const namedSize = (request: SizeRequest): string | undefined => request.machine?.trim().toLowerCase() || undefined

/** Whether it names one of the vendor's types: it is neither absent nor one of the sizes that every cloud has. */
export const isNative = (named: string | undefined): named is string => named !== undefined && !SUFFIX.test(named)

export function fittingTypes<T extends TypeFacts>({ types, kindOf, shy }: Catalogue<T>, request: SizeRequest): readonly T[] {
  const { floor, arm, gpu } = demandOf(namedSize(request), request)
  const kind = gpu?.kind === undefined ? undefined : kindOf(gpu.kind)
  const alike = types.filter((type) => kind !== undefined && type.gpu?.kind === kind)
  // Some GPUs are sold only with processors of ARM.
  const arch = arm || (alike.length > 0 && alike.every((type) => type.arch === 'arm64')) ? 'arm64' : 'x86_64'
  const fits = (type: T): boolean => {
    if (type.arch !== arch || type.cpu < floor.cpu || type.memoryGiB < floor.memoryGiB) return false
    if (request.scratch && !type.local) return false
    if (!gpu) return type.gpu === undefined
    if (type.gpu === undefined || type.gpu.count < gpu.count) return false
    return kind === undefined ? !shy.includes(type.gpu.kind) : type.gpu.kind === kind
  }
  const fit = types.filter(fits).sort(better)
  const [least] = fit
  if (!least) return []
  return fit.filter((type) => type.gpu?.count === least.gpu?.count && weight(type) <= weight(least) * REACH).slice(0, ENOUGH)
}

interface Demand {
  readonly floor: Floor
  /** It asks for processors of ARM. */
  readonly arm: boolean
  readonly gpu?: GpuRequest
}

function demandOf(named: string | undefined, request: SizeRequest): Demand {
  const [, size, suffixes = ''] = SUFFIX.exec(named ?? '') ?? []
  const words = suffixes.split('+').filter((word) => word !== '')
  const kind = words.find((word) => word !== 'arm')
  const gpu = request.gpu ?? (kind === undefined ? undefined : { kind, count: GENERIC_GPUS[size ?? 'm'] ?? 1 })
  // A named GPU decides; processors and memory of a generic size are those of machines without.
  const floor = gpu || size === undefined ? { cpu: 1, memoryGiB: 1 } : (GENERIC[size] ?? { cpu: 1, memoryGiB: 1 })
  const asked = {
    cpu: request.cpu ?? floor.cpu,
    memoryGiB: request.memoryBytes === undefined ? floor.memoryGiB : request.memoryBytes / 2 ** 30,
  }
  const usual = named === undefined && !request.gpu && request.cpu === undefined && request.memoryBytes === undefined
  return {
    floor: usual ? (GENERIC['m'] ?? floor) : asked,
    arm: words.includes('arm'),
    ...(gpu && { gpu }),
  }
}

/** Fewest GPUs first, then the least excess, then the newest. */
function better(a: TypeFacts, b: TypeFacts): number {
  return (a.gpu?.count ?? 0) - (b.gpu?.count ?? 0) || weight(a) - weight(b) || b.rank - a.rank
}

/** A vCPU costs about as much as four GiB. */
const weight = ({ cpu, memoryGiB }: TypeFacts): number => cpu + memoryGiB / 4

/** With which option a request that no type fits was made, and the kind of GPU as written. */
export function unfitting(request: SizeRequest): { readonly option: string; readonly kind?: string } {
  const kind = request.gpu?.kind ?? /\+(?!arm\b)([a-z0-9-]+)/.exec(namedSize(request) ?? '')?.[1]
  if (kind !== undefined) return { option: request.gpu?.kind === kind ? 'gpu' : 'machine', kind }
  return { option: request.gpu ? 'gpu' : request.cpu === undefined ? (request.memoryBytes === undefined ? 'machine' : 'memory') : 'cpu' }
}
