/** Calls S3: finds the address, signs, sends, and translates failures. `bucket-client.ts` repeats calls. */
import { ServerTime } from '../../lib/server-time.ts'
import { sha256 } from '../../lib/sha256.ts'
import { uriEncodedPath } from '../../lib/uri.ts'
import { queryString, type SigningKeys, sign } from '../../vendors/aws/sigv4.ts'
import { type Credentials, StoreError } from '../../wire/store.ts'
import { type BucketCall, BucketClient, type BucketSettings } from '../bucket-client.ts'
import { CallError, lost, odd } from '../call-error.ts'
import type { HttpReply } from '../transport.ts'
import { TooLarge } from '../transport-error.ts'
import { type Element, parseXml } from '../xml.ts'
import { addressOf, type BucketAddress } from './address.ts'
import { type Attempted, describe, faultOf, regionIn } from './errors.ts'

export type S3Settings = BucketSettings & BucketAddress

export interface Call extends BucketCall {
  readonly operation: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'HEAD' | 'DELETE'
  /** Full key; absent: the call is about the bucket. */
  readonly key?: string
  /** What messages name if there is no key. */
  readonly about?: string
  /** SHA-256 (hex) of the body, if the caller has it already. */
  readonly bodyHash?: string
}

/** Codes for temporary credentials that have expired. */
const EXPIRED = new Set(['ExpiredToken', 'TokenRefreshRequired'])
/** Bytes: a thousand keys, each of a thousand characters that must be escaped. */
const LONGEST_XML = 8 << 20
const EMPTY_HASH = sha256('')

export class S3Client extends BucketClient<S3Settings, Call> {
  #region: string
  readonly #time = new ServerTime()
  /** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-owner-condition.html */
  readonly #owner: Readonly<Record<string, string>>

  constructor(settings: S3Settings) {
    super(settings, settings.endpoint ?? new URL('https://s3.amazonaws.com'))
    this.#region = settings.region
    this.#owner = settings.owner === undefined ? {} : { 'x-amz-expected-bucket-owner': settings.owner }
  }

  override async call(call: Call): Promise<HttpReply> {
    return super.call({ ...call, bodyHash: call.bodyHash ?? (call.body ? sha256(call.body) : EMPTY_HASH) })
  }

  /** The answer's XML, whose root must have this name. Some operations answer 200 and then an error. */
  async callXml(call: Call, root: string): Promise<Element> {
    const reply = await this.call(call)
    return this.#xml(reply, root, call)
  }

  protected override async send(call: Call, held: Credentials): Promise<HttpReply> {
    const keys = this.#checked(held)
    const { host, hostname, path } = this.#address(call.key)
    const query = call.query ?? {}
    const headed = { ...this.#owner, ...call.headers }
    const request = { method: call.method, host, path, query, headers: headed, bodyHash: call.bodyHash ?? EMPTY_HASH }
    const scope = { region: this.#region, service: 's3', date: this.#time.now() }
    const signed = sign(request, keys, scope)
    const headers: Record<string, string> = { ...signed, 'user-agent': 'tpi-action' }
    if (call.body) headers['content-length'] = String(call.body.length)
    const search = queryString(query)
    const reply = await this.transport.send(hostname, { ...call, path: `${path}${search && `?${search}`}`, headers })
    const isDone = call.operation === 'CompleteMultipartUpload' && reply.status >= 200 && reply.status < 300
    if (isDone) this.#xml(reply, 'CompleteMultipartUploadResult', call)
    return reply
  }

  protected override describe(call: Call): string {
    return describe(this.#tried(call))
  }

  protected override faultOf(reply: HttpReply, call: Call): CallError {
    return this.#learn(faultOf(reply, this.#tried(call)), reply)
  }

  /** The answer to a HEAD has no code: https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html. Any other without one is not S3's. */
  protected override isStale({ code, status }: CallError, { method }: Call): boolean {
    return EXPIRED.has(code) || (method === 'HEAD' && code === '' && status === 400)
  }

  #checked({ accessKeyId, secretAccessKey, sessionToken }: Credentials): SigningKeys {
    const { bucket, prefix } = this.settings
    if (!accessKeyId || !secretAccessKey) throw new StoreError('denied', `storage: no credentials for "s3://${bucket}/${prefix}"`)
    this.remember(secretAccessKey, sessionToken ?? '', accessKeyId)
    return { accessKeyId, secretAccessKey, sessionToken }
  }

  #address(key: string | undefined): { readonly host: string; readonly hostname: string; readonly path: string } {
    const { path: root, ...address } = addressOf({ ...this.settings, region: this.#region })
    return { ...address, path: `${root}/${uriEncodedPath(key ?? '')}` }
  }

  /** Takes from a failure what makes the next try succeed: the server's time, the bucket's region. */
  #learn(error: CallError, reply: HttpReply): CallError {
    const { kind, code, status, message } = error
    if (code === 'RequestTimeTooSkewed') this.#time.learn(reply.headers.date)
    const region = kind === 'invalid' && !this.settings.endpoint ? regionIn(reply) : undefined
    if (region === undefined || region === this.#region) return error
    this.#region = region
    return new CallError('unavailable', message, { code, status, again: 'always' })
  }

  #xml(reply: HttpReply, root: string, call: Call): Element {
    const what = this.describe(call)
    if (reply.body.length > LONGEST_XML) throw lost(new TooLarge(LONGEST_XML), what, this.secrets)
    let found: Element
    try {
      found = parseXml(reply.body.toString('utf8').trim())
    } catch (error) {
      throw odd('the answer is not the XML of S3', what, error)
    }
    if (found.name === 'Error') throw faultOf(reply, this.#tried(call))
    if (found.name !== root) throw odd(`the answer is <${found.name}>, not <${root}>`, what)
    return found
  }

  #tried(call: Call): Attempted {
    const { bucket, prefix } = this.settings
    return { operation: call.operation, bucket, prefix, key: call.key ?? call.about ?? '', secrets: this.secrets }
  }
}
