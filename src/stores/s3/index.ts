/**
 * A store in a bucket of S3 or of a compatible server.
 *
 * Versions are ETags. S3 makes them of the content, so a record must carry a fresh nonce in every state (ours do): then no two states are
 * equal, and a stale condition never matches again. A bucket has no folders: `init` has nothing to make, and a write below an incarnation that
 * was cleared is not refused; whoever destroys lists and clears once more after all writers are gone.
 * A conditional write whose answer was lost throws `unavailable`; whether it took effect is found out by reading back.
 */
import {
  type Condition,
  MAX_OBJECT_BYTES,
  type OpenStore,
  type Range,
  type StateCondition,
  type Store,
  type StoredObject,
  type StoreEntry,
  StoreError,
  type Version,
} from '../../wire/store.ts'
import { checkFolder, checkKey, checkPrefix, onlyOne } from '../keys.ts'
import type { HttpReply } from '../transport.ts'
import { S3Client } from './client.ts'
import { S3Error } from './errors.ts'
import { listKeys, removeKeys } from './list.ts'
import { abortUploads, SINGLE_BYTES, uploadParts } from './multipart.ts'
import { settingsOf } from './settings.ts'

/** Settings: `region`, `endpoint`, `pathStyle` (`true`, `false`), `attempts`. Credentials: `accessKeyId`, `secretAccessKey`, `sessionToken`. */
export const open: OpenStore = async (access) => new S3Store(access.url, new S3Client(settingsOf(access)))

class S3Store implements Store {
  readonly url: string
  readonly #client: S3Client

  constructor(url: string, client: S3Client) {
    this.url = url
    this.#client = client
  }

  async init(prefix: string): Promise<void> {
    checkFolder(prefix)
  }

  async read(key: string, range?: Range, signal?: AbortSignal): Promise<StoredObject | undefined> {
    checkKey(key)
    const from = range?.from ?? 0
    if (range?.to !== undefined && range.to <= from) return await this.#head(key, signal)
    const headers: Record<string, string> = {}
    if (from > 0 || range?.to !== undefined) headers['range'] = `bytes=${from}-${range?.to === undefined ? '' : range.to - 1}`
    try {
      const call = { operation: 'GetObject', method: 'GET', key: this.#full(key), headers, repeatable: true, signal } as const
      const reply = await this.#client.call(call)
      // A server may answer a range with the whole object.
      const bytes = 'range' in headers && reply.status !== 206 ? reply.body.subarray(from, range?.to) : reply.body
      return { bytes, version: this.#version(reply, key) }
    } catch (error) {
      if (isMissing(error)) return undefined
      if (error instanceof S3Error && error.status === 416) return await this.#head(key, signal)
      throw error
    }
  }

  async write(key: string, body: Uint8Array, condition?: Condition, signal?: AbortSignal): Promise<Version> {
    checkKey(key)
    if (body.length > MAX_OBJECT_BYTES) throw new StoreError('invalid', `storage: "${key}" is larger than ${MAX_OBJECT_BYTES} bytes`)
    const headers = conditionHeaders(condition)
    const full = this.#full(key)
    try {
      if (body.length > SINGLE_BYTES) return await uploadParts({ client: this.#client, key: full, body, headers, signal })
      const repeatable = condition === undefined
      const call = { operation: 'PutObject', method: 'PUT', key: full, headers, body, repeatable, signal } as const
      return this.#version(await this.#client.call(call), key)
    } catch (error) {
      if (condition && isMissing(error)) throw new StoreError('conflict', `storage: "${key}" is no longer there`, { cause: error })
      throw error
    }
  }

  async *list(prefix: string, after?: string, signal?: AbortSignal): AsyncGenerator<StoreEntry> {
    checkPrefix(prefix)
    const own = this.#client.settings.prefix
    for await (const entry of listKeys(this.#client, own + prefix, after === undefined ? '' : own + after, signal)) {
      const key = entry.key.slice(own.length)
      // Tools make empty objects that stand for folders; they are none of ours.
      if (!key.endsWith('/') && key !== '') yield { key, size: entry.size }
    }
  }

  async remove(keys: readonly string[], condition?: StateCondition): Promise<void> {
    for (const key of keys) checkKey(key)
    if (condition) return await this.#removeState(onlyOne(keys), condition)
    await removeKeys(
      this.#client,
      keys.map((key) => this.#full(key)),
    )
  }

  async clear(prefix: string): Promise<void> {
    checkFolder(prefix)
    const full = this.#full(prefix)
    await abortUploads(this.#client, full)
    let batch: string[] = []
    for await (const entry of listKeys(this.#client, full, '')) {
      batch.push(entry.key)
      if (batch.length < 4000) continue
      await removeKeys(this.#client, batch)
      batch = []
    }
    await removeKeys(this.#client, batch)
  }

  async close(): Promise<void> {
    this.#client.close()
  }

  /** Looked at before, for servers that do not know the condition of a removal, and remove in any case. */
  async #removeState(key: string, { version }: StateCondition): Promise<void> {
    const there = await this.#head(key, undefined)
    if (!there) return
    if (there.version !== version) throw new StoreError('conflict', `storage: "${key}" is no longer what it was`)
    const headers = { 'if-match': version }
    try {
      await this.#client.call({ operation: 'DeleteObject', method: 'DELETE', key: this.#full(key), headers, repeatable: true })
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }

  /** An object without its bytes: for ranges that hold none, which S3 refuses. */
  async #head(key: string, signal: AbortSignal | undefined): Promise<StoredObject | undefined> {
    try {
      const call = { operation: 'HeadObject', method: 'HEAD', key: this.#full(key), repeatable: true, signal } as const
      return { bytes: new Uint8Array(0), version: this.#version(await this.#client.call(call), key) }
    } catch (error) {
      // HEAD has no body that could tell a missing key from a missing bucket.
      if (error instanceof S3Error && error.status === 404) return undefined
      throw error
    }
  }

  #version(reply: HttpReply, key: string): Version {
    const version = reply.headers.etag
    if (!version) throw new StoreError('invalid', `storage: the server gave no ETag for "${key}": it cannot be used as a store`)
    return version
  }

  #full(key: string): string {
    return this.#client.settings.prefix + key
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof S3Error && error.code === 'NoSuchKey'
}

function conditionHeaders(condition: Condition | undefined): Readonly<Record<string, string>> {
  if (condition === undefined) return {}
  return 'absent' in condition ? { 'if-none-match': '*' } : { 'if-match': condition.version }
}
