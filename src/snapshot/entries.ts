/**
 * Entries as they are held in memory. A hundred thousand files must fit beside the script's own memory, and nearly all of them are one
 * piece long, so those keep hashes as 32 characters of one byte, times as two small numbers, and make the rest when it is asked for.
 */
import { hash } from 'node:crypto'
import type { FileEntry, Piece } from './types.ts'

/** SHA-256 as 32 characters, U+0000 … U+00FF. */
export type Sum = string

export const sumOf = (bytes: Uint8Array): Sum => hash('sha256', bytes, 'binary')
export const fromHex = (hex: string): Sum => Buffer.from(hex, 'hex').toString('latin1')
export const toHex = (sum: Sum): string => Buffer.from(sum, 'latin1').toString('hex')

const EMPTY = hash('sha256', '')

/** A piece whose place in the store may still have to be found out. */
export class HeldPiece implements Piece {
  readonly sum: Sum
  readonly size: number
  key: string
  from = 0
  length = 0
  offset = 0
  zstd = false

  constructor(sum: Sum, size: number, key: string) {
    this.sum = sum
    this.size = size
    this.key = key
  }

  get sha256(): string {
    return toHex(this.sum)
  }
}

class OnePieceFile implements FileEntry {
  readonly path: string
  readonly mode: number
  readonly seconds: number
  readonly nanoseconds: number
  readonly piece: Piece

  constructor(path: string, mode: number, mtime: bigint, piece: Piece) {
    this.path = path
    this.mode = mode
    this.seconds = Number(mtime / 1_000_000_000n)
    this.nanoseconds = Number(mtime % 1_000_000_000n)
    this.piece = piece
  }

  get type(): 'file' {
    return 'file'
  }
  get mtime(): string {
    return String(BigInt(this.seconds) * 1_000_000_000n + BigInt(this.nanoseconds))
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

/** `mtime` in nanoseconds. */
export function fileEntry(path: string, mode: number, mtime: bigint, pieces: readonly Piece[]): FileEntry {
  const [first, second] = pieces
  if (first !== undefined && second === undefined) return new OnePieceFile(path, mode, mtime, first)
  const size = pieces.reduce((total, piece) => total + piece.size, 0)
  return { type: 'file', path, mode, mtime: String(mtime), size, hash: contentHash(pieces.map((piece) => piece.sha256)), pieces }
}

/** Identity of a file's content from the hashes (hex) of its pieces; see FileEntry. */
export function contentHash(hashes: readonly string[]): string {
  const [first, second] = hashes
  if (first === undefined) return EMPTY
  return second === undefined ? first : hash('sha256', hashes.join(''))
}
