/** Log bytes that wait for the store, in memory and, if they are many, in a file. Secrets are masked before that. */
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import type { LogStream } from '../../wire/log.ts'

export interface BacklogPiece {
  readonly stream: LogStream
  /** ISO time of the first byte. */
  readonly at: string
  readonly bytes: Uint8Array
}

/** Bytes of one stream, in the parts in which they came: they are joined only when they are sent. */
export interface BacklogRun extends Omit<BacklogPiece, 'bytes'> {
  readonly parts: readonly Uint8Array[]
  readonly length: number
}

/** A piece that is in the file. */
interface Parked extends Omit<BacklogPiece, 'bytes'> {
  /** Where it begins. It may go on at the beginning of the file. */
  readonly from: number
  length: number
}

/** Bytes kept in memory; more of them go into the file. */
export const MEMORY = 2 * 1024 * 1024
/** Bytes in all, beyond which the writer has to wait. */
export const BOUND = 256 * 1024 * 1024
/** Pieces kept in memory: a short line takes less memory than the piece that holds it. */
const MOST_PIECES = 8192
/** Bytes up to which neighbours in the file become one piece: so millions of lines are only thousands of pieces. */
const JOINED = 64 * 1024

export class Backlog {
  readonly #path: string
  readonly #bound: number
  /**
   * Bytes of the file, which is a ring: what was fetched makes room for what is new. A writer that should wait may still hand in what it has
   * read already.
   */
  readonly #capacity: number
  #file: number | undefined
  /** The oldest pieces. They are followed by those in the file. */
  readonly #memory: BacklogPiece[] = []
  readonly #parked: Parked[] = []
  /** The newest pieces, if the file takes no more: also in memory. */
  readonly #behind: BacklogPiece[] = []
  /** Bytes of `#memory` and `#behind`. */
  #inMemory = 0
  /** Bytes of `#parked`. */
  #inFile = 0
  /** Where the next piece is written. */
  #end = 0
  /** The file takes no more. */
  #stuck = false

  constructor(path: string, bound = BOUND) {
    this.#path = path
    this.#bound = bound
    this.#capacity = bound + MEMORY
  }

  /** Bytes that wait for the store. */
  get size(): number {
    return this.#inMemory + this.#inFile
  }

  /** The writer should wait, because too much is waiting, or neither memory nor the file takes more. */
  get full(): boolean {
    return this.size >= this.#bound || (this.#stuck && this.#isCrowded(0))
  }

  push(piece: BacklogPiece): void {
    if (piece.bytes.length === 0) return
    const park = this.#behind.length === 0 && (this.#parked.length > 0 || this.#isCrowded(piece.bytes.length))
    if (park && this.#park(piece)) return
    // The disk is full. What is printed now stays in memory; once that is full, the script has to wait until the store has caught up.
    if (park) this.#stuck = true
    if (this.#parked.length > 0) this.#behind.push(piece)
    else this.#memory.push(piece)
    this.#inMemory += piece.bytes.length
  }

  /** Whether memory is full, or would be with so many more bytes. */
  #isCrowded(more: number): boolean {
    const bytes = this.#inMemory + more
    return (more > 0 ? bytes > MEMORY : bytes >= MEMORY) || this.#memory.length + this.#behind.length >= MOST_PIECES
  }

  /** The oldest bytes of one stream, up to about `most`. */
  take(most: number): BacklogRun | undefined {
    if (this.#memory.length === 0) this.#fetch(most)
    const first = this.#memory[0]
    if (!first) return undefined
    const parts: Uint8Array[] = []
    let length = 0
    for (let next: BacklogPiece | undefined = first; next?.stream === first.stream && length < most; next = this.#memory[0]) {
      parts.push(next.bytes)
      length += next.bytes.length
      this.#memory.shift()
    }
    this.#inMemory -= length
    return { stream: first.stream, at: first.at, parts, length }
  }

  close(): void {
    if (this.#file === undefined) return
    closeSync(this.#file)
    unlinkSync(this.#path)
    this.#file = undefined
  }

  /** `false`: the file takes nothing. */
  #park({ stream, at, bytes }: BacklogPiece): boolean {
    if (this.#inFile + bytes.length > this.#capacity) return false
    try {
      this.#file ??= openSync(this.#path, 'w+', 0o600)
      for (let written = 0; written < bytes.length; ) {
        const to = (this.#end + written) % this.#capacity
        written += writeSync(this.#file, bytes, written, Math.min(bytes.length - written, this.#capacity - to), to)
      }
    } catch {
      return false
    }
    const last = this.#parked.at(-1)
    if (last?.stream === stream && last.length + bytes.length <= JOINED) last.length += bytes.length
    else this.#parked.push({ stream, at, from: this.#end, length: bytes.length })
    this.#end = (this.#end + bytes.length) % this.#capacity
    this.#inFile += bytes.length
    return true
  }

  /** Moves the oldest parked pieces into memory. */
  #fetch(most: number): void {
    for (let moved = 0; moved < most; ) {
      const next = this.#parked.shift()
      if (!next || this.#file === undefined) break
      const bytes = Buffer.alloc(next.length)
      const straight = Math.min(next.length, this.#capacity - next.from)
      readSync(this.#file, bytes, 0, straight, next.from)
      readSync(this.#file, bytes, straight, next.length - straight, 0)
      this.#memory.push({ stream: next.stream, at: next.at, bytes })
      this.#inMemory += next.length
      this.#inFile -= next.length
      moved += next.length
    }
    if (this.#parked.length > 0 || this.#file === undefined) return
    ftruncateSync(this.#file, 0)
    this.#end = 0
    this.#stuck = false
    this.#memory.push(...this.#behind.splice(0))
  }
}
