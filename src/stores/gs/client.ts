/** Calls Cloud Storage: with a token, understands failures and makes calls again where that is safe. */
import { retry } from '../../lib/retry.ts'
import type { Shape } from '../../lib/shape.ts'
import { parseShape } from '../../wire/parse.ts'
import { type CredentialSource, StoreError } from '../../wire/store.ts'
import { CallError, lost, mayRepeat, odd, PAUSES } from '../call-error.ts'
import { type HttpReply, Transport } from '../transport.ts'
import type { GsPlace } from './address.ts'
import { type Attempted, describe, faultOf } from './errors.ts'

export interface GsSettings extends GsPlace {
  readonly source: CredentialSource
  /** Tries of a call that may be repeated. */
  readonly attempts: number
}

export interface Call {
  /** As permissions call it: `objects.get`. */
  readonly operation: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Below the endpoint. */
  readonly path: string
  /** Full key or prefix: for messages. */
  readonly about: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Doing it twice is as good as once, also when only the answer was lost. */
  readonly repeatable: boolean
  /** Statuses beside 2xx that are answers too. */
  readonly fine?: readonly number[]
  readonly signal?: AbortSignal | undefined
}

export class GsClient {
  readonly settings: GsSettings
  readonly #transport: Transport
  /** Tokens that answers may still speak of: no message shows them. */
  #secrets: readonly string[] = []

  constructor(settings: GsSettings) {
    this.settings = settings
    this.#transport = new Transport(settings.endpoint)
  }

  /** The answer, if its status is 2xx or one that the call names. Otherwise throws CallError, or the signal's reason. */
  async call(call: Call): Promise<HttpReply> {
    const again = (error: unknown) => mayRepeat(error, call.repeatable)
    return await retry(() => this.#once(call), { ...PAUSES, attempts: this.settings.attempts, again, signal: call.signal })
  }

  /** What the answer says. */
  async callJson<T>(call: Call, shape: Shape<T>): Promise<T> {
    return this.parse(await this.call(call), call, shape)
  }

  parse<T>(reply: HttpReply, call: Call, shape: Shape<T>): T {
    try {
      return parseShape(shape, reply.body.toString('utf8'))
    } catch (error) {
      throw odd('the answer is not that of Cloud Storage', describe(this.#tried(call)), error)
    }
  }

  close(): void {
    this.#transport.close()
  }

  async #once(call: Call): Promise<HttpReply> {
    const held = await this.settings.source.get()
    const reply = await this.#send(call, this.#checked(held)).catch((error: unknown) => {
      call.signal?.throwIfAborted()
      if (error instanceof StoreError) throw error
      throw lost(error, describe(this.#tried(call)), this.#secrets)
    })
    if ((reply.status >= 200 && reply.status < 300) || call.fine?.includes(reply.status)) return reply
    const fault = faultOf(reply, this.#tried(call))
    if (reply.status !== 401 || !this.settings.source.refused(held)) throw fault
    const { code, status, message } = fault
    throw new CallError('unavailable', message, { code, status, again: 'always' })
  }

  async #send(call: Call, token: string): Promise<HttpReply> {
    const { endpoint } = this.settings
    const search = new URLSearchParams(call.query).toString()
    const headers: Record<string, string> = {
      host: endpoint.host,
      'user-agent': 'tpi-action',
      authorization: `Bearer ${token}`,
      ...call.headers,
    }
    if (call.body || call.method !== 'GET') headers['content-length'] = String(call.body?.length ?? 0)
    const path = `${endpoint.pathname.replace(/\/$/, '')}${call.path}${search && `?${search}`}`
    return await this.#transport.send(endpoint.hostname.replace(/^\[(.*)\]$/, '$1'), { ...call, path, headers, body: call.body })
  }

  #checked({ token }: Readonly<Record<string, string>>): string {
    const { bucket, prefix } = this.settings
    if (!token) throw new StoreError('denied', `storage: no credentials for "gs://${bucket}/${prefix}"`)
    // Those of before too: what they were sent with may be on its way.
    if (!this.#secrets.includes(token)) this.#secrets = [token, ...this.#secrets.slice(0, 2)]
    return token
  }

  #tried({ operation, about }: Call): Attempted {
    return { operation, bucket: this.settings.bucket, key: about, secrets: this.#secrets }
  }
}
