/** Which parts of a run's snapshots must be delivered, and what was uploaded in their places. */
import { join } from 'node:path'
import { globs } from '../../lib/glob.ts'
import { eachEntry, readManifest } from '../../snapshot/format/manifest.ts'
import { comparePaths } from '../../snapshot/path.ts'
import type { Entries, Entry } from '../../snapshot/types.ts'
import { BASE } from '../../wire/layout.ts'
import type { SlotRecord, SnapshotRef } from '../../wire/slot.ts'
import type { TaskSpec } from '../../wire/spec.ts'
import type { Deployment } from '../deployment.ts'
import { type Merge, Merger, type Results, type SlotTree } from './merge.ts'
import type { PlacedFile } from './place.ts'

/** A slot with a snapshot of its own. */
export type SavedSlot = SlotRecord & { readonly head: SnapshotRef }

export interface HeadTree extends SlotTree {
  readonly head: SnapshotRef
}

/** Results, and (for their own folder) what was uploaded in their places. `own`: digest of the upload, from the receipt of the start. */
export async function compare(
  d: Deployment,
  spec: TaskSpec,
  trees: readonly SlotTree[],
  patterns: readonly string[],
  own: string | undefined,
): Promise<Merge & { readonly before: ReadonlyMap<string, Entry> }> {
  const merger = new Merger(trees, { matches: globs(patterns), layout: spec.delivery.outputLayout })
  const base = spec.base === undefined ? undefined : { digest: spec.base, at: BASE }
  if (base) await eachEntry(d.store, d.keys.root, base, (entry) => merger.uploaded(entry))
  const merged = merger.end()
  const before = new Map<string, Entry>()
  if (own === undefined) return { ...merged, before }
  const paths = new Set(pathsOf(merged.results))
  await eachEntry(d.store, d.keys.root, { digest: own, at: BASE }, (entry) => {
    if (paths.has(entry.path)) before.set(entry.path, entry)
  })
  return { ...merged, before }
}

/** One after the other as they are asked for. */
export function* placements(results: Results, staging: string): Generator<PlacedFile> {
  for (const { index, path, entry } of results) yield { from: join(staging, String(index), entry.path), path, entry }
}

/** Exactly the head's: an older generation would be delivered as if it were the result. */
export async function treeOf(d: Deployment, { index, head }: SavedSlot): Promise<HeadTree> {
  return { index, head, manifest: await readManifest(d.store, d.keys.root, head) }
}

export function bytesOf(results: Results): number {
  let bytes = 0
  for (const { entry } of results) if (entry.type === 'file') bytes += entry.size
  return bytes
}

/** What they take on a disk: pieces that are only zeros stay holes. */
export function diskBytesOf(results: Results): number {
  let bytes = 0
  for (const { entry } of results) if (entry.type === 'file') for (const { key, size } of entry.pieces) if (key !== '') bytes += size
  return bytes
}

/** Paths of files and links. */
export function pathsOf(results: Results, named = (path: string): string => path): string[] {
  const paths: string[] = []
  for (const { entry, path } of results) if (entry.type !== 'folder') paths.push(named(path))
  return paths
}

/** Those that exist there now: some links do not. */
export function without(results: Results, refused: ReadonlySet<string>): Results {
  return refused.size === 0
    ? results
    : {
        *[Symbol.iterator]() {
          for (const result of results) if (!refused.has(result.path)) yield result
        },
      }
}

/** Entries are in the order of their paths. */
export function entryAt(entries: Entries, path: string): Entry | undefined {
  let [from, to] = [0, entries.length]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    const there = entries.at(middle)
    const order = there === undefined ? 1 : comparePaths(there.path, path)
    if (order === 0) return there
    if (order < 0) from = middle + 1
    else to = middle
  }
  return undefined
}
