import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ifGone } from '../../src/lib/error-code.ts'

/** All that is below a folder, without what is removed meanwhile: Node's own recursion fails at that. */
export async function below(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ifGone<Dirent[]>([]))
  const folders = entries.filter((entry) => entry.isDirectory())
  return [...entries, ...(await Promise.all(folders.map(async ({ name }) => below(join(folder, name))))).flat()]
}
