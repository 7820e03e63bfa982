/** Calls Cloud Storage with a token; translates failures, and repeats calls if that is safe. */
import type { Shape } from '../../lib/shape.ts'
import { parseShape } from '../../wire/parse.ts'
import { type Credentials, StoreError } from '../../wire/store.ts'
import { type BucketCall, BucketClient, type BucketSettings } from '../bucket-client.ts'
import { type CallError, odd } from '../call-error.ts'
import type { HttpReply } from '../transport.ts'
import type { GsPlace } from './address.ts'
import { type Attempted, describe, faultOf } from './errors.ts'

export type GsSettings = BucketSettings & GsPlace

export interface Call extends BucketCall {
  /** As in permissions: `objects.get`. */
  readonly operation: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Below the endpoint. */
  readonly path: string
  /** Full key or prefix: for messages. */
  readonly about: string
}

export class GsClient extends BucketClient<GsSettings, Call> {
  constructor(settings: GsSettings) {
    super(settings, settings.endpoint)
  }

  /** What the answer says. */
  async callJson<T>(call: Call, shape: Shape<T>): Promise<T> {
    return this.parse(await this.call(call), call, shape)
  }

  parse<T>(reply: HttpReply, call: Call, shape: Shape<T>): T {
    try {
      return parseShape(shape, reply.body.toString('utf8'))
    } catch (error) {
      throw odd('the answer is not that of Cloud Storage', this.describe(call), error)
    }
  }

  protected override async send(call: Call, { token }: Credentials): Promise<HttpReply> {
    const { endpoint, bucket, prefix } = this.settings
    if (!token) throw new StoreError('denied', `storage: no credentials for "gs://${bucket}/${prefix}"`)
    this.remember(token)
    const search = new URLSearchParams(call.query).toString()
    const headers: Record<string, string> = {
      host: endpoint.host,
      'user-agent': 'tpi-action',
      authorization: `Bearer ${token}`,
      ...call.headers,
    }
    if (call.body || call.method !== 'GET') headers['content-length'] = String(call.body?.length ?? 0)
    const path = `${endpoint.pathname.replace(/\/$/, '')}${call.path}${search && `?${search}`}`
    return await this.transport.send(endpoint.hostname, { ...call, path, headers })
  }

  protected override describe(call: Call): string {
    return describe(this.#tried(call))
  }

  protected override faultOf(reply: HttpReply, call: Call): CallError {
    return faultOf(reply, this.#tried(call))
  }

  #tried({ operation, about }: Call): Attempted {
    return { operation, bucket: this.settings.bucket, key: about, secrets: this.secrets }
  }
}
