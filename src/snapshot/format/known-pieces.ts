/** Finds pieces that are in the store by the hash of their content. */
import { free } from '../../lib/heap.ts'
import type { Pieces, Sum } from './pieces.ts'

const FIRST = 1024

/**
 * A table of numbers with open addressing: a fifth of the size of a Map from hash to piece. The first bytes of a hash
 * are its place.
 */
export class KnownPieces {
  readonly pieces: Pieces
  /** Number of the piece + 1; 0 = free. Never more than half of it is taken. */
  #table = new Int32Array(FIRST * 2)
  #size = 0

  constructor(pieces: Pieces) {
    this.pieces = pieces
  }

  get size(): number {
    return this.#size
  }

  get(sum: Sum): number | undefined {
    const found = this.#table[this.#find(sum)] ?? 0
    return found === 0 ? undefined : found - 1
  }

  /** Replaces another piece with the same content. */
  add(piece: number): void {
    const at = this.#find(this.pieces.sum(piece))
    if (this.#table[at] === 0) this.#size += 1
    this.#table[at] = piece + 1
    if (this.#size * 2 > this.#table.length) this.keep(() => true)
  }

  /** Forgets all others. */
  keep(which: (piece: number) => boolean): void {
    const old = this.#table
    const kept = old.reduce((sum, found) => (found > 0 && which(found - 1) ? sum + 1 : sum), 0)
    this.#table = new Int32Array(Math.max(FIRST, 2 ** Math.ceil(Math.log2(kept + 1))) * 4)
    this.#size = 0
    for (const found of old) if (found > 0 && which(found - 1)) this.add(found - 1)
    free(new Uint8Array(old.buffer))
  }

  mark(marks: Uint8Array): void {
    for (const found of this.#table) if (found > 0) marks[found - 1] = 1
  }

  /** The same pieces in another table. `numbers`: for each piece here its number there, or -1: it is left out. */
  moved(pieces: Pieces, numbers: Int32Array): KnownPieces {
    const moved = new KnownPieces(pieces)
    for (const found of this.#table) {
      const number = found > 0 ? (numbers[found - 1] ?? -1) : -1
      if (number >= 0) moved.add(number)
    }
    return moved
  }

  /** Where it is, or where it would go. */
  #find(sum: Sum): number {
    const mask = this.#table.length - 1
    let at = (sum.charCodeAt(0) | (sum.charCodeAt(1) << 8) | (sum.charCodeAt(2) << 16) | (sum.charCodeAt(3) << 24)) & mask
    for (;;) {
      const found = this.#table[at] ?? 0
      if (found === 0 || this.pieces.has(found - 1, sum)) return at
      at = (at + 1) & mask
    }
  }
}
