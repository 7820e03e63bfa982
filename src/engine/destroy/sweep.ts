/** Finds what is past its time, and gives it back. Meant for a schedule: only looks, unless told to act. */
import { describeError } from '../../core/errors.ts'
import { isId, isIncarnation } from '../../core/identity.ts'
import { LeftOutError } from '../../core/tags.ts'
import { hardDeadline, keptUntil } from '../../wire/lifetime.ts'
import type { CurrentRecord } from '../../wire/records.ts'
import type { Store, StoreAccess } from '../../wire/store.ts'
import type { Read } from '../../wire/swap.ts'
import {
  commonStores,
  type Deployment,
  deploymentOf,
  type Engine,
  hasNoStore,
  readSpec,
  recorded,
  slotRecords,
  storeKey,
} from '../deployment.ts'
import { type OpenAccess, type OpenCloud, openSighting, readCurrent, type Sighting, sightings, unopened } from '../find.ts'
import { siblingOf } from '../owner/current.ts'
import { foldersBelow, orphansOf } from '../owner/orphans.ts'
import { heardOf, isUnused } from '../owner/silence.ts'
import { keptOf, retainedUntil } from './spare.ts'

export interface Abandoned {
  readonly id: string
  readonly name: string
  readonly cloud: string
  /** For people: why it should no longer exist. */
  readonly reason: string
  readonly d: Deployment
  /** It has the name of a deployment that goes on without it: only this incarnation's own things are removed. */
  readonly orphan?: true
  /** Its machines are past their time, but what it may have saved is not: only they go, if there is something (`endOverdue`). */
  readonly sparing?: true
  /** ISO: if there is, until when that stays. */
  readonly until?: string | undefined
  /**
   * If a controller may be working on it: the record since which that one has been silent. It is past its time as long as this is still the
   * record.
   */
  readonly judged?: Read<CurrentRecord>
}

/** What a deployment that stays does not need: incarnations that it does not name, and those that it replaced long ago. */
async function orphanedIncarnations(engine: Engine, d: Deployment): Promise<Abandoned[]> {
  const seen = await orphansOf(d)
  if (!seen) return []
  const { current } = seen
  if (awaited(current, engine.clock.date().getTime())) return []
  const { id, name, cloudId: cloud } = d
  const old = engine.clock.date().getTime() - Date.parse(current.createdAt) > UNFINISHED_AFTER
  const former = current.state === 'open' && old ? (current.former ?? []) : []
  const found = [...former, ...seen.orphans]
  return found.map((one) => ({
    id,
    name,
    cloud,
    d: siblingOf(d, one, current.where),
    orphan: true,
    reason: `left over from an earlier start (${one}) that was replaced`,
  }))
}

/** Time that a controller may take for creating before it counts as dead. */
const UNFINISHED_AFTER = 60 * 60_000
/** The longest time that jobs wait for runners, at any forge. */
const RELAUNCH_WITHIN = 24 * 60 * 60_000

export interface SweepOptions {
  /** A store that was named. */
  readonly named?: StoreAccess | undefined
  /** Milliseconds of silence, at least, after which a controller that makes or removes something is dead. */
  readonly ttl: number
  /** Called for every store that could not be read, after the user has been told. */
  readonly failed?: (error: unknown) => void
}

type Suspicion = Pick<Abandoned, 'reason' | 'judged' | 'sparing' | 'until'>

/** Everything in these clouds (and in a store that was named) that should be removed. */
export async function findAbandoned(
  engine: Engine,
  clouds: readonly OpenCloud[],
  access: OpenAccess,
  { named, ttl, failed }: SweepOptions,
): Promise<Abandoned[]> {
  const lost = (what: string, error: unknown): undefined => {
    engine.host.warn(`${what}: ${describeError(error)}: cannot tell what may be removed`)
    failed?.(error)
  }
  const hidden = new Set<string>()
  const seen = await sightings(clouds, (cloud, error, where) => {
    if (!(error instanceof LeftOutError)) hidden.add(cloud)
    lost(where === undefined ? cloud : `${cloud}, ${where}`, error)
  })
  const suspects: Abandoned[] = []
  for (const sighting of seen) {
    const d = await openSighting(sighting, access).catch((error: unknown) => unopened(sighting, error))
    const why = await overdue(engine, sighting, d).catch((error: unknown) => silent(engine, sighting, d, error, lost))
    if (why) suspects.push({ id: d.id, name: d.name, cloud: d.cloudId, d, ...why })
    else suspects.push(...(await orphanedIncarnations(engine, d).catch(() => [])))
  }
  for (const open of clouds.filter(({ id }) => !hidden.has(id))) {
    // What is in a named store may belong to machines of the cloud that could not be checked.
    for (const place of await placesOf(open, hidden.size === 0 ? named : undefined, lost))
      try {
        suspects.push(...(await orphans(engine, open, await access(place), seen, lost)))
      } catch (error) {
        if (!isUnused(open, error)) lost(`storage of ${open.id}`, error)
      }
  }
  const alive = await Promise.all(
    suspects.map(async (suspect) => isAlive(engine, suspect, ttl).catch((error: unknown) => lost(suspect.name, error) ?? true)),
  )
  return suspects.filter((_, at) => !alive[at])
}

type Lost = (what: string, error: unknown) => undefined

/** Shared stores: a store that belongs to one deployment is found together with that, or not at all. */
async function placesOf(open: OpenCloud, named: StoreAccess | undefined, lost: Lost): Promise<readonly StoreAccess[]> {
  const usual = await commonStores(open.cloud).catch((error: unknown) => lost(`storage of ${open.id}`, error) ?? [])
  return [...usual, ...(await otherStores(open, lost)), ...(named ? [named] : [])]
}

/** What killed commands have left in these stores, and no longer belongs to any deployment. */
export async function tidyStores(
  clouds: readonly OpenCloud[],
  access: OpenAccess,
  { named, failed }: Pick<SweepOptions, 'named' | 'failed'>,
): Promise<void> {
  const lost = (_what: string, error: unknown): undefined => {
    failed?.(error)
  }
  for (const open of clouds)
    for (const place of await placesOf(open, named, lost))
      try {
        await (await access(place)).tidy?.()
      } catch (error) {
        if (!isUnused(open, error)) failed?.(error)
      }
}

/** If one cannot say which stores it has, the others are checked anyway. */
async function otherStores({ id, cloud }: OpenCloud, lost: Lost): Promise<readonly StoreAccess[]> {
  try {
    return (await cloud.otherStores?.((where, error) => lost(`storage of ${id}, ${where}`, error))) ?? []
  } catch (error) {
    lost(`storage of ${id} in other regions`, error)
    return []
  }
}

/** Whether a controller is working on it, or has just finished. One sign of life is enough: this does not wait until it is done. */
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
  // The visible group may belong to a former start, which is an orphan.
  const shown = tags.incarnation === d.incarnation
  if (shown && phase === 'up' && now > hardDeadline(tags.lifetime)) {
    const reason = `machines past their deadline ${deadline}`
    if (now > keptUntil(tags.lifetime)) return { reason }
    // For people: it is judged again before anything is removed.
    const until = (await keptOf(engine, d).catch(() => undefined))?.until
    return { reason: until === undefined ? reason : `${reason}; what the run has saved is kept until ${until}`, sparing: true, until }
  }
  const current = await readCurrent(d.store, d.id)
  if (awaited(current?.value, now)) return undefined
  const begun = current && unfinished(current, now)
  if (begun) return begun
  const spec = await readSpec(d)
  // Its controller may die before there is a record, so only its age shows whether it is still alive.
  if (!spec) return now - Date.parse(current?.value.createdAt ?? tags.createdAt) > UNFINISHED_AFTER ? { reason: UNFINISHED } : undefined
  const end = retainedUntil(await slotRecords(d, spec.count), shown ? tags.lifetime : spec.lifetime)
  return now > end ? { reason: `kept until ${new Date(end).toISOString()}` } : undefined
}

const UNFINISHED = 'its creation was never finished'

/**
 * A controller began to make or to remove it, and may still be working on it: a command that finds that may finish it, unless there are
 * signs of life.
 */
function unfinished(judged: Read<CurrentRecord>, now: number): Suspicion | undefined {
  const { state, ttl, createdAt } = judged.value
  if (state === 'destroying') return { reason: 'its removal was never finished', judged }
  if (state === 'open') return undefined
  // How long it may be silent is on record, if it is known at all.
  if (ttl === undefined && now - Date.parse(createdAt) <= UNFINISHED_AFTER) return undefined
  return { reason: UNFINISHED, judged }
}

/** The command that was starting it again was killed: the record has what the next one needs. */
function awaited(current: CurrentRecord | undefined, now: number): boolean {
  return current?.relaunch !== undefined && now - Date.parse(current.relaunch.since) < RELAUNCH_WITHIN
}

/**
 * A deployment whose store does not answer must not hide the others: the store may never have come up, or may come back. Its tags say how
 * long it may stay.
 */
function silent(engine: Engine, { found: { tags } }: Sighting, d: Deployment, error: unknown, lost: Lost): Suspicion | undefined {
  const end = keptUntil(tags.lifetime)
  if (engine.clock.date().getTime() > end) return { reason: `kept until ${new Date(end).toISOString()}, and its store does not answer` }
  if (!hasNoStore(d, error)) return lost(tags.name, error)
  engine.host.warn(`${tags.name}: its store does not answer: cannot tell what may be removed`)
  return undefined
}

/** Stored deployments without a group: their controller died before it had made one, or after it had removed it. */
async function orphans(engine: Engine, open: OpenCloud, store: Store, seen: readonly Sighting[], lost: Lost): Promise<Abandoned[]> {
  const here = storeKey(open.cloud, store)
  const known = new Set(seen.flatMap(({ cloud, found: { tags } }) => (storeKey(cloud, tags.store) === here ? [tags.id] : [])))
  const suspects: Abandoned[] = []
  for (const id of await storedIds(store)) {
    if (known.has(id)) continue
    suspects.push(...((await orphan(engine, open, store, id).catch((error: unknown) => lost(id, error))) ?? []))
  }
  return suspects
}

async function orphan(engine: Engine, open: OpenCloud, store: Store, id: string): Promise<Abandoned[]> {
  const stored = await foldersBelow(store, `${id}/`)
  const current = await readCurrent(store, id)
  // Checked after what is stored: a maker has its name on record before it makes anything.
  if (!current) return stored.filter(isIncarnation).map((one) => fragment(open, store, id, one))
  const now = engine.clock.date().getTime()
  if (awaited(current.value, now)) return []
  const { name, createdAt, incarnation, where } = current.value
  // A store that was named may hold deployments of another cloud, and only that knows whether machines belong to them.
  if (where?.[incarnation] && where[incarnation].cloud !== open.id) return []
  const d = recorded({ cloudId: open.id, cloud: open.cloud, store, id, name }, current.value)
  const late = now - Date.parse(createdAt) >= UNFINISHED_AFTER
  const why =
    unfinished(current, now) ??
    (late && !(await withinRetention(engine, d)) ? { reason: 'stored, but no machines belong to it' } : undefined)
  return why ? [{ id, name, cloud: open.id, d, ...why }] : orphanedIncarnations(engine, d)
}

/**
 * What was written to a store after everything else of its deployment was gone: by a machine that was cut off, or by the command that had
 * begun to remove it.
 */
function fragment({ id: cloudId, cloud }: OpenCloud, store: Store, id: string, incarnation: string): Abandoned {
  const name = id
  const d = deploymentOf({ cloudId, cloud, store, id, name, incarnation })
  return { id, name, cloud: cloudId, d, orphan: true, reason: `stored (${incarnation}), but in no record` }
}

async function withinRetention(engine: Engine, d: Deployment): Promise<boolean> {
  const spec = await readSpec(d)
  if (!spec) return false
  return engine.clock.date().getTime() < keptUntil(spec.lifetime)
}

/** Deployments that have anything in this store. */
export async function storedIds(store: Store): Promise<string[]> {
  // Folders that tpi did not make may have such names, too.
  return (await foldersBelow(store, '', 'tpi-')).filter(isId)
}
