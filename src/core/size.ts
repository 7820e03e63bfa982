/** From the machine that a user asks for to the types in a vendor's list that fit about equally well, the best first. */

import type { GpuRequest } from './option.ts'

/** What a user asks for, before a cloud has chosen one of its own types. */
export interface SizeRequest {
  /** A size that every cloud has (`s`, `m`, `l`, `xl`, also with a GPU: `m+t4`), or a type of the cloud. */
  readonly machine?: string
  /** Virtual CPUs. */
  readonly cpu?: number
  readonly memoryBytes?: number
  readonly gpu?: GpuRequest
  /** It must have local disks, on which the folder of the machine is put. */
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
  /** Higher for newer types: of several that fit equally well, these come first. */
  readonly rank: number
}

/** A vendor's list of types. */
export interface Catalogue<T extends TypeFacts> {
  readonly types: readonly T[]
  /** The kind of a GPU as the list names it, from what the user has written. */
  readonly kindOf: (written: string) => string
  /** Kinds of GPUs that are used only if the user names them: the usual image cannot use them, or they cost far more than others that would do. */
  readonly shy: readonly string[]
}

/** Types that are offered to the cloud, at most. */
const ENOUGH = 12
/** How many times larger than the smallest type that fits a type may be: if the cloud has nothing else, it takes the largest, which costs most. */
const REACH = 2

interface Floor {
  readonly cpu: number
  readonly memoryGiB: number
}

/** Sizes that every cloud has; the same as those of TPI. */
export const GENERIC: Readonly<Record<string, Floor>> = {
  s: { cpu: 1, memoryGiB: 1 },
  m: { cpu: 8, memoryGiB: 32 },
  l: { cpu: 32, memoryGiB: 128 },
  xl: { cpu: 64, memoryGiB: 256 },
}

/** How many GPUs a generic size with a GPU has. If the vendor does not sell this number, the next larger one counts. */
const GENERIC_GPUS: Readonly<Record<string, number>> = { m: 1, l: 4, xl: 8 }

const SUFFIX = /^(s|m|l|xl)((?:\+[a-z0-9-]+)*)$/

/** The size or type that the user names. */
export const namedSize = (request: SizeRequest): string | undefined => request.machine?.trim().toLowerCase() || undefined

/** It names a type of the vendor, and not a size that every cloud has. */
export const isNative = (named: string | undefined): named is string => named !== undefined && !SUFFIX.test(named)

/** The types that fit the request, the best first: with as few GPUs as possible, and not much larger than the smallest. Empty: none fits. */
export function fittingTypes<T extends TypeFacts>({ types, kindOf, shy }: Catalogue<T>, request: SizeRequest): readonly T[] {
  const { floor, arm, gpu } = demandOf(namedSize(request), request)
  const kind = gpu?.kind === undefined ? undefined : kindOf(gpu.kind)
  const alike = types.filter((type) => kind !== undefined && type.gpu?.kind === kind)
  // Some GPUs are sold only with ARM processors.
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
  /** ARM processors are asked for. */
  readonly arm: boolean
  readonly gpu?: GpuRequest
}

function demandOf(named: string | undefined, request: SizeRequest): Demand {
  const [, size, suffixes = ''] = SUFFIX.exec(named ?? '') ?? []
  const words = suffixes.split('+').filter((word) => word !== '')
  const kind = words.find((word) => word !== 'arm')
  const gpu = request.gpu ?? (kind === undefined ? undefined : { kind, count: GENERIC_GPUS[size ?? 'm'] ?? 1 })
  // With a GPU, the generic size only says how many: its processors and memory are those of machines without.
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

/** Fewest GPUs first, then the smallest, then the newest. */
function better(a: TypeFacts, b: TypeFacts): number {
  return (a.gpu?.count ?? 0) - (b.gpu?.count ?? 0) || weight(a) - weight(b) || b.rank - a.rank
}

/** A vCPU costs about as much as four GiB. */
const weight = ({ cpu, memoryGiB }: TypeFacts): number => cpu + memoryGiB / 4

/** For a request that no type fits: the option that asks for too much, and the kind of GPU as the user has written it. */
export function unfitting(request: SizeRequest): { readonly option: string; readonly kind?: string } {
  const kind = request.gpu?.kind ?? /\+(?!arm\b)([a-z0-9-]+)/.exec(namedSize(request) ?? '')?.[1]
  if (kind !== undefined) return { option: request.gpu?.kind === kind ? 'gpu' : 'machine', kind }
  if (request.gpu) return { option: 'gpu' }
  if (request.cpu !== undefined) return { option: 'cpu' }
  return { option: request.memoryBytes === undefined ? 'machine' : 'memory' }
}
