/**
 * A file that reserves space on the disk. When the disk is full, it is removed, so that records can still change: a slot can then end as failed, with
 * the full store as the reason. Everything else is refused until there is space for a new reserve.
 */
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAll } from '../../lib/files.ts'
import { Mutex } from '../../lib/mutex.ts'
import { type Condition, isStoreError, type Store, StoreError, type Version } from '../../wire/store.ts'

/** Not the name of an object, so no list shows it (`names.ts`). */
const NAME = '%ballast'
/** Bytes: records of a hundred slots. At most this part of the disk. */
const MOST = 8 * 1024 * 1024
const PART = 1 / 16
const PIECE = 64 * 1024

/** The store, with a reserve in its folder from now on until `drop`. */
export async function withReserve(store: Store, folder: string): Promise<{ readonly store: Store; drop: () => Promise<void> }> {
  const reserve = new DiskReserve(join(folder, NAME), await sizeFor(folder))
  await reserve.take()
  const writeFrom = store.writeFrom?.bind(store)
  const guarded: Store = {
    url: store.url,
    init: async (prefix) => await reserve.guard(() => store.init(prefix)),
    read: async (...wanted) => await store.read(...wanted),
    list: (prefix, after, signal) => store.list(prefix, after, signal),
    remove: async (keys, condition) => await store.remove(keys, condition),
    clear: async (prefix) => await store.clear(prefix),
    async write(key, body, condition, signal) {
      const writing = async (): Promise<Version> => await store.write(key, body, condition, signal)
      return isRecord(key, condition) ? await reserve.guard(writing) : await reserve.spare(key, writing)
    },
    // Not for records: they are small, and come through `write`. A stream could not be written a second time.
    ...(writeFrom && {
      writeFrom: async (key, body, condition, signal) =>
        await reserve.spare(key, async () => await writeFrom(key, body, condition, signal)),
    }),
  }
  return { store: guarded, drop: async () => await reserve.drop() }
}

/** Records, which are small: who holds a slot, how it ended, and who reads (`layout.ts`), so that results can be collected from a full disk. */
const isRecord = (key: string, condition: Condition | undefined): boolean =>
  key.endsWith('.json') || /\/(?:controllers|pins)\/[^/]+$/.test(key) || (condition !== undefined && 'version' in condition)

async function sizeFor(folder: string): Promise<number> {
  const { blocks, bsize } = await statfs(folder)
  return Math.min(MOST, Math.floor((blocks * bsize * PART) / PIECE) * PIECE)
}

class DiskReserve {
  readonly #path: string
  readonly #size: number
  #there = false
  readonly #turn = new Mutex()
  #taking: Promise<boolean> | undefined
  #drops = 0

  constructor(path: string, size: number) {
    this.#path = path
    this.#size = size
  }

  /** `false`: there is no room for it. */
  async take(): Promise<boolean> {
    if (this.#there) return true
    this.#taking ??= this.#turn.take(() => this.#make()).finally(() => (this.#taking = undefined))
    return await this.#taking
  }

  async #make(): Promise<boolean> {
    const drops = this.#drops
    try {
      const file = await open(this.#path, 'w', 0o600)
      try {
        for (let done = 0; done < this.#size; done += PIECE) await writeAll(file, Buffer.alloc(PIECE), done)
        await file.datasync()
      } finally {
        await file.close()
      }
      // If it was dropped meanwhile, it is removed as soon as this call has ended.
      this.#there = drops === this.#drops
    } catch {
      await rm(this.#path, { force: true })
    }
    return this.#there
  }

  /** Writes; if the disk is full, gives up the reserve and writes again. */
  async guard<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write()
    } catch (error) {
      if (!isStoreError(error, 'full')) throw error
      await this.drop()
      return await write()
    }
  }

  /** Writes if the reserve is there, or can be made again. */
  async spare<T>(key: string, write: () => Promise<T>): Promise<T> {
    if (!(await this.take())) throw new StoreError('full', `storage: could not write "${key}": no space left`)
    return await write()
  }

  async drop(): Promise<void> {
    this.#there = false
    this.#drops++
    await this.#turn.take(() => rm(this.#path, { force: true }))
  }
}
