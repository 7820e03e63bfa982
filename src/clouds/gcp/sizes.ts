/** A user's request for a machine → machine types that all satisfy it, the best first. */
import type { Fault } from '../../core/errors.ts'
import { type Arch, fittingTypes, isNative, namedSize, type SizeRequest } from '../../core/size.ts'
import { MOST_TYPES, plainKind, type SizeWords, sizeFaultsBy, typeNames } from '../vm/sizes.ts'
import { acceleratorOf, CATALOGUE, type DiskKind, disksOf, type GoogleType, GPU_KINDS, OLD_GPUS, RETIRED } from './machine-types.ts'

export interface TypeChoice {
  /** Best first. */
  readonly types: readonly string[]
  readonly arch: Arch
  readonly disk: DiskKind
  /** GPUs that are added to each machine, if any. */
  readonly added?: { readonly type: string; readonly count: number }
  /** Local disks that are added to each machine. */
  readonly ssds?: number
  /** The GPU, whether it is added or a part of the type. */
  readonly gpu?: { readonly kind: string; readonly count: number }
}

const NATIVE = /^[a-z][a-z0-9]*-[a-z0-9]+(?:-[a-z0-9]+)*(?:\+([a-z0-9-]+)\*(\d+))?$/

/** Series with ARM processors, for types that are not in the list. (A5X has NVIDIA's Vera.) */
const ARM = /^(?:t2a|c4a|n4a|a4x|a5x)-/
/**
 * Types with the newer kind of disks, for types that are not in the list: all series from the fourth generation on, a few of the third, and
 * whole machines. https://cloud.google.com/compute/docs/reference/rest/v1/instances (initializeParams.diskType) ·
 * https://docs.cloud.google.com/compute/docs/disks/hyperdisks#machine-type-support
 */
const NEWER = /^(?:[a-z][4-9]|z3-|a3-ultragpu-)|-metal$/

/** Types with a GPU of their own, by their series, for types that are not in the list. (g1-small, of an old series, has none.) */
const WITH_GPU = /^(?:a|g(?!1-))\d/
/** Types that stop when their host is maintained. https://docs.cloud.google.com/compute/docs/instances/setting-vm-host-options#limitations */
const FIXED = /^h4d-|-metal$/

/** Whether machines have a GPU, even of a type that is not in the list. */
export const hasGpu = ({ types, gpu }: Pick<TypeChoice, 'types' | 'gpu'>): boolean =>
  gpu !== undefined || types.some((type) => WITH_GPU.test(type))

/** Whether a machine can move to another host while it works. */
export const canMove = (choice: Pick<TypeChoice, 'types' | 'gpu'>): boolean =>
  !hasGpu(choice) && !choice.types.some((type) => FIXED.test(type))

/** `undefined`: there is no such machine; `sizeFaults` says why. */
export function typesOf(request: SizeRequest): TypeChoice | undefined {
  const named = namedSize(request)
  if (isNative(named)) return nativeTypes(named, request)
  const fit = fittingTypes({ types: CATALOGUE, kindOf: plainKind, shy: OLD_GPUS }, request)
  const [least] = fit
  if (!least) return undefined
  const disks = (one: GoogleType): number | undefined => (request.scratch ? one.ssds : 0)
  // All types share one template, so they must have the same kind of disk, the same number of local disks, and the same GPU. Without a GPU, the
  // largest set of such types is taken.
  const alike = (one: GoogleType): readonly GoogleType[] =>
    fit.filter((other) => other.disk === one.disk && disks(other) === disks(one) && other.gpu?.kind === one.gpu?.kind)
  // A GPU that is added belongs to the type in the template: the group has no other.
  if (least.added) return choiceOf(least, [least], request)
  const chosen = least.gpu ? alike(least) : fit.map(alike).reduce((most, next) => (next.length > most.length ? next : most))
  return choiceOf(chosen[0] ?? least, chosen, request)
}

function choiceOf(
  { arch, disk, added, gpu, ssds }: Omit<GoogleType, 'name' | 'cpu' | 'memoryGiB' | 'rank'>,
  types: readonly { name: string }[],
  { scratch }: SizeRequest,
): TypeChoice {
  const names = types.map(({ name }) => name)
  return { types: names, arch, disk, ...(added && { added }), ...(gpu && { gpu }), ...(scratch && ssds !== undefined && { ssds }) }
}

/** One or several types of the vendor's, separated by commas, or one with a GPU that is added, as TPI wrote it: `n1-standard-4+nvidia-tesla-t4*1`. */
function nativeTypes(text: string, request: SizeRequest): TypeChoice | undefined {
  const names = typeNames(text)
  if (names.length === 0 || names.length > MOST_TYPES || !names.every((name) => NATIVE.test(name))) return undefined
  const facts = names.map(factsOf)
  const [least] = facts
  if (!least || facts.some(({ arch, disk }) => arch !== least.arch || disk !== least.disk)) return undefined
  if (facts.length > 1 && facts.some(({ added }) => added)) return undefined
  if (request.scratch && facts.some(({ local, ssds }) => !local || ssds !== least.ssds)) return undefined
  return choiceOf(least, facts, request)
}

function factsOf(text: string): GoogleType {
  const [name = text, accelerator] = text.split('+')
  const [written, count] = (accelerator ?? '').split('*')
  const known = CATALOGUE.find((type) => type.name === name && type.added === undefined)
  const kind = plainKind(written ?? '')
  const cpu = Number(/-(\d+)(?:-lssd)?$/.exec(name)?.[1] ?? 1)
  const plain: GoogleType = known ?? {
    name,
    arch: ARM.test(name) ? 'arm64' : 'x86_64',
    disk: NEWER.test(name) ? 'hyperdisk-balanced' : 'pd-balanced',
    ...disksOf(name, cpu),
    cpu,
    memoryGiB: 0,
    rank: 0,
  }
  if (accelerator === undefined) return plain
  return { ...plain, gpu: { kind, count: Number(count) }, added: { type: acceleratorOf(kind), count: Number(count) } }
}

const WORDS: SizeWords = {
  vendor: 'Google Cloud',
  native: NATIVE,
  mixed: 'mixes types that cannot share an image and a disk: of x86-64 and of arm64, or of older and newer series',
  how: 'write s, m, l or xl, with +arm or a GPU such as +t4, or types of Compute Engine between commas, such as n2-standard-8, n2d-standard-8, or n1-standard-4+nvidia-tesla-t4*1',
  largest: 'c3d-standard-360',
  kindOf: plainKind,
  kinds: GPU_KINDS,
  retired: RETIRED,
}

export function sizeFaults(request: SizeRequest): Fault[] {
  const named = namedSize(request)
  if (isNative(named) && named.includes('+') && typeNames(named).length > 1)
    return [
      {
        option: 'machine',
        message: `"${request.machine}" has several types, but a type with an added GPU is used alone`,
        hint: 'name one',
      },
    ]
  return sizeFaultsBy(WORDS, CATALOGUE, request, (one) => typesOf(one) !== undefined)
}
