/**
 * Packs and unpacks frames of zstd on another thread. The result is in one buffer that can be freed at once: the calls of
 * `node:zlib` that answer with a whole copy its parts into a second buffer, and leave both to a garbage collector that sees two small objects.
 */
import { finished } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress, zstdCompressSync } from 'node:zlib'
import { free, WORTH } from '../../lib/heap.ts'
import { LOG_OF_WINDOW } from './limits.ts'

/** The result. */
export interface ZstdOutput {
  readonly bytes: Buffer
  /** Frees its memory; `bytes` is empty afterwards. */
  free(): void
}

/** Of all that we pack. */
export const LEVEL = { [constants.ZSTD_c_compressionLevel]: 1 }
/** For all that we unpack. */
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

/** Bytes of it packed, at once: for small samples. */
export const packedSize = (plain: Buffer): number => zstdCompressSync(plain, { params: LEVEL }).length

/** Incompressible bytes come out a little longer. */
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
  // One behind the other in one buffer, unless it was too small.
  const inOne = parts.every((part) => part.buffer === buffer)
  const joined = inOne ? Buffer.from(buffer, byteOffset, length) : Buffer.concat(parts)
  const held = new Set([...parts.map((part) => part.buffer), joined.buffer])
  return { bytes: joined, free: () => held.forEach((one) => free(new Uint8Array(one))) }
}
