/** Pieces that are in the store, found by what they hold. */
import type { HeldPiece, Sum } from './entries.ts'

const FIRST = 1024

/**
 * Like a Map from hash to piece, in a fifth of the memory: a table of numbers with open addressing. A hash is as good a place in it as any,
 * so its first bytes are taken.
 */
export class KnownPieces {
  /** Number of the piece + 1; 0 = free. Never more than half of it is taken. */
  #table = new Int32Array(FIRST * 2)
  #pieces: HeldPiece[] = []

  get size(): number {
    return this.#pieces.length
  }

  get(sum: Sum): HeldPiece | undefined {
    return this.#pieces[(this.#table[this.#find(sum)] ?? 0) - 1]
  }

  /** In place of another one with the same content. */
  add(piece: HeldPiece): void {
    const at = this.#find(piece.sum)
    const number = (this.#table[at] ?? 0) - 1
    if (number >= 0) {
      this.#pieces[number] = piece
      return
    }
    this.#table[at] = this.#pieces.push(piece)
    if (this.#pieces.length * 2 > this.#table.length) this.become(this.#pieces)
  }

  keep(which: (piece: HeldPiece) => boolean): void {
    this.become(this.#pieces.filter(which))
  }

  /** Only these from now on. */
  become(pieces: readonly HeldPiece[]): void {
    const room = Math.max(FIRST, 2 ** Math.ceil(Math.log2(pieces.length + 1)))
    this.#table = new Int32Array(room * 4)
    this.#pieces = []
    for (const piece of pieces) this.add(piece)
  }

  /** Where it is, or where it would go. */
  #find(sum: Sum): number {
    const mask = this.#table.length - 1
    let at = (sum.charCodeAt(0) | (sum.charCodeAt(1) << 8) | (sum.charCodeAt(2) << 16) | (sum.charCodeAt(3) << 24)) & mask
    for (;;) {
      const number = this.#table[at] ?? 0
      if (number === 0 || this.#pieces[number - 1]?.sum === sum) return at
      at = (at + 1) & mask
    }
  }
}
