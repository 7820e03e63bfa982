/** The blob store behind the results service: blocks, block lists, whole blobs, addresses signed for one right each, reads by range. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

interface Blob {
  readonly blocks: Map<string, Buffer>
  bytes: Buffer | undefined
  /** Signature → what it allows; removed when the right is withdrawn. */
  readonly rights: Map<string, 'read' | 'write'>
}

/** Addresses consist of `PREFIX` and a key. */
const PREFIX = '/blob/'

export class BlobStore {
  readonly #blobs = new Map<string, Blob>()

  /** Creates an empty blob, and returns its key. */
  create(): string {
    const key = randomUUID()
    this.#blobs.set(key, { blocks: new Map(), bytes: undefined, rights: new Map() })
    return key
  }

  /** Path and query of an address that allows this and nothing else. */
  sign(key: string, right: 'read' | 'write'): string {
    const signature = randomUUID()
    this.#blobs.get(key)?.rights.set(signature, right)
    return `${PREFIX}${key}?sp=${right === 'read' ? 'r' : 'cw'}&sig=${signature}&se=later`
  }

  /** What was uploaded, which nobody can change from now on; `undefined` if nothing was. */
  seal(key: string): Buffer | undefined {
    const blob = this.#blobs.get(key)
    if (blob?.bytes) for (const [signature, right] of blob.rights) if (right === 'write') blob.rights.delete(signature)
    return blob?.bytes
  }

  answer(request: IncomingMessage, where: URL, bytes: Buffer, response: ServerResponse): void {
    const blob = this.#blobs.get(where.pathname.replace(PREFIX, ''))
    const right = blob?.rights.get(where.searchParams.get('sig') ?? '')
    const wanted = request.method === 'PUT' ? 'write' : 'read'
    if (!blob || right !== wanted) return void response.writeHead(403).end()
    const headers = { etag: `"${randomUUID()}"`, 'x-ms-request-id': randomUUID(), 'last-modified': new Date().toUTCString() }
    if (wanted === 'write') return void response.writeHead(put(blob, where.searchParams, bytes), headers).end()
    get(blob, request, headers, response)
  }
}

/** Put Block, Put Block List (https://learn.microsoft.com/rest/api/storageservices/put-block-list) and Put Blob of the blob service. */
function put(blob: Blob, query: URLSearchParams, bytes: Buffer): number {
  const what = query.get('comp')
  if (what === 'block') {
    blob.blocks.set(query.get('blockid') ?? '', bytes)
    return 201
  }
  if (what !== 'blocklist') {
    blob.bytes = bytes
    return 201
  }
  const ids = [...bytes.toString('utf8').matchAll(/<(?:Latest|Uncommitted|Committed)>([^<]+)</g)].map((match) => match[1] ?? '')
  if (ids.some((id) => !blob.blocks.has(id))) return 400
  blob.bytes = Buffer.concat(ids.map((id) => blob.blocks.get(id) as Buffer))
  return 201
}

/** Get Blob, whole or a range of it, and Get Blob Properties. */
function get(blob: Blob, request: IncomingMessage, headers: Readonly<Record<string, string>>, response: ServerResponse): void {
  if (!blob.bytes) return void response.writeHead(404, headers).end()
  const range = /^bytes=(\d+)-(\d*)$/.exec(String(request.headers['x-ms-range'] ?? request.headers['range'] ?? ''))
  const all = blob.bytes.length
  const from = Number(range?.[1] ?? 0)
  const to = Math.min(all, range?.[2] ? Number(range[2]) + 1 : all)
  if (range && from >= all) return void response.writeHead(416, { ...headers, 'content-range': `bytes */${all}` }).end()
  const part = blob.bytes.subarray(from, to)
  const about = { ...headers, 'content-length': String(part.length), 'accept-ranges': 'bytes', 'x-ms-blob-type': 'BlockBlob' }
  if (range) response.writeHead(206, { ...about, 'content-range': `bytes ${from}-${to - 1}/${all}` })
  else response.writeHead(200, about)
  response.end(request.method === 'HEAD' ? undefined : part)
}
