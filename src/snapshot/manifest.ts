/**
 * Manifests as objects of the store: `<at>m-<digest>`, zstd over lines of JSON; the digest is SHA-256 of the stored (compressed) bytes, so
 * nothing is unpacked that was not verified. The first line is the header, then one line per entry in order:
 *
 *     {"v":1,"quiet":true,"unquiet":[],"keys":["slots/0/snap/p-…"],"entries":2}
 *     ["d","src",493,"1700000000000000000"]
 *     ["f","src/a.py",420,"1700000000000000000",12,"<hash>",[0,"<sha256>",0,12,0,12,0]]
 *     ["l","latest",511,"1700000000000000000","src/a.py"]
 *
 * A piece is `[key number, sha256, from, length, offset, size, zstd]`; key number -1 is a run of zeros, and an empty hash or sha256 says
 * that it equals the other one.
 */
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { SnapshotRef } from '../wire/slot.ts'
import { MAX_OBJECT_BYTES, type Store } from '../wire/store.ts'
import { contentHash, Gatherer } from './entries.ts'
import { SnapshotError } from './errors.ts'
import { comparePaths, isConfined, parentPath, showPath } from './path.ts'
import { patiently } from './patience.ts'
import { Pieces } from './pieces.ts'
import { nextTurn } from './scan.ts'
import type { Entry, FileEntry, Manifest, Piece } from './types.ts'

const LINES_AT_ONCE = 500

export const manifestKey = (ref: Pick<SnapshotRef, 'at' | 'digest'>): string => `${ref.at}m-${ref.digest}`

/** Keys (relative to the root) of every object the manifest's pieces lie in. */
export function objectKeys(manifest: Manifest): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const entry of manifest.entries) {
    if (entry.type === 'file') for (const piece of entry.pieces) if (piece.key !== '') keys.add(piece.key)
  }
  return keys
}

export async function encodeManifest(manifest: Manifest): Promise<{ bytes: Uint8Array; digest: string }> {
  const chunks: Uint8Array[] = []
  const zstd = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 }, chunkSize: 1 << 18 })
  await pipeline(Readable.from(manifestLines(manifest)), zstd, async (source: AsyncIterable<Uint8Array>) => {
    for await (const chunk of source) chunks.push(chunk)
  })
  const bytes = Buffer.concat(chunks)
  if (bytes.length > MAX_OBJECT_BYTES) {
    throw new SnapshotError('too-large', `could not save ${manifest.entries.length} files: more than one manifest can name`)
  }
  return { bytes, digest: hash('sha256', bytes) }
}

async function* manifestLines(manifest: Manifest): AsyncGenerator<Buffer> {
  const { entries, quiet, unquiet } = manifest
  const keys = new Map([...objectKeys(manifest)].map((key, number) => [key, number]))
  yield Buffer.from(`${JSON.stringify({ v: 1, quiet, unquiet, keys: [...keys.keys()], entries: entries.length })}\n`)
  for (let from = 0; from < entries.length; from += LINES_AT_ONCE) {
    let text = ''
    for (let number = from; number < Math.min(from + LINES_AT_ONCE, entries.length); number++) {
      const entry = entries.at(number)
      if (entry !== undefined) text += `${JSON.stringify(entryLine(entry, keys))}\n`
    }
    yield Buffer.from(text)
    await nextTurn()
  }
}

function entryLine(entry: Entry, keys: ReadonlyMap<string, number>): unknown[] {
  const { path, mode, mtime } = entry
  if (entry.type === 'folder') return ['d', path, mode, mtime]
  if (entry.type === 'link') return ['l', path, mode, mtime, entry.target]
  const line: unknown[] = ['f', path, mode, mtime, entry.size, entry.hash]
  for (const { key, sha256, from, length, offset, size, zstd } of entry.pieces) {
    line.push([keys.get(key) ?? -1, sha256 === entry.hash ? '' : sha256, from, length, offset, size, zstd ? 1 : 0])
  }
  return line
}

/** Reads and checks a manifest. Throws `lost` or `corrupt`, and StoreError; `unavailable` is retried until the signal. */
export async function readManifest(
  store: Store,
  root: string,
  ref: Pick<SnapshotRef, 'at' | 'digest'>,
  signal?: AbortSignal,
): Promise<Manifest> {
  return await decodeManifest(await manifestBytes(store, root, ref, signal))
}

/** The same entry by entry, in order, for who does not want to hold them all. */
export async function eachEntry(
  store: Store,
  root: string,
  ref: Pick<SnapshotRef, 'at' | 'digest'>,
  take: (entry: Entry) => void,
  signal?: AbortSignal,
): Promise<void> {
  await readLines(await manifestBytes(store, root, ref, signal), take)
}

async function manifestBytes(
  store: Store,
  root: string,
  ref: Pick<SnapshotRef, 'at' | 'digest'>,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const key = manifestKey(ref)
  const object = await patiently(() => store.read(root + key, undefined, signal), signal)
  if (object === undefined) throw new SnapshotError('lost', `snapshot ${ref.digest.slice(0, 12)} is not in the store`)
  if (hash('sha256', object.bytes) !== ref.digest) throw corrupt(`snapshot ${ref.digest.slice(0, 12)} does not match its digest`)
  return object.bytes
}

export async function decodeManifest(bytes: Uint8Array): Promise<Manifest> {
  const gatherer = new Gatherer(new Pieces())
  const { quiet, unquiet } = await readLines(bytes, (entry) => gatherer.add(entry))
  return { v: 1, entries: gatherer.end(), quiet, unquiet }
}

async function readLines(bytes: Uint8Array, take: (entry: Entry) => void): Promise<Header> {
  const reader = new LineReader(take)
  try {
    await pipeline(Readable.from([bytes]), createZstdDecompress({ chunkSize: 1 << 18 }), async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) reader.feed(chunk)
    })
  } catch (error) {
    if (error instanceof SnapshotError) throw error
    throw corrupt('the manifest cannot be read', { cause: error })
  }
  return reader.end()
}

const corrupt = (message: string, options?: ErrorOptions): SnapshotError => new SnapshotError('corrupt', message, options)

interface Header {
  readonly quiet: boolean
  readonly unquiet: string[]
  readonly keys: string[]
  readonly entries: number
}

class LineReader {
  readonly #take: (entry: Entry) => void
  #header: Header | undefined
  #entries = 0
  #last: string | undefined
  readonly #folders = new Set([''])
  #rest: Buffer = Buffer.alloc(0)

  constructor(take: (entry: Entry) => void) {
    this.#take = take
  }

  feed(chunk: Buffer): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    let from = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      this.#line(JSON.parse(bytes.toString('utf8', from, end)))
      from = end + 1
    }
    this.#rest = Buffer.from(bytes.subarray(from))
  }

  end(): Header {
    const header = this.#header
    if (header === undefined || this.#rest.length > 0 || this.#entries !== header.entries) throw corrupt('the manifest is cut off')
    return header
  }

  #line(line: unknown): void {
    if (this.#header === undefined) {
      this.#header = readHeader(line)
      return
    }
    const entry = readEntry(line, this.#header.keys)
    if (!isConfined(entry.path)) throw corrupt(`the manifest names a path outside: ${showPath(entry.path)}`)
    if (this.#last !== undefined && comparePaths(this.#last, entry.path) >= 0)
      throw corrupt(`the manifest is out of order at ${showPath(entry.path)}`)
    if (!this.#folders.has(parentPath(entry.path)))
      throw corrupt(`the manifest puts ${showPath(entry.path)} into something that is no folder`)
    if (entry.type === 'folder') this.#folders.add(entry.path)
    this.#last = entry.path
    this.#entries += 1
    this.#take(entry)
  }
}

function readHeader(line: unknown): Header {
  if (typeof line !== 'object' || line === null) throw corrupt('the manifest has no header')
  const { v, quiet, unquiet, keys, entries } = line as Record<string, unknown>
  if (v !== 1) throw corrupt(`the manifest has version ${String(v)}, this program reads 1`)
  if (typeof quiet !== 'boolean' || typeof entries !== 'number') throw corrupt('the manifest has no header')
  const list = texts(keys)
  if (!list.every(isConfined)) throw corrupt('the manifest names an object outside its deployment')
  return { quiet, unquiet: texts(unquiet), keys: list, entries }
}

function texts(value: unknown): string[] {
  if (!Array.isArray(value)) throw corrupt('the manifest has a list missing')
  return value.map(text)
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw corrupt('the manifest has a text missing')
  return value
}

function count(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw corrupt('the manifest has a number missing')
  return value
}

function readEntry(line: unknown, keys: readonly string[]): Entry {
  if (!Array.isArray(line)) throw corrupt('the manifest has a line that is no entry')
  const [type, path, mode, mtime, fifth, sixth]: unknown[] = line
  const named = { path: text(path), mode: count(mode) & 0o7777, mtime: text(mtime) }
  if (!/^-?\d{1,20}$/.test(named.mtime) || BigInt.asIntN(64, BigInt(named.mtime)) !== BigInt(named.mtime))
    throw corrupt(`the manifest has no time for ${showPath(named.path)}`)
  if (type === 'd') return { type: 'folder', ...named }
  if (type === 'l') return { type: 'link', ...named, target: text(fifth) }
  if (type !== 'f') throw corrupt(`the manifest has an entry of unknown type for ${showPath(named.path)}`)
  return readFile(named, count(fifth), text(sixth), line.slice(6), keys)
}

function readFile(
  named: Omit<FileEntry, 'type' | 'size' | 'hash' | 'pieces'>,
  size: number,
  sum: string,
  list: readonly unknown[],
  keys: readonly string[],
): FileEntry {
  const pieces = list.map((raw) => readPiece(raw, sum, keys))
  const total = pieces.reduce((bytes, piece) => bytes + piece.size, 0)
  if (total !== size || contentHash(pieces.map(({ sha256 }) => sha256)) !== sum)
    throw corrupt(`the pieces of ${showPath(named.path)} do not add up`)
  return { type: 'file', ...named, size, hash: sum, pieces }
}

function readPiece(raw: unknown, sum: string, keys: readonly string[]): Piece {
  if (!Array.isArray(raw)) throw corrupt('the manifest has a piece missing')
  const [number, sha256, from, length, offset, size, zstd]: unknown[] = raw
  const key = number === -1 ? '' : keys[count(number)]
  if (key === undefined) throw corrupt('the manifest names an unknown object')
  const piece = {
    key,
    sha256: hashText(text(sha256) || sum),
    from: count(from),
    length: count(length),
    offset: count(offset),
    size: count(size),
    zstd: zstd === 1,
  }
  if (!piece.zstd && (piece.length !== (key === '' ? 0 : piece.size) || piece.offset !== 0))
    throw corrupt('the manifest has a piece that is longer or shorter than its bytes')
  return piece
}

function hashText(value: string): string {
  if (value.length !== 64) throw corrupt('the manifest has a hash missing')
  return value
}
