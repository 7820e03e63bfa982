/** Calls Blob Storage: with a token or signed by the account's key, understands failures and makes calls again where that is safe. */
import { retry } from '../../lib/retry.ts'
import { type CredentialSource, StoreError } from '../../wire/store.ts'
import { CallError, lost, mayRepeat, odd, PAUSES } from '../call-error.ts'
import { type HttpReply, Transport } from '../transport.ts'
import { type Element, parseXml } from '../xml.ts'
import { type AzPlace, blobPath } from './address.ts'
import { type Attempted, describe, faultOf, withoutMark } from './errors.ts'
import { sharedKey } from './shared-key.ts'

export interface AzSettings extends AzPlace {
  readonly source: CredentialSource
  /** Tries of a call that may be repeated. */
  readonly attempts: number
}

export interface Call {
  /** As the documents call it: `Put Blob`. */
  readonly operation: string
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Full key; absent: the container. */
  readonly key?: string
  /** For messages, where there is no key. */
  readonly about?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Doing it twice is as good as once, also when only the answer was lost. */
  readonly repeatable: boolean
  readonly signal?: AbortSignal | undefined
}

/** https://learn.microsoft.com/rest/api/storageservices/versioning-for-the-azure-storage-services: since it one request may carry 5000 MiB. */
const VERSION = '2021-12-02'

export class AzClient {
  readonly settings: AzSettings
  readonly #transport: Transport
  /** Tokens and keys that answers may still speak of: no message shows them. */
  #secrets: readonly string[] = []

  constructor(settings: AzSettings) {
    this.settings = settings
    this.#transport = new Transport(settings.endpoint)
  }

  /** The answer, if its status is 2xx. Otherwise throws CallError, or the signal's reason. */
  async call(call: Call): Promise<HttpReply> {
    const again = (error: unknown) => mayRepeat(error, call.repeatable)
    return await retry(() => this.#once(call), { ...PAUSES, attempts: this.settings.attempts, again, signal: call.signal })
  }

  async callXml(call: Call, root: string): Promise<Element> {
    const { body } = await this.call(call)
    try {
      const element = parseXml(withoutMark(body.toString('utf8')))
      if (element.name === root) return element
    } catch (error) {
      throw odd('the answer is not that of Blob Storage', describe(this.#tried(call)), error)
    }
    throw odd('the answer is not that of Blob Storage', describe(this.#tried(call)))
  }

  close(): void {
    this.#transport.close()
  }

  async #once(call: Call): Promise<HttpReply> {
    const held = await this.settings.source.get()
    const tried = this.#tried(call)
    const reply = await this.#send(call, held).catch((error: unknown) => {
      call.signal?.throwIfAborted()
      if (error instanceof StoreError) throw error
      throw lost(error, describe(tried), this.#secrets)
    })
    if (reply.status >= 200 && reply.status < 300) return reply
    const fault = faultOf(reply, this.#tried(call))
    if (reply.status !== 401 || !this.settings.source.refused(held)) throw fault
    const { code, status, message } = fault
    throw new CallError('unavailable', message, { code, status, again: 'always' })
  }

  async #send(call: Call, held: Readonly<Record<string, string>>): Promise<HttpReply> {
    const { endpoint } = this.settings
    const { method, query = {}, body } = call
    const headers: Record<string, string> = {
      host: endpoint.host,
      'user-agent': 'tpi-action',
      'x-ms-version': VERSION,
      'x-ms-date': new Date().toUTCString(),
      ...call.headers,
    }
    if (body || method === 'PUT') headers['content-length'] = String(body?.length ?? 0)
    const path = `${endpoint.pathname.replace(/\/$/, '')}${blobPath(this.settings, call.key)}`
    headers['authorization'] = this.#proof(held, { method, path, query, headers })
    // What is signed is decoded: a blank is %20 in the one way that all servers read alike.
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20')
    const hostname = endpoint.hostname.replace(/^\[(.*)\]$/, '$1')
    return await this.#transport.send(hostname, { method, path: `${path}${search && `?${search}`}`, headers, body, signal: call.signal })
  }

  #proof({ token, key }: Readonly<Record<string, string>>, signed: Parameters<typeof sharedKey>[2]): string {
    const { account, container, prefix } = this.settings
    const secret = token || key
    if (!secret) throw new StoreError('denied', `storage: no credentials for "az://${account}/${container}/${prefix}"`)
    // Those of before too: what they were sent with may be on its way.
    if (!this.#secrets.includes(secret)) this.#secrets = [secret, ...this.#secrets.slice(0, 2)]
    return token ? `Bearer ${token}` : sharedKey(account, secret, signed)
  }

  #tried({ operation, key, about = '' }: Call): Attempted {
    const { account, container } = this.settings
    return { operation, account, container, key: key ?? about, secrets: this.#secrets }
  }
}
