/** The identity of a work directory, by which a command that attaches sees whether it has changed. */
import { createHash } from 'node:crypto'
import { gitFolderOf } from '../../lib/git-name.ts'
import { describeTree } from '../../snapshot/save/describe.ts'
import type { Entry, Manifest } from '../../snapshot/types.ts'

/**
 * SHA-256 (hex) over paths, modes, link targets and contents, without times. Git's own folders do not count: even `git status` changes them, and the
 * files themselves are compared.
 */
export function contentIdentity(manifest: Manifest): string {
  const sum = createHash('sha256')
  for (const entry of manifest.entries) {
    if (gitFolderOf(entry.path) !== undefined) continue
    sum.update(`${JSON.stringify(factsOf(entry))}\n`)
  }
  return sum.digest('hex')
}

function factsOf(entry: Entry): readonly unknown[] {
  const { type, path, mode } = entry
  if (entry.type === 'file') return [type, path, mode, entry.size, entry.hash]
  // The mode of a link means nothing.
  return entry.type === 'link' ? [type, path, 0, entry.target] : [type, path, mode]
}

export interface Selection {
  readonly select: (path: string, isFolder: boolean) => boolean
  readonly overlay: ReadonlyMap<string, Uint8Array>
}

/** The identity of a folder as it is now: equal to that of the base manifest made of it, if nothing has changed. */
export async function contentFingerprint(folder: string, { select, overlay }: Selection, signal?: AbortSignal): Promise<string> {
  return contentIdentity(await describeTree({ folder, select, overlay }, signal))
}
