/** Files and folders that survive a power cut: written whole, synced, and only then given their name. */
import { type FileHandle, lstat, mkdir, open, rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StoreError } from '../../wire/store.ts'
import { codeOf, isMissing } from './errors.ts'
import type { ObjectPaths } from './names.ts'

/** File systems that cannot sync a folder say so with one of these; nothing better can be done there. */
const NO_FOLDER_SYNC = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EBADF', 'EISDIR'])

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
    // What is running may have begun before our name was there; only one that begins later covers it.
    syncs.next = syncs.running.then(
      () => this.#start(folder, syncs),
      () => this.#start(folder, syncs),
    )
    return syncs.next
  }

  #start(folder: string, syncs: Syncs): Promise<void> {
    delete syncs.next
    const run = syncFolder(folder).finally(() => {
      if (syncs.running === run) delete syncs.running
      if (!syncs.running && !syncs.next) this.#folders.delete(folder)
    })
    syncs.running = run
    return run
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } catch (error) {
    if (!NO_FOLDER_SYNC.has(codeOf(error) ?? '')) throw error
  } finally {
    await handle.close()
  }
}

/** Writes a new private file and syncs its bytes. The file is removed again when that fails; where it cannot be made, no part was asked for. */
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

/** Tries `put`; while folders on the way are missing, makes them, but never the incarnation's own: then it throws kind `gone`. */
export async function puttingInto<T>(paths: ObjectPaths, temp: string, syncs: FolderSync, put: () => Promise<T>): Promise<T> {
  return await making(paths, syncs, put, async () => {
    if (!(await exists(temp))) throw gone(paths)
  })
}

/** Tries `put`, and again once the folders that it missed are made. */
export async function making<T>(paths: ObjectPaths, syncs: FolderSync, put: () => Promise<T>, check?: () => Promise<void>): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return await put()
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || round > ROUNDS) throw error
      await makeFolders(paths, syncs)
      await check?.()
    }
  }
}

/** Others may clear what was just made; not so often. */
export const ROUNDS = 8

/** Makes what is missing between the incarnation (or, above it, the root) and the object. Neither of these two: one that is away comes back. */
async function makeFolders(paths: ObjectPaths, syncs: FolderSync): Promise<void> {
  if (paths.incarnation !== undefined && !(await exists(paths.incarnation))) throw gone(paths)
  // Where it is false the caller looks once more, and finds out what is left.
  await makeEach(paths.folders, syncs)
}

/** Each of them, the outermost first. False: what they lie in is missing, or somebody cleared one meanwhile. */
export async function makeEach(folders: readonly string[], syncs: FolderSync): Promise<boolean> {
  for (const folder of folders) {
    try {
      await mkdir(folder, { mode: 0o700 })
      await syncs.sync(dirname(folder))
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
  return true
}

export function gone(paths: ObjectPaths): StoreError {
  return new StoreError('gone', `storage: could not write "${paths.key}": its run was never created here or has been removed`)
}

export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

export async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder)
  } catch (error) {
    const code = codeOf(error)
    // Somebody else was faster, or something is still (or again) in it: both are fine.
    if (!isMissing(error) && code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'EBUSY') throw error
  }
}
