/**
 * Strict buckets in memory: refuses what the discovery document of the JSON API (storage v1) does not name, and answers no more than `fields`
 * requests. Conditions, tokens and resumable uploads are up to the gate. Each rule: https://docs.cloud.google.com/storage/docs/json_api/v1/objects
 */
import { type Behind, type GateReply, type GateRequest, refusal } from './gate.ts'

interface Stored {
  readonly bytes: Buffer
  readonly generation: string
}

type Bucket = Map<string, Stored>

/** Parameters of the calls, by method and kind of path. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  'GET list': ['prefix', 'startOffset', 'maxResults', 'pageToken', 'fields'],
  'GET object': ['alt', 'fields', 'generation', 'ifGenerationMatch'],
  'DELETE object': ['generation', 'ifGenerationMatch'],
  'POST copy': ['fields', 'rewriteToken', 'ifGenerationMatch', 'ifSourceGenerationMatch'],
  'POST upload': ['uploadType', 'name', 'ifGenerationMatch', 'fields'],
  'PUT upload': ['uploadType', 'name', 'ifGenerationMatch', 'fields', 'upload_id'],
  'POST buckets': ['project'],
}

export function bucketsInMemory(): Behind {
  const buckets = new Map<string, Bucket>()
  const uploads = new Map<string, { readonly name: string; readonly pieces: Buffer[] }>()
  let last = 1_700_000_000_000_000
  const put = (bucket: Bucket, name: string, bytes: Buffer): Stored => {
    last += 1 + Math.floor(Math.random() * 1000)
    const stored = { bytes, generation: String(last) }
    bucket.set(name, stored)
    return stored
  }
  return async (request) => {
    const { kind, bucketName, name, to = '' } = placeOf(request.url)
    const query = request.url.searchParams
    const known = KNOWN[`${request.method} ${kind}`]
    if (!known) return refusal(405, 'methodNotAllowed', `${request.method} ${request.url.pathname}`)
    const unknown = [...query.keys()].find((one) => !known.includes(one))
    if (unknown !== undefined) return refusal(400, 'invalidParameter', `Unknown name "${unknown}"`)
    if (kind === 'buckets') {
      const params = JSON.parse(request.body.toString()) as { name: string }
      if (!buckets.has(params.name)) buckets.set(params.name, new Map())
      return json(params, null)
    }
    const bucket = buckets.get(bucketName)
    if (!bucket) return refusal(404, 'notFound', 'The specified bucket does not exist.')
    if (kind === 'list') return listed(bucket, query)
    if (kind === 'object') return await objectOf(bucket, bucketName, name, request)
    if (kind === 'copy') {
      const source = bucket.get(name)
      if (!source) return refusal(404, 'notFound', `No such object: ${bucketName}/${name}`)
      const size = String(source.bytes.length)
      const copied = { kind: 'storage#rewriteResponse', totalBytesRewritten: size, objectSize: size, done: true }
      return json({ ...copied, resource: resource(to, put(bucket, to, source.bytes)) }, query.get('fields'))
    }
    const id = query.get('upload_id')
    const target = id ? uploads.get(id) : undefined
    if (id && !target) return refusal(404, 'notFound', 'no such upload')
    if (target) {
      target.pieces.push(request.body)
      const [, end, total] = (/-(\d+)\/(\d+)$/.exec(request.headers['content-range'] ?? '') ?? []).map(Number)
      if (end! + 1 < total!) return { status: 308 }
      return json(resource(target.name, put(bucket, target.name, Buffer.concat(target.pieces))), query.get('fields'))
    }
    const wanted = query.get('name') ?? ''
    if (wanted === '' || Buffer.byteLength(wanted) > 1024) return refusal(400, 'required', 'Required parameter: name')
    if (query.get('uploadType') === 'resumable') {
      const session = `u${uploads.size}`
      uploads.set(session, { name: wanted, pieces: [] })
      const location = new URL(request.url)
      location.searchParams.set('upload_id', session)
      return { status: 200, headers: { location: location.href } }
    }
    return json(resource(wanted, put(bucket, wanted, request.body)), query.get('fields'))
  }
}

interface Place {
  readonly kind: string
  readonly bucketName: string
  readonly name: string
  /** The object that a copy becomes, in the same bucket. */
  readonly to?: string
}

function placeOf({ pathname }: URL): Place {
  const [, own = '', from = '', into, to = ''] =
    /^\/storage\/v1\/b\/([^/]+)\/o\/([^/]+)\/rewriteTo\/b\/([^/]+)\/o\/([^/]+)$/.exec(pathname) ?? []
  if (into !== undefined && into === own)
    return { kind: 'copy', bucketName: decodeURIComponent(own), name: decodeURIComponent(from), to: decodeURIComponent(to) }
  const [, upload, bucket, , object] = /^(\/upload)?\/storage\/v1\/b(?:\/([^/]+)\/o(\/(.+))?)?$/.exec(pathname) ?? []
  const kind = bucket === undefined ? 'buckets' : upload ? 'upload' : object === undefined ? 'list' : 'object'
  // One segment: slashes in names are escaped.
  if (object?.includes('/')) return { kind: 'none', bucketName: '', name: '' }
  return { kind, bucketName: decodeURIComponent(bucket ?? ''), name: decodeURIComponent(object ?? '') }
}

/** A download of a missing object is refused in plain text. */
async function objectOf(bucket: Bucket, bucketName: string, name: string, { method, url, headers }: GateRequest): Promise<GateReply> {
  const stored = bucket.get(name)
  const media = url.searchParams.get('alt') === 'media'
  const none = `No such object: ${bucketName}/${name}`
  if (!stored) return media ? { status: 404, headers: { 'content-type': 'text/html' }, body: none } : refusal(404, 'notFound', none)
  if (method === 'DELETE') {
    bucket.delete(name)
    return { status: 204 }
  }
  if (!media) return json(resource(name, stored), url.searchParams.get('fields'))
  const version = { 'x-goog-generation': stored.generation, 'content-type': 'application/octet-stream' }
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (from === undefined) return { status: 200, headers: version, body: stored.bytes }
  if (Number(from) >= stored.bytes.length) return { status: 416, body: 'Request range not satisfiable' }
  return { status: 206, headers: version, body: stored.bytes.subarray(Number(from), to ? Number(to) + 1 : undefined) }
}

/** https://docs.cloud.google.com/storage/docs/json_api/v1/objects/list: in the order of UTF-8, `startOffset` included, at most 1000. */
function listed(bucket: Bucket, query: URLSearchParams): GateReply {
  const most = Math.min(Number(query.get('maxResults') ?? 1000), 1000)
  const from = Buffer.from(
    query.get('pageToken') ? Buffer.from(query.get('pageToken')!, 'base64').toString() : (query.get('startOffset') ?? ''),
  )
  const names = [...bucket.keys()]
    .filter((name) => name.startsWith(query.get('prefix') ?? '') && Buffer.compare(Buffer.from(name), from) >= 0)
    .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
  const [items, next] = [names.slice(0, most), names[most]]
  const page = {
    kind: 'storage#objects',
    ...(items.length > 0 && { items: items.map((name) => resource(name, bucket.get(name)!)) }),
    ...(next !== undefined && { nextPageToken: Buffer.from(next).toString('base64') }),
  }
  return json(page, null)
}

function resource(name: string, { bytes, generation }: Stored): Readonly<Record<string, string>> {
  return { kind: 'storage#object', name, generation, metageneration: '1', size: String(bytes.length) }
}

function json(value: object, fields: string | null): GateReply {
  const kept = fields === null ? value : Object.fromEntries(Object.entries(value).filter(([key]) => fields.split(',').includes(key)))
  return { status: 200, headers: { 'content-type': 'application/json; charset=UTF-8' }, body: JSON.stringify(kept) }
}
