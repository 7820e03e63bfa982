/** Incomplete files above all incarnations: their names say who writes them, so that those of killed writers can be removed. */
import { randomBytes } from 'node:crypto'
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writerIsDead, writerMark } from '../../lib/temp-name.ts'
import { TEMP_PREFIX } from './names.ts'

/** Writing a record takes far less. If a writer on another host was suspended for longer, its write fails. */
const ABANDONED_MS = 10 * 60_000

export function tempName(): string {
  return `${TEMP_PREFIX}${writerMark()}-${randomBytes(8).toString('hex')}`
}

/** Removes what killed writers of this host left in the folder, and what others left long ago. */
export async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(TEMP_PREFIX)) continue
    const path = join(folder, name)
    if (writerIsDead(name.slice(TEMP_PREFIX.length)) || Date.now() - (await lstat(path)).mtimeMs > ABANDONED_MS)
      await rm(path, { force: true })
  }
}
