/** Removing objects of a folder store, whatever state they are in, or in one state only. */
import { link, rename, rm } from 'node:fs/promises'
import { pause } from '../../lib/clock.ts'
import { errorCode, isGone } from '../../lib/error-code.ts'
import type { Version } from '../../wire/store.ts'
import { type FolderSync, removeIfEmpty, writeFileWhole } from './durable.ts'
import { isForeign } from './errors.ts'
import { conflict, linkState, tempPath } from './link.ts'
import type { ObjectPaths } from './names.ts'
import { currentState, firstNonce, type State, stateNumbers, statePath, versionOf } from './state.ts'
import { tidy } from './tidy.ts'

/** Removes an object; `true` if it was there. Its first state is removed before later ones: readers rely on that order. */
export async function removeObject(paths: ObjectPaths): Promise<boolean> {
  const nonce = await nonceOrForeign(paths)
  if (nonce === undefined) return false
  await rm(paths.path, { force: true })
  if (nonce !== 'foreign') await dropStates(paths, nonce)
  if (paths.incarnation === undefined) await tidy(paths.folder)
  return true
}

/** The nonce of an object, or `foreign` for a file that is not ours. That is removed like an object (of a link, not its target). */
async function nonceOrForeign(paths: ObjectPaths): Promise<string | undefined> {
  try {
    return await firstNonce(paths)
  } catch (error) {
    if (isForeign(error)) return 'foreign'
    throw error
  }
}

/**
 * Removes an object that is in this state; `true` if it was there. Of all processes that replace or remove that state, exactly one gets the
 * name of the next one; from then on the object no longer exists, whichever process removes its files.
 */
export async function removeState(paths: ObjectPaths, version: Version, syncs: FolderSync): Promise<boolean> {
  const current = await currentState(paths)
  if (!current) return false
  if (versionOf(current) !== version) throw conflict(paths)
  const end: State = { nonce: current.nonce, number: current.number + 1 }
  const temp = tempPath(paths)
  await writeFileWhole(temp, nothing())
  try {
    await linkState(paths, end, temp, syncs)
  } finally {
    await rm(temp, { force: true })
  }
  await takeAway(paths, end.nonce)
  return true
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  yield* []
}

/** Milliseconds for the process that has ended an object to remove its files. */
const TAKING_AWAY = 2000

/** Whether the object was removed. If so, its files are gone when this resolves. */
export async function hasEnded(paths: ObjectPaths, nonce: string): Promise<boolean> {
  if (await currentState(paths)) return false
  // The process that ended it removes its files. Others leave it time for that, because two that do so at once could remove a new object.
  const until = performance.now() + TAKING_AWAY
  while (performance.now() < until) {
    if ((await firstNonce(paths)) !== nonce) return true
    await pause(20)
  }
  await takeAway(paths, nonce)
  return true
}

/** Removes the files of one life of an object. If a new life has begun meanwhile, its first file is put back. */
async function takeAway(paths: ObjectPaths, nonce: string): Promise<void> {
  const moved = tempPath(paths)
  try {
    await rename(paths.path, moved)
    const taken = await firstNonce({ ...paths, path: moved })
    if (taken !== nonce) await link(moved, paths.path)
  } catch (error) {
    if (!isGone(error) && errorCode(error) !== 'EEXIST') throw error
  }
  await rm(moved, { force: true })
  await dropStates(paths, nonce)
  if (paths.incarnation === undefined) await tidy(paths.folder)
}

export async function dropStates(paths: ObjectPaths, nonce: string): Promise<void> {
  for (const number of await stateNumbers(paths, nonce)) await rm(statePath(paths, { nonce, number }), { force: true })
  await removeIfEmpty(paths.versions)
}
