/** The sizes that the subscription may use in the region, and their capabilities. */
import { randomInt } from 'node:crypto'
import { InputError } from '../../core/errors.ts'
import { listed } from '../../lib/text.ts'
import { noLocalDisk } from '../vm/sizes.ts'
import type { Api } from './api.ts'
import type { ResourceSku } from './sdk.ts'
import type { Settings } from './settings.ts'
import { mixes, type TypeChoice } from './sizes.ts'

export interface Sold {
  /** One size, or several that can share a set, in the vendor's spelling. */
  readonly choice: TypeChoice
  /** `1`, `2`, `3`: zones that have all of the sizes, where machines start; empty if the region has no zones. */
  readonly zones: readonly string[]
  /** Of each size: its name, the name of its quota, and its vCPUs. */
  readonly sizes: readonly { readonly name: string; readonly family: string; readonly cpu: number }[]
  /** Every size supports trusted launch. */
  readonly trusted: boolean
}

const can = ({ capabilities = [] }: ResourceSku, name: string): string | undefined => capabilities.find((one) => one.name === name)?.value
const isTrue = (sku: ResourceSku, name: string): boolean => /^true$/i.test(can(sku, name) ?? '')

/** Its local disks: whether it has a resource disk, and whether it has NVMe disks. */
const localOf = (sku: ResourceSku): readonly boolean[] =>
  ['MaxResourceVolumeMB', 'NvmeDiskSizeInMiB'].map((name) => Number(can(sku, name) ?? 0) > 0)

/**
 * What all sizes of one set must have in common: local disks, the disk interface, and whether premium disks are allowed.
 * https://learn.microsoft.com/azure/virtual-machine-scale-sets/instance-mix-overview
 */
function disksOf(sku: ResourceSku): string {
  const local = localOf(sku)
  const interfaces = (can(sku, 'DiskControllerTypes') ?? 'SCSI').split(/\s*,\s*/).sort()
  return JSON.stringify([local, interfaces, isTrue(sku, 'PremiumIO')])
}

export interface SoldParams {
  /** On the spot market. */
  readonly spot: boolean
  /** With local disks. */
  readonly scratch: boolean
}

/** https://learn.microsoft.com/rest/api/compute/resource-skus/list */
export async function soldIn(
  api: Api,
  { region, zone, oneZone }: Settings,
  asked: TypeChoice,
  { spot, scratch }: SoldParams,
): Promise<Sold> {
  const all = await api.all('skus.list', `look for sizes in ${region}`, { query: { $filter: `location eq '${region}'` } })
  const skus = new Map(
    all.flatMap((sku) => (sku.resourceType === 'virtualMachines' && sku.name ? [[sku.name.toLowerCase(), sku] as const] : [])),
  )
  const wanted = zone?.split('-').at(-1)
  const sold = asked.types
    .flatMap((type) => skus.get(type.toLowerCase()) ?? [])
    .filter((sku) => wanted === undefined || isBarred(sku) || allZonesOf(sku).includes(wanted))
  const isFree = (sku: ResourceSku): boolean => !isBarred(sku) && (wanted === undefined || zonesOf(sku).includes(wanted))
  const free = sold.filter(isFree)
  const fit = free.filter((sku) => !spot || isTrue(sku, 'LowPriorityCapable'))
  const [first] = fit
  if (!first) throw notSold({ asked, place: zone ?? region, isSold: sold.length > 0, isFree: free.length > 0 })
  const plain = scratch ? fit.filter((sku) => !localOf(sku).includes(true)).flatMap(({ name }) => name ?? []) : []
  if (plain.length > 0) throw new InputError([noLocalDisk('Azure', plain, 'name other sizes')])
  const types = fit.flatMap(({ name }) => name ?? [])
  const used = mixes(types) ? fit.filter((sku) => disksOf(sku) === disksOf(first)) : [first]
  const shared = zonesOf(first).filter((one) => used.every((sku) => zonesOf(sku).includes(one)))
  const open = oneZone ? anyOf(shared) : [...shared].sort()
  return {
    choice: { ...asked, types: used.flatMap(({ name }) => name ?? []) },
    zones: wanted === undefined ? open : [wanted],
    sizes: used.map((sku) => ({ name: sku.name ?? '', family: sku.family ?? '', cpu: Number(can(sku, 'vCPUs') ?? 1) })),
    trusted: used.every((sku) => /V2/.test(can(sku, 'HyperVGenerations') ?? '') && !isTrue(sku, 'TrustedLaunchDisabled')),
  }
}

/** A random zone: a start that is repeated because there was no room will usually try another one. */
const anyOf = (zones: readonly string[]): readonly string[] => (zones.length > 0 ? [zones[randomInt(zones.length)] ?? ''] : [])

const allZonesOf = ({ locationInfo = [] }: ResourceSku): readonly string[] => locationInfo.flatMap(({ zones = [] }) => zones)

/** Zones in which the subscription may use it. */
function zonesOf(sku: ResourceSku): readonly string[] {
  const closed = (sku.restrictions ?? []).flatMap(({ type, restrictionInfo }) => (type === 'Zone' ? (restrictionInfo?.zones ?? []) : []))
  return allZonesOf(sku).filter((one) => !closed.includes(one))
}

/** The subscription may not use it in the whole region. */
const isBarred = ({ restrictions = [] }: ResourceSku): boolean => restrictions.some(({ type }) => type === 'Location')

interface Missing {
  readonly asked: TypeChoice
  readonly place: string
  /** The place has such sizes. */
  readonly isSold: boolean
  /** The subscription may use them. */
  readonly isFree: boolean
}

function notSold({ asked, place, isSold, isFree }: Missing): InputError {
  const names = listed(asked.types.slice(0, 4))
  if (isFree)
    return new InputError([
      { option: 'spot', message: `${names} is not offered as a spot machine`, hint: 'name another size, or write "spot: false"' },
    ])
  if (isSold)
    return new InputError([
      {
        option: 'machine',
        message: `your subscription is not allowed to use ${names} in ${place}`,
        hint: 'ask Azure for access (portal, Quotas), or give another size or region',
      },
    ])
  return new InputError([
    {
      option: 'machine',
      message: `${names} is not available in ${place}`,
      hint: 'give other sizes or another region, or check the spelling',
    },
  ])
}
