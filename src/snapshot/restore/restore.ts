/** Turns a snapshot into a folder. */

import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { orLate } from '../../lib/abort.ts'
import { flush, writeJson } from '../../lib/files.ts'
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
 * Replaces `folder` by the first snapshot of `refs` that is whole; with no refs, by an empty folder. Until the new tree is complete and on
 * disk it lies in `<folder>.part`. Throws SnapshotError (`corrupt` or `lost` when no ref was whole) and StoreError.
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { folder, marker } = options
  const { marker: place, part, old } = beside(folder)
  await wipe(part)
  await wipe(old)
  if (!exists(place)) await wipe(folder)
  const restored = await intoPart(options, part)
  try {
    rmSync(place, { force: true })
    if (exists(folder)) renameSync(folder, old)
    renameSync(part, folder)
    if (marker !== undefined)
      await writeJson(place, { ...marker, ...(restored.ref ? { digest: restored.ref.digest } : {}) }, { durable: true })
    else await flush(dirname(folder))
  } catch (error) {
    throw localError(`put "${folder}" in place`, error)
  }
  await wipe(old)
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
 * Fills `folder` (empty, or made now) with the selected entries of the first ref that is whole, and the folders they lie in. Throws as
 * `restore` does, and leaves the folder empty then.
 */
export async function download(options: DownloadOptions): Promise<Restored> {
  const { folder } = options
  if (exists(folder) && readdirSync(folder).length > 0) throw new Error(`the folder to download into is not empty: "${folder}"`)
  // A person or a job waits for it, also if it can be interrupted.
  const restored = await firstWhole({ ...options, patience: UNATTENDED }, folder)
  // A flush cannot be ended, but nobody has to wait for it.
  await orLate(syncTree(folder, restored.manifest.entries.length), options.signal, 0)
  return restored
}

async function firstWhole(options: DownloadOptions & Pick<SnapshotSource, 'patience'>, target: string): Promise<Restored> {
  const { refs, store, root, select, warn, signal } = options
  let last: unknown
  for (const [number, ref] of refs.entries()) {
    try {
      await emptyFolder(target)
      const known = number === 0 ? options.manifest : undefined
      const manifest = known ?? (await readManifest(store, root, ref, signal))
      doneWith(manifest.entries.length)
      await fetchTree(options, manifest, target, select)
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
