import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { formatBytes, parseBytes, writeBytes } from '../../src/lib/bytes.ts'

describe('parseBytes', () => {
  test.each([
    ['16GB', 16e9],
    ['16 gb', 16e9],
    ['16G', 16e9],
    ['16GiB', 16 * 2 ** 30],
    ['16Gi', 16 * 2 ** 30],
    ['512MiB', 512 * 2 ** 20],
    ['1.5TB', 1.5e12],
    ['1kB', 1000],
    ['2PiB', 2 ** 51],
    ['100B', 100],
    ['0', 0],
    [' 1 MB ', 1e6],
  ])('%j is %d bytes', (text, bytes) => {
    expect(parseBytes(text)).toBe(bytes)
  })

  test.each(['', '16', '-1GB', '1iB', '1i', 'GB', '1XB', '1 G B', '1e3MB', '9999999PB', '0i'])('%j is refused', (text) => {
    expect(parseBytes(text)).toBeUndefined()
  })
})

test('what was formatted parses to the same', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.maxSafeNat(),
        fc.nat(1000).map((n) => n * 2 ** 30),
        fc.nat(1000).map((n) => n * 1e9),
      ),
      (bytes) => {
        expect(parseBytes(writeBytes(bytes))).toBe(bytes)
      },
    ),
  )
})

describe('formatBytes', () => {
  test.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [1536, '1.5 kB'],
    [9960, '10 kB'],
    [999_499, '999 kB'],
    [999_500, '1 MB'],
    [1.5e6, '1.5 MB'],
    [12e9, '12 GB'],
    [5e18, '5000 PB'],
  ])('%d bytes are %j', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })
})
