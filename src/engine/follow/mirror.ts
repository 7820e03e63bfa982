/**
 * The store as a follower reads it again and again. If the store can push changes (`Store.watch`), what it has pushed is answered from here, and a
 * look costs no call. Everything else is read from the store as usual, so a broken connection only costs calls.
 */
import type { Clock } from '../../core/cloud.ts'
import type {
  Change,
  Condition,
  OnBytes,
  Range,
  StateCondition,
  Store,
  StoredObject,
  StoreEntry,
  Version,
  WatchRequest,
} from '../../wire/store.ts'

/** Milliseconds before a connection is opened again that has ended normally. */
const REOPEN = 100
/** The same after a failure. */
const BROKEN = 5_000

export class Mirror implements Store {
  /** Absent: the store cannot push, so lists are answered by the store. */
  readonly watch?: NonNullable<Store['watch']>
  readonly #store: Store
  readonly #clock: Clock
  readonly #requests: readonly WatchRequest[]
  readonly #records = new Map<string, StoredObject>()
  /** By folder: what was pushed, and not read yet, in the order of keys. */
  readonly #objects: ReadonlyMap<string, Map<string, StoredObject>>
  /** By folder: after which key the reader has listed last. */
  readonly #taken = new Map<string, string>()
  /** By folder: the last key that was read, and is not kept here any more. */
  readonly #read = new Map<string, string>()
  /** All that was there at the beginning of the connection has arrived; changes come with the delay of a push. */
  #current = false

  constructor(store: Store, clock: Clock, requests: readonly WatchRequest[]) {
    this.#store = store
    if (store.watch) this.watch = store.watch.bind(store)
    this.#clock = clock
    this.#requests = requests
    this.#objects = new Map(requests.map(({ folder }) => [folder, new Map()]))
  }

  get url(): string {
    return this.#store.url
  }

  get listsFromStart(): boolean {
    return this.#store.listsFromStart === true
  }

  /** Keeps the connection open until the signal. To be called after the first look: what that has read is not pushed again. */
  async keep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.watch) {
      const pause = await this.#listen(signal).then(
        () => REOPEN,
        () => {
          this.#forget()
          return BROKEN
        },
      )
      await this.#clock.sleep(pause, signal).catch(() => undefined)
    }
    this.#forget()
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const requests = this.#requests.map(({ record, folder }) => {
      const after = [...(this.#objects.get(folder)?.keys() ?? [])].at(-1) ?? this.#taken.get(folder)
      return { record, folder, ...(after !== undefined && { after }) }
    })
    for await (const change of this.watch?.(requests, signal) ?? []) {
      if (change === 'caught-up') this.#current = true
      else this.#hear(change)
    }
  }

  /** Takes in what was pushed. */
  #hear({ key, object }: Change): void {
    const folder = this.#folderOf(key)
    if (folder && object) folder.set(key, object)
    else if (object) this.#records.set(key, object)
    else this.#records.delete(key)
  }

  #forget(): void {
    this.#current = false
    this.#records.clear()
    for (const folder of this.#objects.values()) folder.clear()
  }

  #folderOf(key: string): Map<string, StoredObject> | undefined {
    return this.#objects.get(key.slice(0, key.lastIndexOf('/') + 1))
  }

  async read(key: string, range?: Range, signal?: AbortSignal, received?: OnBytes): Promise<StoredObject | undefined> {
    const folder = this.#folderOf(key)
    const known = range === undefined && this.#current ? (folder?.get(key) ?? this.#records.get(key)) : undefined
    if (folder?.delete(key)) this.#read.set(key.slice(0, key.lastIndexOf('/') + 1), key)
    return known ?? (await this.#store.read(key, range, signal, received))
  }

  async *list(prefix: string, after?: string, signal?: AbortSignal): AsyncGenerator<StoreEntry> {
    const folder = this.#objects.get(prefix)
    const [taken = '', read = ''] = [this.#taken.get(prefix), this.#read.get(prefix)]
    // Not the reader of this folder, but somebody who begins before what is kept here.
    const isBehind = (after ?? '') < taken || (after ?? '') < read
    if (folder && after !== undefined && !isBehind) this.#taken.set(prefix, after)
    if (!folder || !this.#current || isBehind) {
      yield* this.#store.list(prefix, after, signal)
      return
    }
    for (const [key, { bytes }] of folder) {
      if (after === undefined || key > after) yield { key, size: bytes.length }
      else folder.delete(key)
    }
  }

  async init(prefix: string): Promise<void> {
    await this.#store.init(prefix)
  }

  async write(key: string, body: Uint8Array, condition?: Condition, signal?: AbortSignal, sent?: OnBytes): Promise<Version> {
    return await this.#store.write(key, body, condition, signal, sent)
  }

  async remove(keys: readonly string[], condition?: StateCondition): Promise<void> {
    await this.#store.remove(keys, condition)
  }

  async clear(prefix: string): Promise<void> {
    await this.#store.clear(prefix)
  }
}
