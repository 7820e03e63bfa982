/** What a user wishes a machine to be → instance types that are all as good, the best first. */
import type { Fault } from '../../core/errors.ts'
import { type Arch, fittingTypes, isNative, namedSize, unfitting } from '../../core/machine-types.ts'
import type { SizeWish } from '../../core/size.ts'
import { CATALOGUE, GPU_KINDS, RETIRED } from './catalogue.ts'

export interface TypeChoice {
  /** Best first; at most `MOST_TYPES`. */
  readonly types: readonly string[]
  /** Absent: only the account knows types of these names. */
  readonly arch?: Arch
}

/** Overrides that a mixed-instances group takes. https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-quotas.html */
export const MOST_TYPES = 40

const NATIVE = /^[a-z][a-z0-9-]*\.(?:nano|micro|small|medium|large|x?large|\d+xlarge|metal(?:-\d+xl)?)$/

/** `undefined`: no such machine; `sizeFaults` says why. */
export function typesOf(wish: SizeWish): TypeChoice | undefined {
  const named = namedSize(wish)
  if (isNative(named)) return nativeTypes(named)
  const fit = fittingTypes({ types: CATALOGUE, kindOf: normalKind, shy: ['v100'] }, wish)
  const [least] = fit
  return least && { types: fit.map(({ name }) => name), arch: least.arch }
}

function normalKind(kind: string): string {
  const plain = kind.toLowerCase().replace(/^(?:nvidia-)?(?:tesla-)?/, '')
  return plain === 'a10' ? 'a10g' : plain
}

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
  const named = namedSize(wish)
  const { option, kind } = unfitting(wish)
  const instead = kind === undefined ? undefined : RETIRED[normalKind(kind)]
  if (instead !== undefined)
    return [{ option, message: `AWS no longer has machines with the GPU "${kind}"`, hint: `write ${instead} instead` }]
  if (kind !== undefined && !GPU_KINDS.includes(normalKind(kind)))
    return [{ option, message: `AWS has no machines with the GPU "${kind}"`, hint: `allowed: ${GPU_KINDS.join(', ')}` }]
  if (isNative(named)) return [{ option: 'machine', message: `"${wish.machine}" ${nativeFault(named)}`, hint: HOW }]
  return [
    {
      option,
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
