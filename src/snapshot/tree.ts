/** What is known of a tree: a scan, and for each of its paths the entry that was made of it. */
import { comparePaths, parentPath } from './path.ts'
import { FILE, FOLDER, type Scan } from './scan.ts'
import type { Entry, Manifest } from './types.ts'

export interface Tree {
  readonly scan: Scan
  /** Beside `scan.paths`; absent where nothing could be read. */
  readonly entries: (Entry | undefined)[]
  /** 1: as long as the stat data stays the same, so does the content. */
  readonly trusted: Uint8Array
}

export function newTree(scan: Scan): Tree {
  return { scan, entries: Array.from({ length: scan.paths.length }), trusted: new Uint8Array(scan.paths.length) }
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
  /** Numbers in the first scan of files that only became longer: their beginning must be compared. */
  readonly grown: number[]
}

/** What happened to a tree between two scans that a snapshot of the first would not show as one moment. */
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

export function sameTime(a: string, b: string): boolean {
  if (a === b) return true
  const difference = BigInt(a) - BigInt(b)
  return difference < RESTORED_WITHIN && difference > -RESTORED_WITHIN
}

/** Equal in all that a restore would make of them. */
export function sameEntry(a: Entry, b: Entry): boolean {
  if (a.path !== b.path || a.mode !== b.mode || !sameTime(a.mtime, b.mtime)) return false
  if (a.type === 'file') return b.type === 'file' && a.hash === b.hash && a.size === b.size
  return a.type === 'link' ? b.type === 'link' && a.target === b.target : b.type === 'folder'
}

/**
 * Puts the older object in place of each entry that equals it, but for those that are `tired` of where their pieces lie; `same`: nothing
 * else is there.
 */
export function shareEntries(
  entries: readonly Entry[],
  older: Manifest | undefined,
  tired: ReadonlySet<string>,
): { entries: readonly Entry[]; same: boolean } {
  if (older === undefined) return { entries, same: false }
  const numbers = align(entries.map(pathOf), older.entries.map(pathOf))
  let same = entries.length === older.entries.length
  const shared = entries.map((entry, number) => {
    const old = older.entries[numbers[number] ?? -1]
    if (old !== undefined && sameEntry(old, entry)) return liesIn(old, tired) ? entry : old
    same = false
    return entry
  })
  return { entries: shared, same }
}

/** Whether a piece of the entry lies in one of the objects. */
export function liesIn(entry: Entry, keys: ReadonlySet<string>): boolean {
  return keys.size > 0 && entry.type === 'file' && entry.pieces.some((piece) => keys.has(piece.key))
}

const pathOf = (entry: Entry): string => entry.path

/** Entries of `older` for which `keep` says so come in where `entries` has nothing of that path, with the folders they lie in. */
export function keepEntries(entries: readonly Entry[], older: Manifest | undefined, keep: (path: string) => boolean): readonly Entry[] {
  if (older === undefined) return entries
  const merged = new Map(entries.map((entry) => [entry.path, entry]))
  const folders = new Map<string, Entry>()
  for (const entry of older.entries) {
    if (entry.type === 'folder') folders.set(entry.path, entry)
    if (!merged.has(entry.path) && keep(entry.path) && addParents(merged, folders, entry.path)) merged.set(entry.path, entry)
  }
  if (merged.size === entries.length) return entries
  return [...merged.values()].sort((a, b) => comparePaths(a.path, b.path))
}

/** `false`: something that is no folder has taken the place of one. */
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
