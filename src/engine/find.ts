/** Which deployments there are, and which one a user means. */
import type { Cloud, Found } from '../core/cloud.ts'
import { InputError } from '../core/errors.ts'
import { currentKey } from '../wire/layout.ts'
import { CURRENT, type CurrentRecord } from '../wire/records.ts'
import type { Store, StoreAccess } from '../wire/store.ts'
import { type Deployment, deploymentOf } from './deployment.ts'
import type { Status } from './follow/status.ts'
import { recall } from './history.ts'
import { type Read, readRecord } from './record.ts'

export interface OpenCloud {
  readonly id: string
  readonly cloud: Cloud
}

export interface Sighting extends OpenCloud {
  readonly found: Found
}

/** Opens a store with the credentials that this controller has for it. */
export type OpenAccess = (place: Omit<StoreAccess, 'credentials'>) => Promise<Store>

/** What these clouds hold, oldest first. `lost` hears of a cloud that cannot be looked at, which then hides only what is its own; without it that ends the search. */
export async function sightings(clouds: readonly OpenCloud[], lost?: (cloud: string, error: unknown) => void): Promise<Sighting[]> {
  const look = async ({ id, cloud }: OpenCloud): Promise<Sighting[]> => {
    try {
      return (await cloud.list()).map((found) => ({ id, cloud, found }))
    } catch (error) {
      if (!lost) throw error
      lost(id, error)
      return []
    }
  }
  const lists = await Promise.all(clouds.map(look))
  return lists.flat().sort((a, b) => (a.found.tags.createdAt < b.found.tags.createdAt ? -1 : 1))
}

/** `name` is an exact id, or the only deployment of that name. `undefined`: there is none alive. */
export function pick(name: string, all: readonly Sighting[]): Sighting | undefined {
  const exact = all.filter(({ found }) => found.tags.id === name)
  const named = all.filter(({ found }) => found.tags.name === name)
  const matches = exact.length > 0 ? exact : named
  const ids = new Set(matches.map(({ id, found }) => `${id} ${found.tags.id}`))
  if (ids.size > 1)
    throw new InputError(`"${name}" is the name of ${ids.size} deployments`, {
      hint: `use an id: ${matches.map(({ found }) => found.tags.id).join(', ')}`,
    })
  // A former incarnation may still be going: the youngest is meant.
  return matches.at(-1)
}

/** The last status of a deployment that is gone. */
export async function pickHistory(home: string, name: string): Promise<Status | undefined> {
  const all = await recall(home)
  const exact = all.find((status) => status.id === name)
  if (exact) return exact
  const named = all.filter((status) => status.name === name)
  if (named.length > 1)
    throw new InputError(`"${name}" is the name of ${named.length} former deployments`, {
      hint: `use an id: ${named.map((status) => status.id).join(', ')}`,
    })
  return named[0]
}

export async function openSighting(sighting: Sighting, access: OpenAccess): Promise<Deployment> {
  const { tags } = sighting.found
  const store = await access(sighting.cloud.ownStore?.holds(tags.store) ? await sighting.cloud.store(tags.id) : tags.store)
  const { id, name, incarnation, promise } = tags
  return deploymentOf({ cloudId: sighting.id, cloud: sighting.cloud, store, id, name, incarnation, promise })
}

/** A deployment that cannot even be opened: what its group tells is known, and whatever is asked of its store fails as opening it did. */
export function unopened({ id, cloud, found: { tags } }: Sighting, why: unknown): Deployment {
  const fail = async (): Promise<never> => {
    throw why
  }
  const store: Store = {
    url: tags.store.url,
    init: fail,
    read: fail,
    write: fail,
    remove: fail,
    clear: fail,
    list: () => ({ [Symbol.asyncIterator]: () => ({ next: fail }) }),
  }
  return deploymentOf({ cloudId: id, cloud, store, id: tags.id, name: tags.name, incarnation: tags.incarnation })
}

export async function readCurrent(store: Store, id: string): Promise<Read<CurrentRecord> | undefined> {
  return readRecord(CURRENT, store, currentKey(id))
}
