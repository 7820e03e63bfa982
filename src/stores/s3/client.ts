/** Calls S3: addresses, signs, sends, understands failures and makes calls again where that is safe. */
import { retry } from '../../lib/retry.ts'
import { type Credentials, escape, queryString, sha256, sign } from '../../lib/sigv4.ts'
import { type CredentialSource, StoreError } from '../../wire/store.ts'
import { mayRepeat, PAUSES } from '../call-error.ts'
import { type HttpReply, Transport } from '../transport.ts'
import { TooLarge } from '../transport-error.ts'
import { type Element, parseXml } from '../xml.ts'
import { addressOf, type Whereabouts } from './address.ts'
import { type Attempted, faultOf, lostOf, oddOf, S3Error } from './errors.ts'

export interface S3Settings extends Whereabouts {
  readonly source: CredentialSource
  /** Tries of a call that may be repeated. */
  readonly attempts: number
}

export interface Call {
  readonly operation: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'HEAD' | 'DELETE'
  /** Full key; absent: the call is about the bucket. */
  readonly key?: string
  /** What a message names when there is no key. */
  readonly about?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** SHA-256 (hex) of the body, when the caller has it already. */
  readonly bodyHash?: string
  /** Doing it twice is as good as once, also when only the answer was lost. */
  readonly repeatable: boolean
  /** Answers with these statuses are not worth another try. */
  readonly final?: readonly number[]
  readonly signal?: AbortSignal | undefined
}

/** Codes of temporary credentials whose time is over. */
const EXPIRED = new Set(['ExpiredToken', 'TokenRefreshRequired'])
/** Bytes: a thousand keys, each of a thousand characters that must be escaped. */
const LONGEST_XML = 8 << 20
const EMPTY_HASH = sha256('')

export class S3Client {
  readonly settings: S3Settings
  readonly #transport: Transport
  #region: string
  /** Milliseconds to add to this machine's clock. */
  #skew = 0
  /** Of credentials that answers may still speak of: no message shows them. */
  #secrets: readonly string[] = []

  constructor(settings: S3Settings) {
    this.settings = settings
    this.#region = settings.region
    this.#transport = new Transport(settings.endpoint ?? new URL('https://s3.amazonaws.com'))
  }

  /** The answer, if its status is 2xx. Otherwise throws S3Error, or the signal's reason. */
  async call(call: Call): Promise<HttpReply> {
    const again = (error: unknown) => {
      if (error instanceof S3Error && call.final?.includes(error.status)) return false
      return mayRepeat(error, call.repeatable)
    }
    const bodyHash = call.bodyHash ?? (call.body ? sha256(call.body) : EMPTY_HASH)
    return await retry(() => this.#once({ ...call, bodyHash }), { ...PAUSES, attempts: this.settings.attempts, again, signal: call.signal })
  }

  /** The answer's XML, whose root must have this name. Some operations answer 200 and then an error. */
  async callXml(call: Call, root: string): Promise<Element> {
    const reply = await this.call(call)
    return this.#xml(reply, root, this.#tried(call))
  }

  close(): void {
    this.#transport.close()
  }

  async #once(call: Call & { readonly bodyHash: string }): Promise<HttpReply> {
    const held = await this.settings.source.get()
    const credentials = this.#checked(held)
    const tried = this.#tried(call)
    const reply = await this.#send(call, credentials).catch((error: unknown) => {
      call.signal?.throwIfAborted()
      throw lostOf(error, tried)
    })
    if (reply.status >= 200 && reply.status < 300) {
      if (call.operation === 'CompleteMultipartUpload') this.#xml(reply, 'CompleteMultipartUploadResult', tried)
      return reply
    }
    const fault = this.#learn(faultOf(reply, tried), reply)
    if (!EXPIRED.has(fault.code) || !this.settings.source.refused(held)) throw fault
    const { code, status, message } = fault
    throw new S3Error('unavailable', message, { code, status, again: 'always' })
  }

  async #send(call: Call & { readonly bodyHash: string }, credentials: Credentials): Promise<HttpReply> {
    const { host, hostname, path } = this.#address(call.key)
    const query = call.query ?? {}
    const request = { method: call.method, host, path, query, headers: call.headers ?? {}, bodyHash: call.bodyHash }
    const scope = { region: this.#region, service: 's3', date: new Date(Date.now() + this.#skew) }
    const signed = sign(request, credentials, scope)
    const headers: Record<string, string> = { ...signed, 'user-agent': 'tpi-action' }
    if (call.body) headers['content-length'] = String(call.body.length)
    const search = queryString(query)
    const wire = { method: call.method, path: search === '' ? path : `${path}?${search}`, headers, body: call.body, signal: call.signal }
    return await this.#transport.send(hostname, wire)
  }

  #checked({ accessKeyId, secretAccessKey, sessionToken }: Readonly<Record<string, string>>): Credentials {
    const { bucket, prefix } = this.settings
    if (!accessKeyId || !secretAccessKey) throw new StoreError('denied', `storage: no credentials for "s3://${bucket}/${prefix}"`)
    // Those of before too: what they signed may be on its way.
    if (!this.#secrets.includes(secretAccessKey))
      this.#secrets = [secretAccessKey, sessionToken ?? '', accessKeyId, ...this.#secrets.slice(0, 3)]
    return { accessKeyId, secretAccessKey, sessionToken }
  }

  #address(key: string | undefined): { readonly host: string; readonly hostname: string; readonly path: string } {
    const { path: root, ...address } = addressOf({ ...this.settings, region: this.#region })
    return { ...address, path: `${root}/${(key ?? '').split('/').map(escape).join('/')}` }
  }

  /** Takes from a failure what makes the next try succeed: the server's time, the bucket's region. */
  #learn(error: S3Error, reply: HttpReply): S3Error {
    if (error.code === 'RequestTimeTooSkewed') {
      const server = Date.parse(reply.headers.date ?? '')
      if (!Number.isNaN(server)) this.#skew = server - Date.now()
    }
    if (error.region === undefined || error.region === this.#region || error.kind !== 'invalid' || this.settings.endpoint) return error
    if (!/^[a-z0-9-]{4,32}$/.test(error.region)) return error
    this.#region = error.region
    const { code, status, region } = error
    return new S3Error('unavailable', error.message, { code, status, region, again: 'always' })
  }

  #xml(reply: HttpReply, root: string, tried: Attempted): Element {
    if (reply.body.length > LONGEST_XML) throw lostOf(new TooLarge(LONGEST_XML), tried)
    let found: Element
    try {
      found = parseXml(reply.body.toString('utf8').trim())
    } catch (error) {
      throw oddOf('the answer is not the XML of S3', tried, error)
    }
    if (found.name === 'Error') throw faultOf({ ...reply, status: 500 }, tried)
    if (found.name !== root) throw oddOf(`the answer is <${found.name}>, not <${root}>`, tried)
    return found
  }

  #tried(call: Call): Attempted {
    const { bucket, prefix } = this.settings
    return { operation: call.operation, bucket, prefix, key: call.key ?? call.about ?? '', secrets: this.#secrets }
  }
}
