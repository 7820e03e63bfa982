/**
 * What all stores in buckets have in common: objects by their full keys, lists in pages, removals one by one.
 *
 * A bucket has no folders, so `init` has nothing to make, and a write below an incarnation that was cleared is not refused. That is why a controller
 * that destroys a run clears once more after all writers are gone. A conditional write whose answer was lost throws `unavailable`; the caller reads
 * the object to find out whether it took effect.
 */
import { sideBySide } from '../lib/side-by-side.ts'
import {
  type Condition,
  type OnBytes,
  type Range,
  type StateCondition,
  type Store,
  type StoredObject,
  type StoreEntry,
  StoreError,
  type Version,
} from '../wire/store.ts'
import { CallError } from './call-error.ts'
import { byteOrder, checkFolder, checkKey, checkPage, checkPrefix, checkSize, onlyOne } from './keys.ts'

/** Removals in parallel, if no call takes many keys. */
const LANES = 48
/** Consecutive pages without an object after which a list counts as endless. */
const MOST_EMPTY = 100
/** Keys that are held until they are removed. */
const BATCH = 4000

export interface BucketPage {
  readonly entries: readonly StoreEntry[]
  /** The token for the next page; absent: there is none. */
  readonly next?: string | undefined
}

/** As in `Store.read` and `Store.write`. */
export interface Receiving {
  readonly signal: AbortSignal | undefined
  readonly received?: OnBytes | undefined
}

export interface Sending {
  readonly signal: AbortSignal | undefined
  readonly sent?: OnBytes | undefined
}

/** What a service must provide. Keys are full ones: with the prefix of the URL. */
export interface BucketService {
  readonly prefix: string
  /** The range is not an empty one. A range that begins past the end may throw with status 416. */
  read(key: string, range: Range | undefined, how: Receiving): Promise<StoredObject | undefined>
  /** An object without its bytes. */
  state(key: string, signal?: AbortSignal): Promise<StoredObject | undefined>
  write(key: string, body: Uint8Array, condition: Condition | undefined, how: Sending): Promise<Version>
  /** As in `Store.copy`, of at most 256 MiB. */
  copy(from: string, to: string, signal?: AbortSignal): Promise<boolean>
  /** Its lists cannot begin after a key, only at the start. */
  readonly fromStart?: true
  /** Its lists have an order of their own. */
  readonly unordered?: boolean
  /** A page in the order of keys; it may contain `after`, and keys before it. */
  page(prefix: string, after: string | undefined, next: string | undefined, signal: AbortSignal | undefined): Promise<BucketPage>
  /** Also resolves if it does not exist. */
  remove(key: string, condition: StateCondition | undefined): Promise<void>
  /** Present if one call takes many keys. */
  removeMany?(keys: readonly string[]): Promise<void>
  /** Aborts incomplete uploads below the prefix, if the service would keep them for ever. */
  abandon?(prefix: string): Promise<void>
  close(): void
}

/** A service with its own client. */
export abstract class BucketProtocol<C extends { readonly settings: { readonly prefix: string }; close(): void }> {
  protected readonly client: C

  constructor(client: C) {
    this.client = client
  }

  get prefix(): string {
    return this.client.settings.prefix
  }

  close(): void {
    this.client.close()
  }
}

export class BucketStore implements Store {
  readonly url: string
  readonly listsFromStart: boolean
  readonly #service: BucketService

  constructor(url: string, service: BucketService) {
    this.url = url
    this.listsFromStart = service.fromStart === true
    this.#service = service
  }

  async init(prefix: string): Promise<void> {
    checkFolder(prefix)
  }

  async read(key: string, range?: Range, signal?: AbortSignal, received?: OnBytes): Promise<StoredObject | undefined> {
    checkKey(key)
    const full = this.#full(key)
    if (range?.to !== undefined && range.to <= range.from) return await this.#service.state(full, signal)
    try {
      return await this.#service.read(full, range && (range.from > 0 || range.to !== undefined) ? range : undefined, { signal, received })
    } catch (error) {
      if (isStatus(error, 416)) return await this.#service.state(full, signal)
      throw error
    }
  }

  async write(key: string, body: Uint8Array, condition?: Condition, signal?: AbortSignal, sent?: OnBytes): Promise<Version> {
    checkKey(key)
    checkSize(key, body.length)
    return await this.#service.write(this.#full(key), body, condition, { signal, sent })
  }

  async copy(from: string, to: string, signal?: AbortSignal): Promise<boolean> {
    for (const key of [from, to]) checkKey(key)
    return await this.#service.copy(this.#full(from), this.#full(to), signal)
  }

  async *list(prefix: string, after?: string, signal?: AbortSignal): AsyncGenerator<StoreEntry> {
    checkPrefix(prefix)
    const own = this.#service.prefix
    for await (const entry of this.#entries(own + prefix, after === undefined ? undefined : own + after, signal)) {
      const key = entry.key.slice(own.length)
      // Other tools make empty objects that stand for folders. They are not tpi's.
      if (!key.endsWith('/') && key !== '') yield { key, size: entry.size }
    }
  }

  async remove(keys: readonly string[], condition?: StateCondition): Promise<void> {
    for (const key of keys) checkKey(key)
    if (condition) onlyOne(keys)
    await this.#removeAll(
      keys.map((key) => this.#full(key)),
      condition,
    )
  }

  async clear(prefix: string): Promise<void> {
    checkFolder(prefix)
    const full = this.#full(prefix)
    await this.#service.abandon?.(full)
    let batch: string[] = []
    for await (const entry of this.#entries(full)) {
      batch.push(entry.key)
      if (batch.length < BATCH) continue
      await this.#removeAll(batch)
      batch = []
    }
    await this.#removeAll(batch)
  }

  async close(): Promise<void> {
    this.#service.close()
  }

  /** Full keys. */
  async *#entries(prefix: string, after?: string, signal?: AbortSignal): AsyncGenerator<StoreEntry> {
    let last: string | undefined
    let next: string | undefined
    for (let empty = 0; empty < MOST_EMPTY; ) {
      const { entries, next: following } = await this.#service.page(prefix, after, next, signal)
      last = checkPage(prefix, this.#service.unordered ? undefined : last, entries)
      for (const entry of entries) if (after === undefined || byteOrder(entry.key) > byteOrder(after)) yield entry
      if (following === undefined) return
      next = following
      empty = entries.length === 0 ? empty + 1 : 0
    }
    throw new StoreError('unavailable', `storage: the list of what lies below "${prefix}" has no end`)
  }

  async #removeAll(keys: readonly string[], condition?: StateCondition): Promise<void> {
    if (!condition && this.#service.removeMany) return await this.#service.removeMany(keys)
    await sideBySide(LANES, keys, async (key) => this.#service.remove(key, condition))
  }

  #full(key: string): string {
    return this.#service.prefix + key
  }
}

export function isStatus(error: unknown, status: number): error is CallError {
  return error instanceof CallError && error.status === status
}

/** The version of an object: each write makes a new ETag, because of its bytes or the nonce in them. */
export function etagOf({ headers }: { readonly headers: { readonly etag?: string | undefined } }, key: string): Version {
  if (headers.etag) return headers.etag
  throw new StoreError('invalid', `storage: the server gave no ETag for "${key}": it cannot be used as a store`)
}

/**
 * The condition of a write or removal, for S3 and for Blob Storage. https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-requests.html,
 * https://learn.microsoft.com/rest/api/storageservices/specifying-conditional-headers-for-blob-service-operations
 */
export function conditionHeaders(condition: Condition | undefined): Readonly<Record<string, string>> {
  if (condition === undefined) return {}
  return 'absent' in condition ? { 'if-none-match': '*' } : { 'if-match': condition.version }
}

/** The header `range`; none for the whole object. */
export function rangeHeader(range: Range | undefined): Readonly<Record<string, string>> {
  return range === undefined ? {} : { range: `bytes=${range.from}-${range.to === undefined ? '' : range.to - 1}` }
}

/** The bytes of the range, even if the server has answered with the whole object. */
export function inRange({ status, body }: { readonly status: number; readonly body: Buffer }, range: Range | undefined): Uint8Array {
  return range !== undefined && status !== 206 ? body.subarray(range.from, range.to) : body
}
