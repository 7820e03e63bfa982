/**
 * What exists in a subscription: resource groups (https://learn.microsoft.com/rest/api/resources/resource-groups: deleting one deletes everything in
 * it, which takes time and cannot be stopped) and the resources in them. Ids are compared without regard to case.
 */
import type { CloudClock } from '../vm/simulation/clock.ts'
import { ArmFault, beingDeleted, noGroup, notFound } from './fault.ts'
import type { Fields } from './tables.ts'

export const SUBSCRIPTION = '0b1f6471-1bf0-4dda-aec3-cb9272f09590'
export const TENANT = '54826b22-38d6-4fb2-bad9-b7b93a3e9c5a'
const ROOT = `/subscriptions/${SUBSCRIPTION}`

export interface Group {
  readonly name: string
  readonly location: string
  tags: Fields
  /** Since when it is being deleted (milliseconds). */
  deleting?: number
}

/** One resource in a group, as it was made. */
export interface Kept {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly group: string
  fields: Fields
  readonly bornAt: number
  /** Until then it is being made or changed. */
  readyAt: number
  /** Since when it is being deleted. */
  deleting?: number
}

/** Resources whose deletion waits until others are gone. */
export interface Keeper {
  /** Called once, when a resource begins to be deleted. */
  leaves(kept: Kept): void
  gone(kept: Kept): boolean
  /** Resources that are no records here. */
  others(): readonly Kept[]
  /** The group is being deleted, with all that machines left behind in it. */
  sweep(group: string): void
}

export class Resources {
  readonly groups = new Map<string, Group>()
  /** Milliseconds that the fastest removal takes. */
  takes = 20
  readonly #all = new Map<string, Kept>()
  readonly #clock: CloudClock
  readonly #keeper: () => Keeper

  constructor(clock: CloudClock, keeper: () => Keeper) {
    this.#clock = clock
    this.#keeper = keeper
  }

  /** Finishes the removals that can end; called before every answer. */
  settle(): void {
    for (const [key, kept] of this.#all) if (kept.deleting !== undefined && this.#over(kept)) this.#all.delete(key)
    for (const [key, group] of this.groups) {
      if (group.deleting !== undefined) this.#keeper().sweep(key)
      const left = this.in(group.name)
      if (group.deleting === undefined || left.length > 0 || this.#clock.now() - group.deleting < this.takes) continue
      this.groups.delete(key)
    }
  }

  #over(kept: Kept): boolean {
    return this.#clock.now() - (kept.deleting ?? Infinity) >= this.takes && this.#keeper().gone(kept)
  }

  group(name: string): Group {
    const found = this.groups.get(name.toLowerCase())
    if (!found) throw noGroup(name)
    return found
  }

  /** A group in which something can be made, so none that is being deleted. */
  open(name: string): Group {
    const group = this.group(name)
    if (group.deleting !== undefined) throw beingDeleted(name)
    return group
  }

  putGroup(name: string, { location, tags = {} }: { location?: string; tags?: Fields }): { group: Group; status: number } {
    const before = this.groups.get(name.toLowerCase())
    if (before?.deleting !== undefined) throw beingDeleted(name)
    if (before && location?.toLowerCase() !== before.location)
      throw new ArmFault(
        409,
        'InvalidResourceGroupLocation',
        `Invalid resource group location '${location}'. The Resource group already exists in location '${before.location}'.`,
      )
    const group = before ?? { name, location: (location ?? '').toLowerCase(), tags }
    group.tags = tags
    this.groups.set(name.toLowerCase(), group)
    return { group, status: before ? 200 : 201 }
  }

  removeGroup(name: string): Group {
    const group = this.group(name)
    group.deleting ??= this.#clock.now()
    for (const kept of this.#all.values()) if (kept.group === name.toLowerCase()) this.remove(kept)
    return group
  }

  /** Makes or changes a resource, which takes `busy` milliseconds. */
  put(request: { id: string; type: string; group: string; fields: Fields; busy: number }): { kept: Kept; made: boolean } {
    const { id, type, group, fields, busy } = request
    const before = this.#all.get(id.toLowerCase())
    if (before?.deleting !== undefined)
      throw new ArmFault(409, 'AnotherOperationInProgress', `Another operation on '${before.name}' is in progress.`)
    const now = this.#clock.now()
    const kept: Kept = before ?? {
      id,
      type,
      name: id.split('/').at(-1) ?? '',
      group: group.toLowerCase(),
      fields,
      bornAt: now,
      readyAt: now,
    }
    kept.fields = fields
    kept.readyAt = now + busy
    this.#all.set(id.toLowerCase(), kept)
    return { kept, made: !before }
  }

  find(id: string): Kept | undefined {
    return this.#all.get(id.toLowerCase())
  }

  get(id: string): Kept {
    const [, group] = /resourceGroups\/([^/]+)/i.exec(id) ?? []
    if (group !== undefined) this.group(group)
    const found = this.find(id)
    if (!found) throw notFound(id)
    return found
  }

  remove(kept: Kept): void {
    if (kept.deleting !== undefined) return
    kept.deleting = this.#clock.now()
    this.#keeper().leaves(kept)
  }

  ofType(type: string, group?: string): readonly Kept[] {
    const fits = (one: Kept): boolean =>
      one.type.toLowerCase() === type.toLowerCase() && (group === undefined || one.group === group.toLowerCase())
    return [...this.#all.values()].filter(fits)
  }

  /** Everything in a group, or everywhere: records, and the parts of machines. */
  in(group?: string): readonly Kept[] {
    const all = [...this.#all.values(), ...this.#keeper().others()]
    return group === undefined ? all : all.filter((one) => one.group === group.toLowerCase())
  }

  /** https://learn.microsoft.com/azure/azure-resource-manager/management/async-operations#provisioningstate-values */
  state(kept: Kept): string {
    if (kept.deleting !== undefined) return 'Deleting'
    return this.#clock.now() < kept.readyAt ? (kept.type.startsWith('Microsoft.Network') ? 'Updating' : 'Creating') : 'Succeeded'
  }

  groupFields(group: Group): Fields {
    const { name, location, tags, deleting } = group
    const provisioningState = deleting === undefined ? 'Succeeded' : 'Deleting'
    return {
      id: `${ROOT}/resourceGroups/${name}`,
      name,
      type: 'Microsoft.Resources/resourceGroups',
      location,
      tags,
      properties: { provisioningState },
    }
  }
}

/** `tagName eq 'a' and tagValue eq 'b'`, `resourceType eq '…'`: https://learn.microsoft.com/rest/api/resources/resources/list#uri-parameters */
export function filtered(filter: string | null): (one: { tags?: Fields; type: string; group?: string }) => boolean {
  if (filter === null) return () => true
  const parts = filter.split(/ and /i).map((part) => {
    const found = /^\s*(tagName|tagValue|resourceType|resourceGroup)\s+eq\s+'([^']*)'\s*$/i.exec(part)
    if (!found) throw new ArmFault(400, 'InvalidFilterInQueryString', `Invalid $filter '${filter}' specified in the query string.`)
    return [found[1]?.toLowerCase(), found[2] ?? ''] as const
  })
  const of = (kind: string): string | undefined => parts.find(([name]) => name === kind)?.[1]
  const [tag, value, type, group] = [of('tagname'), of('tagvalue'), of('resourcetype'), of('resourcegroup')]
  return (one) =>
    (tag === undefined || (tag in (one.tags ?? {}) && (value === undefined || one.tags?.[tag] === value))) &&
    (type === undefined || one.type.toLowerCase() === type.toLowerCase()) &&
    (group === undefined || one.group === group.toLowerCase())
}
