/**
 * A server with as much S3 as deployments need, which may ignore the conditions of writes. Answers follow the API reference of Amazon S3 for
 * PutObject, GetObject, HeadObject, DeleteObject, DeleteObjects, ListObjectsV2 and ListMultipartUploads; each may be changed before it is sent.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { xmlText } from '../../src/stores/xml.ts'
import { listening, portOf } from '../setup/listening.ts'
import { error } from './s3-server.ts'

export interface LyingS3 extends AsyncDisposable {
  readonly endpoint: string
  readonly objects: ReadonlyMap<string, Buffer>
  /** Methods and paths, in order. */
  readonly asked: readonly string[]
  /** From now on this changes each honest answer; absent: answers stay honest. */
  lie: Lie | undefined
  /** Remembers the contents; returns a function that restores them. */
  keep(): () => void
}

export interface Said {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** An answer in place of the honest one; `undefined`: it has written to the response itself. */
export type Lie = (asked: Asked, honest: Said, response: ServerResponse) => Said | undefined | Promise<Said | undefined>

export interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
}

type Request = Asked & { readonly key: string; readonly body: Buffer }

export async function lyingS3(keepsConditions: boolean): Promise<LyingS3> {
  const bucket = new Bucket(keepsConditions)
  const asked: string[] = []
  const self: Pick<LyingS3, 'lie'> = { lie: undefined }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    const url = new URL(request.url ?? '', 'http://x')
    const one: Request = { method: request.method ?? '', url, headers: request.headers, key: decodeURIComponent(url.pathname), body }
    asked.push(`${one.method} ${url.pathname}`)
    const honest = bucket.answer(one)
    const said = self.lie ? await self.lie(one, honest, response) : honest
    if (said) response.writeHead(said.status, said.headers).end(one.method === 'HEAD' ? '' : said.body)
  }
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  await listening(server)
  return Object.assign(self, {
    endpoint: `http://127.0.0.1:${portOf(server)}`,
    objects: bucket.objects,
    asked,
    keep: () => bucket.keep(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  })
}

const said = (status: number, body: string | Buffer = '', headers: Readonly<Record<string, string>> = {}): Said => {
  const bytes = Buffer.from(body)
  return { status, body: bytes, headers: { 'content-length': String(bytes.length), ...headers } }
}

class Bucket {
  readonly objects = new Map<string, Buffer>()
  readonly #etags = new Map<string, string>()
  readonly #keepsConditions: boolean
  #made = 0

  constructor(keepsConditions: boolean) {
    this.#keepsConditions = keepsConditions
  }

  keep(): () => void {
    const [objects, etags] = [[...this.objects], [...this.#etags]]
    return () => {
      this.objects.clear()
      this.#etags.clear()
      for (const [key, bytes] of objects) this.objects.set(key, bytes)
      for (const [key, etag] of etags) this.#etags.set(key, etag)
    }
  }

  answer(request: Request): Said {
    const { method, key, url } = request
    if (method === 'PUT') return this.#put(request)
    if (method === 'DELETE') {
      this.#remove(key)
      return { status: 204, headers: {}, body: Buffer.alloc(0) }
    }
    if (method === 'POST') return this.#removeMany(request)
    if (url.searchParams.has('list-type')) return this.#list(url)
    if (url.searchParams.has('uploads')) return said(200, '<ListMultipartUploadsResult></ListMultipartUploadsResult>')
    const found = this.objects.get(key)
    if (found === undefined) return said(404, method === 'HEAD' ? '' : error('NoSuchKey'))
    return said(200, found, { etag: this.#etags.get(key) ?? '' })
  }

  #put({ key, body, headers }: Request): Said {
    const etag = this.#etags.get(key)
    const wanted = headers['if-match']
    // The User Guide (https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html) has 404 NoSuchKey for `If-Match` on a key that
    // does not exist; here it is 412, too.
    const broken = (headers['if-none-match'] === '*' && etag !== undefined) || (wanted !== undefined && wanted !== etag)
    if (broken && this.#keepsConditions) return said(412, error('PreconditionFailed'))
    this.objects.set(key, body)
    const made = `"${++this.#made}"`
    this.#etags.set(key, made)
    return said(200, '', { etag: made })
  }

  #remove(key: string): void {
    this.objects.delete(key)
    this.#etags.delete(key)
  }

  #removeMany({ key, body, url }: Request): Said {
    if (!url.searchParams.has('delete')) return said(501, error('NotImplemented'))
    for (const [, name = ''] of body.toString().matchAll(/<Key>(.*?)<\/Key>/g)) this.#remove(`${key.replace(/\/$/, '')}/${name}`)
    return said(200, '<DeleteResult></DeleteResult>')
  }

  #list(url: URL): Said {
    const root = `${url.pathname.replace(/\/$/, '')}/`
    const [prefix, after] = ['prefix', 'start-after'].map((name) => url.searchParams.get(name) ?? '') as [string, string]
    const keys = [...this.objects.keys()].map((key) => key.slice(root.length)).filter((key) => key.startsWith(prefix) && key > after)
    const contents = keys
      .toSorted()
      .map((key) => `<Contents><Key>${xmlText(key)}</Key><Size>${this.objects.get(root + key)?.length}</Size></Contents>`)
    return said(200, `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`)
  }
}
