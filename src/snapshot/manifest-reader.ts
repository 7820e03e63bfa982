/** Reads a manifest (see manifest.ts) entry by entry, and believes nothing that it has not checked. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { free, freeLast } from '../lib/frugal.ts'
import { contentHash } from './entries.ts'
import { SnapshotError } from './errors.ts'
import { comparePaths, isConfined, parentPath, showPath } from './path.ts'
import type { Entry, FileEntry, Piece } from './types.ts'

export async function readLines(bytes: Uint8Array, take: (entry: Entry) => void): Promise<Header> {
  const reader = new LineReader(take)
  try {
    await pipeline(Readable.from([bytes]), createZstdDecompress({ chunkSize: 1 << 18 }), async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) {
        reader.feed(chunk)
        freeLast(chunk)
      }
    })
  } catch (error) {
    if (error instanceof SnapshotError) throw error
    throw corrupt('the manifest cannot be read', { cause: error })
  }
  return reader.end()
}

export const corrupt = (message: string, options?: ErrorOptions): SnapshotError => new SnapshotError('corrupt', message, options)

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
    if (bytes !== chunk) free(bytes)
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
