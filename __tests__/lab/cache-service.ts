/**
 * The cache of GitHub Actions, version 2 of its service: keys that never change once they are reserved, a version besides the key (which the client
 * derives from paths and compression), scopes from the caller's token, prefixes that find the newest cache. It refuses whatever the real service
 * refuses. Rules: https://docs.github.com/en/actions/reference/workflows-and-actions/dependency-caching
 */
import type { BlobStore } from './blob-store.ts'

export interface StoredCache {
  readonly id: string
  readonly key: string
  readonly version: string
  /** The branch that saved it. */
  readonly scope: string
  readonly bytes: Buffer
}

/** As in the tokens of steps; permission: 1 may read, 2 may write, 3 both. */
export interface CacheScope {
  readonly Scope: string
  readonly Permission: number
}

type Answer = readonly [status: number, body: unknown]

interface Reserved {
  readonly key: string
  readonly version: string
  readonly scope: string
  readonly blob: string
}

const MAY_READ = 1
const MAY_WRITE = 2
/** In characters, and as many keys in all, the first one included. Source: packages/cache/src/cache.ts of actions/toolkit. */
const LONGEST_KEY = 512
const MOST_KEYS = 10

export class CacheService {
  /** Finished caches, oldest first. */
  readonly stored: (StoredCache & { readonly blob: string })[] = []
  readonly #reserved: Reserved[] = []
  readonly #blobs: BlobStore
  readonly #address: (signed: string) => string

  /** `address` turns a path into a full address. */
  constructor(blobs: BlobStore, address: (path: string) => string) {
    this.#blobs = blobs
    this.#address = address
  }

  call(method: string, body: Readonly<Record<string, unknown>>, scopes: readonly CacheScope[]): Answer {
    const { key, version } = body as { key?: unknown; version?: unknown }
    if (!validKey(key)) return invalid(`key ${String(key)}`)
    if (typeof version !== 'string' || !/^[0-9a-f]{64}$/.test(version)) return invalid(`version ${String(version)}`)
    if (method === 'CreateCacheEntry') return this.#create(key, version, scopes)
    if (method === 'FinalizeCacheEntryUpload') return this.#finalize(key, version, scopes, body['size_bytes'])
    if (method === 'GetCacheEntryDownloadURL') return this.#find(key, version, scopes, body['restore_keys'])
    return [404, { code: 'bad_route', msg: method }]
  }

  #create(key: string, version: string, scopes: readonly CacheScope[]): Answer {
    const scope = scopes.find(({ Permission }) => Permission & MAY_WRITE)?.Scope
    if (scope === undefined) return [200, { ok: false, message: 'cache write denied: the token may only read' }]
    const same = (one: Reserved | StoredCache): boolean => one.key === key && one.version === version && one.scope === scope
    if (this.stored.some(same) || this.#reserved.some(same))
      return [409, { code: 'already_exists', msg: 'there is an entry with this key, version and scope' }]
    const blob = this.#blobs.create()
    this.#reserved.push({ key, version, scope, blob })
    return [200, { ok: true, signed_upload_url: this.#address(this.#blobs.sign(blob, 'write')) }]
  }

  #finalize(key: string, version: string, scopes: readonly CacheScope[], size: unknown): Answer {
    const at = this.#reserved.findIndex(
      (one) =>
        one.key === key && one.version === version && scopes.some(({ Scope, Permission }) => Scope === one.scope && Permission & MAY_WRITE),
    )
    const entry = this.#reserved[at]
    const bytes = entry && this.#blobs.seal(entry.blob)
    if (!entry || !bytes) return [404, { code: 'not_found', msg: 'nothing was uploaded' }]
    // 64-bit numbers are texts in JSON.
    if (size !== String(bytes.length)) return invalid(`size ${String(size)}, but ${bytes.length} bytes came`)
    this.#reserved.splice(at, 1)
    const id = String(this.stored.length + 501)
    this.stored.push({ id, bytes, ...entry })
    return [200, { ok: true, entry_id: id }]
  }

  #find(key: string, version: string, scopes: readonly CacheScope[], restore: unknown): Answer {
    const prefixes = (restore ?? []) as unknown[]
    if (!Array.isArray(prefixes) || prefixes.length >= MOST_KEYS || !prefixes.every(validKey)) return invalid('restore_keys')
    const newestFirst = this.stored.filter((one) => one.version === version).reverse()
    for (const { Scope, Permission } of scopes) {
      if (!(Permission & MAY_READ)) continue
      const here = newestFirst.filter(({ scope }) => scope === Scope)
      const found =
        here.find((one) => one.key === key) ??
        [key, ...prefixes].map((prefix) => here.find((one) => one.key.startsWith(prefix))).find((one) => one !== undefined)
      if (found)
        return [200, { ok: true, signed_download_url: this.#address(this.#blobs.sign(found.blob, 'read')), matched_key: found.key }]
    }
    return [200, { ok: false }]
  }
}

function validKey(key: unknown): key is string {
  return typeof key === 'string' && key !== '' && key.length <= LONGEST_KEY && !key.includes(',')
}

function invalid(msg: string): Answer {
  return [400, { code: 'invalid_argument', msg }]
}
