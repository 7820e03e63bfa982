/** Files and folders that survive a power cut: written completely, synced, and only then given their name. */
import { type FileHandle, lstat, mkdir, open, rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode, ifGone, isGone } from '../../lib/error-code.ts'
import { flush } from '../../lib/files.ts'
import { StoreError } from '../../wire/store.ts'
import type { ObjectPaths } from './names.ts'

interface Syncs {
  running?: Promise<void>
  next?: Promise<void>
}

/** Syncs folders. Calls that come while one is under way share the following one: many parallel writes cost few syncs. */
export class FolderSync {
  readonly #folders = new Map<string, Syncs>()

  sync(folder: string): Promise<void> {
    const syncs = this.#folders.get(folder) ?? {}
    this.#folders.set(folder, syncs)
    if (syncs.next) return syncs.next
    if (!syncs.running) return this.#start(folder, syncs)
    // A running sync may have begun before this name existed; only one that begins later covers it.
    syncs.next = syncs.running.then(
      () => this.#start(folder, syncs),
      () => this.#start(folder, syncs),
    )
    return syncs.next
  }

  #start(folder: string, syncs: Syncs): Promise<void> {
    delete syncs.next
    const run = flush(folder).finally(() => {
      if (syncs.running === run) delete syncs.running
      if (!syncs.running && !syncs.next) this.#folders.delete(folder)
    })
    syncs.running = run
    return run
  }
}

/** Writes a new private file and syncs its bytes. If that fails, the file is removed. If it cannot be created, `parts` was not read. */
export async function writeFileWhole(path: string, parts: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const part of parts) await writeAll(handle, part, signal)
    await handle.datasync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

const STEP = 8 * 1024 * 1024

async function writeAll(handle: FileHandle, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    signal?.throwIfAborted()
    done += (await handle.write(bytes, done, Math.min(STEP, bytes.length - done))).bytesWritten
  }
}

/**
 * Tries `put`, which gives the file `temp` its place, and makes missing folders for it, but never the incarnation's own: if that is missing, throws
 * kind `gone`.
 */
export async function puttingInto<T>(paths: ObjectPaths, temp: string, syncs: FolderSync, put: () => Promise<T>): Promise<T> {
  return await making(paths, syncs, put, async () => {
    if (!(await exists(temp))) throw gone(paths)
  })
}

/** Tries `put`. If a folder is missing, makes it and tries again. `check` runs before the next try, and may throw. */
export async function making<T>(paths: ObjectPaths, syncs: FolderSync, put: () => Promise<T>, check?: () => Promise<void>): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return await put()
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || round > ROUNDS) throw error
      await makeFolders(paths, syncs)
      await check?.()
    }
  }
}

/** How often missing folders are made. Others may clear them again, but not so often in a row. */
export const ROUNDS = 8

/** Makes missing folders between the incarnation (or, above it, the root) and the object, but not these two: a disk that is away may come back. */
async function makeFolders(paths: ObjectPaths, syncs: FolderSync): Promise<void> {
  if (paths.incarnation !== undefined && !(await exists(paths.incarnation))) throw gone(paths)
  // If they could not all be made, the caller's next try fails, and it comes here again.
  await makeEach(paths.folders, syncs)
}

/** Makes each of them; the outermost comes first. `false`: its parent is missing, or one was cleared meanwhile. */
export async function makeEach(folders: readonly string[], syncs: FolderSync): Promise<boolean> {
  for (const folder of folders) {
    try {
      await mkdir(folder, { mode: 0o700 })
      await syncs.sync(dirname(folder))
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
  return true
}

export function gone(paths: ObjectPaths): StoreError {
  return new StoreError('gone', `storage: could not write "${paths.key}": its run was never created here or has been removed`)
}

export async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(() => true, ifGone(false))
}

export async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder)
  } catch (error) {
    const code = errorCode(error)
    // Another process was faster, or something is still (or again) in it: both are fine.
    if (!isGone(error) && code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'EBUSY') throw error
  }
}
