/** Results may lie in the work directory of their own run: what tpi has put there does not count as a change of it. */
import { isDamage } from '../../snapshot/errors.ts'
import { readManifest } from '../../snapshot/format/manifest.ts'
import { comparePaths, foldersAbove } from '../../snapshot/path.ts'
import type { Entry, Manifest } from '../../snapshot/types.ts'
import { BASE } from '../../wire/layout.ts'
import { hasSaved, type SlotRecord, type SnapshotRef } from '../../wire/slot.ts'
import type { TaskSpec } from '../../wire/spec.ts'
import type { Deployment, Engine } from '../deployment.ts'
import { notePath, readNote } from './ledger.ts'
import { isWritten } from './merge.ts'
import { entryIdentity } from './place.ts'
import { INCOMING } from './staging.ts'

/**
 * The work directory (`now`) as it would be without what deliveries of this deployment, even interrupted ones, have left in it. A file whose content
 * is in the note, or in a slot's head, counts as it was uploaded, or as absent.
 */
export async function withoutDeliveries(
  engine: Engine,
  d: Deployment,
  spec: TaskSpec,
  slots: readonly SlotRecord[],
  now: Manifest,
): Promise<Manifest> {
  const base = spec.base === undefined ? undefined : await readManifest(d.store, d.keys.root, { digest: spec.base, at: BASE })
  const before = new Map(Array.from(base?.entries ?? [], (entry) => [entry.path, entry]))
  const ours = new Set(Object.entries((await readNote(notePath(engine, d))) ?? {}).map(([path, identity]) => `${path}\n${identity}`))
  for (const { index, head } of slots.filter(hasSaved)) {
    for (const entry of await entriesOf(d, head)) {
      for (const path of placesOf(index, entry, before.get(entry.path)))
        for (const beside of ['', '~']) ours.add(`${path}${beside}\n${entryIdentity(entry)}`)
    }
  }
  // Whatever folder they were delivered to (`--to`, `output-dir`).
  const places = (path: string): string[] => (before.has(path) ? [path] : [path, ...tails(path)])
  const isOurs = (entry: Entry): boolean =>
    entry.path.startsWith(INCOMING) ||
    (entry.type !== 'folder' && places(entry.path).some((path) => ours.has(`${path}\n${entryIdentity(entry)}`)))
  const kept = [...now.entries].flatMap((entry) => (isOurs(entry) ? (before.get(entry.path) ?? []) : entry))
  // A folder in which only deliveries have put something is theirs, too.
  const needed = new Set(kept.flatMap(({ type, path }) => (type === 'folder' ? [] : foldersAbove(path))))
  const entries = kept.filter((entry) => entry.type !== 'folder' || before.has(entry.path) || needed.has(entry.path))
  return { ...now, entries: entries.sort((a, b) => comparePaths(a.path, b.path)) }
}

/** Where deliveries may have put what the slot has at a path; `former`: what was uploaded there. */
function* placesOf(slot: number, entry: Entry, former: Entry | undefined): Generator<string> {
  if (isWritten(entry, former)) yield `${slot}/${entry.path}`
  // What the run has not changed is never delivered under its own name: a copy of it here is the user's.
  if (former === undefined || entryIdentity(entry) !== entryIdentity(former)) yield entry.path
}

/** Nothing, if the snapshot is damaged: then nothing more can be delivered from it, and the note has what was delivered earlier. */
async function entriesOf(d: Deployment, head: SnapshotRef): Promise<Iterable<Entry>> {
  return readManifest(d.store, d.keys.root, head).then(
    ({ entries }) => entries,
    (error: unknown) => {
      if (isDamage(error)) return []
      throw error
    },
  )
}

/** `a/b/c` → `b/c`, `c` */
function tails(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, depth) => parts.slice(depth + 1).join('/'))
}
