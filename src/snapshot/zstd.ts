/**
 * Frames of zstd, packed and unpacked on another thread. What comes out lies in one buffer that can be given back at once: the calls of
 * `node:zlib` that answer with a whole copy its parts into a second buffer, and leave both to a garbage collector that sees two small objects.
 */
import { finished } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress, zstdCompressSync } from 'node:zlib'
import { free } from '../lib/heap.ts'
import { LOG_OF_WINDOW } from './limits.ts'

/** What came out. */
export interface ZstdOutput {
  readonly bytes: Buffer
  /** Gives its memory back; `bytes` is empty afterwards. */
  free(): void
}

const LEVEL = { [constants.ZSTD_c_compressionLevel]: 1 }
const WINDOW = { [constants.ZSTD_d_windowLogMax]: LOG_OF_WINDOW }
/** Below that a buffer may be a part of a pool. */
const LEAST = 64 << 10

/** Never fails. */
export async function pack(plain: Buffer): Promise<ZstdOutput> {
  return through(createZstdCompress({ params: LEVEL, chunkSize: bound(plain.length) }), plain)
}

/** `size`: bytes that are expected. Rejects when these are no frame, or one of more than `most` bytes, for which no memory is taken. */
export async function unpack(stored: Buffer, size: number, most: number): Promise<ZstdOutput> {
  if (size > most) throw new RangeError(`more than ${most} bytes`)
  return through(createZstdDecompress({ chunkSize: Math.max(LEAST, size), params: WINDOW }), stored, most)
}

/** Bytes of it packed, at once: for small samples. */
export const packedSize = (plain: Buffer): number => zstdCompressSync(plain, { params: LEVEL }).length

/** Incompressible bytes come out a little longer. */
const bound = (size: number): number => Math.max(LEAST, size + (size >>> 7) + 1024)

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
  // One behind the other in one buffer, unless they found no room in it.
  const inOne = parts.every((part) => part.buffer === buffer)
  const joined = inOne ? Buffer.from(buffer, byteOffset, length) : Buffer.concat(parts)
  const held = new Set([...parts.map((part) => part.buffer), joined.buffer])
  return { bytes: joined, free: () => held.forEach((one) => free(new Uint8Array(one))) }
}
