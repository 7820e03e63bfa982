/** A user's request for a machine → sizes that all satisfy it, the best first. */
import type { Fault } from '../../core/errors.ts'
import { type Arch, fittingTypes, isNative, namedSize, type SizeRequest, type TypeFacts } from '../../core/size.ts'
import { plainKind, type SizeWords, sizeFaultsBy, typeNames } from '../vm/sizes.ts'
import { CATALOGUE, GPU_KINDS, isBurstable, NO_DRIVER, RETIRED } from './machine-types.ts'

export interface TypeChoice {
  /** Best first. */
  readonly types: readonly string[]
  readonly arch: Arch
}

/** Most sizes of one set. https://learn.microsoft.com/azure/virtual-machine-scale-sets/instance-mix-overview */
const MOST_MIXED = 5
const MIXED = /^standard_[abdef]\d/i
const NATIVE = /^standard_[a-z]+\d[a-z0-9_-]*$/
/**
 * A `p` among the letters after the number: https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions · GB200 and GB300 have processors
 * of ARM without it: https://learn.microsoft.com/azure/virtual-machines/sizes/gpu-accelerated/nd-gb200-v6-series
 */
const ARM = /^standard_[a-z]+\d+[a-z]*p|_gb\d00_/i

/**
 * Sizes with a GPU of NVIDIA, even those that are not in the list: their family says so.
 * https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions
 */
const WITH_GPU = /^standard_n[cdv](?!.*_(?:mi300x|v710)_)/i

/** Whether machines have a GPU of NVIDIA. */
export const hasGpu = ({ types }: Pick<TypeChoice, 'types'>): boolean => types.some((type) => WITH_GPU.test(type))

/** Several sizes can share a set only if all are of these families. */
export const mixes = (types: readonly string[]): boolean => types.length > 1 && types.every((name) => MIXED.test(name))

/** `undefined`: there is no such machine; `sizeFaults` says why. `spot`: on the spot market. */
export function typesOf(request: SizeRequest, spot: boolean): TypeChoice | undefined {
  const named = namedSize(request)
  if (isNative(named)) return nativeTypes(named, request)
  // The local disk of burstable sizes is smaller than the image.
  const types = spot || request.scratch ? CATALOGUE.filter(({ name }) => !isBurstable(name)) : CATALOGUE
  const fit = fittingTypes({ types, kindOf, shy: Object.keys(NO_DRIVER) }, request)
  const [least] = fit
  if (!least) return undefined
  const { gpu } = least
  if (gpu)
    return choiceOf(
      fit.filter((size) => size.gpu?.kind === gpu.kind),
      least,
    )
  if (isBurstable(least.name)) return choiceOf([least], least)
  // A size costs more than the same one without a temporary disk.
  const steady = fit.filter(({ name }) => !isBurstable(name))
  const plain = steady.filter(({ local }) => !local)
  return choiceOf(plain.length > 0 ? plain : steady, least)
}

function choiceOf(sizes: readonly TypeFacts[], { arch }: TypeFacts): TypeChoice {
  return { types: sizes.slice(0, MOST_MIXED).map(({ name }) => name), arch }
}

function kindOf(kind: string): string {
  const plain = plainKind(kind)
  return plain === 'a100-80gb' ? 'a100' : plain
}

/** The vendor's sizes, separated by commas: all in one set, or one after the other if a set takes only one. */
function nativeTypes(text: string, { scratch }: SizeRequest): TypeChoice | undefined {
  const types = typeNames(text)
  if (types.length === 0 || types.length > MOST_MIXED || !types.every((name) => NATIVE.test(name))) return undefined
  const known = types.map((name) => CATALOGUE.find((size) => size.name.toLowerCase() === name))
  if (scratch && known.some((size) => size?.local === false)) return undefined
  const archs = new Set(types.map((name, at) => known[at]?.arch ?? (ARM.test(name) ? 'arm64' : 'x86_64')))
  const [arch] = archs
  const gpus = new Set(known.map((size) => size?.gpu?.kind))
  if (!arch || archs.size > 1 || gpus.size > 1) return undefined
  return { types: types.map((name, at) => known[at]?.name ?? name), arch }
}

const WORDS: SizeWords = {
  vendor: 'Azure',
  native: NATIVE,
  mixed: 'mixes sizes of x86-64 and of arm64, or different GPUs, which cannot share an image',
  how: 'write s, m, l or xl, with +arm or a GPU such as +t4, or up to five sizes between commas, such as Standard_D8s_v5, Standard_D8as_v5',
  largest: 'Standard_D96s_v5',
  kindOf,
  kinds: GPU_KINDS,
  retired: RETIRED,
}

export function sizeFaults(request: SizeRequest, spot: boolean): Fault[] {
  const named = namedSize(request)
  if (isNative(named) && typeNames(named).length > MOST_MIXED)
    return [
      { option: 'machine', message: `"${request.machine}" has more than the ${MOST_MIXED} sizes that a set takes`, hint: 'name fewer' },
    ]
  return sizeFaultsBy(WORDS, CATALOGUE, request, (one) => typesOf(one, spot) !== undefined)
}
