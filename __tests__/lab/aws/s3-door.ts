/**
 * S3 behind the front: objects are versitygw's, with requests signed again for it; a bucket's settings (lifecycle, public access …) are moto's, which
 * supports them. Permissions were checked before.
 */
import http, { type IncomingHttpHeaders } from 'node:http'
import { sha256 } from '../../../src/lib/sha256.ts'
import { sign } from '../../../src/vendors/aws/sigv4.ts'
import type { S3Server } from '../versitygw.ts'
import { type Body, bodyOf } from '../vm/relay.ts'

export interface Answer extends Body {
  readonly status: number
  readonly headers: IncomingHttpHeaders | Readonly<Record<string, string>>
}

export interface Asked {
  readonly method: string
  /** With the query, as received. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Settings of a bucket that the object server does not support. */
const SETTINGS = ['lifecycle', 'publicAccessBlock', 'encryption', 'ownershipControls', 'tagging', 'policyStatus', 'location']
/** Headers that the object server needs; signatures and lengths are made anew. */
const OWN =
  /^(authorization|x-amz-date|x-amz-security-token|x-amz-content-sha256|host|connection|content-length|transfer-encoding|expect|x-amz-expected-bucket-owner|amz-sdk-.*|user-agent|x-amz-user-agent|accept-encoding)$/

const without = ({ 'x-amz-content-sha256': _hash, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders => headers

export class S3Door {
  readonly #server: S3Server
  readonly #moto: number
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 256 })

  constructor(server: S3Server, moto: number) {
    this.#server = server
    this.#moto = moto
  }

  async answer(asked: Asked): Promise<Answer> {
    const url = new URL(asked.path, 'http://s3')
    const [, bucket = '', ...key] = url.pathname.split('/')
    if (key.join('/') === '') {
      if (SETTINGS.some((name) => url.searchParams.has(name))) return await this.#ask(this.#moto, asked, asked.headers)
      // Both must know the bucket.
      if (bucket !== '' && url.search === '' && (asked.method === 'PUT' || asked.method === 'DELETE')) {
        // The object server has only one region; moto checks the body, which names the region.
        const first = await this.#objects({ ...asked, headers: without(asked.headers), body: Buffer.alloc(0) }, url)
        if (first.status < 300) await this.#ask(this.#moto, asked, asked.headers)
        return first
      }
    }
    return await this.#objects(asked, url)
  }

  stop(): void {
    this.#agent.destroy()
  }

  async #objects(asked: Asked, url: URL): Promise<Answer> {
    const hash = String(asked.headers['x-amz-content-sha256'] ?? '')
    if (hash.startsWith('STREAMING-')) throw new Error('the lab takes no bodies that are signed by pieces')
    const given = Object.entries(asked.headers).flatMap(([name, value]) =>
      OWN.test(name) || value === undefined ? [] : [[name, String(value)] as const],
    )
    // Only writes have conditions, which must be checked one at a time.
    const port = asked.method === 'GET' || asked.method === 'HEAD' ? this.#server.port : this.#server.gate
    const host = `127.0.0.1:${port}`
    const query = Object.fromEntries([...url.searchParams].filter(([name]) => !/^X-Amz-/i.test(name)))
    const bodyHash = /^[0-9a-f]{64}$/.test(hash) ? hash : sha256(asked.body)
    const headers = sign(
      { method: asked.method, host, path: url.pathname, query, headers: Object.fromEntries(given), bodyHash },
      this.#server.credentials,
      { region: 'us-east-1', service: 's3', date: new Date() },
    )
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20')
    return await this.#ask(port, { ...asked, path: url.pathname + (search && `?${search}`) }, headers)
  }

  async #ask(
    port: number,
    { method, path, body }: Asked,
    headers: IncomingHttpHeaders | Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const rest = Object.fromEntries(
      Object.entries(headers).filter(([name]) => name !== 'content-length' && name !== 'transfer-encoding' && name !== 'expect'),
    )
    return await new Promise((resolve, reject) => {
      const length = method === 'GET' || method === 'HEAD' ? {} : { 'content-length': body.length }
      const call = http.request({ agent: this.#agent, host: '127.0.0.1', port, method, path, headers: { ...rest, ...length } })
      call.on('error', reject)
      call.on('response', (message) => {
        const headers = message.headers
        bodyOf(message, { method, url: path }).then((sent) => resolve({ status: message.statusCode ?? 502, headers, ...sent }), reject)
      })
      call.end(body)
    })
  }
}
