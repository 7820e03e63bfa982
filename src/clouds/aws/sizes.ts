/** What a user wishes a machine to be → instance types that are all as good, the best first. */
import type { Fault } from '../../core/errors.ts'
import type { SizeWish } from '../../core/size.ts'
import { type Arch, CATALOGUE, GPU_KINDS, RETIRED, type TypeFacts } from './catalogue.ts'

export interface TypeChoice {
  /** Best first; at most `MOST_TYPES`. */
  readonly types: readonly string[]
  /** Absent: only the account knows types of these names. */
  readonly arch?: Arch
}

/** Overrides that a mixed-instances group takes. https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-quotas.html */
export const MOST_TYPES = 40
const ENOUGH = 12
/** A type may have as many times what the least one that fits has: a market picks the dearest, too, when it has nothing else. */
const REACH = 2

interface Floor {
  readonly cpu: number
  readonly memoryGiB: number
}

/** As large as those of TPI. */
const GENERIC: Readonly<Record<string, Floor>> = {
  s: { cpu: 1, memoryGiB: 1 },
  m: { cpu: 8, memoryGiB: 32 },
  l: { cpu: 32, memoryGiB: 128 },
  xl: { cpu: 64, memoryGiB: 256 },
}

/** GPUs of a generic size with a kind; where the vendor sells no such number, the next larger one. */
const GENERIC_GPUS: Readonly<Record<string, number>> = { m: 1, l: 4, xl: 8 }

const NATIVE = /^[a-z][a-z0-9-]*\.(?:nano|micro|small|medium|large|x?large|\d+xlarge|metal(?:-\d+xl)?)$/

const SUFFIX = /^(s|m|l|xl)((?:\+[a-z0-9-]+)*)$/

/** `undefined`: no such machine; `wishFaults` says why. */
export function typesOf(wish: SizeWish): TypeChoice | undefined {
  const named = wish.machine?.trim().toLowerCase()
  if (named !== undefined && named !== '' && !SUFFIX.test(named)) return nativeTypes(named)
  const { floor, arch, gpu } = demandOf(named, wish)
  const fit = CATALOGUE.filter((type) => type.arch === arch && fits(type, floor, gpu)).sort(better)
  const [least] = fit
  if (!least) return undefined
  const near = fit.filter((type) => type.gpu?.count === least.gpu?.count && weight(type) <= weight(least) * REACH)
  return { types: near.slice(0, ENOUGH).map(({ name }) => name), arch }
}

interface Demand {
  readonly floor: Floor
  readonly arch: Arch
  readonly gpu?: { readonly kind?: string; readonly count: number }
}

function demandOf(named: string | undefined, wish: SizeWish): Demand {
  const [, size, suffixes = ''] = SUFFIX.exec(named ?? '') ?? []
  const words = suffixes.split('+').filter((word) => word !== '')
  const kind = words.find((word) => word !== 'arm')
  const gpu = wish.gpu ?? (kind === undefined ? undefined : { kind, count: GENERIC_GPUS[size ?? 'm'] ?? 1 })
  // Whoever names a GPU means that; processors and memory of a generic size are those of machines without.
  const floor = gpu || size === undefined ? { cpu: 1, memoryGiB: 1 } : (GENERIC[size] ?? { cpu: 1, memoryGiB: 1 })
  const asked = {
    cpu: wish.cpu ?? floor.cpu,
    memoryGiB: wish.memoryBytes === undefined ? floor.memoryGiB : wish.memoryBytes / 2 ** 30,
  }
  const usual = named === undefined && !wish.gpu && wish.cpu === undefined && wish.memoryBytes === undefined
  return {
    floor: usual ? (GENERIC['m'] ?? floor) : asked,
    arch: words.includes('arm') ? 'arm64' : 'x86_64',
    ...(gpu && { gpu }),
  }
}

function fits(type: TypeFacts, { cpu, memoryGiB }: Floor, gpu: Demand['gpu']): boolean {
  if (type.cpu < cpu || type.memoryGiB < memoryGiB) return false
  if (!gpu) return type.gpu === undefined
  if (type.gpu === undefined || type.gpu.count < gpu.count) return false
  // The usual image does not drive the oldest kind: it comes to whoever names it.
  return gpu.kind === undefined ? type.gpu.kind !== 'v100' : type.gpu.kind === normalKind(gpu.kind)
}

function normalKind(kind: string): string {
  const plain = kind.toLowerCase().replace(/^(?:nvidia-)?(?:tesla-)?/, '')
  return plain === 'a10' ? 'a10g' : plain
}

/** Fewest GPUs, then the least that is too much, then the newest. */
function better(a: TypeFacts, b: TypeFacts): number {
  return (a.gpu?.count ?? 0) - (b.gpu?.count ?? 0) || weight(a) - weight(b) || b.rank - a.rank
}

/** A vCPU costs about as much as four GiB. */
const weight = ({ cpu, memoryGiB }: TypeFacts): number => cpu + memoryGiB / 4

/** A type of the vendor's, or several between commas: in the order that was written. */
function nativeTypes(text: string): TypeChoice | undefined {
  const types = text.split(/[\s,]+/).filter((name) => name !== '')
  if (types.length === 0 || types.length > MOST_TYPES || !types.every((name) => NATIVE.test(name))) return undefined
  const archs = new Set(types.map((name) => CATALOGUE.find((type) => type.name === name)?.arch))
  const [arch] = archs
  if (archs.size > 1 && !archs.has(undefined)) return undefined
  return { types, ...(archs.size === 1 && arch !== undefined && { arch }) }
}

export function sizeFaults(wish: SizeWish): Fault[] {
  if (typesOf(wish)) return []
  const named = wish.machine?.trim().toLowerCase()
  const kind = wish.gpu?.kind ?? /\+(?!arm\b)([a-z0-9-]+)/.exec(named ?? '')?.[1]
  const instead = kind === undefined ? undefined : RETIRED[normalKind(kind)]
  const option = wish.gpu?.kind !== undefined && wish.gpu.kind === kind ? 'gpu' : 'machine'
  if (instead !== undefined)
    return [{ option, message: `AWS no longer has machines with the GPU "${kind}"`, hint: `write ${instead} instead` }]
  if (kind !== undefined && !GPU_KINDS.includes(normalKind(kind)))
    return [{ option, message: `AWS has no machines with the GPU "${kind}"`, hint: `allowed: ${GPU_KINDS.join(', ')}` }]
  const native = named !== undefined && named !== '' && !SUFFIX.test(named)
  if (native) return [{ option: 'machine', message: `"${wish.machine}" ${nativeFault(named)}`, hint: HOW }]
  return [
    {
      option: wish.gpu ? 'gpu' : wish.cpu === undefined ? (wish.memoryBytes === undefined ? 'machine' : 'memory') : 'cpu',
      message: 'no instance type of AWS has that many processors, that much memory and such GPUs at once',
      hint: 'ask for less, or name types: machine: m7i.48xlarge',
    },
  ]
}

const HOW = 'write s, m, l or xl, with +arm or a GPU such as +t4, or types of EC2 between commas, such as m7i.2xlarge, m6i.2xlarge'

function nativeFault(named: string): string {
  const types = named.split(/[\s,]+/).filter((name) => name !== '')
  if (types.length > MOST_TYPES) return `has ${types.length} types, but a group takes at most ${MOST_TYPES}`
  const odd = types.find((name) => !NATIVE.test(name))
  return odd === undefined ? 'mixes types of x86-64 and of arm64, and one image fits only one of them' : 'is not a machine type of AWS'
}
