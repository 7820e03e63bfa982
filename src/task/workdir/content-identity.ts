/** Whether two work directories are the same, which attach compares. */
import { createHash } from 'node:crypto'
import { gitFolderOf } from '../../lib/git-name.ts'
import { describeTree } from '../../snapshot/save/describe.ts'
import type { Manifest } from '../../snapshot/types.ts'

/**
 * SHA-256 (hex) over paths, modes, link targets and contents, without times. Git's own folders do not count: looking at them (`git status`)
 * changes them, and what they say of the files is compared by the files.
 */
export function contentIdentity(manifest: Manifest): string {
  const sum = createHash('sha256')
  for (const entry of manifest.entries) {
    if (gitFolderOf(entry.path) !== undefined) continue
    const what = entry.type === 'file' ? [entry.size, entry.hash] : entry.type === 'link' ? [entry.target] : []
    sum.update(`${JSON.stringify([entry.type, entry.path, entry.type === 'link' ? 0 : entry.mode, ...what])}\n`)
  }
  return sum.digest('hex')
}

export interface Selection {
  readonly select: (path: string, isFolder: boolean) => boolean
  readonly overlay: ReadonlyMap<string, Uint8Array>
}

/** The identity of a folder as it is now: equal to that of the base manifest made of it, if nothing has changed. */
export async function contentFingerprint(folder: string, { select, overlay }: Selection, signal?: AbortSignal): Promise<string> {
  return contentIdentity(await describeTree({ folder, select, overlay }, signal))
}
