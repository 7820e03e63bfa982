/**
 * A store in a folder: on this machine, or on a network file system with hard links and atomic renames.
 * Everything in it is private to the user who writes it (0700, 0600).
 */

import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ifGone, isGone } from '../../lib/error-code.ts'
import { namesIn } from '../../lib/files.ts'
import { sideBySide } from '../../lib/side-by-side.ts'
import {
  type Condition,
  isStoreError,
  type OnBytes,
  type OpenStore,
  type Range,
  type StateCondition,
  type Store,
  type StoredObject,
  type StoreEntry,
  StoreError,
  type Version,
} from '../../wire/store.ts'
import { checkFolder, checkPrefix, checkSize, onlyOne } from '../keys.ts'
import { FolderSync, makeEach, ROUNDS } from './durable.ts'
import { guarded, translate } from './errors.ts'
import { listObjects } from './list.ts'
import { decodeName, folderOf, pathsOf, TEMP_FOLDER, TRASH_PREFIX, VERSIONS_SUFFIX } from './names.ts'
import { readObject } from './read.ts'
import { hasEnded, removeObject, removeState } from './remove.ts'
import { Root } from './root.ts'
import { firstNonce } from './state.ts'
import { tidy } from './tidy.ts'
import { dirPath } from './url.ts'
import { type Body, writeObject } from './write.ts'

/** Removals at a time. */
const REMOVALS = 32

/** Takes no settings and no credentials: rights are those of the process. The folder itself is made by the first write. */
export const open: OpenStore = async (access) => new DirStore(access.url)

class DirStore implements Store {
  readonly url: string
  readonly #root: string
  readonly #folder: Root
  readonly #syncs = new FolderSync()

  constructor(url: string) {
    this.url = url
    this.#root = dirPath(url)
    this.#folder = new Root(this.#root)
  }

  async init(prefix: string): Promise<void> {
    checkFolder(prefix)
    if (prefix.split('/').length !== 3) throw new StoreError('invalid', `storage: "${prefix}" is not <id>/<incarnation>/`)
    const folder = folderOf(this.#root, prefix)
    await guarded('create', folder, async () => {
      await this.#folder.make(this.#syncs)
      const folders = [dirname(folder), folder, join(folder, TEMP_FOLDER)]
      for (let round = 1; !(await makeEach(folders, this.#syncs)); round++) {
        await this.#folder.mustBeThere()
        if (round > ROUNDS) throw new StoreError('unavailable', `storage: the folder "${folder}" is removed as soon as it is made`)
      }
    })
  }

  async read(key: string, range?: Range, signal?: AbortSignal, received?: OnBytes): Promise<StoredObject | undefined> {
    const paths = pathsOf(this.#root, key)
    signal?.throwIfAborted()
    return await guarded('read', paths.path, async () => {
      await this.#folder.mustBeThere()
      const object = await readObject(paths, range, signal, received)
      if (!object) await this.#folder.mustBeThere()
      return object
    })
  }

  async write(key: string, body: Uint8Array, condition?: Condition, signal?: AbortSignal): Promise<Version> {
    return await this.writeFrom(key, { size: body.length, pieces: [body] }, condition, signal)
  }

  async writeFrom(key: string, body: Body, condition?: Condition, signal?: AbortSignal): Promise<Version> {
    const paths = pathsOf(this.#root, key)
    signal?.throwIfAborted()
    checkSize(key, body.size)
    return await guarded('write', paths.path, async () => {
      // The first write above all incarnations makes the store's own folder.
      await (paths.incarnation === undefined ? this.#folder.make(this.#syncs) : this.#folder.mustBeThere())
      try {
        return await writeObject({ paths, body, syncs: this.#syncs, signal }, condition)
      } catch (error) {
        if (isGone(error) || isStoreError(error, 'gone') || isStoreError(error, 'conflict')) await this.#folder.mustBeThere()
        throw error
      }
    })
  }

  async *list(prefix: string, after?: string, signal?: AbortSignal): AsyncGenerator<StoreEntry> {
    checkPrefix(prefix)
    try {
      await this.#folder.mustBeThere()
      yield* listObjects(this.#root, prefix, after, signal)
      await this.#folder.mustBeThere()
    } catch (error) {
      throw translate(error, 'list', join(this.#root, prefix))
    }
  }

  async remove(keys: readonly string[], condition?: StateCondition): Promise<void> {
    const allPaths = keys.map((key) => pathsOf(this.#root, key))
    await guarded('remove', this.#root, () => this.#folder.mustBeThere())
    if (condition) {
      const paths = pathsOf(this.#root, onlyOne(keys))
      return await guarded('remove', paths.path, async () => {
        if (await removeState(paths, condition.version, this.#syncs)) await this.#syncIfThere(paths.folder)
      })
    }
    await sideBySide(REMOVALS, allPaths, async (paths) =>
      guarded('remove', paths.path, async () => {
        if (await removeObject(paths)) await this.#syncIfThere(paths.folder)
      }),
    )
  }

  /** First renames the folder, so that all of it is gone at once, for writers in the middle of something, too. */
  async clear(prefix: string): Promise<void> {
    checkFolder(prefix)
    const folder = folderOf(this.#root, prefix)
    const parent = dirname(folder)
    await guarded('clear', folder, async () => {
      await this.#folder.mustBeThere()
      const mark = `${TRASH_PREFIX}${basename(folder)}-`
      await rename(folder, join(parent, mark + randomBytes(6).toString('hex'))).catch(ifGone(undefined))
      await this.#syncIfThere(parent)
      for (const name of await namesIn(parent)) if (name.startsWith(mark)) await rm(join(parent, name), { recursive: true, force: true })
      // The parent (an <id> whose last incarnation this was) is not left behind as an empty folder.
      if (prefix.split('/').length === 3) await tidy(parent)
    })
  }

  /** Removes folders that were cleared, records that have ended, what is left of either, and empty folders. */
  async tidy(): Promise<void> {
    await guarded('tidy up', this.#root, async () => {
      await this.#folder.mustBeThere()
      for (const above of await namesIn(this.#root)) {
        const id = decodeName(above)
        if (id === undefined) continue
        const folder = join(this.#root, above)
        for (const name of await namesIn(folder)) {
          if (name.startsWith(TRASH_PREFIX)) await rm(join(folder, name), { recursive: true, force: true })
          if (name.endsWith(VERSIONS_SUFFIX)) await takeEnded(this.#root, id, name.slice(0, -VERSIONS_SUFFIX.length))
        }
        await tidy(folder)
      }
    })
  }

  async #syncIfThere(folder: string): Promise<void> {
    await this.#syncs.sync(folder).catch(ifGone(undefined))
  }
}

async function takeEnded(root: string, id: string, name: string): Promise<void> {
  const segment = decodeName(name)
  if (segment === undefined) return
  const paths = pathsOf(root, `${id}/${segment}`)
  const nonce = await firstNonce(paths)
  if (nonce !== undefined) await hasEnded(paths, nonce)
}
