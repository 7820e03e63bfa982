/** Output globs that fit no file: misspelled, or of files that were never written. */
import { globs } from '../../lib/glob.ts'
import { eachEntry } from '../../snapshot/manifest.ts'
import type { Manifest } from '../../snapshot/types.ts'
import { BASE } from '../../wire/layout.ts'
import type { TaskSpec } from '../../wire/spec.ts'
import type { Deployment } from '../deployment.ts'
import type { SlotTree } from './merge.ts'

/** Globs that ask for files, each with what it fits: one with "!" only leaves some out. */
function asking(patterns: readonly string[]): Map<string, (path: string) => boolean> {
  return new Map(patterns.filter((pattern) => !pattern.startsWith('!')).map((pattern) => [pattern, globs([pattern])]))
}

/** Those that fit no file in any of the slots' heads, changed or not. */
export function unmatchedIn(trees: readonly SlotTree[], patterns: readonly string[]): string[] {
  const open = asking(patterns)
  return [...open].filter(([, fits]) => !trees.some(({ manifest }) => hasFile(manifest, fits))).map(([pattern]) => pattern)
}

/** The same where no slot changed anything: what each of them holds is the upload. */
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
