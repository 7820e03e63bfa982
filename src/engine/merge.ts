/** Which files of which slot are results, and where each one goes. Pure. */
import { comparePaths } from '../snapshot/path.ts'
import type { Entries, Entry, Manifest } from '../snapshot/types.ts'

export interface SlotTree {
  readonly index: number
  readonly manifest: Manifest
}

export interface Result {
  readonly index: number
  readonly entry: Entry
  /** Where it goes, relative to the output folder. */
  readonly path: string
}

export interface Merge {
  readonly results: readonly Result[]
  /** Paths that slots changed differently. */
  readonly conflicts: readonly string[]
}

export interface MergeWish {
  readonly matches: (path: string) => boolean
  readonly layout: 'merge' | 'index'
}

/**
 * Results are the entries that match the globs and differ from what was uploaded. All trees come in the order of manifests, so the upload
 * is gone through once and never held: with a hundred thousand files it would be as large as the results.
 */
export class Merger {
  readonly #wish: MergeWish
  readonly #slots: { readonly index: number; readonly entries: Entries; next: number; readonly changed: Entry[] }[]

  constructor(slots: readonly SlotTree[], wish: MergeWish) {
    this.#wish = wish
    this.#slots = slots.map(({ index, manifest }) => ({ index, entries: manifest.entries, next: 0, changed: [] }))
  }

  /** The next entry of what was uploaded. */
  uploaded(old: Entry): void {
    for (const slot of this.#slots) {
      for (;;) {
        const entry = slot.entries.at(slot.next)
        const order = entry === undefined ? 1 : entry.path === old.path ? 0 : comparePaths(entry.path, old.path)
        if (entry === undefined || order > 0) break
        slot.next += 1
        this.#look(slot.changed, entry, order === 0 ? old : undefined)
        if (order === 0) break
      }
    }
  }

  /** There is no more of the upload. */
  end(): Merge {
    for (const { entries, next, changed } of this.#slots) {
      for (let number = next; number < entries.length; number++) this.#look(changed, entries.at(number), undefined)
    }
    const [only, ...others] = this.#slots
    if (only && others.length === 0 && this.#wish.layout === 'merge') {
      const results = only.changed.map((entry) => ({ index: only.index, entry, path: entry.path }))
      return { results, conflicts: [] }
    }
    return this.#combine()
  }

  #look(changed: Entry[], entry: Entry | undefined, old: Entry | undefined): void {
    if (entry === undefined || !this.#wish.matches(entry.path) || (old && equal(entry, old))) return
    changed.push(entry)
  }

  #combine(): Merge {
    const { layout } = this.#wish
    const byPath = new Map<string, { index: number; entry: Entry }[]>()
    for (const { index, changed } of this.#slots) {
      for (const entry of changed) {
        const there = byPath.get(entry.path)
        if (there) there.push({ index, entry })
        else byPath.set(entry.path, [{ index, entry }])
      }
    }
    const results: Result[] = []
    const conflicts: string[] = []
    for (const [path, versions] of byPath) {
      const [first] = versions
      if (!first) continue
      const agreed = versions.every((version) => equal(version.entry, first.entry))
      if (layout === 'merge' && agreed) results.push({ ...first, path })
      else for (const version of versions) results.push({ ...version, path: `${version.index}/${path}` })
      if (layout === 'merge' && !agreed) conflicts.push(path)
    }
    return { results, conflicts }
  }
}

/** Equal as results: content, kind and link target; times do not count. */
function equal(a: Entry, b: Entry): boolean {
  if (a.type !== b.type) return false
  if (a.type === 'file' && b.type === 'file') return a.hash === b.hash && a.size === b.size
  if (a.type === 'link' && b.type === 'link') return a.target === b.target
  return true
}
