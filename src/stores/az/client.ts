/** Calls Blob Storage with a token or signed with the account's key; translates failures, and repeats calls if that is safe. */
import { unmarked } from '../../lib/text.ts'
import { type Credentials, StoreError } from '../../wire/store.ts'
import { type BucketCall, BucketClient, type BucketSettings } from '../bucket-client.ts'
import { type CallError, odd } from '../call-error.ts'
import type { HttpReply } from '../transport.ts'
import { type Element, parseXml } from '../xml.ts'
import { type AzPlace, blobPath, type Naming, OURS, THEIRS } from './address.ts'
import { type Attempted, describe, faultOf } from './errors.ts'
import { sharedKey } from './shared-key.ts'

export type AzSettings = BucketSettings & AzPlace & { readonly onlyRead: boolean }

export interface Call extends BucketCall {
  /** As the documents call it: `Put Blob`. */
  readonly operation: string
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Full key; absent: the container. */
  readonly key?: string
  /** For messages, where there is no key. */
  readonly about?: string
  /** Full key of the object that is copied. */
  readonly source?: string
}

/** Before version 2019-12-12, one request may carry only 256 MiB: https://learn.microsoft.com/azure/storage/blobs/scalability-targets */
const VERSION = '2021-12-02'

export class AzClient extends BucketClient<AzSettings, Call> {
  readonly naming: Naming

  constructor(settings: AzSettings) {
    super(settings, settings.endpoint)
    this.naming = settings.onlyRead ? THEIRS : OURS
  }

  async callXml(call: Call, root: string): Promise<Element> {
    const { body } = await this.call(call)
    try {
      const element = parseXml(unmarked(body.toString('utf8')).trim())
      if (element.name === root) return element
    } catch (error) {
      throw odd('the answer is not that of Blob Storage', this.describe(call), error)
    }
    throw odd('the answer is not that of Blob Storage', this.describe(call))
  }

  protected override async send(call: Call, held: Credentials): Promise<HttpReply> {
    const { endpoint } = this.settings
    const { method, query = {}, body } = call
    const headers: Record<string, string> = {
      host: endpoint.host,
      'user-agent': 'tpi-action',
      'x-ms-version': VERSION,
      'x-ms-date': new Date().toUTCString(),
      ...this.#copied(call.source, held),
      ...call.headers,
    }
    if (body || method === 'PUT') headers['content-length'] = String(body?.length ?? 0)
    const path = this.#path(call.key)
    headers['authorization'] = this.#proof(held, { method, path, query, headers })
    // The signature is over decoded text: %20 is the only form of a blank that all servers read in the same way.
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20')
    return await this.transport.send(endpoint.hostname, { ...call, path: `${path}${search && `?${search}`}`, headers })
  }

  protected override describe(call: Call): string {
    return describe(this.#tried(call))
  }

  protected override faultOf(reply: HttpReply, call: Call): CallError {
    return faultOf(reply, this.#tried(call))
  }

  /** With that of the endpoint. */
  #path(key: string | undefined): string {
    const name = key === undefined ? undefined : this.naming.nameOf(key)
    return `${this.settings.endpoint.pathname.replace(/\/$/, '')}${blobPath(this.settings, name)}`
  }

  /** The right to read the source is proved on its own: https://learn.microsoft.com/rest/api/storageservices/copy-blob-from-url#request-headers */
  #copied(source: string | undefined, { token }: Credentials): Readonly<Record<string, string>> {
    if (source === undefined) return {}
    return {
      'x-ms-copy-source': `${this.settings.endpoint.origin}${this.#path(source)}`,
      'x-ms-requires-sync': 'true',
      ...(token && { 'x-ms-copy-source-authorization': `Bearer ${token}` }),
    }
  }

  #proof({ token, key }: Credentials, signed: Parameters<typeof sharedKey>[2]): string {
    const { account, container, prefix } = this.settings
    const secret = token || key
    if (!secret) throw new StoreError('denied', `storage: no credentials for "az://${account}/${container}/${prefix}"`)
    this.remember(secret)
    return token ? `Bearer ${token}` : sharedKey(account, secret, signed)
  }

  #tried({ operation, key, about = '' }: Call): Attempted {
    const { account, container } = this.settings
    return { operation, account, container, key: key ?? about, secrets: this.secrets }
  }
}
