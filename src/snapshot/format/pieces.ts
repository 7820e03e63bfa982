/**
 * Pieces in columns, because a hundred thousand files must fit beside the script's own memory, and nearly all of them have one piece. A piece is
 * a number here, and an object only while somebody looks at it.
 */
import { hash } from 'node:crypto'
import type { Piece } from '../types.ts'

/** SHA-256 as 32 characters, U+0000 … U+00FF. */
export type Sum = string

export const sumOf = (bytes: Uint8Array): Sum => hash('sha256', bytes, 'binary')
export const fromHex = (hex: string): Sum => Buffer.from(hex, 'hex').toString('latin1')

/** Bytes of an object that belong together: one compressed frame with its pieces, or a run of pieces as they are. */
export interface Stretch {
  readonly key: string
  readonly from: number
  /** Bytes of the frame, compressed or not. */
  readonly length: number
  readonly zstd: boolean
}

/** The place of runs of zeros, which are not stored. */
export const NOWHERE: Stretch = { key: '', from: 0, length: 0, zstd: false }

const SUM = 32
/** Pieces of a page. More pages of one size are better for the heap than columns that are replaced by longer ones. */
const PAGE = 8192
/** Runs of zeros of so many different lengths share one piece for each length. */
const MOST_ZEROS = 1000

interface Page {
  readonly sums: Buffer
  readonly size: Float64Array
  /** Bytes from the beginning of the frame (uncompressed), or of the stretch. */
  readonly within: Float64Array
  /** Number of the stretch. Neighbours mostly lie in the same one. */
  readonly stretch: Int32Array
}

function newPage(): Page {
  const numbers = (): Float64Array => new Float64Array(PAGE)
  return { sums: Buffer.from(new ArrayBuffer(PAGE * SUM)), size: numbers(), within: numbers(), stretch: new Int32Array(PAGE) }
}

export class Pieces {
  #count = 0
  readonly #pages: Page[] = []
  readonly #stretches: Stretch[] = [NOWHERE]
  readonly #zeros = new Map<number, number>()

  get count(): number {
    return this.#count
  }

  /** Returns its number. If its place is not known yet, `place` tells it later. */
  add(sum: Sum, size: number, stretch: Stretch, within = 0): number {
    const number = this.#count++
    if (number % PAGE === 0) this.#pages.push(newPage())
    const page = this.#page(number)
    page.sums.write(sum, (number % PAGE) * SUM, SUM, 'latin1')
    page.size[number % PAGE] = size
    this.place(number, stretch, within)
    return number
  }

  /** A run of zeros, which is stored nowhere. All runs of one length are one piece. */
  zeros(size: number, sum: () => Sum): number {
    const number = this.#zeros.get(size) ?? this.add(sum(), size, NOWHERE)
    if (this.#zeros.size < MOST_ZEROS) this.#zeros.set(size, number)
    return number
  }

  place(number: number, stretch: Stretch, within: number): void {
    if (stretch !== NOWHERE && this.#stretches.at(-1) !== stretch) this.#stretches.push(stretch)
    const page = this.#page(number)
    page.stretch[number % PAGE] = stretch === NOWHERE ? 0 : this.#stretches.length - 1
    page.within[number % PAGE] = within
  }

  has(number: number, sum: Sum): boolean {
    const { sums } = this.#page(number)
    const from = (number % PAGE) * SUM
    for (let at = 0; at < SUM; at++) if (sums[from + at] !== sum.charCodeAt(at)) return false
    return true
  }

  sum(number: number): Sum {
    return this.#text(number, 'latin1')
  }

  hex(number: number): string {
    return this.#text(number, 'hex')
  }

  size(number: number): number {
    return this.#page(number).size[number % PAGE] ?? 0
  }

  within(number: number): number {
    return this.#page(number).within[number % PAGE] ?? 0
  }

  stretch(number: number): Stretch {
    return this.#stretches[this.#page(number).stretch[number % PAGE] ?? 0] ?? NOWHERE
  }

  at(number: number): Piece {
    return new HeldPiece(this, number)
  }

  /** Only those that are `marked`, and for each number here the one that it has there, or -1. */
  only(marked: Uint8Array): { pieces: Pieces; numbers: Int32Array } {
    const numbers = new Int32Array(this.#count).fill(-1)
    const pieces = new Pieces()
    for (let number = 0; number < this.#count; number++) {
      if (marked[number] !== 1) continue
      numbers[number] = pieces.add(this.sum(number), this.size(number), this.stretch(number), this.within(number))
    }
    return { pieces, numbers }
  }

  #text(number: number, encoding: 'latin1' | 'hex'): string {
    const from = (number % PAGE) * SUM
    return this.#page(number).sums.toString(encoding, from, from + SUM)
  }

  #page(number: number): Page {
    const page = this.#pages[Math.floor(number / PAGE)]
    if (page === undefined) throw new Error(`there is no piece ${number}`)
    return page
  }
}

class HeldPiece implements Piece {
  readonly #pieces: Pieces
  readonly #number: number

  constructor(pieces: Pieces, number: number) {
    this.#pieces = pieces
    this.#number = number
  }

  get sha256(): string {
    return this.#pieces.hex(this.#number)
  }
  get size(): number {
    return this.#pieces.size(this.#number)
  }
  get key(): string {
    return this.#pieces.stretch(this.#number).key
  }
  get zstd(): boolean {
    return this.#pieces.stretch(this.#number).zstd
  }
  get from(): number {
    const { from, zstd } = this.#pieces.stretch(this.#number)
    return zstd ? from : from + this.#pieces.within(this.#number)
  }
  get length(): number {
    const { key, length, zstd } = this.#pieces.stretch(this.#number)
    if (zstd) return length
    return key === '' ? 0 : this.size
  }
  get offset(): number {
    return this.zstd ? this.#pieces.within(this.#number) : 0
  }
}
