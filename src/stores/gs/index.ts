/**
 * A store in a bucket of Google Cloud Storage, by its JSON API.
 *
 * Versions are generations: each write makes another one, whatever its bytes are. A bucket has no folders: `init` has nothing to make, and a
 * write below an incarnation that was cleared is not refused; whoever destroys lists and clears once more after all writers are gone.
 * A conditional write whose answer was lost throws `unavailable`; whether it took effect is found out by reading back.
 */
import { list, maybe, object, text } from '../../lib/shape.ts'
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
import { CallError } from '../call-error.ts'
import { checkFolder, checkKey, checkPage, checkPrefix, onlyOne } from '../keys.ts'
import type { HttpReply } from '../transport.ts'
import { objectPath } from './address.ts'
import { GsClient } from './client.ts'
import { settingsOf } from './settings.ts'
import { upload } from './upload.ts'

/** Settings: `endpoint`, `attempts`. Credentials: `token`, or `file`, the content of a credential file. */
export const open: OpenStore = async (access) => new GsStore(access.url, new GsClient(settingsOf(access)))

/** Removals at once: there is no call that takes many keys. */
const LANES = 48
/** Pages without an object, one after the other, after which the list counts as one without end. */
const MOST_EMPTY = 100

interface Page {
  readonly items?: readonly { readonly name: string; readonly size: string }[]
  readonly nextPageToken?: string
}

const digits = text(32, /^\d+$/, 'digits')
const page = object<Page>({
  items: maybe(list(object<{ name: string; size: string }>({ name: text(4096), size: digits }), 1000)),
  nextPageToken: maybe(text(8192)),
})
const state = object<{ generation: string }>({ generation: digits })

class GsStore implements Store {
  readonly url: string
  readonly #client: GsClient

  constructor(url: string, client: GsClient) {
    this.url = url
    this.#client = client
  }

  async init(prefix: string): Promise<void> {
    checkFolder(prefix)
  }

  async read(key: string, range?: Range, signal?: AbortSignal): Promise<StoredObject | undefined> {
    checkKey(key)
    const from = range?.from ?? 0
    if (range?.to !== undefined && range.to <= from) return await this.#state(key, signal)
    const ranged = from > 0 || range?.to !== undefined
    const headers: Record<string, string> = ranged ? { range: `bytes=${from}-${range?.to === undefined ? '' : range.to - 1}` } : {}
    try {
      const reply = await this.#client.call({
        ...this.#of(key, 'GET', 'objects.get'),
        query: { alt: 'media' },
        headers,
        repeatable: true,
        signal,
      })
      // A server may answer a range with the whole object.
      const bytes = ranged && reply.status !== 206 ? reply.body.subarray(from, range?.to) : reply.body
      return { bytes, version: generationOf(reply, key) }
    } catch (error) {
      if (isStatus(error, 416)) return await this.#state(key, signal)
      return await this.#absent(error, signal)
    }
  }

  async write(key: string, body: Uint8Array, condition?: Condition, signal?: AbortSignal): Promise<Version> {
    checkKey(key)
    if (body.length > MAX_OBJECT_BYTES) throw new StoreError('invalid', `storage: "${key}" is larger than ${MAX_OBJECT_BYTES} bytes`)
    return await upload({ client: this.#client, key: this.#full(key), body, query: conditionQuery(condition), signal })
  }

  async *list(prefix: string, after?: string, signal?: AbortSignal): AsyncGenerator<StoreEntry> {
    checkPrefix(prefix)
    const own = this.#client.settings.prefix
    for await (const entry of this.#entries(own + prefix, after === undefined ? undefined : own + after, signal)) {
      const key = entry.key.slice(own.length)
      // Tools make empty objects that stand for folders; they are none of ours.
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
    let batch: string[] = []
    for await (const entry of this.#entries(this.#full(prefix))) {
      batch.push(entry.key)
      if (batch.length < 1000) continue
      await this.#removeAll(batch)
      batch = []
    }
    await this.#removeAll(batch)
  }

  async close(): Promise<void> {
    this.#client.close()
  }

  /** Full keys. https://docs.cloud.google.com/storage/docs/json_api/v1/objects/list: `startOffset` is part of what is listed. */
  async *#entries(prefix: string, after?: string, signal?: AbortSignal): AsyncGenerator<StoreEntry> {
    let last = after
    let token: string | undefined
    for (let empty = 0; empty < MOST_EMPTY; ) {
      const found = await this.#page(prefix, { ...(token ? { pageToken: token } : {}), ...(after ? { startOffset: after } : {}) }, signal)
      const entries = (found.items ?? []).map(({ name, size }) => ({ key: name, size: Number(size) }))
      const fresh = entries[0]?.key === after ? entries.slice(1) : entries
      last = checkPage(prefix, last, fresh)
      yield* fresh
      token = found.nextPageToken
      if (!token) return
      empty = entries.length === 0 ? empty + 1 : 0
    }
    throw new StoreError('unavailable', `storage: the list of what lies below "${prefix}" has no end`)
  }

  async #page(prefix: string, more: Readonly<Record<string, string>>, signal: AbortSignal | undefined): Promise<Page> {
    const query = { prefix, maxResults: '1000', fields: 'items(name,size),nextPageToken', ...more }
    const path = objectPath(this.#client.settings.bucket)
    const call = { operation: 'objects.list', method: 'GET', path, about: prefix, query, repeatable: true, signal } as const
    return await this.#client.callJson(call, page)
  }

  async #removeAll(keys: readonly string[], condition?: StateCondition): Promise<void> {
    const left = [...keys]
    const lane = async (): Promise<void> => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) await this.#removeOne(key, condition)
    }
    await Promise.all(Array.from({ length: Math.min(LANES, keys.length) }, lane))
  }

  /** A condition names one state for ever, so that the same call again removes nothing else. */
  async #removeOne(full: string, condition: StateCondition | undefined): Promise<void> {
    const path = objectPath(this.#client.settings.bucket, full)
    const call = {
      operation: 'objects.delete',
      method: 'DELETE',
      path,
      about: full,
      query: conditionQuery(condition),
      repeatable: true,
    } as const
    try {
      await this.#client.call(call)
    } catch (error) {
      // What is not there has no generation: the condition fails for want of the object.
      if (condition && isStatus(error, 412) && !(await this.#state(full.slice(this.#client.settings.prefix.length), undefined))) return
      await this.#absent(error, undefined)
    }
  }

  /** An object without its bytes. */
  async #state(key: string, signal: AbortSignal | undefined): Promise<StoredObject | undefined> {
    const call = { ...this.#of(key, 'GET', 'objects.get'), query: { fields: 'generation' }, repeatable: true, signal } as const
    try {
      const { generation } = await this.#client.callJson(call, state)
      return { bytes: new Uint8Array(0), version: generation }
    } catch (error) {
      return await this.#absent(error, signal)
    }
  }

  /** Of an object that is not there; anything else is thrown. A missing bucket has the same status: whether it is one, its list tells. */
  async #absent(error: unknown, signal: AbortSignal | undefined): Promise<undefined> {
    if (!isStatus(error, 404)) throw error
    if (!/No such object/.test(error.message)) await this.#page(this.#client.settings.prefix, { maxResults: '1' }, signal)
    return undefined
  }

  #of(key: string, method: 'GET', operation: string) {
    const full = this.#full(key)
    return { operation, method, path: objectPath(this.#client.settings.bucket, full), about: full }
  }

  #full(key: string): string {
    return this.#client.settings.prefix + key
  }
}

function generationOf({ headers }: HttpReply, key: string): Version {
  const version = headers['x-goog-generation']
  if (typeof version === 'string') return version
  throw new StoreError('invalid', `storage: the server gave no generation for "${key}": it cannot be used as a store`)
}

function isStatus(error: unknown, status: number): error is CallError {
  return error instanceof CallError && error.status === status
}

/** https://docs.cloud.google.com/storage/docs/request-preconditions: the generation 0 is that of what does not exist. */
function conditionQuery(condition: Condition | undefined): Readonly<Record<string, string>> {
  if (condition === undefined) return {}
  return { ifGenerationMatch: 'absent' in condition ? '0' : condition.version }
}
