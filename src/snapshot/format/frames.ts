/** Lays out pieces in an object: as frames, each of them compressed if that pays. */
import type { Pieces } from './pieces.ts'
import { pack, packedSize } from './zstd.ts'

/** Uncompressed bytes of a shared frame: enough to compress well, few enough to read for a single file. */
export const SHARED_FRAME = 512 << 10
/** A frame is kept compressed when that saves at least this share. */
const WORTH = 0.93

export interface Part {
  readonly from: number
  readonly size: number
  /** Its number: of a small file known at once, of a chunk once it is hashed. */
  piece: number | undefined
  /** Hears the number of a chunk. Absent for a small file. */
  readonly take?: (piece: number) => void
}

export interface Frame {
  readonly from: number
  size: number
  readonly parts: number[]
  /** Place of each part in the slab. */
  readonly places: number[]
}

/** Neighbouring small files share a frame; a chunk has its own. */
export function framesOf(parts: readonly Part[]): Frame[] {
  const frames: Frame[] = []
  let shared: Frame | undefined
  for (const { from, size, piece, take } of parts) {
    if (piece === undefined) throw new Error('a part was not hashed')
    const joins = shared !== undefined && take === undefined && shared.from + shared.size === from && shared.size + size <= SHARED_FRAME
    if (shared !== undefined && joins) {
      shared.size += size
      shared.parts.push(piece)
      shared.places.push(from)
      continue
    }
    const frame = { from, size, parts: [piece], places: [from] }
    frames.push(frame)
    shared = take === undefined ? frame : undefined
  }
  return frames
}

/** Moves a frame of the object `key` towards the beginning of its buffer, to `to`, and compresses it if that pays; returns its length there. */
export async function placeFrame(pieces: Pieces, key: string, buffer: Buffer, frame: Frame, to: number): Promise<number> {
  const plain = buffer.subarray(frame.from, frame.from + frame.size)
  const packed = shrinks(plain) ? await pack(plain) : undefined
  const zstd = packed !== undefined && packed.bytes.length < frame.size * WORTH
  const length = zstd ? packed.bytes.length : frame.size
  if (zstd) packed.bytes.copy(buffer, to)
  else buffer.copyWithin(to, frame.from, frame.from + frame.size)
  packed?.free()
  const stretch = { key, from: to, length, zstd }
  for (const [number, piece] of frame.parts.entries()) {
    pieces.place(piece, stretch, (frame.places[number] ?? frame.from) - frame.from)
  }
  return length
}

/** Whether it looks compressible, by a few samples: compressing a gigabyte in vain costs a second. */
function shrinks(plain: Buffer): boolean {
  if (plain.length < 512) return false
  if (plain.length <= 32 << 10) return true
  const size = 4 << 10
  const samples = plain.length < 1 << 20 ? 4 : 8
  const step = Math.floor((plain.length - size) / (samples - 1))
  const taken = Buffer.concat(Array.from({ length: samples }, (_, number) => plain.subarray(number * step, number * step + size)))
  return packedSize(taken) < taken.length * WORTH
}
