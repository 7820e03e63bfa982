import { randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { pack, unpack } from '../../src/snapshot/format/zstd.ts'

const MOST = 64 << 20
const half = (size: number): Buffer => Buffer.concat([randomBytes(size >>> 1), Buffer.alloc(size - (size >>> 1), 'text that compresses ')])

test.each([0, 1, 4096, 512 << 10, 4 << 20])('%d bytes come back as they were', async (size) => {
  for (const plain of [half(size), randomBytes(size), Buffer.alloc(size)]) {
    const packed = await pack(plain)
    const back = await unpack(packed.bytes, size, MOST)
    expect(back.bytes.equals(plain)).toBe(true)
  }
})

test('the result is in one buffer, which is returned whole', async () => {
  const plain = half(512 << 10)
  const packed = await pack(plain)
  const back = await unpack(packed.bytes, plain.length, MOST)
  for (const { bytes, free } of [packed, back]) {
    // Not a copy of the buffer that was allocated for it.
    expect(bytes.buffer.byteLength).toBeGreaterThanOrEqual(plain.length)
    free()
    expect([bytes.length, bytes.buffer.byteLength]).toEqual([0, 0])
  }
})

test('more than was expected comes whole; more than is allowed is refused', async () => {
  const plain = half(1 << 20)
  const { bytes } = await pack(plain)
  expect((await unpack(bytes, 1000, MOST)).bytes.equals(plain)).toBe(true)
  await expect(unpack(bytes, 1000, plain.length - 1)).rejects.toThrow('more than 1048575 bytes')
})

test('something that is no frame, or half of one', async () => {
  await expect(unpack(randomBytes(1000), 1000, MOST)).rejects.toThrow()
  const { bytes } = await pack(half(100_000))
  await expect(unpack(bytes.subarray(0, bytes.length >>> 1), 100_000, MOST)).rejects.toThrow()
})
