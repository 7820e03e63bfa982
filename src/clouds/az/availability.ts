/** The sizes that the subscription may use in the region, and their capabilities. */
import { randomInt } from 'node:crypto'
import { InputError } from '../../core/errors.ts'
import { listed } from '../../lib/text.ts'
import type { Api } from './api.ts'
import type { ResourceSku } from './sdk.ts'
import type { Settings } from './settings.ts'
import { mixes, type TypeChoice } from './sizes.ts'

export interface Sold {
  /** One size, or several that can share a set, in the vendor's spelling. */
  readonly choice: TypeChoice
  /** `1`, `2`, `3`: the zones that have all of the sizes, or one of these zones; empty if the region has no zones. */
  readonly zones: readonly string[]
  /** Of each size: its name, the name of its quota, and its vCPUs. */
  readonly sizes: readonly { readonly name: string; readonly family: string; readonly cpu: number }[]
  /** Every size supports trusted launch. */
  readonly trusted: boolean
}

const can = ({ capabilities = [] }: ResourceSku, name: string): string | undefined => capabilities.find((one) => one.name === name)?.value
const isTrue = (sku: ResourceSku, name: string): boolean => /^true$/i.test(can(sku, name) ?? '')

/** Whether it has a resource disk, and whether it has NVMe disks. */
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
  const all = await api.all<ResourceSku>('skus.list', `look for sizes in ${region}`, { query: { $filter: `location eq '${region}'` } })
  const machines = new Map(
    all.flatMap((sku) => (sku.resourceType === 'virtualMachines' && sku.name ? [[sku.name.toLowerCase(), sku] as const] : [])),
  )
  const known = asked.types.flatMap((type) => machines.get(type.toLowerCase()) ?? [])
  const zonesOf = (sku: ResourceSku): readonly string[] => {
    const closed = (sku.restrictions ?? []).flatMap(({ type, restrictionInfo }) => (type === 'Zone' ? (restrictionInfo?.zones ?? []) : []))
    return (sku.locationInfo ?? []).flatMap(({ zones = [] }) => zones).filter((one) => !closed.includes(one))
  }
  const wanted = zone?.split('-').at(-1)
  const isFree = (sku: ResourceSku): boolean =>
    !(sku.restrictions ?? []).some(({ type }) => type === 'Location') && (wanted === undefined || zonesOf(sku).includes(wanted))
  const free = known.filter(isFree)
  const fit = free.filter((sku) => !spot || isTrue(sku, 'LowPriorityCapable'))
  const [first] = fit
  if (!first) throw notSold({ asked, place: zone ?? region, known: known.length > 0, free: free.length > 0 })
  const plain = scratch ? fit.filter((sku) => !localOf(sku).includes(true)).flatMap(({ name }) => name ?? []) : []
  if (plain.length > 0)
    throw new InputError([{ option: 'scratch', message: `${listed(plain, 'and')} of Azure has no local disk`, hint: 'name other sizes' }])
  const types = fit.flatMap(({ name }) => name ?? [])
  const used = mixes(types) ? fit.filter((sku) => disksOf(sku) === disksOf(first)) : [first]
  const shared = zonesOf(first).filter((one) => used.every((sku) => zonesOf(sku).includes(one)))
  return {
    choice: { ...asked, types: used.flatMap(({ name }) => name ?? []) },
    zones: wanted !== undefined ? [wanted] : oneZone ? anyOf(shared) : [...shared].sort(),
    sizes: used.map((sku) => ({ name: sku.name ?? '', family: sku.family ?? '', cpu: Number(can(sku, 'vCPUs') ?? 1) })),
    trusted: used.every((sku) => /V2/.test(can(sku, 'HyperVGenerations') ?? '') && !isTrue(sku, 'TrustedLaunchDisabled')),
  }
}

/** A random zone: a start that is repeated because there was no room will usually try another one. */
const anyOf = (zones: readonly string[]): readonly string[] => (zones.length > 0 ? [zones[randomInt(zones.length)] ?? ''] : [])

interface Missing {
  readonly asked: TypeChoice
  readonly place: string
  readonly known: boolean
  readonly free: boolean
}

function notSold({ asked, place, known, free }: Missing): InputError {
  const names = listed(asked.types.slice(0, 4))
  if (free)
    return new InputError([
      { option: 'spot', message: `${names} is not offered as a spot machine`, hint: 'name another size, or write "spot: false"' },
    ])
  const message = known ? `your subscription is not allowed to use ${names} in ${place}` : `${names} is not available in ${place}`
  const hint = known
    ? 'ask Azure for access (portal, Quotas), or give another size or region'
    : 'give other sizes or another region, or check the spelling'
  return new InputError([{ option: 'machine', message, hint }])
}
