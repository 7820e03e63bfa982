/** Which deployments there are, and which one a user means. */
import type { Cloud, Found } from '../core/cloud.ts'
import { InputError } from '../core/errors.ts'
import { runId } from '../core/identity.ts'
import { listed } from '../lib/text.ts'
import type { Store, StoreAccess, StorePlace } from '../wire/store.ts'
import { type Deployment, deploymentOf, isOwn, readCurrent, storeKey } from './deployment.ts'
import { type Past, recall } from './history.ts'

export interface OpenCloud {
  readonly id: string
  readonly cloud: Cloud
}

export interface Sighting extends OpenCloud {
  /** The newest visible incarnation. */
  readonly found: Found
  /** Other visible incarnations of the same id, older ones last. */
  readonly others?: readonly Found[]
}

/** Opens a store with the credentials that this controller has for it. */
export type OpenAccess = (place: StorePlace) => Promise<Store>

/**
 * The deployments that these clouds show, oldest first. `lost` is told of a cloud, or one of its regions (`where`), that cannot be checked, and of a
 * deployment that another version of tpi has made; all others are in the list. Without `lost`, each of these is thrown.
 */
export async function sightings(
  clouds: readonly OpenCloud[],
  lost?: (cloud: string, error: unknown, where?: string) => void,
): Promise<Sighting[]> {
  const look = async ({ id, cloud }: OpenCloud): Promise<Sighting[]> => {
    try {
      return (await cloud.list(lost && ((where, error) => lost(id, error, where)))).map((found) => ({ id, cloud, found }))
    } catch (error) {
      if (!lost) throw error
      lost(id, error)
      return []
    }
  }
  const lists = await Promise.all(clouds.map(look))
  // One account may be asked twice, for one of its places and for all of them.
  const seen = new Set<string>()
  const isNew = ({ id, found: { tags } }: Sighting): boolean => {
    const key = `${id} ${tags.id} ${tags.incarnation}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  }
  return lists.flatMap((list) => byId(list.filter(isNew))).sort((a, b) => (a.found.tags.createdAt < b.found.tags.createdAt ? -1 : 1))
}

/** One sighting for each deployment, with all its incarnations: only the store knows which of them is the current one. */
function byId(all: readonly Sighting[]): Sighting[] {
  const ids = new Map<string, Sighting[]>()
  for (const one of all) {
    const key = `${one.found.tags.id} ${storeOf(one)}`
    ids.set(key, [...(ids.get(key) ?? []), one])
  }
  return [...ids.values()].flatMap((group) => {
    const [first, ...rest] = group.sort((a, b) => (a.found.tags.createdAt > b.found.tags.createdAt ? -1 : 1))
    if (!first) return []
    return rest.length === 0 ? [first] : [{ ...first, others: rest.map(({ found }) => found) }]
  })
}

const storeOf = ({ cloud, found }: Sighting): string => storeKey(cloud, found.tags.store)

/**
 * The deployment with this id or name; `undefined`: there is none. Throws InputError if several have the name. If the same id is in several stores,
 * the one in the storage that the user has `named` counts, or the one where this command would make it.
 */
export async function pick(
  name: string,
  all: readonly Sighting[],
  named: () => Promise<StoreAccess | undefined>,
): Promise<Sighting | undefined> {
  const exact = all.filter(({ found }) => found.tags.id === name)
  const called = all.filter(({ found }) => found.tags.name === name)
  const matches = exact.length > 0 ? exact : called
  const runs = new Set(matches.map(({ id, found }) => `${id} ${found.tags.id}`))
  if (runs.size > 1) throw new InputError(`"${name}" is the name of ${runs.size} runs`, { hint: hintFor(matches, runs.size) })
  const stores = new Set(matches.map(storeOf))
  return stores.size > 1 ? inStore(name, matches, named) : matches.at(-1)
}

/** How to tell these runs apart: by their ids, unless the same id is on several clouds. */
function hintFor(matches: readonly Sighting[], runs: number): string {
  const ids = new Set(matches.map(({ found }) => found.tags.id))
  if (ids.size === runs) return `use an id: ${[...ids].join(', ')}`
  const clouds = new Set(matches.map(({ id }) => `\`cloud: ${id}\``))
  return `say on which cloud it is: ${listed([...clouds])}`
}

async function inStore(name: string, all: readonly Sighting[], named: () => Promise<StoreAccess | undefined>): Promise<Sighting> {
  const place = await named()
  const there = await Promise.all(
    all.map(async (one) => storeOf(one) === storeKey(one.cloud, place ?? (await one.cloud.store(one.found.tags.id)))),
  )
  const matches = all.filter((_, at) => there[at])
  const last = matches.at(-1)
  if (last && new Set(matches.map(storeOf)).size === 1) return last
  const words = new Set(all.map(({ cloud, found }) => storageWord(cloud, found.tags.store).trim() || 'no --storage'))
  throw new InputError(`"${name}" is the name of ${new Set(all.map(storeOf)).size} runs, each in a storage of its own`, {
    hint: `say which one is meant: ${[...words].join(', or ')}`,
  })
}

/** What a command line needs to select the deployment in that store: nothing if it is a store of its own. */
export function storageWord(cloud: Cloud, place: StorePlace): string {
  return isOwn(cloud, place) ? '' : ` --storage ${place.url}`
}

/**
 * What the history has of a run that is gone: the last one of this name or id, or the one with this run id. Throws InputError for an ambiguous
 * name.
 */
export async function pickHistory(home: string, name: string, unread?: (count: number) => void): Promise<Past | undefined> {
  const all = await recall(home, unread)
  const exact = all.find((past) => past.id === name || runId(past) === name)
  if (exact) return exact
  const named = all.filter((past) => past.name === name)
  const ids = [...new Set(named.map(({ id }) => id))]
  if (ids.length > 1) throw new InputError(`"${name}" is the name of ${ids.length} former runs`, { hint: `use an id: ${ids.join(', ')}` })
  return named[0]
}

/** The deployment that was seen, with its store opened: in the incarnation on record, or the newest visible one if there is no record. */
export async function openSighting(sighting: Sighting, access: OpenAccess): Promise<Deployment> {
  const { tags } = sighting.found
  const store = await access(isOwn(sighting.cloud, tags.store) ? await sighting.cloud.store(tags.id) : tags.store)
  const { id, name, incarnation, promise, region } = await livingOf(sighting, store)
  return deploymentOf({ cloudId: sighting.id, cloud: sighting.cloud, store, id, name, incarnation, promise, region })
}

type Living = Pick<Deployment, 'id' | 'name' | 'incarnation' | 'promise' | 'region'>

async function livingOf({ id: cloudId, found, others = [] }: Sighting, store: Store): Promise<Living> {
  const current = (await readCurrent(store, found.tags.id).catch(() => undefined))?.value
  if (!current) return found.tags
  const { id, name } = found.tags
  const { incarnation, where } = current
  const there = where?.[incarnation]
  // The incarnation on record is in another cloud: this sighting is a different one.
  if (there && there.cloud !== cloudId) return found.tags
  const shown = [found, ...others].find(({ tags }) => tags.incarnation === incarnation)?.tags
  return { id, name, incarnation, promise: shown?.promise, region: there?.region }
}

/** A deployment whose store cannot be opened: what its group says is known, and every call to its store throws `why`. */
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
