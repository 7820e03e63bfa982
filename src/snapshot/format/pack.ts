/**
 * Turns bytes of files into objects of the store. The reader of files fills a slab, which is a buffer. Then the slab is hashed and compressed (on
 * other threads), packed tightly in place, and uploaded as one object, while the reader fills the next one. The number of slabs limits both the
 * memory and the uploads in flight.
 */

import { free } from '../../lib/heap.ts'
import { digestElsewhere } from '../memory.ts'
import { patiently } from '../outage.ts'
import type { SaverOptions } from '../types.ts'
import { framesOf, type Part, placeFrame } from './frames.ts'
import type { KnownPieces } from './known-pieces.ts'
import { LARGEST_FRAME } from './limits.ts'
import { NOWHERE, type Pieces, type Stretch, type Sum, sumOf } from './pieces.ts'

/** Bytes of an object at most, and of each piece of a longer file (the last one is shorter): what has changed is found piece by piece. */
const SLAB = LARGEST_FRAME
export const CHUNK = SLAB
/** Bytes. Smaller files share frames, and hashing them on the main thread costs less than handing them to another. */
export const SMALL = 1 << 20
/** Bytes for all slabs, and for what is held of each file. */
const MEMORY = 32 << 20
const HELD_PER_FILE = 400
/** Slabs at least: one is filled while the other is uploaded. */
const FEWEST = 2

interface Slab {
  readonly key: string
  /** The place of its pieces until their frames have one: somewhere in this object. */
  readonly somewhere: Stretch
  readonly buffer: Buffer
  fill: number
  readonly parts: Part[]
  /** Share of it that has left for the store. */
  sent: number
}

const openSlab = (key: string, buffer: Buffer): Slab => ({ key, somewhere: { ...NOWHERE, key }, buffer, fill: 0, parts: [], sent: 0 })

const ZEROS = Buffer.alloc(CHUNK)

/** SHA-256, off the main thread if that pays. */
export async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<Sum> {
  if (bytes.length < SMALL) return sumOf(bytes)
  return (await digestElsewhere(bytes)).toString('latin1')
}

export function isZero(bytes: Buffer): boolean {
  return bytes[0] === 0 && bytes.equals(ZEROS.subarray(0, bytes.length))
}

type PackPlace = Pick<SaverOptions, 'store' | 'root' | 'patience'>

interface PackerHears {
  /** A new object is in the store. */
  stored?(key: string, bytes: number): void
  /** Some of the `held` bytes have been uploaded. */
  left?(): void
}

export class Packer {
  readonly #place: PackPlace | undefined
  readonly #known: KnownPieces
  readonly #name: () => string
  readonly #signal: AbortSignal | undefined
  readonly #hears: PackerHears
  readonly #free: Buffer[] = []
  #made = 0
  #most = FEWEST
  #slab: Slab | undefined
  readonly #running = new Set<Promise<void>>()
  readonly #leaving = new Set<Slab>()
  #failure: { error: unknown } | undefined

  /** Adds to `known` what it stores. `name` makes the keys of new objects. Without a place, it only hashes. */
  constructor(place: PackPlace | undefined, known: KnownPieces, name: () => string, hears: PackerHears, signal: AbortSignal | undefined) {
    this.#place = place
    this.#known = known
    this.#name = name
    this.#hears = hears
    this.#signal = signal
  }

  get pieces(): Pieces {
    return this.#known.pieces
  }

  /** Bytes that were read and are not uploaded yet. */
  get held(): number {
    return (this.#slab?.fill ?? 0) + [...this.#leaving].reduce((sum, { fill, sent }) => sum + fill * (1 - sent), 0)
  }

  /** How many files there are: the more of them, the less memory is left for slabs. */
  expect(files: number): void {
    this.#most = Math.max(FEWEST, Math.floor((MEMORY - files * HELD_PER_FILE) / SLAB))
  }

  /** Where the next `size` bytes go; `undefined`: wait for `room`. */
  fits(size: number): { buffer: Buffer; at: number } | undefined {
    const slab = this.#slab
    return slab !== undefined && slab.fill + size <= SLAB ? { buffer: slab.buffer, at: slab.fill } : undefined
  }

  /**
   * Waits for space for `size` bytes (at most CHUNK); a slab that is too full for them is sent off. Throws what went wrong in the background.
   */
  async room(size: number): Promise<{ buffer: Buffer; at: number }> {
    if (this.#slab !== undefined && this.#slab.fill + size > SLAB) this.#seal()
    while (this.#slab === undefined) {
      if (this.#failure !== undefined) throw this.#failure.error
      this.#signal?.throwIfAborted()
      const buffer = this.#free.pop() ?? (this.#made < this.#most ? this.#make() : undefined)
      if (buffer === undefined) await Promise.race(this.#running)
      else this.#slab = openSlab(this.#name(), buffer)
    }
    return { buffer: this.#slab.buffer, at: this.#slab.fill }
  }

  /** The space from the last `fits` or `room` now holds a whole small file. Returns its piece. */
  addSmall(size: number): number {
    const slab = this.#open()
    const bytes = slab.buffer.subarray(slab.fill, slab.fill + size)
    if (size >= 4096 && isZero(bytes)) return this.#zeros(size)
    const sum = sumOf(bytes)
    const known = this.#known.get(sum)
    if (known !== undefined) return known
    const piece = this.pieces.add(sum, size, slab.somewhere)
    this.#known.add(piece)
    slab.parts.push({ from: slab.fill, size, piece })
    slab.fill += size
    return piece
  }

  /** The space from the last `room` now holds a chunk. `take` is called with its piece before `flush` resolves. */
  addChunk(size: number, take: (piece: number) => void): void {
    const slab = this.#open()
    slab.parts.push({ from: slab.fill, size, piece: undefined, take })
    slab.fill += size
  }

  /** Resolves when everything added is in the store, or throws. */
  async flush(): Promise<void> {
    this.#seal()
    while (this.#running.size > 0) await Promise.race(this.#running)
    this.#release()
    if (this.#failure !== undefined) throw this.#failure.error
  }

  /** Gives up what is not sealed, and waits until nothing is under way, whatever the result. */
  async drop(): Promise<void> {
    if (this.#slab !== undefined) this.#forget(this.#slab)
    this.#slab = undefined
    while (this.#running.size > 0) await Promise.race(this.#running)
    this.#release()
  }

  #release(): void {
    for (const buffer of this.#free.splice(0)) free(buffer)
    this.#made = 0
  }

  #make(): Buffer {
    this.#made += 1
    return Buffer.allocUnsafeSlow(SLAB)
  }

  #open(): Slab {
    if (this.#slab === undefined) throw new Error('no room was asked for')
    return this.#slab
  }

  #seal(): void {
    const slab = this.#slab
    this.#slab = undefined
    if (slab === undefined) return
    this.#leaving.add(slab)
    const task = this.#finish(slab).then(
      () => undefined,
      (error: unknown) => {
        this.#forget(slab)
        this.#failure ??= { error }
      },
    )
    const tracked = task.finally(() => {
      this.#running.delete(tracked)
      this.#leaving.delete(slab)
      this.#free.push(slab.buffer)
      this.#hears.left?.()
    })
    this.#running.add(tracked)
  }

  #forget(slab: Slab): void {
    const lost = new Set(slab.parts.map(({ piece }) => piece))
    this.#known.keep((piece) => !lost.has(piece))
  }

  async #finish(slab: Slab): Promise<void> {
    const parts = await this.#hashChunks(slab)
    if (this.#place === undefined) return
    const frames = framesOf(parts)
    let total = 0
    for (const frame of frames) total += await placeFrame(this.pieces, slab.key, slab.buffer, frame, total)
    if (total === 0) return
    const { store, root, patience } = this.#place
    const body = slab.buffer.subarray(0, total)
    const sent = (bytes: number): void => {
      slab.sent = bytes / total
      this.#hears.left?.()
    }
    await patiently(() => store.write(root + slab.key, body, undefined, this.#signal, sent), this.#signal, patience)
    this.#hears.stored?.(slab.key, total)
  }

  #zeros(size: number): number {
    return this.pieces.zeros(size, () => sumOf(ZEROS.subarray(0, size)))
  }

  /** Hashes the chunks, and returns the parts whose bytes must be stored. */
  async #hashChunks(slab: Slab): Promise<Part[]> {
    const fresh: Part[] = []
    for (const part of slab.parts) {
      if (part.take === undefined) {
        fresh.push(part)
        continue
      }
      const bytes = slab.buffer.subarray(part.from, part.from + part.size)
      if (isZero(bytes)) {
        part.take(this.#zeros(part.size))
        continue
      }
      const sum = await digest(bytes as Buffer<ArrayBuffer>)
      const known = this.#known.get(sum)
      const piece = known ?? this.pieces.add(sum, part.size, slab.somewhere)
      part.take(piece)
      if (known !== undefined) continue
      part.piece = piece
      this.#known.add(piece)
      fresh.push(part)
    }
    return fresh
  }
}
