/** What carries an incarnation of a deployment that its record does not name: left by controllers that were killed, suspended, or second. */
import type { DeploymentTags, Found } from '../../core/cloud.ts'
import { describeError, InputError } from '../../core/errors.ts'
import type { CurrentRecord } from '../../wire/records.ts'
import type { Store } from '../../wire/store.ts'
import { type Deployment, type Engine, isOwn, type Place, storeKey } from '../deployment.ts'
import { readCurrent, storageWord } from '../find.ts'
import { patiently } from '../outage.ts'

export interface FoundOrphans {
  readonly current: CurrentRecord
  readonly orphans: readonly string[]
}

/**
 * Incarnations with a visible group, or with anything stored. They are listed first, and the record is read after that: whatever is made
 * carries an incarnation that was on record before. A visible group whose records are in another store belongs to another deployment.
 * `undefined`: there is no record, so it cannot be determined.
 */
export async function orphansOf(d: Pick<Deployment, 'cloud' | 'store' | 'id'>): Promise<FoundOrphans | undefined> {
  const [groups, stored] = await Promise.all([d.cloud.list(undefined, d.id), foldersBelow(d.store, `${d.id}/`)])
  const shown = groups.flatMap(({ tags, phase }) => (phase !== 'absent' && isSame(d, tags) ? [tags.incarnation] : []))
  const current = (await readCurrent(d.store, d.id))?.value
  if (!current) return undefined
  const named = new Set([current.incarnation, ...(current.former ?? [])])
  return { current, orphans: [...new Set([...shown, ...stored])].filter((incarnation) => !named.has(incarnation)) }
}

function isSame({ cloud, store, id }: Pick<Deployment, 'cloud' | 'store' | 'id'>, tags: DeploymentTags): boolean {
  return tags.id === id && storeKey(cloud, tags.store) === storeKey(cloud, store)
}

/**
 * Refuses if machines are working under this id with the records of another store: of another region, or one that was named. A command that
 * names the id could not tell the two apart. If that cannot be determined, it goes on: the other deployment's things stay untouched in any
 * case. `shown`: if the cloud has already been asked what it shows.
 */
export async function refuseElsewhere(engine: Engine, d: Place, shown: readonly Found[] | undefined, signal: AbortSignal): Promise<void> {
  const other = (shown ?? (await groupsOf(engine, d, signal))).find(
    ({ tags, phase }) => phase === 'up' && tags.id === d.id && !isSame(d, tags),
  )?.tags
  // The same folder may be known by two paths.
  if (!other || (await isStored(d, other.incarnation))) return
  const where = isOwn(d.cloud, other.store) ? 'a store of its own' : other.store.url
  throw new InputError(`name: "${d.name}" is already running on ${d.cloudId}, with its records in ${where}`, {
    hint: `use another name; or stop that run and collect its results first: \`tpi stop ${d.name} --cloud ${d.cloudId}${storageWord(d.cloud, other.store)}\``,
  })
}

async function groupsOf(engine: Engine, { cloud, id, name }: Place, signal: AbortSignal): Promise<readonly Found[]> {
  try {
    return await patiently(engine, async () => cloud.list(undefined, id), signal)
  } catch (error) {
    signal.throwIfAborted()
    engine.host.debug(`${name}: could not look for runs of that name: ${describeError(error)}`)
    return []
  }
}

async function isStored({ store, id }: Place, incarnation: string): Promise<boolean> {
  const stored = await foldersBelow(store, `${id}/`).catch((): string[] => [])
  return stored.includes(incarnation)
}

/**
 * Works as long as the name belongs to `d`. Never throws: what could not be removed is described, and found by the next sweep. Stops once
 * the signal aborts.
 */
export async function lookForOrphans(engine: Engine, d: Deployment, signal?: AbortSignal): Promise<readonly string[]> {
  try {
    const seen = await patiently(engine, async () => orphansOf(d), signal)
    return seen?.current.incarnation === d.incarnation ? seen.orphans : []
  } catch (error) {
    if (!signal?.aborted) warnOfRemains(engine, d, error)
    return []
  }
}

/** `clear` removes one of them. Never throws either. */
export async function clearOrphans(
  engine: Engine,
  d: Deployment,
  orphans: readonly string[],
  clear: (incarnation: string) => Promise<void>,
): Promise<void> {
  try {
    for (const incarnation of orphans) {
      engine.host.info(`${d.name}: removing what is left of a start that was cut off (${incarnation})`)
      await clear(incarnation)
    }
  } catch (error) {
    warnOfRemains(engine, d, error)
  }
}

function warnOfRemains({ host }: Engine, { name }: Deployment, error: unknown): void {
  host.warn(`${name}: what former starts may have left was not removed: ${describeError(error)}; \`tpi sweep --yes\` does it`)
}

/** Names of folders that contain anything, in the order of keys. `start`: how the wanted names begin. */
export async function foldersBelow(store: Store, base: string, start = ''): Promise<string[]> {
  const names: string[] = []
  for (let after: string | undefined; ; ) {
    // One key of each is enough: jump over everything below it.
    const next: string | undefined = await first(store.list(base + start, after))
    if (next === undefined) return names
    const name = next.slice(base.length).split('/', 1)[0] ?? ''
    const isFolder = next !== base + name
    if (isFolder) names.push(name)
    after = isFolder ? `${base}${name}/\u{10ffff}` : next
  }
}

async function first(entries: AsyncIterable<{ key: string }>): Promise<string | undefined> {
  for await (const entry of entries) return entry.key
  return undefined
}
