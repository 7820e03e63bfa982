/** A store in a container of Azure Blob Storage: block blobs. Versions are ETags: each write makes another one, whatever its bytes are. */
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
import { child, childrenOf, type Element, textOf } from '../xml.ts'
import { AzClient, type AzSettings } from './client.ts'
import { settingsOf } from './settings.ts'
import { upload } from './upload.ts'

/** Settings: `endpoint`, `tries`. Credentials: `token`, `key` of the account, or those of an application: `tenant`, `client`, `clientSecret`. */
export const open: OpenStore = async (access) => new BucketStore(access.url, new Az(new AzClient(settingsOf(access))))

/** Azure does not say whether the source of a copy is missing, or may not be read. */
const MISSING_SOURCE = new Set(['BlobNotFound', 'CannotVerifyCopySource'])

class Az extends BucketProtocol<AzClient> implements BucketService {
  readonly fromStart = true

  /**
   * Names beyond ASCII have no documented order, and an account with a hierarchical namespace lists what is in a folder right after its name:
   * https://github.com/Azure/azure-sdk-for-go/issues/24210
   */
  get unordered(): boolean {
    return this.client.settings.onlyRead
  }

  async read(key: string, range: Range | undefined, how: Receiving): Promise<StoredObject | undefined> {
    const call = { operation: 'Get Blob', method: 'GET', key, headers: rangeHeader(range), repeatable: true, ...how } as const
    try {
      const reply = await this.client.call(call)
      return { bytes: inRange(reply, range), version: etagOf(reply, key) }
    } catch (error) {
      return absent(error)
    }
  }

  /** A HEAD has no body: the error code is in a header. */
  async state(key: string, signal?: AbortSignal): Promise<StoredObject | undefined> {
    const call = { operation: 'Get Blob Properties', method: 'HEAD', key, repeatable: true, signal } as const
    try {
      return { bytes: new Uint8Array(0), version: etagOf(await this.client.call(call), key) }
    } catch (error) {
      return absent(error)
    }
  }

  async write(key: string, body: Uint8Array, condition: Condition | undefined, how: Sending): Promise<Version> {
    return await upload({ client: this.client, key, body, headers: conditionHeaders(condition), ...how })
  }

  /** Done when it is answered: https://learn.microsoft.com/rest/api/storageservices/copy-blob-from-url */
  async copy(from: string, to: string, signal?: AbortSignal): Promise<boolean> {
    try {
      await this.client.call({ operation: 'Copy Blob From URL', method: 'PUT', key: to, source: from, repeatable: true, signal })
      return true
    } catch (error) {
      if (error instanceof CallError && error.status === 404 && MISSING_SOURCE.has(error.code)) return false
      throw error
    }
  }

  /** https://learn.microsoft.com/rest/api/storageservices/list-blobs: there is no way to begin behind a name. */
  async page(prefix: string, _after: string | undefined, next: string | undefined, signal: AbortSignal | undefined): Promise<BucketPage> {
    const { naming, settings } = this.client
    // Metadata may take kilobytes for each blob.
    const which = settings.onlyRead ? { maxresults: '500', include: 'metadata' } : { maxresults: '2000' }
    const query = { restype: 'container', comp: 'list', prefix: naming.nameOf(prefix), ...which, ...(next && { marker: next }) }
    const call = { operation: 'List Blobs', method: 'GET', about: prefix, query, repeatable: true, signal } as const
    const answer = await this.client.callXml(call, 'EnumerationResults')
    const blobs = child(answer, 'Blobs')
    const entries = (blobs ? childrenOf(blobs, 'Blob') : []).flatMap((blob) => {
      const properties = child(blob, 'Properties')
      const type = properties && textOf(properties, 'ResourceType')
      if (type !== undefined && !settings.onlyRead) throw hierarchical(settings)
      if (type === 'directory' || isFolder(child(blob, 'Metadata'))) return []
      const size = Number((properties && textOf(properties, 'Content-Length')) ?? Number.NaN)
      return { key: naming.keyOf(textOf(blob, 'Name') ?? ''), size }
    })
    return { entries, next: textOf(answer, 'NextMarker') || undefined }
  }

  /**
   * A condition names one state for ever, so repeating the call removes nothing else. Snapshots that somebody took of the blob are removed too,
   * because Azure would refuse the call otherwise.
   */
  async remove(key: string, condition: StateCondition | undefined): Promise<void> {
    const headers = { 'x-ms-delete-snapshots': 'include', ...conditionHeaders(condition) }
    const call = { operation: 'Delete Blob', method: 'DELETE', key, headers, repeatable: true } as const
    try {
      await this.client.call(call)
    } catch (error) {
      if (condition && isStatus(error, 412) && !(await this.state(key))) return
      absent(error)
    }
  }
}

/** Blobfuse and Hadoop's driver make an empty blob for each folder: https://github.com/Azure/azure-storage-fuse/issues/223 */
const isFolder = (metadata: Element | undefined): boolean =>
  metadata?.children.some(({ name, text }) => name.toLowerCase() === 'hdi_isfolder' && text === 'true') === true

/**
 * In such an account, folders are objects of their own, and stay when everything in them is gone. It shows in lists, where only such an account names
 * the type of an entry; Get Account Information would say it too, but takes no tokens.
 * https://learn.microsoft.com/rest/api/storageservices/list-blobs#response-body
 */
function hierarchical({ account }: AzSettings): StoreError {
  const why = 'has a hierarchical namespace (Data Lake Storage), in which tpi could not remove what it has made'
  return new StoreError('invalid', `storage: the account "${account}" ${why}: choose an account without one`)
}

/** `undefined` if the error says that the object does not exist; throws all others, also that of a missing container. */
function absent(error: unknown): undefined {
  if (error instanceof CallError && error.status === 404 && error.code === 'BlobNotFound') return undefined
  throw error
}
