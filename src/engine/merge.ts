/** Which files of which slot are results, and where each one goes. Pure. */
import type { Entry, Manifest } from '../snapshot/types.ts'

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

/** Results are the entries that match the globs and differ from what was uploaded. */
export function merge(
  slots: readonly SlotTree[],
  base: Manifest | undefined,
  matches: (path: string) => boolean,
  layout: 'merge' | 'index',
): Merge {
  const before = new Map(base?.entries.map((entry) => [entry.path, entry]))
  const byPath = new Map<string, { index: number; entry: Entry }[]>()
  for (const { index, manifest } of slots) {
    for (const entry of manifest.entries) {
      if (!matches(entry.path) || equal(entry, before.get(entry.path))) continue
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

/** Equal as results: content, kind and link target; times do not count. */
function equal(a: Entry, b: Entry | undefined): boolean {
  if (b === undefined || a.type !== b.type) return false
  if (a.type === 'file' && b.type === 'file') return a.hash === b.hash && a.size === b.size
  if (a.type === 'link' && b.type === 'link') return a.target === b.target
  return true
}
