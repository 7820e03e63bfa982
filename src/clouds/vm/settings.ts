/** Option values that clouds of machines have alike, checked as far as they can be without an account. */
import type { CloudContext } from '../../core/cloud.ts'
import { InputError } from '../../core/errors.ts'
import type { NetworkMount } from '../../wire/machine.ts'
import { type DataNames, type DataSource, dataOf } from './data.ts'
import { type MountNames, mountsOf } from './mounts.ts'
import { faultsOfRegion, type RegionNames, type RegionParams, regionIn } from './region.ts'

export interface VmSettings extends RegionParams {
  /** The user said which region: no other one is meant. */
  readonly named: boolean
  readonly publicAddress?: boolean
  readonly customerKey?: string
  /** As it was given. */
  readonly reservation?: string
  /** Where the user named one. */
  readonly storage?: string
  /** The script's user may become root. */
  readonly sudo: boolean
  readonly mounts: readonly NetworkMount[]
  readonly data: readonly DataSource[]
}

export interface VendorNames {
  readonly regions: RegionNames
  readonly mounts: MountNames
  readonly data: DataNames
  /** The region where no option says which. */
  readonly usual: string
}

export function vmSettings({ regions, usual, ...names }: VendorNames, values: CloudContext['values']): VmSettings {
  const named = textOf(values['region'])
  const name = named ?? usual
  const place = regionIn(regions, name)
  const [fault] = faultsOfRegion(regions, name)
  if (fault || !place) throw new InputError([{ option: 'region', ...fault, message: `region: ${fault?.message ?? 'not known'}` }])
  const mounts = mountsOf(regions.vendor, names.mounts, listOf(values['mount']), place.region)
  const taken = mounts.map(({ path }) => path)
  const data = dataOf(regions.vendor, names.data, listOf(values['data']), taken)
  const address = values['public-address']
  return {
    ...place,
    named: named !== undefined,
    sudo: values['sudo'] !== false,
    mounts,
    data,
    ...((address === 'true' || address === 'false') && { publicAddress: address === 'true' }),
    ...textsOf(values, { customerKey: 'customer-key', reservation: 'reservation', storage: 'storage' }),
  }
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : []
}

/** Those of these options that were given. `names`: of a setting → of its option. */
export function textsOf<const T extends Readonly<Record<string, string>>>(
  values: CloudContext['values'],
  names: T,
): { readonly [K in keyof T]?: string } {
  const given = Object.entries(names).flatMap(([setting, option]) => {
    const text = textOf(values[option])
    return text === undefined ? [] : [[setting, text] as const]
  })
  return Object.fromEntries(given) as { readonly [K in keyof T]?: string }
}
