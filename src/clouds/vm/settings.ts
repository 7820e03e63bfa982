/** Option values that all clouds of machines share, checked as far as possible without an account. */
import type { CloudContext } from '../../core/cloud.ts'
import { InputError } from '../../core/errors.ts'
import { textOf } from '../../lib/record.ts'
import type { NetworkMount } from '../../wire/machine.ts'
import { type DataNames, type DataSource, dataOf } from './data.ts'
import { lengthFaults } from './folders.ts'
import { type MountNames, mountsOf } from './mounts.ts'
import { faultsOfRegion, type RegionNames, type RegionParams, regionIn, regionTexts } from './region.ts'

/** `region`, `zone`: where new deployments are made. */
export interface VmSettings extends RegionParams {
  /** The user named the regions: no others are searched. */
  readonly named: boolean
  /** All regions; the first one keeps the storage. */
  readonly regions: readonly [string, ...string[]]
  readonly publicAddress?: boolean
  readonly customerKey?: string
  /** As the user gave it. */
  readonly reservation?: string
  /** Present if the user named one. */
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
  /** The region if no option names one. */
  readonly usual: string
}

/** `at`: which of several regions; absent: the first. */
export function vmSettings({ regions, usual, ...names }: VendorNames, values: CloudContext['values'], at?: string): VmSettings {
  const named = regionTexts(values['region'])
  const texts = named.length > 0 ? named : [usual]
  const faults = faultsOfRegion(regions, texts)
  const places = texts.flatMap((text) => regionIn(regions, text) ?? [])
  const [first] = places
  if (faults.length > 0 || !first) throw new InputError(faults.map((fault) => ({ ...fault, message: `region: ${fault.message}` })))
  const place = places.find(({ region }) => region === at) ?? first
  const written = { mount: listOf(values['mount']), data: listOf(values['data']) }
  const mounts = mountsOf(regions.vendor, names.mounts, written.mount, place.region)
  const taken = mounts.map(({ path }) => path)
  const data = dataOf(regions.vendor, names.data, written.data, taken)
  const tooLong = lengthFaults(written)
  if (tooLong.length > 0) throw new InputError(tooLong)
  const address = values['public-address']
  return {
    ...place,
    named: named.length > 0,
    regions: [first.region, ...places.slice(1).map(({ region }) => region)],
    sudo: values['sudo'] !== false,
    mounts,
    data,
    ...((address === 'true' || address === 'false') && { publicAddress: address === 'true' }),
    ...textsOf(values, { customerKey: 'customer-key', reservation: 'reservation', storage: 'storage' }),
  }
}

export function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : []
}

/** Those of these options that the user gave. `names`: setting → option. */
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
