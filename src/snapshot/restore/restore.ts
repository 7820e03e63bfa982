/** Turns a snapshot into a folder. */

import { lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { orLate } from '../../lib/abort.ts'
import { flush } from '../../lib/files.ts'
import { VERSION } from '../../wire/parse.ts'
import type { SnapshotRef } from '../../wire/slot.ts'
import { isDamage, localError } from '../errors.ts'
import { beside, syncTree, wipe } from '../folder/disk.ts'
import { readManifest } from '../format/manifest.ts'
import { doneWith } from '../memory.ts'
import { UNATTENDED } from '../outage.ts'
import type { DownloadOptions, Manifest, Restored, RestoreOptions } from '../types.ts'
import { fetchTree, type SnapshotSource } from './fetch.ts'

const NOTHING: Manifest = { v: VERSION, entries: [], quiet: true, unquiet: [] }

/**
 * Replaces `folder` by the first snapshot of `refs` that is whole; with no refs, by an empty folder. The old content is removed first, because
 * the disk may not have room for both. The new tree lies in `<folder>.part` until it is complete and on disk. Throws SnapshotError (`corrupt` or
 * `lost` when no ref was whole) and StoreError; then there is no folder.
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { folder } = options
  const { part } = beside(folder)
  await wipe(part)
  await wipe(folder)
  const restored = await intoPart(options, part)
  try {
    renameSync(part, folder)
    await flush(dirname(folder))
  } catch (error) {
    throw localError(`put "${folder}" in place`, error)
  }
  return restored
}

async function intoPart(options: RestoreOptions, part: string): Promise<Restored> {
  try {
    const restored = await firstWhole(options, part)
    await syncTree(part, restored.manifest.entries.length)
    return restored
  } catch (error) {
    await wipe(part)
    throw error
  }
}

/**
 * Fills `folder`, which is empty or does not exist yet, with the first snapshot of `refs` that is whole. Throws as `restore` does; the folder is
 * empty then.
 */
export async function download(options: DownloadOptions): Promise<Restored> {
  const { folder } = options
  if (exists(folder) && readdirSync(folder).length > 0) throw new Error(`the folder to download into is not empty: "${folder}"`)
  // A person or a job waits for it, so an outage is not waited out for ever, even with a signal.
  const restored = await firstWhole({ ...options, patience: UNATTENDED }, folder)
  // A flush cannot be aborted, but after the signal nobody has to wait for it.
  await orLate(syncTree(folder, restored.manifest.entries.length), options.signal, 0)
  return restored
}

async function firstWhole(options: DownloadOptions & Pick<SnapshotSource, 'patience'>, target: string): Promise<Restored> {
  const { refs, store, root, warn, signal } = options
  let last: unknown
  for (const [number, ref] of refs.entries()) {
    try {
      await emptyFolder(target)
      const known = number === 0 ? options.manifest : undefined
      const manifest = known ?? (await readManifest(store, root, ref, signal))
      doneWith(manifest.entries.length)
      await fetchTree(options, manifest, target)
      doneWith(manifest.entries.length)
      return { ref, manifest }
    } catch (error) {
      await emptyFolder(target)
      if (!isDamage(error)) throw error
      last = error
      warn(`snapshot ${name(ref)} is damaged: ${error.message}${number + 1 < refs.length ? '; taking the one before' : ''}`)
    }
  }
  if (refs.length > 0) throw last
  await emptyFolder(target)
  return { manifest: NOTHING }
}

const name = (ref: SnapshotRef): string => `${ref.digest.slice(0, 12)} of ${ref.savedAt}`

async function emptyFolder(folder: string): Promise<void> {
  await wipe(folder)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 })
  } catch (error) {
    throw localError(`make "${folder}"`, error)
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    throw localError(`look at "${path}"`, error)
  }
}
