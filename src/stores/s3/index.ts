/**
 * A store in a bucket of S3 or of a compatible server. Versions are ETags. S3 makes them of the content, so a record must carry a fresh nonce in
 * every state (ours do): then no two states are equal, and a stale condition never matches again.
 */
import { uriEncodedPath } from '../../lib/uri.ts'
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
  conditionHeaders,
  etagOf,
  inRange,
  isStatus,
  type Receiving,
  rangeHeader,
  type Sending,
} from '../bucket.ts'
import { CallError } from '../call-error.ts'
import { S3Client } from './client.ts'
import { pageOf, removeKeys } from './list.ts'
import { settingsOf } from './settings.ts'
import { abortUploads, SINGLE_BYTES, uploadParts } from './upload.ts'

/** Settings: `region`, `endpoint`, `owner`, `tries`. Credentials: `accessKeyId`, `secretAccessKey`, `sessionToken`. */
export const open: OpenStore = async (access) => new BucketStore(access.url, new S3(new S3Client(settingsOf(access))))

class S3 extends BucketProtocol<S3Client> implements BucketService {
  async read(key: string, range: Range | undefined, how: Receiving): Promise<StoredObject | undefined> {
    try {
      const call = { operation: 'GetObject', method: 'GET', key, headers: rangeHeader(range), repeatable: true, ...how } as const
      const reply = await this.client.call(call)
      return { bytes: inRange(reply, range), version: etagOf(reply, key) }
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  async state(key: string, signal?: AbortSignal): Promise<StoredObject | undefined> {
    try {
      const reply = await this.client.call({ operation: 'HeadObject', method: 'HEAD', key, repeatable: true, signal })
      return { bytes: new Uint8Array(0), version: etagOf(reply, key) }
    } catch (error) {
      // HEAD has no body to tell a missing key from a missing bucket.
      if (isStatus(error, 404)) return undefined
      throw error
    }
  }

  async write(key: string, body: Uint8Array, condition: Condition | undefined, how: Sending): Promise<Version> {
    const headers = conditionHeaders(condition)
    try {
      if (body.length > SINGLE_BYTES) return await uploadParts({ client: this.client, key, body, headers, signal: how.signal })
      const repeatable = condition === undefined
      return etagOf(await this.client.call({ operation: 'PutObject', method: 'PUT', key, headers, body, repeatable, ...how }), key)
    } catch (error) {
      if (condition && isMissing(error)) throw new StoreError('conflict', `storage: "${key}" is no longer there`, { cause: error })
      throw error
    }
  }

  /** The answer may be 200 and then an error: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
  async copy(from: string, to: string, signal?: AbortSignal): Promise<boolean> {
    const headers = { 'x-amz-copy-source': `/${this.client.settings.bucket}/${uriEncodedPath(from)}` }
    try {
      await this.client.callXml({ operation: 'CopyObject', method: 'PUT', key: to, headers, repeatable: true, signal }, 'CopyObjectResult')
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }

  async page(prefix: string, after: string | undefined, next: string | undefined, signal: AbortSignal | undefined): Promise<BucketPage> {
    return await pageOf(this.client, { prefix, after, next, signal })
  }

  /** The state is also compared here, because some servers do not know conditions on removals, and remove in any case. */
  async remove(key: string, condition: StateCondition | undefined): Promise<void> {
    const there = condition && (await this.state(key))
    if (condition && !there) return
    if (there && there.version !== condition?.version) throw new StoreError('conflict', `storage: "${key}" is no longer what it was`)
    try {
      await this.client.call({ operation: 'DeleteObject', method: 'DELETE', key, headers: conditionHeaders(condition), repeatable: true })
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }

  async removeMany(keys: readonly string[]): Promise<void> {
    await removeKeys(this.client, keys)
  }

  async abandon(prefix: string): Promise<void> {
    await abortUploads(this.client, prefix)
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof CallError && error.code === 'NoSuchKey'
}
