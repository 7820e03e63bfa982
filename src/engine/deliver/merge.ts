/** Which files of which slot are results, and where each one goes. Pure. */
import { isBelowGit } from '../../lib/git-name.ts'
import { isSameTime } from '../../snapshot/folder/tree.ts'
import { comparePaths } from '../../snapshot/path.ts'
import type { Entries, Entry, Manifest } from '../../snapshot/types.ts'

export interface SlotTree {
  readonly index: number
  readonly manifest: Manifest
}

export interface MergedEntry {
  /** The slot, and the number of the entry in its tree. */
  readonly index: number
  readonly number: number
  readonly entry: Entry
  /** Where it goes, relative to the output folder. */
  readonly path: string
}

/** May be read several times. Its objects are made while it is read, so that a hundred thousand of them never exist at once. */
export type Results = Iterable<MergedEntry>

export interface Merge {
  readonly results: Results
  /** Paths that slots changed differently. */
  readonly conflicts: readonly string[]
  /** How many files and links match, but are not results because they are as they were uploaded. */
  readonly unchanged: number
  /** How many files and links are not results because they are in a repository's own folder. */
  readonly git: number
}

export interface MergeParams {
  readonly matches: (path: string) => boolean
  readonly layout: 'merge' | 'index'
}

interface Slot {
  readonly index: number
  readonly entries: Entries
  /** The first entry that the upload has not reached. */
  next: number
  /** Numbers of entries that are results. */
  readonly results: number[]
}

/** An entry, as a slot has it. */
interface Version {
  readonly slot: Slot
  readonly number: number
  readonly entry: Entry
}

/**
 * Results are the entries that match the globs and differ from what was uploaded; never those below `.git`, which would decide what the
 * caller's next `git` command runs. A file that a slot has written again just as it was uploaded is a result, too, if another slot has changed it, or if
 * all results lie under numbers of slots: otherwise the result of this slot would be missing, or taken for that of the other one. A file that it left
 * alone is not.
 *
 * All trees come in the order of manifests, so the upload is read once, entry by entry (`uploaded`), and never kept in memory: with a hundred
 * thousand files it would be as large as the results.
 */
export class Merger {
  readonly #params: MergeParams
  readonly #slots: Slot[]
  #unchanged = 0
  #git = 0

  constructor(slots: readonly SlotTree[], params: MergeParams) {
    this.#params = params
    this.#slots = slots.map(({ index, manifest }) => ({ index, entries: manifest.entries, next: 0, results: [] }))
  }

  /** The next entry of what was uploaded. */
  uploaded(old: Entry): void {
    const there = this.#slots.flatMap((slot) => this.#reach(slot, old.path) ?? [])
    if (there.length === 0 || !this.#params.matches(old.path)) return
    const anyCounts = this.#params.layout === 'index' || there.some(({ entry }) => !equal(entry, old))
    const written = anyCounts ? there.filter(({ entry }) => isWritten(entry, old)) : []
    for (const version of written) this.#take(version)
    if (written.length === 0 && old.type !== 'folder' && !isBelowGit(old.path)) this.#unchanged += 1
  }

  /** There is no more of the upload. */
  end(): Merge {
    for (const slot of this.#slots) this.#reach(slot, undefined)
    const [only, ...others] = this.#slots
    const apart = others.length > 0 || this.#params.layout === 'index'
    const merged = only && !apart ? { results: new Found(only), conflicts: [] } : this.#combine()
    return { ...merged, unchanged: this.#unchanged, git: this.#git }
  }

  /** Takes everything that the slot has before this path, or all that is left. Returns what it has at the path. */
  #reach(slot: Slot, path: string | undefined): Version | undefined {
    for (let entry = slot.entries.at(slot.next); entry !== undefined; entry = slot.entries.at(slot.next)) {
      const order = path === undefined ? -1 : comparePaths(entry.path, path)
      if (order > 0) return undefined
      const version = { slot, number: slot.next, entry }
      slot.next += 1
      if (order === 0) return version
      if (this.#params.matches(entry.path)) this.#take(version)
    }
    return undefined
  }

  #take({ slot, number, entry }: Version): void {
    if (!isBelowGit(entry.path)) slot.results.push(number)
    // A changed index does not count: `git status` alone rewrites it.
    else if (entry.type !== 'folder' && !/(^|\/)\.git\/index$/.test(entry.path)) this.#git += 1
  }

  #combine(): Pick<Merge, 'results' | 'conflicts'> {
    const { layout } = this.#params
    const byPath = new Map<string, MergedEntry[]>()
    for (const slot of this.#slots) {
      for (const result of new Found(slot)) {
        const there = byPath.get(result.path)
        if (there) there.push(result)
        else byPath.set(result.path, [result])
      }
    }
    const results: MergedEntry[] = []
    const conflicts: string[] = []
    for (const [path, versions] of byPath) {
      const [first] = versions
      if (!first) continue
      const agreed = versions.every((version) => equal(version.entry, first.entry))
      if (layout === 'merge' && agreed) results.push(first)
      else for (const version of versions) results.push({ ...version, path: `${version.index}/${path}` })
      if (layout === 'merge' && !agreed) conflicts.push(path)
    }
    return { results, conflicts }
  }
}

/** The results of a slot, in the order of its tree. */
class Found implements Iterable<MergedEntry> {
  readonly #slot: Slot

  constructor(slot: Slot) {
    this.#slot = slot
  }

  *[Symbol.iterator](): Generator<MergedEntry> {
    const { index, entries, results } = this.#slot
    for (const number of results) {
      const entry = entries.at(number)
      if (entry !== undefined) yield { index, number, entry, path: entry.path }
    }
  }
}

/** Equal as results: content, kind and link target; times do not count. */
function equal(a: Entry, b: Entry): boolean {
  if (a.type !== b.type) return false
  if (a.type === 'file' && b.type === 'file') return a.hash === b.hash && a.size === b.size
  if (a.type === 'link' && b.type === 'link') return a.target === b.target
  return true
}

/**
 * Whether an entry was written on the machine: it differs from what was uploaded there (`old`), or is equal and of a later time. Another time would
 * not be enough: a resumed run has files with the times of its former upload, and some file systems cut times off.
 */
export function isWritten(entry: Entry, old: Entry | undefined): boolean {
  if (old === undefined || !equal(entry, old)) return true
  if (entry.type === 'folder' || entry.mtime === old.mtime) return false
  const [then, now] = [BigInt(old.mtime), BigInt(entry.mtime)]
  return now > then && !isSameTime(now, then)
}
