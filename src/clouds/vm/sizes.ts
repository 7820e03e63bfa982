/** A size that a vendor does not have, in the same words for each. */
import type { Fault } from '../../core/errors.ts'
import { fittingTypes, isNative, namedSize, type SizeRequest, type TypeFacts, unfitting } from '../../core/size.ts'
import { listed } from '../../lib/text.ts'

/**
 * Types that a group takes: https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-quotas.html (overrides), and more than anybody
 * lists by hand for the others.
 */
export const MOST_TYPES = 40

/** Several types of the vendor's, between commas. */
export const typeNames = (text: string): readonly string[] => text.split(/[\s,]+/).filter((name) => name !== '')

export interface SizeWords {
  readonly vendor: string
  /** Names of types alone. */
  readonly native: RegExp
  /** What is wrong with types that exist and cannot be in one group. */
  readonly mixed: string
  /** What to write. */
  readonly how: string
  /** Its largest type. */
  readonly largest: string
  readonly kindOf: (written: string) => string
  readonly kinds: readonly string[]
  /** Kinds of GPU that it has had → what comes nearest. */
  readonly retired: Readonly<Record<string, string>>
}

/** `fits`: the vendor has a type for it. */
export function sizeFaultsBy(
  words: SizeWords,
  all: readonly TypeFacts[],
  request: SizeRequest,
  fits: (request: SizeRequest) => boolean,
): Fault[] {
  if (fits(request)) return []
  return fits({ ...request, scratch: false }) ? faultsOfScratch(words, all, request) : faultsOfSize(words, request)
}

/** Of a request for which there is no type. */
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

/** Types that a hint names. */
const NAMED = 4

/** Of a request that could be fulfilled without `scratch`. */
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
  const message = like
    ? `${listed([...new Set(lacking.map(({ name }) => name))], 'and')} of ${vendor} has no local disk`
    : `no such machine type of ${vendor} has local disks`
  const instead = fittingTypes({ types: all.filter(({ local }) => local), kindOf, shy: [] }, { ...freely(like, request), scratch: true })
  return [{ option: 'scratch', message, hint: `these have: ${listed(instead.slice(0, NAMED).map(({ name }) => name))}` }]
}

/** As large, with any GPU. */
function freely(like: TypeFacts | undefined, request: SizeRequest): SizeRequest {
  const { option } = unfitting(request)
  if (!like) return option === 'gpu' || unfitting(request).kind !== undefined ? { gpu: { count: request.gpu?.count ?? 1 } } : {}
  const { arch, cpu, memoryGiB, gpu } = like
  return { machine: arch === 'arm64' ? 's+arm' : 's', cpu, memoryBytes: memoryGiB * 2 ** 30, ...(gpu && { gpu: { count: gpu.count } }) }
}
