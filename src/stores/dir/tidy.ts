/** Cleans up what killed processes have left in a folder above the incarnations: no list shows it, because it is not an object. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isGone } from '../../lib/error-code.ts'
import { removeIfEmpty } from './durable.ts'
import { TEMP_PREFIX, VERSIONS_SUFFIX } from './names.ts'
import { removeAbandoned } from './temp.ts'

/** Removes incomplete files and states of records that no longer exist, and the folder itself if it is empty. */
export async function tidy(folder: string): Promise<void> {
  try {
    await removeAbandoned(folder)
    for (const name of await readdir(folder)) if (name.endsWith(VERSIONS_SUFFIX)) await dropStates(folder, name)
  } catch (error) {
    if (!isGone(error)) throw error
  }
  await removeIfEmpty(folder)
}

/**
 * Removes the states of a record whose first file is gone: they are left from earlier lives of the record. If there is an incomplete file, they stay,
 * because somebody may be about to make the record again.
 */
async function dropStates(folder: string, name: string): Promise<void> {
  const states = await readdir(join(folder, name))
  const beside = await readdir(folder)
  if (beside.includes(name.slice(0, -VERSIONS_SUFFIX.length)) || beside.some((one) => one.startsWith(TEMP_PREFIX))) return
  for (const state of states) await rm(join(folder, name, state), { force: true })
  await removeIfEmpty(join(folder, name))
}
