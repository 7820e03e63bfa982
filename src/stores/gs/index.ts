/** A store in a bucket of Google Cloud Storage, by its JSON API. Versions are generations: each write makes another one, whatever its bytes are. */
import { flag, list, maybe, object, text } from '../../lib/shape.ts'
import {
  type Condition,
  type OpenStore,
  type Range,
  type StateCondition,
  type StoredObject,
  StoreError,
  type Version,
} from '../../wire/store.ts'
import {
  type BucketPage,
  BucketProtocol,
  type BucketService,
  BucketStore,
  inRange,
  isStatus,
  type Receiving,
  rangeHeader,
  type Sending,
} from '../bucket.ts'
import { odd } from '../call-error.ts'
import type { HttpReply } from '../transport.ts'
import { copyPath, objectPath } from './address.ts'
import { GsClient } from './client.ts'
import { settingsOf } from './settings.ts'
import { DIGITS, digits, made, upload } from './upload.ts'

/** Settings: `endpoint`, `tries`. Credentials: `token`, or `file`, the content of a credential file. */
export const open: OpenStore = async (access) => new BucketStore(access.url, new Gs(new GsClient(settingsOf(access))))

interface Page {
  readonly items?: readonly { readonly name: string; readonly size: string }[]
  readonly nextPageToken?: string
}

const rewritten = object<{ done: boolean }>({ done: flag })

const page = object<Page>({
  items: maybe(list(object<{ name: string; size: string }>({ name: text(4096), size: digits }), 1000)),
  nextPageToken: maybe(text(8192)),
})

/**
 * Without it, the service unpacks an object that was uploaded with `Content-Encoding: gzip`, and ignores the range:
 * https://cloud.google.com/storage/docs/transcoding
 */
const AS_STORED = { 'accept-encoding': 'gzip' }

class Gs extends BucketProtocol<GsClient> implements BucketService {
  async read(key: string, range: Range | undefined, how: Receiving): Promise<StoredObject | undefined> {
    try {
      const headers = { ...rangeHeader(range), ...AS_STORED }
      const call = { ...this.#of(key), query: { alt: 'media' }, headers, repeatable: true, ...how } as const
      const reply = await this.client.call(call)
      return { bytes: inRange(reply, range), version: generationOf(reply, key) }
    } catch (error) {
      return await this.#absent(error, how.signal)
    }
  }

  async state(key: string, signal?: AbortSignal): Promise<StoredObject | undefined> {
    const call = { ...this.#of(key), query: { fields: 'generation' }, repeatable: true, signal } as const
    try {
      const { generation } = await this.client.callJson(call, made)
      return { bytes: new Uint8Array(0), version: generation }
    } catch (error) {
      return await this.#absent(error, signal)
    }
  }

  async write(key: string, body: Uint8Array, condition: Condition | undefined, how: Sending): Promise<Version> {
    return await upload({ client: this.client, key, body, query: conditionQuery(condition), ...how })
  }

  /** Within a bucket, one call is enough for any size; `done` says so: https://docs.cloud.google.com/storage/docs/json_api/v1/objects/rewrite */
  async copy(from: string, to: string, signal?: AbortSignal): Promise<boolean> {
    const { bucket } = this.client.settings
    const query = { fields: 'done' }
    const path = copyPath(bucket, from, to)
    const call = { operation: 'objects.rewrite', method: 'POST', path, about: from, query, repeatable: true, signal } as const
    try {
      const { done } = await this.client.callJson(call, rewritten)
      if (!done) throw odd('the server left a copy unfinished', `objects.rewrite gs://${bucket}/${from}`)
      return true
    } catch (error) {
      await this.#absent(error, signal)
      return false
    }
  }

  /** https://docs.cloud.google.com/storage/docs/json_api/v1/objects/list: `startOffset` is part of what is listed. */
  async page(
    prefix: string,
    after: string | undefined,
    next: string | undefined,
    signal: AbortSignal | undefined,
    most = '1000',
  ): Promise<BucketPage> {
    const more = { ...(next ? { pageToken: next } : {}), ...(after ? { startOffset: after } : {}) }
    const query = { prefix, maxResults: most, fields: 'items(name,size),nextPageToken', ...more }
    const path = objectPath(this.client.settings.bucket)
    const call = { operation: 'objects.list', method: 'GET', path, about: prefix, query, repeatable: true, signal } as const
    const { items = [], nextPageToken } = await this.client.callJson(call, page)
    return { entries: items.map(({ name, size }) => ({ key: name, size: Number(size) })), next: nextPageToken || undefined }
  }

  /** A condition names one state for ever, so repeating the call removes nothing else. */
  async remove(key: string, condition: StateCondition | undefined): Promise<void> {
    const of = { ...this.#of(key), operation: 'objects.delete', method: 'DELETE' } as const
    try {
      await this.client.call({ ...of, query: conditionQuery(condition), repeatable: true })
    } catch (error) {
      // A missing object has no generation: the condition fails because there is no object.
      if (condition && isStatus(error, 412) && !(await this.state(key))) return
      await this.#absent(error, undefined)
    }
  }

  /** `undefined` if the error says that the object does not exist; throws all others. Lists the bucket if it may be the bucket that is missing. */
  async #absent(error: unknown, signal: AbortSignal | undefined): Promise<undefined> {
    if (!isStatus(error, 404)) throw error
    if (!/No such object/.test(error.message)) await this.page(this.prefix, undefined, undefined, signal, '1')
    return undefined
  }

  #of(key: string) {
    return { operation: 'objects.get', method: 'GET', path: objectPath(this.client.settings.bucket, key), about: key } as const
  }
}

function generationOf({ headers }: HttpReply, key: string): Version {
  const version = headers['x-goog-generation']
  if (typeof version === 'string' && DIGITS.test(version)) return version
  throw new StoreError('invalid', `storage: the server gave no generation for "${key}": it cannot be used as a store`)
}

/** https://docs.cloud.google.com/storage/docs/request-preconditions: the generation 0 is that of what does not exist. */
function conditionQuery(condition: Condition | undefined): Readonly<Record<string, string>> {
  if (condition === undefined) return {}
  return { ifGenerationMatch: 'absent' in condition ? '0' : condition.version }
}
