/** Orphans: incarnations of a deployment that its record does not name. Controllers left them that were killed, suspended, or slower than another. */
import type { DeploymentTags, Found } from '../../core/cloud.ts'
import { describeError, InputError } from '../../core/errors.ts'
import { messageOf } from '../../lib/text.ts'
import type { CurrentRecord } from '../../wire/records.ts'
import type { Store } from '../../wire/store.ts'
import { type Deployment, type Engine, isOwn, type Place, readCurrent, storeKey } from '../deployment.ts'
import { storageWord } from '../find.ts'
import { patiently } from '../outage.ts'

export interface FoundOrphans {
  readonly current: CurrentRecord
  /** Incarnations. */
  readonly orphans: readonly string[]
}

/**
 * The orphans that have a visible group, or anything in the store. The record is read last: an incarnation is on record before anything of it is
 * made, so one that is being made just now is not taken for an orphan. A visible group whose records are in another store belongs to another
 * deployment. `undefined`: there is no record, so nobody can say which incarnations are orphans.
 */
export async function orphansOf(d: Pick<Deployment, 'cloud' | 'store' | 'id'>): Promise<FoundOrphans | undefined> {
  const [groups, stored] = await Promise.all([d.cloud.list(undefined, d.id), foldersBelow(d.store, `${d.id}/`)])
  const shown = groups.flatMap(({ tags, phase }) => (phase !== 'absent' && isSame(d, tags) ? [tags.incarnation] : []))
  const current = (await readCurrent(d.store, d.id))?.value
  if (!current) return undefined
  const named = new Set([current.incarnation, ...(current.former ?? [])])
  return { current, orphans: [...new Set([...shown, ...stored])].filter((incarnation) => !named.has(incarnation)) }
}

/** The tags are of this deployment: of the same id, with records in the same store. */
function isSame({ cloud, store, id }: Pick<Deployment, 'cloud' | 'store' | 'id'>, tags: DeploymentTags): boolean {
  return tags.id === id && storeKey(cloud, tags.store) === storeKey(cloud, store)
}

/**
 * Throws InputError if machines are working under this id whose records are in another store: that of another region, or one that the user named. A
 * command that names the id could not tell the two deployments apart. If the cloud does not answer, nothing is refused, because the other deployment
 * stays untouched in any case. `shown`: what the cloud shows under this id, if it was asked already.
 */
export async function refuseElsewhere(engine: Engine, d: Place, shown: readonly Found[] | undefined, signal: AbortSignal): Promise<void> {
  const other = (shown ?? (await groupsOf(engine, d, signal))).find(
    ({ tags, phase }) => phase === 'up' && tags.id === d.id && !isSame(d, tags),
  )?.tags
  // It may be the same store after all: a folder that is known by two paths.
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

/** The orphans, as long as `d` has the name; otherwise none. Never throws: a failure is a warning, and the next sweep finds them. */
export async function lookForOrphans(engine: Engine, d: Deployment, signal?: AbortSignal): Promise<readonly string[]> {
  try {
    const seen = await patiently(engine, async () => orphansOf(d), signal)
    return seen?.current.incarnation === d.incarnation ? seen.orphans : []
  } catch (error) {
    if (!signal?.aborted) warnOfRemains(engine, d, error)
    return []
  }
}

/** Removes orphans. Never throws: a failure is a warning, and the next sweep tries again. `clear` removes one of them. */
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
  host.warn(`${name}: what former starts may have left was not removed: ${messageOf(error)}; \`tpi sweep --yes\` removes it`)
}

/** Names of the folders below `base` that have anything in them, in the order of keys. `start`: how the wanted names begin. */
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
