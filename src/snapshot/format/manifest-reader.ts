/** Reads a manifest (see manifest.ts) entry by entry, and checks everything. */

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { freeLast } from '../../lib/heap.ts'
import { fieldsIn } from '../../lib/record.ts'
import { BASE } from '../../wire/layout.ts'
import { VERSION } from '../../wire/parse.ts'
import { MAX_OBJECT_BYTES } from '../../wire/store.ts'
import { SnapshotError } from '../errors.ts'
import { comparePaths, isConfined, parentPath, showPath } from '../path.ts'
import type { Entry, FileEntry, Piece } from '../types.ts'
import { contentHash } from './entries.ts'
import { LARGEST_FRAME, LONGEST_LINE, LONGEST_PATH, mostEntries, mostManifestBytes } from './limits.ts'
import { WINDOW } from './zstd.ts'

const UNPACK = { chunkSize: 1 << 18, params: WINDOW }

/**
 * Calls `take` for each entry, in order. `at`: the folder of the manifest in the run's part of the store; the manifest may then name only objects
 * there and in the upload, because its reader may have more rights than its writer.
 */
export async function readLines(bytes: Uint8Array, take: (entry: Entry) => void, at?: string): Promise<Header> {
  const reader = new LineReader(take, bytes.length, at)
  try {
    await pipeline(Readable.from([bytes]), createZstdDecompress(UNPACK), async (source: AsyncIterable<Buffer>) => {
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
  /** Parts of an unfinished line. They are joined at its end, so each byte is copied and searched only once. */
  #rest: Buffer[] = []
  #held = 0
  #total = 0
  readonly #stored: number
  readonly #most: number
  readonly #at: string | undefined

  /** `stored`: bytes of the manifest as stored. */
  constructor(take: (entry: Entry) => void, stored: number, at: string | undefined) {
    this.#take = take
    this.#stored = stored
    this.#most = mostManifestBytes(stored)
    this.#at = at
  }

  feed(chunk: Buffer): void {
    this.#total += chunk.length
    if (this.#total > this.#most) throw corrupt(`the manifest has more than ${this.#most} bytes for what is stored of it`)
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#held += end - from
      if (this.#held > LONGEST_LINE) throw tooLong()
      this.#line(parseLine(this.#rest.length > 0 ? Buffer.concat([...this.#rest, chunk.subarray(from, end)]) : chunk.subarray(from, end)))
      this.#rest = []
      this.#held = 0
      from = end + 1
    }
    if (from === chunk.length) return
    this.#held += chunk.length - from
    if (this.#held > LONGEST_LINE) throw tooLong()
    this.#rest.push(Buffer.from(chunk.subarray(from)))
  }

  end(): Header {
    const header = this.#header
    if (header === undefined || this.#held > 0 || this.#entries !== header.entries) throw corrupt('the manifest is cut off')
    return header
  }

  #line(line: unknown): void {
    if (this.#header === undefined) {
      this.#header = readHeader(line, this.#stored, this.#at)
      return
    }
    if (this.#entries === this.#header.entries) throw corrupt(`the manifest has more entries than the ${this.#entries} that it announces`)
    const entry = readEntry(line, this.#header.keys)
    if (!isConfined(entry.path)) throw corrupt(`the manifest names a path outside: ${showPath(entry.path)}`)
    if (this.#last !== undefined && comparePaths(this.#last, entry.path) >= 0)
      throw corrupt(`the manifest is out of order at ${showPath(entry.path)}`)
    if (!this.#folders.has(parentPath(entry.path)))
      throw corrupt(`the manifest puts ${showPath(entry.path)} into something that is not a folder`)
    if (entry.type === 'folder') this.#folders.add(entry.path)
    this.#last = entry.path
    this.#entries += 1
    this.#take(entry)
  }
}

const tooLong = (): SnapshotError => corrupt(`the manifest has a line of more than ${LONGEST_LINE} bytes`)

/** When a line is parsed, each of these bytes costs a hundred times its size in memory. Lines of tpi have one in about a hundred bytes. */
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b
const FEW = 65_536

function parseLine(bytes: Buffer): unknown {
  if (bytes.length > FEW) {
    let opened = 0
    for (const byte of bytes) if (byte === OPEN_LIST || byte === OPEN_OBJECT) opened += 1
    if (opened > FEW + bytes.length / 32) throw corrupt('the manifest has a line that is not an entry')
  }
  return JSON.parse(bytes.toString('utf8'))
}

function readHeader(line: unknown, stored: number, at: string | undefined): Header {
  const { v, quiet, unquiet, keys, entries } = fieldsIn(line)
  if (typeof v === 'number' && v !== VERSION) throw corrupt(`the manifest has version ${v}, and this program reads ${VERSION}`)
  if (v !== VERSION || typeof quiet !== 'boolean' || typeof entries !== 'number') throw corrupt('the manifest has no header')
  const most = mostEntries(stored)
  if (!(entries <= most)) throw corrupt(`the manifest announces ${entries} entries: one of ${stored} stored bytes has at most ${most}`)
  const list = texts(keys)
  if (!list.every(isConfined)) throw corrupt('the manifest names an object outside its run')
  const foreign = at === undefined ? undefined : list.find((key) => !key.startsWith(at) && !key.startsWith(BASE))
  if (foreign !== undefined) throw corrupt(`the manifest names an object that is not part of a snapshot: ${showPath(foreign)}`)
  return { quiet, unquiet: texts(unquiet), keys: list, entries }
}

function texts(value: unknown): string[] {
  if (!Array.isArray(value)) throw corrupt('a list is missing in the manifest')
  return value.map(text)
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw corrupt('a text is missing in the manifest')
  return value
}

function pathText(value: unknown): string {
  const path = text(value)
  if (path.length > LONGEST_PATH) throw corrupt(`the manifest has a path of more than ${LONGEST_PATH} bytes`)
  return path
}

function count(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw corrupt('a number is missing in the manifest')
  return value
}

function readEntry(line: unknown, keys: readonly string[]): Entry {
  if (!Array.isArray(line)) throw corrupt('the manifest has a line that is not an entry')
  const [type, path, mode, mtime, fifth, sixth]: unknown[] = line
  const named = { path: pathText(path), mode: count(mode) & 0o7777, mtime: text(mtime) }
  if (!/^-?\d{1,20}$/.test(named.mtime) || BigInt.asIntN(64, BigInt(named.mtime)) !== BigInt(named.mtime))
    throw corrupt(`the manifest has no time for ${showPath(named.path)}`)
  if (type === 'd') return { type: 'folder', ...named }
  if (type === 'l') return { type: 'link', ...named, target: pathText(fifth) }
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
  if (!Array.isArray(raw)) throw corrupt('a piece is missing in the manifest')
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
  if (Math.max(piece.length, piece.offset + piece.size) > LARGEST_FRAME || piece.from + piece.length > MAX_OBJECT_BYTES)
    throw corrupt('the manifest has a piece that is larger than anything that tpi writes')
  if (!piece.zstd && (piece.length !== (key === '' ? 0 : piece.size) || piece.offset !== 0))
    throw corrupt('the manifest has a piece that is longer or shorter than its bytes')
  return piece
}

function hashText(value: string): string {
  if (!/^[0-9a-f]{64}$/.test(value)) throw corrupt('a hash is missing in the manifest')
  return value
}
