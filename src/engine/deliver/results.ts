/** Which entries of a run's snapshots are results, and what was uploaded in their places. */
import { join } from 'node:path'
import { globs } from '../../lib/glob.ts'
import { eachEntry, readManifest } from '../../snapshot/format/manifest.ts'
import { comparePaths } from '../../snapshot/path.ts'
import type { Entries, Entry } from '../../snapshot/types.ts'
import { BASE } from '../../wire/layout.ts'
import type { SlotRecord, SnapshotRef } from '../../wire/slot.ts'
import type { TaskSpec } from '../../wire/spec.ts'
import type { Deployment } from '../deployment.ts'
import { type Merge, type MergeParams, Merger, type Results, type SlotTree } from './merge.ts'
import type { PlacedFile } from './place.ts'

/** A slot with a snapshot of its own. */
export type SavedSlot = SlotRecord & { readonly head: SnapshotRef }

export interface HeadTree extends SlotTree {
  readonly head: SnapshotRef
}

/** What these trees have that the upload had not, or had otherwise. */
export async function mergeTrees(d: Deployment, spec: TaskSpec, trees: readonly SlotTree[], params: MergeParams): Promise<Merge> {
  const merger = new Merger(trees, params)
  if (spec.base !== undefined && trees.length > 0)
    await eachEntry(d.store, d.keys.root, { digest: spec.base, at: BASE }, (entry) => merger.uploaded(entry))
  return merger.end()
}

/**
 * The results, and in `before` what was uploaded in their places, by path. `own`: digest of the manifest that was uploaded from the folder the
 * results go to, as the receipt of the start has it; `undefined`: they go to another folder, and `before` is empty.
 */
export async function compare(
  d: Deployment,
  spec: TaskSpec,
  trees: readonly SlotTree[],
  patterns: readonly string[],
  own: string | undefined,
): Promise<Merge & { readonly before: ReadonlyMap<string, Entry> }> {
  const merged = await mergeTrees(d, spec, trees, { matches: globs(patterns), layout: spec.delivery.outputLayout })
  const before = new Map<string, Entry>()
  if (own === undefined) return { ...merged, before }
  const paths = new Set(pathsOf(merged.results))
  await eachEntry(d.store, d.keys.root, { digest: own, at: BASE }, (entry) => {
    if (paths.has(entry.path)) before.set(entry.path, entry)
  })
  return { ...merged, before }
}

/** Results as files to place. `staging`: the folder that has them, by slot. */
export function* placements(results: Results, staging: string): Generator<PlacedFile> {
  for (const { index, path, entry } of results) yield { from: join(staging, String(index), entry.path), path, entry }
}

/** The tree of exactly this head: from an older snapshot, outdated files would be delivered as if they were the results. */
export async function treeOf(d: Deployment, { index, head }: SavedSlot): Promise<HeadTree> {
  return { index, head, manifest: await readManifest(d.store, d.keys.root, head) }
}

export function isEmpty(results: Results): boolean {
  for (const _result of results) return false
  return true
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

/** Paths of files and links, each as `named` writes it. */
export function pathsOf(results: Results, named = (path: string): string => path): string[] {
  const paths: string[] = []
  for (const { entry, path } of results) if (entry.type !== 'folder') paths.push(named(path))
  return paths
}

/** All but those with these paths. */
export function without(results: Results, paths: ReadonlySet<string>): Results {
  if (paths.size === 0) return results
  return {
    *[Symbol.iterator]() {
      for (const result of results) if (!paths.has(result.path)) yield result
    },
  }
}

/** The entry with this path; a binary search, because entries are in the order of their paths. */
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
