/** A user's request for a machine → instance types that all satisfy it, the best first. */
import type { Fault } from '../../core/errors.ts'
import { type Arch, fittingTypes, isNative, namedSize, type SizeRequest } from '../../core/size.ts'
import { MOST_TYPES, plainKind, type SizeWords, sizeFaultsBy, typeNames } from '../vm/sizes.ts'
import { CATALOGUE, GPU_KINDS, RETIRED } from './machine-types.ts'

export interface TypeChoice {
  /** Best first; at most `MOST_TYPES`. */
  readonly types: readonly string[]
  /** Absent: only the account knows it, because the types are not in the list. */
  readonly arch?: Arch
}

const NATIVE = /^[a-z][a-z0-9-]*\.(?:nano|micro|small|medium|x?large|\d+xlarge|metal(?:-\d+xl)?)$/

/** GPUs that nobody gets who asks for just any: the usual image has no driver for the first, the others cost far more. */
const SHY = ['v100', 'rtx-pro-6000', 'b200', 'b300']

/** `undefined`: there is no such machine; `sizeFaults` says why. */
export function typesOf(request: SizeRequest): TypeChoice | undefined {
  const named = namedSize(request)
  if (isNative(named)) return nativeTypes(named, request)
  // A type costs more than the same one without local disks.
  const types = request.scratch ? CATALOGUE : CATALOGUE.filter(({ gpu, local }) => gpu !== undefined || !local)
  const fit = fittingTypes({ types, kindOf, shy: SHY }, request)
  const [least] = fit
  return least && { types: fit.map(({ name }) => name), arch: least.arch }
}

function kindOf(kind: string): string {
  const plain = plainKind(kind)
  return plain === 'a10' ? 'a10g' : plain
}

/** One or several types of the vendor's, separated by commas: they stay in the user's order. */
function nativeTypes(text: string, { scratch }: SizeRequest): TypeChoice | undefined {
  const types = typeNames(text)
  if (types.length === 0 || types.length > MOST_TYPES || !types.every((name) => NATIVE.test(name))) return undefined
  const known = types.map((name) => CATALOGUE.find((type) => type.name === name))
  if (scratch && known.some((type) => type?.local === false)) return undefined
  const archs = new Set(known.map((type) => type?.arch))
  const [arch] = archs
  if (archs.size > 1 && !archs.has(undefined)) return undefined
  return { types, ...(archs.size === 1 && arch !== undefined && { arch }) }
}

const WORDS: SizeWords = {
  vendor: 'AWS',
  native: NATIVE,
  mixed: 'mixes types of x86-64 and of arm64, and one image fits only one of them',
  how: 'write s, m, l or xl, with +arm or a GPU such as +t4, or types of EC2 between commas, such as m7i.2xlarge, m6i.2xlarge',
  largest: 'm7i.48xlarge',
  kindOf,
  kinds: GPU_KINDS,
  retired: RETIRED,
}

export const sizeFaults = (request: SizeRequest): Fault[] => sizeFaultsBy(WORDS, CATALOGUE, request, (one) => typesOf(one) !== undefined)
