/** A size that a vendor does not have, in the same words for each. */
import type { Fault } from '../../core/errors.ts'
import { isNative, namedSize, unfitting } from '../../core/machine-types.ts'
import type { SizeRequest } from '../../core/size.ts'

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

/** Of a request for which there is no type. */
export function faultsOfSize({ vendor, native, mixed, how, largest, kindOf, kinds, retired }: SizeWords, request: SizeRequest): Fault[] {
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
