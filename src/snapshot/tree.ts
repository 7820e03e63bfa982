/** What is known of a tree: a scan, and the entry made for each of its paths. */
import { HeldEntries, holdEntries, UNREAD } from './entries.ts'
import { comparePaths, parentPath } from './path.ts'
import type { Pieces } from './pieces.ts'
import { FILE, FOLDER, type Scan } from './scan.ts'
import type { Entry } from './types.ts'

export interface Tree {
  readonly scan: Scan
  /** Beside `scan.paths`; unread where nothing could be read. */
  readonly entries: HeldEntries
  /** 1: as long as the stat data is the same, the content is too. */
  readonly trusted: Uint8Array
}

export function newTree(scan: Scan, pieces: Pieces): Tree {
  const { paths, kind, mode, mtime } = scan
  const content = new Int32Array(paths.length).fill(UNREAD)
  const entries = new HeldEntries({ paths, kind, mode, mtime: mtime.slice(0, paths.length), content, more: new Map() }, pieces)
  return { scan, entries, trusted: new Uint8Array(paths.length) }
}

/** Two seconds, in nanoseconds: younger time stamps may hide a second write in the same tick (of the coarsest file systems). */
const SETTLED = 2_000_000_000n
/** Nanoseconds: the clock of time stamps lags behind the wall clock by up to a tick. */
const TICK = 10_000_000n
/** Restoring sets times through a floating point number of seconds, exact to a quarter of a microsecond. */
const RESTORED_WITHIN = 1000n

/** For each path its number among `others`, or -1. Both in the order of `comparePaths`. */
export function align(paths: readonly string[], others: readonly string[]): Int32Array {
  const numbers = new Int32Array(paths.length).fill(-1)
  let at = 0
  for (const [number, path] of paths.entries()) {
    let other = others[at]
    while (other !== undefined && other !== path && comparePaths(other, path) < 0) other = others[++at]
    if (other !== undefined && other === path) numbers[number] = at++
  }
  return numbers
}

export function sameStat(a: Scan, i: number, b: Scan, j: number): boolean {
  return (
    a.mtime[i] === b.mtime[j] &&
    a.ctime[i] === b.ctime[j] &&
    a.size[i] === b.size[j] &&
    a.ino[i] === b.ino[j] &&
    a.kind[i] === b.kind[j] &&
    a.mode[i] === b.mode[j]
  )
}

/** Time stamps are old enough for an equal stat to mean equal content. */
export function isSettled(scan: Scan, number: number): boolean {
  const limit = scan.startedAt - SETTLED
  return (scan.mtime[number] ?? limit) < limit && (scan.ctime[number] ?? limit) < limit
}

export interface Difference {
  /** Paths that changed since their first stat. */
  readonly changed: string[]
  /** Numbers, in the first scan, of files that only grew: their beginning must be compared. */
  readonly grown: number[]
}

/** Changes between two scans because of which a snapshot of the first would not be one moment of the tree. */
export function compareScans(first: Scan, second: Scan): Difference {
  const changed: string[] = []
  const grown: number[] = []
  const during = first.endedAt + TICK
  const seen = new Uint8Array(second.paths.length)
  const numbers = align(first.paths, second.paths)
  for (const [i, j] of numbers.entries()) {
    if (j < 0) continue // deleted after it was seen: the first scan's moment had it
    seen[j] = 1
    if (sameStat(first, i, second, j)) continue
    if (first.kind[i] === FOLDER && second.kind[j] === FOLDER && first.mode[i] === second.mode[j]) {
      // Names that came or went while the scan ran belong to no single moment; later ones are after it.
      if ((second.ctime[j] ?? 0n) <= during) changed.push(first.paths[i] ?? '')
    } else if (hasGrown(first, i, second, j)) grown.push(i)
    else changed.push(first.paths[i] ?? '')
  }
  for (const [j, path] of second.paths.entries()) {
    if (seen[j] === 0 && second.kind[j] === FILE && (second.ctime[j] ?? 0n) <= during) changed.push(path)
  }
  return { changed, grown }
}

function hasGrown(first: Scan, i: number, second: Scan, j: number): boolean {
  return (
    first.kind[i] === FILE &&
    second.kind[j] === FILE &&
    first.ino[i] === second.ino[j] &&
    first.mode[i] === second.mode[j] &&
    (second.size[j] ?? 0) > (first.size[i] ?? 0)
  )
}

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

/** Whether nothing changed. Equal entries take the older time, which restoring may have rounded. */
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
