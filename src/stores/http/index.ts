/**
 * A store behind tpi's own server (`serve.ts`), for clouds without object storage. The same client in controllers, which come through the proxy
 * of an API server, and in machines, which come directly.
 *
 * Settings: `ca` (PEM), `serverName`, `insecure` (`true`), `proxy` (URL, or that of the environment). Credentials: `token`,
 * `authorization` (for a proxy), `clientCertificate`, `clientKey`.
 * A conditional write whose answer was lost throws `unavailable`; the caller reads the object to find out whether it took effect.
 */
import { fieldsIn } from '../../lib/record.ts'
import {
  type Change,
  type Condition,
  isStoreError,
  type OnBytes,
  type OpenStore,
  type Range,
  type StateCondition,
  type Store,
  type StoreAccess,
  type StoredObject,
  type StoreEntry,
  StoreError,
  type Version,
  type WatchRequest,
} from '../../wire/store.ts'
import { checkFolder, checkKey, checkPage, checkPrefix, checkSize } from '../keys.ts'
import { Client, NoStore, type Reply } from './client.ts'
import { framesIn } from './frames.ts'
import { conditionHeader, encodeKey, PULSE, VERSION, versionOf } from './protocol.ts'

export const open: OpenStore = async (access) => new HttpStore(access)

/** Keys that are removed in one call. */
const REMOVED_AT_ONCE = 500

class HttpStore implements Store {
  readonly url: string
  readonly #client: Client

  constructor(access: StoreAccess) {
    this.url = access.url
    this.#client = new Client(access)
  }

  async init(prefix: string): Promise<void> {
    checkFolder(prefix)
    await this.#post(query('init', { prefix }))
  }

  async reach(): Promise<void> {
    await this.#client.call({ method: 'GET', path: 'health', repeatable: true })
  }

  async read(key: string, range?: Range, signal?: AbortSignal, received?: OnBytes): Promise<StoredObject | undefined> {
    checkKey(key)
    const { from, to } = range ?? {}
    const path = query('object', { key }, { ...(from !== undefined && { from }), ...(to !== undefined && { to }) })
    try {
      const reply = await this.#client.call({ method: 'GET', path, repeatable: true, signal, received })
      return reply.status === 404 ? undefined : { bytes: reply.body, version: versionIn(reply) }
    } catch (error) {
      // No store, no object: before a deployment is made, and after it is gone.
      if (error instanceof NoStore) return undefined
      throw error
    }
  }

  async write(key: string, body: Uint8Array, condition?: Condition, signal?: AbortSignal, sent?: OnBytes): Promise<Version> {
    checkKey(key)
    checkSize(key, body.length)
    const headers = conditionHeader(condition)
    const repeatable = condition === undefined
    const path = query('object', { key })
    return versionIn(await this.#client.call({ method: 'PUT', path, headers, body, repeatable, signal, sent }))
  }

  async *list(prefix: string, after?: string, signal?: AbortSignal): AsyncGenerator<StoreEntry> {
    checkPrefix(prefix)
    for (let last = after, more = true; more; ) {
      const page = await this.#page(prefix, last, signal)
      if (page.more && page.entries.length === 0) throw noList()
      last = checkPage(prefix, last, page.entries)
      yield* page.entries
      more = page.more
    }
  }

  async remove(keys: readonly string[], condition?: StateCondition): Promise<void> {
    for (const key of keys) checkKey(key)
    for (let at = 0; at < keys.length; at += REMOVED_AT_ONCE)
      await this.#post('remove', Buffer.from(JSON.stringify(keys.slice(at, at + REMOVED_AT_ONCE))), conditionHeader(condition))
  }

  async clear(prefix: string): Promise<void> {
    checkFolder(prefix)
    await this.#post(query('clear', { prefix }))
  }

  async *watch(requests: readonly WatchRequest[], signal: AbortSignal): AsyncGenerator<Change | 'caught-up'> {
    for (const { record, folder } of requests) {
      checkKey(record)
      checkFolder(folder)
    }
    try {
      yield* framesIn(this.#chunks(Buffer.from(JSON.stringify(requests)), signal))
    } catch (error) {
      if (signal.aborted) return
      throw isStoreError(error) ? error : new StoreError('unavailable', `storage: ${this.url}: ${String(error)}`, { cause: error })
    }
  }

  async close(): Promise<void> {
    this.#client.close()
  }

  async #post(path: string, body: Uint8Array = new Uint8Array(0), headers: Readonly<Record<string, string>> = {}): Promise<void> {
    try {
      await this.#client.call({ method: 'POST', path, headers, body, repeatable: true })
    } catch (error) {
      // If it no longer exists, there is nothing to remove.
      if (!(error instanceof NoStore) || path.startsWith('init')) throw error
    }
  }

  async #page(
    prefix: string,
    after: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<{ entries: StoreEntry[]; more: boolean }> {
    const path = query('list', { prefix, ...(after !== undefined && { after }) })
    try {
      const { body } = await this.#client.call({ method: 'GET', path, repeatable: true, signal })
      return pageOf(body.toString('utf8'))
    } catch (error) {
      if (error instanceof NoStore) return { entries: [], more: false }
      throw error
    }
  }

  /** Ends when the server ends it. Throws if something on the way ends it, or nothing comes for too long. */
  async *#chunks(body: Uint8Array, signal: AbortSignal): AsyncGenerator<Buffer> {
    const stream = await this.#client.stream({ method: 'POST', path: 'watch', body, repeatable: true, signal })
    const silence = setTimeout(() => stream.destroy(new Error(`silent for ${(3 * PULSE) / 1000} s`)), 3 * PULSE)
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        silence.refresh()
        yield chunk
      }
      if (!stream.complete) throw new Error('cut short')
    } finally {
      clearTimeout(silence)
      stream.destroy()
    }
  }
}

function query(path: string, keys: Readonly<Record<string, string>>, numbers: Readonly<Record<string, number>> = {}): string {
  const pairs = [
    ...Object.entries(keys).map(([name, key]) => `${name}=${encodeKey(key)}`),
    ...Object.entries(numbers).map((pair) => pair.join('=')),
  ]
  return `${path}?${pairs.join('&')}`
}

function versionIn({ headers }: Reply): Version {
  const text = headers[VERSION]
  if (typeof text !== 'string') throw new StoreError('unavailable', 'storage: the answer has no version')
  try {
    return versionOf(text)
  } catch (error) {
    throw new StoreError('corrupt', 'storage: the answer names a version that is not valid', { cause: error })
  }
}

/** Lines `[key, size]`, then `{"more": …}`. */
function pageOf(text: string): { entries: StoreEntry[]; more: boolean } {
  try {
    const lines = text.trimEnd().split('\n')
    const { more } = fieldsIn(JSON.parse(lines.pop() ?? ''))
    const entries = lines.map((line) => entryOf(JSON.parse(line)))
    if (typeof more === 'boolean') return { entries, more }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw noList()
}

function entryOf(line: unknown): StoreEntry {
  const [key, size]: unknown[] = Array.isArray(line) ? line : []
  if (typeof key !== 'string' || typeof size !== 'number') throw noList()
  return { key, size }
}

const noList = (): StoreError => new StoreError('corrupt', 'storage: the answer of the server is not a list of objects')
