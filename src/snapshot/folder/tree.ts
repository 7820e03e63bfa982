/** What is known of a tree: a scan, and the entry made for each of its paths. */
import { HeldEntries, holdEntries, UNREAD } from '../format/entries.ts'
import type { Pieces } from '../format/pieces.ts'
import { align, comparePaths, parentPath } from '../path.ts'
import type { Entry } from '../types.ts'
import type { Scan } from './scan.ts'

export interface Tree {
  readonly scan: Scan
  /** One for each of `scan.paths`; unread ones are missing. */
  readonly entries: HeldEntries
  /** 1 for each entry whose content is known to be the same as long as its stat data is. */
  readonly trusted: Uint8Array
}

export function newTree(scan: Scan, pieces: Pieces): Tree {
  const { paths, kind, mode, mtime } = scan
  const content = new Int32Array(paths.length).fill(UNREAD)
  const entries = new HeldEntries({ paths, kind, mode, mtime: mtime.slice(0, paths.length), content, more: new Map() }, pieces)
  return { scan, entries, trusted: new Uint8Array(paths.length) }
}

/** Restoring sets times through a floating point number of seconds, exact to a quarter of a microsecond. */
const RESTORED_WITHIN = 1000n

export function isSameTime(a: bigint, b: bigint): boolean {
  return a - b < RESTORED_WITHIN && b - a < RESTORED_WITHIN
}

/** Equal in everything that a restore sets. */
function isSame(a: HeldEntries, i: number, b: HeldEntries, j: number): boolean {
  const { columns: one } = a
  const { columns: two } = b
  if (one.kind[i] !== two.kind[j] || one.mode[i] !== two.mode[j] || !isSameTime(one.mtime[i] ?? 0n, two.mtime[j] ?? 0n)) return false
  const content = one.content[i] ?? UNREAD
  if (content >= 0 && content === two.content[j] && a.pieces === b.pieces) return true
  const [mine, theirs] = [a.at(i), b.at(j)]
  if (mine?.type === 'file') return theirs?.type === 'file' && mine.hash === theirs.hash && mine.size === theirs.size
  return mine?.type !== 'link' || (theirs?.type === 'link' && mine.target === theirs.target)
}

/** Whether nothing has changed. Gives equal entries of `entries` the older time: a restore may have rounded the newer one. */
export function isSameTree(entries: HeldEntries, older: HeldEntries): boolean {
  const numbers = align(entries.columns.paths, older.columns.paths)
  let same = entries.length === older.length
  for (const [number, old] of numbers.entries()) {
    if (old >= 0 && isSame(entries, number, older, old)) entries.columns.mtime[number] = older.columns.mtime[old] ?? 0n
    else same = false
  }
  return same
}

/** Adds the entries of `older` that `keep` selects, with their folders, where `entries` has nothing at that path. */
export function keepEntries(entries: HeldEntries, older: HeldEntries | undefined, keep: (path: string) => boolean): HeldEntries {
  if (older === undefined) return entries
  const merged = new Map(Array.from(entries, (entry) => [entry.path, entry]))
  const folders = new Map<string, Entry>()
  for (const entry of older) {
    if (entry.type === 'folder') folders.set(entry.path, entry)
    if (!merged.has(entry.path) && keep(entry.path) && addParents(merged, folders, entry.path)) merged.set(entry.path, entry)
  }
  if (merged.size === entries.length) return entries
  const sorted = [...merged.values()].sort((a, b) => comparePaths(a.path, b.path))
  return holdEntries(sorted, entries.pieces)
}

/** `false`: something that is not a folder has taken the place of one. */
function addParents(merged: Map<string, Entry>, folders: ReadonlyMap<string, Entry>, path: string): boolean {
  const parent = parentPath(path)
  if (parent === '') return true
  const present = merged.get(parent)
  if (present !== undefined) return present.type === 'folder'
  const old = folders.get(parent)
  if (old === undefined || !addParents(merged, folders, parent)) return false
  merged.set(parent, old)
  return true
}
