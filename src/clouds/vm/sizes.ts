/** Faults of a size that a vendor does not have, in the same words for each vendor; and how names of types and GPUs are read. */
import type { Fault } from '../../core/errors.ts'
import { fittingTypes, isNative, namedSize, type SizeRequest, type TypeFacts, unfitting } from '../../core/size.ts'
import { listed } from '../../lib/text.ts'

/**
 * The largest number of types in a group of AWS: https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_LaunchTemplateOverrides.html
 * (InstanceType); for the other vendors it is more than anybody lists by hand.
 */
export const MOST_TYPES = 40

/** The names of types in the user's text, which separates them by commas. */
export const typeNames = (text: string): readonly string[] => text.split(/[\s,]+/).filter((name) => name !== '')

/** A kind of GPU without the maker's name and the brand, which people may write before it. */
export const plainKind = (written: string): string => written.toLowerCase().replace(/^(?:nvidia-)?(?:tesla-)?/, '')

export interface SizeWords {
  readonly vendor: string
  /** Matches the name of a type. */
  readonly native: RegExp
  /** The fault if types exist but cannot share a group. */
  readonly mixed: string
  /** What the user should write. */
  readonly how: string
  /** The vendor's largest type. */
  readonly largest: string
  readonly kindOf: (written: string) => string
  readonly kinds: readonly string[]
  /** Kinds of GPU that the vendor no longer has → the closest replacement. */
  readonly retired: Readonly<Record<string, string>>
}

/** `fits`: the vendor has a type for the request. */
export function sizeFaultsBy(
  words: SizeWords,
  all: readonly TypeFacts[],
  request: SizeRequest,
  fits: (request: SizeRequest) => boolean,
): Fault[] {
  if (fits(request)) return []
  return fits({ ...request, scratch: false }) ? faultsOfScratch(words, all, request) : faultsOfSize(words, request)
}

/** Faults of a request that no type satisfies. */
function faultsOfSize({ vendor, native, mixed, how, largest, kindOf, kinds, retired }: SizeWords, request: SizeRequest): Fault[] {
  const named = namedSize(request)
  const { option, kind } = unfitting(request)
  const instead = kind === undefined ? undefined : retired[kindOf(kind)]
  if (instead !== undefined)
    return [{ option, message: `${vendor} no longer has machines with the GPU "${kind}"`, hint: `write ${instead} instead` }]
  if (kind !== undefined && !kinds.includes(kindOf(kind)))
    return [{ option, message: `${vendor} has no machines with the GPU "${kind}"`, hint: `allowed: ${kinds.join(', ')}` }]
  if (isNative(named)) {
    const types = typeNames(named)
    const many = types.length > MOST_TYPES ? `has ${types.length} types, but a group takes at most ${MOST_TYPES}` : undefined
    const odd = types.every((name) => native.test(name)) ? mixed : `is not a machine type of ${vendor}`
    return [{ option: 'machine', message: `"${request.machine}" ${many ?? odd}`, hint: how }]
  }
  return [
    {
      option,
      message: `no machine type of ${vendor} has that many processors, that much memory and such GPUs at once`,
      hint: `ask for less, or name types: machine: ${largest}`,
    },
  ]
}

/** Number of types that a hint names. */
const NAMED = 4

/** Faults of a request that could be satisfied without `scratch`. */
function faultsOfScratch(
  { vendor, kindOf }: Pick<SizeWords, 'vendor' | 'kindOf'>,
  all: readonly TypeFacts[],
  request: SizeRequest,
): Fault[] {
  const named = namedSize(request)
  const written = isNative(named) ? typeNames(named).map((text) => text.split('+')[0] ?? '') : []
  const lacking = all.filter(({ name, local }) => !local && written.includes(name.toLowerCase()))
  if (isNative(named) && lacking.length === 0) return []
  const [like] = lacking
  const instead = fittingTypes(
    { types: all.filter(({ local }) => local), kindOf, shy: [] },
    { ...similarRequest(like, request), scratch: true },
  )
  const hint = `these have: ${listed(instead.slice(0, NAMED).map(({ name }) => name))}`
  if (!like) return [{ option: 'scratch', message: `no such machine type of ${vendor} has local disks`, hint }]
  return [noLocalDisk(vendor, [...new Set(lacking.map(({ name }) => name))], hint)]
}

/** `types`: those that the user named although machines should have local disks. */
export function noLocalDisk(vendor: string, types: readonly string[], hint: string): Fault {
  const message = `${listed(types, 'and')} of ${vendor} ${types.length === 1 ? 'has' : 'have'} no local disk`
  return { option: 'scratch', message, hint }
}

/** A request for which types can be suggested: as large as `like`, the named type, if there is one; with a GPU of any kind if one is wanted. */
function similarRequest(like: TypeFacts | undefined, request: SizeRequest): SizeRequest {
  if (!like) {
    const { option, kind } = unfitting(request)
    const wantsGpu = option === 'gpu' || kind !== undefined
    return wantsGpu ? { gpu: { count: request.gpu?.count ?? 1 } } : {}
  }
  const { arch, cpu, memoryGiB, gpu } = like
  return { machine: arch === 'arm64' ? 's+arm' : 's', cpu, memoryBytes: memoryGiB * 2 ** 30, ...(gpu && { gpu: { count: gpu.count } }) }
}
