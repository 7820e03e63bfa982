/** Serves any store over HTTP, for the client in `index.ts`. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import { list, maybe, object, type Shape, text } from '../../lib/shape.ts'
import { messageOf } from '../../lib/text.ts'
import { parseShape } from '../../wire/parse.ts'
import { passIn } from '../../wire/pass.ts'
import { isStoreError, MAX_OBJECT_BYTES, type Range, type Store, StoreError, type WatchRequest } from '../../wire/store.ts'
import { checkFolder, checkKey } from '../keys.ts'
import { isWalled, walled } from '../pass-rules.ts'
import { body, pieces, sent } from './body.ts'
import { frameOf } from './frames.ts'
import { type MemoryLimit, MemoryLimits } from './memory-limit.ts'
import { ANSWER, conditionOf, decodeKey, PAGE, PULSE, statusOf, TOKEN, versionHeader } from './protocol.ts'
import { Bell, push } from './push.ts'

export interface ServerOptions {
  readonly store: Store
  /** The token of a client that may do everything; with a pass made from it (`wire/pass.ts`), a machine may do what its slot needs. */
  readonly token: string
  /** Bytes of an object that are read at once, if a small part costs as much as a large one. */
  readonly piece?: number
  /** Milliseconds after which an idle connection is closed, whichever side should have sent. */
  readonly silence?: number
  /** Milliseconds after which an open `watch` is ended, so that nothing in between ends it first. */
  readonly watchFor?: number
}

/** Bytes of bodies that are in memory at once. As many again may wait for the garbage collector. */
const BODIES = 24 * 1024 * 1024
/** Of these, those for one machine: it reads up to 16 objects at once, and also its slot's records. */
const SHARE = (BODIES / 4) * 3
/** Milliseconds without a byte, as clients have it. */
const SILENCE = 60_000
/** Bytes of an object that are read and sent at a time. */
const PIECE = 1024 * 1024
/** Bytes. A longer body is streamed to the store, if the store can do that; `FLOWING` of its bytes are then in memory. */
const GATHERED = 1024 * 1024
const FLOWING = 256 * 1024
/** The default of `ServerOptions.watchFor`. */
export const WATCH_FOR = 10 * 60_000

export function storeServer(options: ServerOptions): Server {
  const { piece = PIECE } = options
  const limits = new MemoryLimits(BODIES, Math.max(SHARE, 3 * piece))
  const bell = new Bell()
  const server = createServer((request, response) => {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    void answer({ ...options, piece, request, response, limits, bell, gone: gone.signal }).catch((error: unknown) => fail(response, error))
  })
  // Longer than clients and proxies keep an idle socket; a body of 64 MiB may take its time.
  server.keepAliveTimeout = 75_000
  server.requestTimeout = 10 * 60_000
  server.timeout = options.silence ?? SILENCE
  return server
}

const KEY = text(4096)
const KEYS = list(KEY, 10_000)
const WATCHES = list(object<WatchRequest>({ record: KEY, folder: KEY, after: maybe(KEY) }), 100_000)

/** Bytes: tpi's clients send at most 500 keys. */
const MOST_KEYS = 8 * 1024 * 1024

/** The body of a request, as JSON of this shape. Throws kind `invalid`. */
async function bodyAs<T>({ request, memory, gone }: Turn, shape: Shape<T>, most: number): Promise<T> {
  const size = Number(request.headers['content-length'] ?? Number.NaN)
  if (!(size <= most)) throw new StoreError('invalid', `storage: the request has more than ${most} bytes, or an unknown length`)
  const release = await memory.take(size, gone)
  try {
    return parseShape(shape, (await body(request)).toString('utf8'))
  } catch (cause) {
    if (cause instanceof StoreError) throw cause
    throw new StoreError('invalid', 'storage: the request is not from this program', { cause })
  } finally {
    release()
  }
}

interface Asked extends ServerOptions {
  readonly piece: number
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly limits: MemoryLimits
  readonly bell: Bell
  /** Aborts when the client is no longer there. */
  readonly gone: AbortSignal
}

interface Turn extends Asked {
  readonly memory: Pick<MemoryLimit, 'take'>
}

type Handler = (turn: Turn, search: URLSearchParams) => Promise<void>

const HANDLERS: Readonly<Record<string, Handler>> = {
  'GET health': async ({ response }) => end(response, 200),
  'GET object': readObject,
  'PUT object': writeObject,
  'GET list': listPage,
  'POST watch': watch,
  'POST remove': async (turn) => {
    const keys = await bodyAs(turn, KEYS, MOST_KEYS)
    const condition = conditionOf(turn.request.headers)
    if (condition && !('version' in condition))
      throw new StoreError('invalid', 'storage: nothing is removed on condition that it is absent')
    await turn.store.remove(keys, condition)
    for (const key of keys) turn.bell.ring(key)
    end(turn.response, 200)
  },
  'POST clear': async ({ store, response }, search) => {
    await store.clear(keyIn(search, 'prefix'))
    end(response, 200)
  },
  'POST init': async ({ store, response }, search) => {
    await store.init(keyIn(search, 'prefix'))
    end(response, 200)
  },
}

async function answer(asked: Asked): Promise<void> {
  const { request, limits } = asked
  const url = new URL(request.url ?? '/', 'http://store')
  const name = `${request.method} ${url.pathname.slice(url.pathname.lastIndexOf('/') + 1)}`
  const whole = { store: asked.store, memory: limits.whole }
  const allowed = name === 'GET health' ? whole : admitted(asked, whole)
  const handler = Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined
  if (!handler) throw new StoreError('invalid', `storage: "${name}" is not an operation of this server`)
  await handler({ ...asked, ...allowed }, url.searchParams)
}

/** The store and memory that the caller may use: everything with the token, with a pass that of its slot. Throws kind `denied`. */
function admitted({ request, token, store, limits }: Asked, whole: Pick<Turn, 'store' | 'memory'>): Pick<Turn, 'store' | 'memory'> {
  const given = request.headers[TOKEN]
  if (equal(given, token)) return whole
  const pass = typeof given === 'string' ? passIn(token, given) : undefined
  if (!pass) throw new StoreError('denied', 'storage: this is not the token of this store')
  return { store: walled(store, pass), memory: limits.of(`${pass.id}/${pass.incarnation}/${pass.slot}`) }
}

function equal(given: string | string[] | undefined, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(token))
}

async function readObject({ store, piece: size, response, memory, gone }: Turn, search: URLSearchParams): Promise<void> {
  const key = keyIn(search, 'key')
  const range: Range = { from: numberIn(search, 'from') ?? 0, ...(search.has('to') && { to: numberIn(search, 'to') ?? 0 }) }
  const release = await memory.take(size, gone)
  try {
    let first: string | undefined
    for (let from = range.from; ; from += size) {
      const to = Math.min(from + size, range.to ?? Number.POSITIVE_INFINITY)
      const piece = await store.read(key, { from, to }, gone)
      if (!piece && first === undefined) return end(response, 404)
      // It was replaced in the middle: the client sees that the body is incomplete, and asks again.
      if (!piece || (first !== undefined && piece.version !== first)) return void response.destroy()
      if (first === undefined)
        response.writeHead(200, { [ANSWER]: '1', ...versionHeader(piece.version), 'content-type': 'application/octet-stream' })
      first = piece.version
      const { length } = piece.bytes
      await sent(response, piece.bytes, gone)
      if (length < size || to === range.to) return void response.end()
    }
  } finally {
    release()
  }
}

async function writeObject(turn: Turn, search: URLSearchParams): Promise<void> {
  const { store, request, response, memory, bell, gone } = turn
  const key = keyIn(search, 'key')
  const condition = conditionOf(request.headers)
  const size = Number(request.headers['content-length'] ?? Number.NaN)
  if (!(size <= MAX_OBJECT_BYTES))
    throw new StoreError('invalid', `storage: "${key}" is larger than ${MAX_OBJECT_BYTES} bytes, or of unknown length`)
  const from = size > GATHERED ? store.writeFrom?.bind(store) : undefined
  const release = await memory.take(from ? FLOWING : size, gone)
  try {
    const version = from
      ? await from(key, { size, pieces: pieces(request, size) }, condition, gone)
      : await store.write(key, await body(request), condition, gone)
    bell.ring(key)
    end(response, 200, versionHeader(version))
  } catch (error) {
    // The rest of the body is read, because a client that is still sending would not get the answer.
    await finished(request.resume(), { signal: gone, writable: false }).catch(() => undefined)
    throw error
  } finally {
    release()
  }
}

async function listPage({ store, response, gone }: Turn, search: URLSearchParams): Promise<void> {
  const lines: string[] = []
  for await (const { key, size } of store.list(keyIn(search, 'prefix'), afterIn(search), gone)) {
    if (lines.length === PAGE) {
      lines.push('{"more":true}')
      break
    }
    lines.push(JSON.stringify([key, size]))
  }
  if (lines.length <= PAGE) lines.push('{"more":false}')
  end(response, 200, {}, `${lines.join('\n')}\n`)
}

async function watch(turn: Turn): Promise<void> {
  const { store, response, bell, gone, watchFor = WATCH_FOR } = turn
  // Machines do not need it, and each `watch` costs reads every few seconds, for minutes.
  if (isWalled(store)) throw new StoreError('denied', 'storage: a machine may not watch')
  const requests = await bodyAs(turn, WATCHES, MAX_OBJECT_BYTES)
  for (const { record, folder } of requests) {
    checkKey(record)
    checkFolder(folder)
  }
  const signal = AbortSignal.any([gone, AbortSignal.timeout(watchFor)])
  response.writeHead(200, { [ANSWER]: '1', 'content-type': 'application/octet-stream', 'cache-control': 'no-transform' })
  response.write('\n')
  const pulse = setInterval(() => response.write('\n'), PULSE)
  try {
    await push({
      store,
      requests,
      bell,
      signal,
      async tell(change) {
        if (!response.write(frameOf(change))) await drained(response, gone)
      },
    })
  } catch (error) {
    // If its time was over in the middle of a look, what was sent is complete, and the next call gets the rest.
    if (!signal.aborted) throw error
  } finally {
    clearInterval(pulse)
  }
  response.end()
}

async function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  gone.throwIfAborted()
  await once(response, 'drain', { signal: gone }).catch(() => undefined)
}

function keyIn(search: URLSearchParams, name: string): string {
  return decodeKey(search.get(name) ?? '')
}

function afterIn(search: URLSearchParams): string | undefined {
  const after = search.get('after')
  return after === null ? undefined : decodeKey(after)
}

function numberIn(search: URLSearchParams, name: string): number | undefined {
  const text = search.get(name)
  if (text === null) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new StoreError('invalid', `storage: "${text}" is not an offset`)
  return Number(text)
}

function end(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}, text = ''): void {
  response.writeHead(status, { [ANSWER]: '1', 'content-length': String(Buffer.byteLength(text)), ...headers })
  response.end(text)
}

/** Tells the client what went wrong, unless the answer has begun already: then the client sees that it is incomplete. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return
  if (response.headersSent) return void response.destroy()
  const kind = isStoreError(error) ? error.kind : 'unavailable'
  const message = messageOf(error)
  // The body was not read to its end, so this connection cannot be reused.
  end(response, statusOf(kind), { 'content-type': 'application/json', connection: 'close' }, JSON.stringify({ message }))
}
