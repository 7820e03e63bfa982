/**
 * Packs and unpacks frames of zstd on another thread. The result is in one buffer that can be freed at once: the calls of
 * `node:zlib` that answer with a whole copy its parts into a second buffer, and leave both to a garbage collector that sees two small objects.
 */
import { finished } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress, zstdCompressSync } from 'node:zlib'
import { free, WORTH } from '../../lib/heap.ts'
import { LOG_OF_WINDOW } from './limits.ts'

export interface ZstdOutput {
  readonly bytes: Buffer
  /** Frees its memory; `bytes` is empty afterwards. */
  free(): void
}

/** Compression of everything that we pack. */
export const LEVEL = { [constants.ZSTD_c_compressionLevel]: 1 }
/** Limit for everything that we unpack. */
export const WINDOW = { [constants.ZSTD_d_windowLogMax]: LOG_OF_WINDOW }

/** Never fails. */
export async function pack(plain: Buffer): Promise<ZstdOutput> {
  return through(createZstdCompress({ params: LEVEL, chunkSize: bound(plain.length) }), plain)
}

/** `size`: expected bytes. Rejects if these are not a frame, or one of more than `most` bytes; no memory is allocated for it. */
export async function unpack(stored: Buffer, size: number, most: number): Promise<ZstdOutput> {
  if (size > most) throw new RangeError(`more than ${most} bytes`)
  return through(createZstdDecompress({ chunkSize: Math.max(WORTH, size), params: WINDOW }), stored, most)
}

/** How many bytes it takes when packed. Synchronous: for small samples. */
export const packedSize = (plain: Buffer): number => zstdCompressSync(plain, { params: LEVEL }).length

/** The most bytes that the result can have: incompressible data comes out a little longer. */
const bound = (size: number): number => Math.max(WORTH, size + (size >>> 7) + 1024)

async function through(stream: ReturnType<typeof createZstdCompress>, bytes: Buffer, most = Number.POSITIVE_INFINITY): Promise<ZstdOutput> {
  const parts: Buffer[] = []
  let length = 0
  stream.on('data', (part: Buffer) => {
    parts.push(part)
    length += part.length
    if (length > most) stream.destroy(new RangeError(`more than ${most} bytes`))
  })
  stream.end(bytes)
  await finished(stream)
  const { buffer, byteOffset } = parts[0] ?? Buffer.alloc(0)
  // The parts lie one after the other in one buffer, unless that was too small.
  const inOne = parts.every((part) => part.buffer === buffer)
  const joined = inOne ? Buffer.from(buffer, byteOffset, length) : Buffer.concat(parts)
  const held = new Set([...parts.map((part) => part.buffer), joined.buffer])
  return { bytes: joined, free: () => held.forEach((one) => free(new Uint8Array(one))) }
}
