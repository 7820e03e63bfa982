/** Links a file to the name of a state: exactly one of all contenders gets it. */
import { randomBytes } from 'node:crypto'
import { link, lstat, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode, ifGone } from '../../lib/error-code.ts'
import { StoreError } from '../../wire/store.ts'
import { type FolderSync, puttingInto, removeIfEmpty } from './durable.ts'
import { type ObjectPaths, TEMP_FOLDER } from './names.ts'
import { firstNonce, isSameFile, latest, type State, stateNumbers, statePath } from './state.ts'
import { tempName } from './temp.ts'

/**
 * States of a record that stay behind the current one. A writer that was stopped between looking and linking could otherwise make a
 * number that others had already used and removed; with this many left it sees, after linking, that the record has moved on.
 */
const KEPT_STATES = 32

/** `link`, or kind `conflict` if another file has the name. */
export async function linkOnce(temp: string, path: string, paths: ObjectPaths): Promise<void> {
  try {
    await link(temp, path)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EEXIST') {
      // A network file system may repeat a request whose answer was lost, and then meet its own link.
      if (await isSameFile(lstat(temp, { bigint: true }), lstat(path, { bigint: true })).catch(ifGone(false))) return
      throw conflict(paths)
    }
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP' || code === 'ENOSYS') throw noLinks(dirname(path), error)
    throw error
  }
}

function noLinks(folder: string, cause: unknown): StoreError {
  const message = `storage: the file system of "${folder}" does not support hard links, which a folder store needs: use another folder`
  return new StoreError('invalid', message, { cause })
}

export function conflict(paths: ObjectPaths): StoreError {
  return new StoreError('conflict', `storage: "${paths.key}" is no longer what it was`)
}

/** Makes the bytes at `temp` this state of an object, if nobody else has made it; kind `conflict` otherwise. */
export async function linkState(paths: ObjectPaths, made: State, temp: string, syncs: FolderSync): Promise<void> {
  const here: ObjectPaths = { ...paths, folders: [...paths.folders, paths.versions], folder: paths.versions }
  await puttingInto(here, temp, syncs, () => linkOnce(temp, statePath(paths, made), paths))
  // If the object was removed meanwhile, with this folder, the check afterwards shows it.
  await syncs.sync(paths.versions).catch(ifGone(undefined))
  await confirm(paths, made)
}

/** Checks the link against what is there now, and removes states that nobody needs any more. */
async function confirm(paths: ObjectPaths, made: State): Promise<void> {
  const numbers = await stateNumbers(paths, made.nonce)
  const newest = latest(numbers)
  const stale = newest > made.number + KEPT_STATES || (await firstNonce(paths)) !== made.nonce
  if (stale) {
    await rm(statePath(paths, made), { force: true })
    // If the object was removed meanwhile, with this folder, the link has created it again.
    await removeIfEmpty(paths.versions)
    throw conflict(paths)
  }
  for (const number of numbers) {
    if (number < newest - KEPT_STATES) await rm(statePath(paths, { nonce: made.nonce, number }), { force: true })
  }
}

/** A file that no list shows. */
export function tempPath(paths: ObjectPaths): string {
  if (paths.incarnation === undefined) return join(paths.folder, tempName())
  return join(paths.incarnation, TEMP_FOLDER, randomBytes(8).toString('hex'))
}
