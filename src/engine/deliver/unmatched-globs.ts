/** Output globs that match no file: they are misspelled, or the files were never written. */
import { globs } from '../../lib/glob.ts'
import { eachEntry } from '../../snapshot/format/manifest.ts'
import type { Manifest } from '../../snapshot/types.ts'
import { BASE } from '../../wire/layout.ts'
import type { TaskSpec } from '../../wire/spec.ts'
import type { Deployment } from '../deployment.ts'
import type { SlotTree } from './merge.ts'

/** The globs that ask for files, each with its matcher. (One with "!" only leaves files out.) */
function asking(patterns: readonly string[]): Map<string, (path: string) => boolean> {
  return new Map(patterns.filter((pattern) => !pattern.startsWith('!')).map((pattern) => [pattern, globs([pattern])]))
}

/** Globs that match no file of any slot, changed or not. */
export function unmatchedIn(trees: readonly SlotTree[], patterns: readonly string[]): string[] {
  const open = asking(patterns)
  return [...open].filter(([, fits]) => !trees.some(({ manifest }) => hasFile(manifest, fits))).map(([pattern]) => pattern)
}

/** The same if no slot has saved anything: then each has just what was uploaded. */
export async function unmatchedInUpload(d: Deployment, spec: TaskSpec, patterns: readonly string[]): Promise<string[]> {
  const open = asking(patterns)
  if (spec.base === undefined) return [...open.keys()]
  await eachEntry(d.store, d.keys.root, { digest: spec.base, at: BASE }, (entry) => {
    if (entry.type === 'folder') return
    for (const [pattern, fits] of open) if (fits(entry.path)) open.delete(pattern)
  })
  return [...open.keys()]
}

function hasFile({ entries }: Manifest, fits: (path: string) => boolean): boolean {
  for (const entry of entries) if (entry.type !== 'folder' && fits(entry.path)) return true
  return false
}
