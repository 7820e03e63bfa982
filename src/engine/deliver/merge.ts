/** Which files of which slot are results, and where each one goes. Pure. */
import { isBelowGit } from '../../lib/git-name.ts'
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
  readonly changed: number[]
}

/**
 * Results are the entries that match the globs and differ from what was uploaded; never those below `.git`, which would decide what the
 * caller's next `git` command runs. All trees come in the order of manifests, so the upload is read once, entry by entry (`uploaded`), and never kept
 * in memory: with a hundred thousand files it would be as large as the results.
 */
export class Merger {
  readonly #params: MergeParams
  readonly #slots: Slot[]
  #git = 0

  constructor(slots: readonly SlotTree[], params: MergeParams) {
    this.#params = params
    this.#slots = slots.map(({ index, manifest }) => ({ index, entries: manifest.entries, next: 0, changed: [] }))
  }

  /** The next entry of what was uploaded. */
  uploaded(old: Entry): void {
    for (const slot of this.#slots) {
      for (;;) {
        const entry = slot.entries.at(slot.next)
        if (entry === undefined) break
        const order = comparePaths(entry.path, old.path)
        if (order > 0) break
        this.#look(slot, slot.next, entry, order === 0 ? old : undefined)
        slot.next += 1
        if (order === 0) break
      }
    }
  }

  /** There is no more of the upload. */
  end(): Merge {
    for (const slot of this.#slots) {
      for (let number = slot.next; number < slot.entries.length; number++) this.#look(slot, number, slot.entries.at(number), undefined)
    }
    const [only, ...others] = this.#slots
    if (only && others.length === 0 && this.#params.layout === 'merge') return { results: new Changed(only), conflicts: [], git: this.#git }
    return this.#combine()
  }

  #look(slot: Slot, number: number, entry: Entry | undefined, old: Entry | undefined): void {
    if (entry === undefined || !this.#params.matches(entry.path) || (old && equal(entry, old))) return
    if (!isBelowGit(entry.path)) slot.changed.push(number)
    // A changed index does not count: `git status` alone rewrites it.
    else if (entry.type !== 'folder' && !/(^|\/)\.git\/index$/.test(entry.path)) this.#git += 1
  }

  #combine(): Merge {
    const { layout } = this.#params
    const byPath = new Map<string, MergedEntry[]>()
    for (const slot of this.#slots) {
      for (const result of new Changed(slot)) {
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
    return { results, conflicts, git: this.#git }
  }
}

/** What a slot changed, in the order of its tree. */
class Changed implements Iterable<MergedEntry> {
  readonly #slot: Slot

  constructor(slot: Slot) {
    this.#slot = slot
  }

  *[Symbol.iterator](): Generator<MergedEntry> {
    const { index, entries, changed } = this.#slot
    for (const number of changed) {
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
