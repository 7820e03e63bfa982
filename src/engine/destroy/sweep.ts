/** Finding what is past its time (`tpi sweep`). Changes nothing: the verb decides what is removed. */
import { describeError } from '../../core/errors.ts'
import { isId, isIncarnation } from '../../core/identity.ts'
import { LeftOutError } from '../../core/tags.ts'
import { hardDeadline, keptUntil } from '../../wire/lifetime.ts'
import type { CurrentRecord } from '../../wire/records.ts'
import type { Store, StoreAccess } from '../../wire/store.ts'
import {
  type CurrentRead,
  commonStores,
  type Deployment,
  deploymentOf,
  type Engine,
  hasNoStore,
  readCurrent,
  readSpec,
  recorded,
  slotRecords,
  storeKey,
} from '../deployment.ts'
import { type OpenAccess, type OpenCloud, openSighting, type Sighting, sightings, unopened } from '../find.ts'
import { siblingOf } from '../owner/current.ts'
import { foldersBelow, orphansOf } from '../owner/orphans.ts'
import { heardOf, isUnused } from '../owner/silence.ts'
import { keptOf, retainedUntil } from './spare.ts'

export interface Abandoned {
  readonly d: Deployment
  /** For people: why it should no longer exist. */
  readonly reason: string
  /** An incarnation that another one has replaced, or that no record names: only its own things are removed. */
  readonly orphan?: true
  /** Its machines are past their time, but what the run has saved, if anything, is not: then only the machines are removed (`endOverdue`). */
  readonly sparing?: true
  /** ISO: until when what it has saved stays, if it has saved anything. */
  readonly until?: string | undefined
  /**
   * If a controller may have been working on it: the record since which that controller has been silent. It may be removed if that is still the
   * record.
   */
  readonly judged?: CurrentRead
}

/** Of a deployment that stays: orphans, and incarnations that it replaced long ago. */
async function orphanedIncarnations(engine: Engine, d: Deployment): Promise<Abandoned[]> {
  const seen = await orphansOf(d)
  if (!seen) return []
  const { current } = seen
  if (awaited(current, engine.clock.date().getTime())) return []
  const old = engine.clock.date().getTime() - Date.parse(current.createdAt) > UNFINISHED_AFTER
  const former = current.state === 'open' && old ? (current.former ?? []) : []
  const found = [...former, ...seen.orphans]
  return found.map((one) => ({
    d: siblingOf(d, one, current.where),
    orphan: true,
    reason: `left over from an earlier start (${one}) that was replaced`,
  }))
}

/** Milliseconds that creating may take, if no record says more, before its controller counts as dead. */
const UNFINISHED_AFTER = 60 * 60_000
/** Milliseconds that jobs wait for runners at any forge, at most. */
const RELAUNCH_WITHIN = 24 * 60 * 60_000

export interface SweepOptions {
  /** The storage that the user named. */
  readonly named?: StoreAccess | undefined
  /** Milliseconds of silence after which a controller that makes or removes something counts as dead, unless its record says more. */
  readonly ttl: number
  /** Called for everything that could not be checked, once the user was told. */
  readonly failed?: (error: unknown) => void
}

type Suspicion = Pick<Abandoned, 'reason' | 'judged' | 'sparing' | 'until'>

/** Everything in these clouds, and in the storage that the user named, that should be removed. */
export async function findAbandoned(
  engine: Engine,
  clouds: readonly OpenCloud[],
  access: OpenAccess,
  { named, ttl, failed }: SweepOptions,
): Promise<Abandoned[]> {
  const lost: Lost = (what, error) => {
    engine.host.warn(`${what}: ${describeError(error)}: cannot tell what may be removed`)
    failed?.(error)
  }
  /** Clouds, or some region of them, that could not be checked. */
  const hidden = new Set<string>()
  const seen = await sightings(clouds, (cloud, error, where) => {
    if (!(error instanceof LeftOutError)) hidden.add(cloud)
    lost(where === undefined ? cloud : `${cloud}, ${where}`, error)
  })
  const suspects: Abandoned[] = []
  for (const sighting of seen) {
    const d = await openSighting(sighting, access).catch((error: unknown) => unopened(sighting, error))
    const why = await overdue(engine, sighting, d).catch((error: unknown) => overdueBySighting(engine, sighting, d, error, lost))
    if (why) suspects.push({ d, ...why })
    else suspects.push(...(await orphanedIncarnations(engine, d).catch(() => [])))
  }
  for (const open of clouds.filter(({ id }) => !hidden.has(id))) {
    // The named storage may have deployments of any cloud, so it is checked only if all clouds could be.
    for (const place of await placesOf(open, hidden.size === 0 ? named : undefined, lost))
      try {
        suspects.push(...(await storedWithoutGroup(engine, open, await access(place), seen, lost)))
      } catch (error) {
        if (!isUnused(open, error)) lost(`storage of ${open.id}`, error)
      }
  }
  const alive = await Promise.all(
    suspects.map(async (suspect) =>
      isAlive(engine, suspect, ttl).catch((error: unknown) => {
        lost(suspect.d.name, error)
        return true
      }),
    ),
  )
  return suspects.filter((_, at) => !alive[at])
}

/** Told of what could not be checked. */
type Lost = (what: string, error: unknown) => void

/** Stores that deployments share. A store of a single deployment is found together with that, or not at all. */
async function placesOf(open: OpenCloud, named: StoreAccess | undefined, lost: Lost): Promise<readonly StoreAccess[]> {
  const usual = await commonStores(open.cloud).catch((error: unknown) => {
    lost(`storage of ${open.id}`, error)
    return []
  })
  return [...usual, ...(await otherStores(open, lost)), ...(named ? [named] : [])]
}

/** Removes what killed commands have left in these stores, and what no list shows (`Store.tidy`). */
export async function tidyStores(
  clouds: readonly OpenCloud[],
  access: OpenAccess,
  { named, failed }: Pick<SweepOptions, 'named' | 'failed'>,
): Promise<void> {
  const lost: Lost = (_what, error) => failed?.(error)
  for (const open of clouds)
    for (const place of await placesOf(open, named, lost))
      try {
        await (await access(place)).tidy?.()
      } catch (error) {
        if (!isUnused(open, error)) failed?.(error)
      }
}

/** Those of the cloud's other regions. If it cannot say which there are, the stores that are known are checked anyway. */
async function otherStores({ id, cloud }: OpenCloud, lost: Lost): Promise<readonly StoreAccess[]> {
  try {
    return (await cloud.otherStores?.((where, error) => lost(`storage of ${id}, ${where}`, error))) ?? []
  } catch (error) {
    lost(`storage of ${id} in other regions`, error)
    return []
  }
}

/** Whether a controller is working on it, or has just finished. One sign of life is enough: this does not wait for the end of the work. */
async function isAlive(engine: Engine, { d, reason, judged }: Abandoned, ttl: number): Promise<boolean> {
  if (!judged) return false
  engine.host.info(`${d.name}: ${reason}, or another command is working on it: looking for signs of life`)
  return (await heardOf(engine, d, judged, ttl)) !== 'silent'
}

/** Why this deployment is past its time, if it is. */
async function overdue(engine: Engine, sighting: Sighting, d: Deployment): Promise<Suspicion | undefined> {
  const { tags, phase } = sighting.found
  const now = engine.clock.date().getTime()
  const { deadline } = tags.lifetime
  // The visible group may be of another incarnation than the one on record.
  const shown = tags.incarnation === d.incarnation
  if (shown && phase === 'up' && now > hardDeadline(tags.lifetime)) {
    const reason = `machines past their deadline ${deadline}`
    if (now > keptUntil(tags.lifetime)) return { reason }
    // Only for the text: `endOverdue` decides again.
    const until = (await keptOf(engine, d).catch(() => undefined))?.until
    return { reason: until === undefined ? reason : `${reason}; what the run has saved is kept until ${until}`, sparing: true, until }
  }
  const current = await readCurrent(d.store, d.id)
  if (awaited(current?.value, now)) return undefined
  const begun = current && unfinished(current, now)
  if (begun) return begun
  const spec = await readSpec(d)
  // There may be no record that has a TTL, so the age decides.
  if (!spec) return now - Date.parse(current?.value.createdAt ?? tags.createdAt) > UNFINISHED_AFTER ? { reason: UNFINISHED } : undefined
  const end = retainedUntil(await slotRecords(d, spec.count), shown ? tags.lifetime : spec.lifetime)
  return now > end ? { reason: `kept until ${new Date(end).toISOString()}` } : undefined
}

const UNFINISHED = 'its creation was never finished'

/** A controller has begun to make or to remove it, and may still be working on it: `judged` lets the caller look for signs of life. */
function unfinished(judged: CurrentRead, now: number): Suspicion | undefined {
  const { state, ttl, createdAt } = judged.value
  if (state === 'destroying') return { reason: 'its removal was never finished', judged }
  if (state === 'open') return undefined
  // Without a TTL on record, silence proves nothing, so the age decides.
  if (ttl === undefined && now - Date.parse(createdAt) <= UNFINISHED_AFTER) return undefined
  return { reason: UNFINISHED, judged }
}

/** These runners are to be started again: the record has what that needs, even if the command that was doing it was killed. */
function awaited(current: CurrentRecord | undefined, now: number): boolean {
  return current?.relaunch !== undefined && now - Date.parse(current.relaunch.since) < RELAUNCH_WITHIN
}

/**
 * The same for a deployment whose records cannot be read: by the tags of its group, which say how long it may stay. Its store may never have come up,
 * or may come back; so before that time, the user is only told.
 */
function overdueBySighting(
  engine: Engine,
  { found: { tags } }: Sighting,
  d: Deployment,
  error: unknown,
  lost: Lost,
): Suspicion | undefined {
  const end = keptUntil(tags.lifetime)
  if (engine.clock.date().getTime() > end) return { reason: `kept until ${new Date(end).toISOString()}, and its store does not answer` }
  // A store of its own that does not answer is no failure of the sweep.
  if (hasNoStore(d, error)) engine.host.warn(`${tags.name}: its store does not answer: cannot tell what may be removed`)
  else lost(tags.name, error)
  return undefined
}

/** Deployments in a store that have no visible group: their controller died before it had made one, or after it had removed it. */
async function storedWithoutGroup(
  engine: Engine,
  open: OpenCloud,
  store: Store,
  seen: readonly Sighting[],
  lost: Lost,
): Promise<Abandoned[]> {
  const here = storeKey(open.cloud, store)
  const known = new Set(seen.flatMap(({ cloud, found: { tags } }) => (storeKey(cloud, tags.store) === here ? [tags.id] : [])))
  const suspects: Abandoned[] = []
  for (const id of await storedIds(store)) {
    if (known.has(id)) continue
    try {
      suspects.push(...(await withoutGroup(engine, open, store, id)))
    } catch (error) {
      lost(id, error)
    }
  }
  return suspects
}

async function withoutGroup(engine: Engine, open: OpenCloud, store: Store, id: string): Promise<Abandoned[]> {
  const stored = await foldersBelow(store, `${id}/`)
  const current = await readCurrent(store, id)
  // Read after the list: a maker has its name on record before it stores anything, so none of these is being made just now.
  if (!current) return stored.filter(isIncarnation).map((one) => fragment(open, store, id, one))
  const now = engine.clock.date().getTime()
  if (awaited(current.value, now)) return []
  const { name, createdAt, incarnation, where } = current.value
  // A named storage may have deployments of another cloud, and only that cloud knows whether machines belong to them.
  if (where?.[incarnation] && where[incarnation].cloud !== open.id) return []
  const d = recorded({ cloudId: open.id, cloud: open.cloud, store, id, name }, current.value)
  const late = now - Date.parse(createdAt) >= UNFINISHED_AFTER
  const why =
    unfinished(current, now) ??
    (late && !(await withinRetention(engine, d)) ? { reason: 'stored, but no machines belong to it' } : undefined)
  return why ? [{ d, ...why }] : orphanedIncarnations(engine, d)
}

/**
 * What is left of an incarnation in a store that has no record of its deployment: a machine that was cut off, or the command that was removing it,
 * has written it after everything else was gone.
 */
function fragment({ id: cloudId, cloud }: OpenCloud, store: Store, id: string, incarnation: string): Abandoned {
  const d = deploymentOf({ cloudId, cloud, store, id, name: id, incarnation })
  return { d, orphan: true, reason: `stored (${incarnation}), but in no record` }
}

async function withinRetention(engine: Engine, d: Deployment): Promise<boolean> {
  const spec = await readSpec(d)
  if (!spec) return false
  return engine.clock.date().getTime() < keptUntil(spec.lifetime)
}

/** Ids of the deployments that have anything in this store. */
export async function storedIds(store: Store): Promise<string[]> {
  // Other folders may have names that begin like an id.
  return (await foldersBelow(store, '', 'tpi-')).filter(isId)
}
