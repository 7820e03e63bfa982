/**
 * Entries as they are held in memory. A hundred thousand files must fit beside the script's own memory, and nearly all of them are one
 * piece long: there the piece is the file as well, keeps its hash as 32 characters of one byte, its time as two small numbers and where it
 * lies together with its neighbours, and makes the rest when it is asked for.
 */
import { hash } from 'node:crypto'
import type { FileEntry, Piece } from './types.ts'

/** SHA-256 as 32 characters, U+0000 … U+00FF. */
export type Sum = string

export const sumOf = (bytes: Uint8Array): Sum => hash('sha256', bytes, 'binary')
export const fromHex = (hex: string): Sum => Buffer.from(hex, 'hex').toString('latin1')
export const toHex = (sum: Sum): string => Buffer.from(sum, 'latin1').toString('hex')

const EMPTY = hash('sha256', '')

/** Bytes of an object that belong together: one compressed frame with its pieces, or a run of pieces as they are. */
export interface Stretch {
  readonly key: string
  readonly from: number
  /** Of a compressed frame. */
  readonly length: number
  readonly zstd: boolean
}

/** Where zeros lie. */
export const NOWHERE: Stretch = { key: '', from: 0, length: 0, zstd: false }

/** A piece whose place in the store may still have to be found out; and the file that consists of it alone. */
export class HeldPiece implements Piece, FileEntry {
  readonly sum: Sum
  readonly size: number
  stretch: Stretch
  /** Bytes from the beginning of the frame (uncompressed), or of the stretch. */
  within: number
  /** Empty: it is a part of a file, or has no file yet. */
  path = ''
  mode = 0
  seconds = 0
  nanoseconds = 0

  constructor(sum: Sum, size: number, stretch: Stretch, within = 0) {
    this.sum = sum
    this.size = size
    this.stretch = stretch
    this.within = within
  }

  get sha256(): string {
    return toHex(this.sum)
  }
  get key(): string {
    return this.stretch.key
  }
  get zstd(): boolean {
    return this.stretch.zstd
  }
  get from(): number {
    return this.zstd ? this.stretch.from : this.stretch.from + this.within
  }
  get length(): number {
    if (this.zstd) return this.stretch.length
    return this.key === '' ? 0 : this.size
  }
  get offset(): number {
    return this.zstd ? this.within : 0
  }

  get type(): 'file' {
    return 'file'
  }
  get mtime(): string {
    return timeOf(this)
  }
  get hash(): string {
    return this.sha256
  }
  get pieces(): readonly Piece[] {
    return [this]
  }
}

/** A file with the content of another one. */
class SameFile implements FileEntry {
  readonly path: string
  readonly mode: number
  readonly seconds: number
  readonly nanoseconds: number
  readonly piece: Piece

  constructor(path: string, mode: number, mtime: bigint, piece: Piece) {
    this.path = path
    this.mode = mode
    ;[this.seconds, this.nanoseconds] = splitTime(mtime)
    this.piece = piece
  }

  get type(): 'file' {
    return 'file'
  }
  get mtime(): string {
    return timeOf(this)
  }
  get size(): number {
    return this.piece.size
  }
  get hash(): string {
    return this.piece.sha256
  }
  get pieces(): readonly Piece[] {
    return [this.piece]
  }
}

const splitTime = (mtime: bigint): readonly [number, number] => [Number(mtime / 1_000_000_000n), Number(mtime % 1_000_000_000n)]

function timeOf({ seconds, nanoseconds }: { readonly seconds: number; readonly nanoseconds: number }): string {
  return String(BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds))
}

/** `mtime` in nanoseconds. */
export function fileEntry(path: string, mode: number, mtime: bigint, pieces: readonly Piece[]): FileEntry {
  const [first, second] = pieces
  if (first !== undefined && second === undefined) {
    if (!(first instanceof HeldPiece) || first.path !== '') return new SameFile(path, mode, mtime, first)
    first.path = path
    first.mode = mode
    ;[first.seconds, first.nanoseconds] = splitTime(mtime)
    return first
  }
  const size = pieces.reduce((total, piece) => total + piece.size, 0)
  return { type: 'file', path, mode, mtime: String(mtime), size, hash: contentHash(pieces.map((piece) => piece.sha256)), pieces }
}

/** Identity of a file's content from the hashes (hex) of its pieces; see FileEntry. */
export function contentHash(hashes: readonly string[]): string {
  const [first, second] = hashes
  if (first === undefined) return EMPTY
  return second === undefined ? first : hash('sha256', hashes.join(''))
}
