/** The names of runs of this home, one a line in `$TPI_HOME/names`: a shell completes them without asking a cloud. */
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from '../lib/files.ts'

/** Names that are kept; the file is cut when it has twice as many. */
const MOST = 200

/** Adds names. Never throws: nothing depends on this file. */
export async function noteNames(home: string, names: readonly string[]): Promise<void> {
  const file = join(home, 'names')
  try {
    const known = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')
    const fresh = [...new Set(names)].filter((name) => !known.includes(name))
    if (fresh.length === 0) return
    // Several commands may append at the same time: each line stays whole.
    if (known.length + fresh.length <= 2 * MOST) await appendFile(file, `${fresh.join('\n')}\n`, { mode: 0o600 })
    else await writeWhole(file, `${[...known, ...fresh].slice(-MOST).join('\n')}\n`)
  } catch {
    // Nothing depends on it.
  }
}
