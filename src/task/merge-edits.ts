/** Lays files that were edited here since the last upload over the snapshot that a run resumes from: new code on old checkpoints. Pure. */
import { isWritten } from '../engine/deliver/merge.ts'
import { entryIdentity } from '../engine/deliver/place.ts'
import { gitFolderOf } from '../lib/git-name.ts'
import { comparePaths, foldersAbove } from '../snapshot/path.ts'
import type { Entry } from '../snapshot/types.ts'

export interface LaidOver {
  /** In the order of a manifest. */
  readonly entries: readonly Entry[]
  /** Edited here, or new: used as they are here. */
  readonly edited: readonly string[]
  /** Files and folders that the run had changed too → the path of the run's version. */
  readonly both: ReadonlyMap<string, string>
}

/** Entries by their paths, in the order of a manifest. */
export type Tree = ReadonlyMap<string, Entry>

export function treeOf(entries: Iterable<Entry>): Tree {
  return new Map(Array.from(entries, (entry) => [entry.path, entry]))
}

/**
 * `was`: what was uploaded for the run of the snapshot. `now`: the work directory, without delivered results. A file that is missing there stays as
 * the snapshot has it.
 */
export function layOver(snapshot: Iterable<Entry>, was: Tree, now: Tree): LaidOver {
  const then = treeOf(snapshot)
  const entries = new Map(then)
  const edited: string[] = []
  const both = new Map<string, string>()
  /** Makes room at this path for what is here. If the run has changed anything there, its version is moved beside it. */
  const yieldTo = (path: string): void => {
    const theirs = then.get(path)?.type === 'folder' ? [...then.keys()].filter((one) => isIn(path, one)) : [path]
    if (theirs.every((one) => isSame(then.get(one), was.get(one)))) return
    const beside = freeName(path, then, now)
    for (const one of theirs) {
      const entry = then.get(one)
      const moved = `${beside}${one.slice(path.length)}`
      if (entry) entries.set(moved, named(entry, moved))
      entries.delete(one)
    }
    both.set(path, beside)
  }
  /** Makes room for the folder above a path, if the snapshot has something else there. */
  const yieldAbove = (path: string): void => {
    const above = foldersAbove(path).find((folder) => then.has(folder) && then.get(folder)?.type !== 'folder' && !both.has(folder))
    const here = above === undefined ? undefined : now.get(above)
    if (above === undefined || here === undefined) return
    yieldTo(above)
    entries.set(above, here)
  }
  for (const unit of gitsOf(then, now)) {
    if (!differs(unit, now, was)) continue
    edited.push(unit)
    yieldAbove(unit)
    for (const path of then.keys()) if (isIn(unit, path)) entries.delete(path)
    for (const [path, entry] of now) if (isIn(unit, path)) entries.set(path, entry)
  }
  for (const [path, entry] of now) {
    if (gitFolderOf(path) !== undefined || isSame(entry, was.get(path))) continue
    const theirs = then.get(path)
    if (entry.type !== 'folder' && !isSame(entry, theirs)) edited.push(path)
    if (entry.type !== 'folder') yieldAbove(path)
    if (theirs && (theirs.type !== entry.type || entryIdentity(theirs) !== entryIdentity(entry))) yieldTo(path)
    entries.set(path, entry)
  }
  return { entries: whole(entries, now), edited: edited.sort(comparePaths), both }
}

/** Nanoseconds: more than what rounding takes away when times are restored. */
const A_MOMENT = 1_000_000n

/**
 * Sets times of a snapshot so that in the next run, too, exactly that counts as written which the slot has written itself (`isWritten`). That run may
 * upload the same, because it was delivered here; and what the slot has left alone may be uploaded from a copy with older times. Nothing else of
 * the snapshot changes. `was` as in `layOver`; `sent`: the next run's upload.
 */
export function withOwnTimes(snapshot: Iterable<Entry>, was: Tree, sent: Tree): Entry[] {
  return Array.from(snapshot, (entry) => {
    const next = sent.get(entry.path)
    if (entry.type === 'folder' || entry.type !== next?.type || entryIdentity(entry) !== entryIdentity(next)) return entry
    const own = isWritten(entry, was.get(entry.path))
    if (own === isWritten(entry, next)) return entry
    return { ...named(entry, entry.path), mtime: own ? String(BigInt(next.mtime) + A_MOMENT) : next.mtime }
  })
}

function isSame(one: Entry | undefined, other: Entry | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    one.type === other.type &&
    entryIdentity(one) === entryIdentity(other) &&
    (one.type === 'link' || one.mode === other.mode)
  )
}

const isIn = (unit: string, path: string): boolean => path === unit || path.startsWith(`${unit}/`)

/** Git folders are taken as a whole: parts of two of them together would not be a repository. */
function gitsOf(...trees: readonly Tree[]): ReadonlySet<string> {
  return new Set(trees.flatMap((tree) => [...tree.keys()].flatMap((path) => gitFolderOf(path) ?? [])))
}

/** Whether a Git folder was changed here. Its index does not count: `git status` rewrites it, and it says nothing that the files do not. */
function differs(unit: string, now: Tree, was: Tree): boolean {
  const paths = [...now.keys()].filter((path) => isIn(unit, path) && path !== `${unit}/index`)
  return paths.some((path) => {
    const entry = now.get(path)
    return entry !== undefined && entry.type !== 'folder' && !isSame(entry, was.get(path))
  })
}

/** A copy under another path, property by property: entries of a manifest may not be plain objects. */
function named(entry: Entry, path: string): Entry {
  const { mode, mtime } = entry
  if (entry.type === 'folder') return { type: 'folder', path, mode, mtime }
  if (entry.type === 'link') return { type: 'link', path, mode, mtime, target: entry.target }
  return { type: 'file', path, mode, mtime, size: entry.size, hash: entry.hash, pieces: entry.pieces }
}

function freeName(path: string, ...trees: readonly Tree[]): string {
  for (let number = 1; ; number++) {
    const name = `${path}~${number === 1 ? '' : number}`
    if (trees.every((tree) => !tree.has(name))) return name
  }
}

/** Removes entries below what is a file now, and adds all folders that contain something. */
function whole(entries: ReadonlyMap<string, Entry>, here: Tree): Entry[] {
  const all = new Map(entries)
  for (const path of entries.keys())
    for (const folder of foldersAbove(path)) {
      const there = all.get(folder) ?? here.get(folder)
      if (there?.type === 'folder') all.set(folder, there)
      else if (there) all.delete(path)
    }
  return [...all.values()].sort((a, b) => comparePaths(a.path, b.path))
}
