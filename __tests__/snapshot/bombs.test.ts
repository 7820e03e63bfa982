import { hash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { LARGEST_FRAME, LONGEST_LINE, LONGEST_PATH, MOST_ENTRIES, mostEntries } from '../../src/snapshot/format/limits.ts'
import { decodeManifest, encodeManifest } from '../../src/snapshot/format/manifest.ts'
import { pack, unpack } from '../../src/snapshot/format/zstd.ts'
import { fetchTree } from '../../src/snapshot/restore/fetch.ts'
import type { Entry } from '../../src/snapshot/types.ts'
import { memoryStore } from './memory-store.ts'

const TIME = '1700000000000000000'
const SUM = hash('sha256', 'x')

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tpi-bombs-'))
})
afterEach(() => {
  jest.restoreAllMocks()
  rmSync(home, { recursive: true, force: true })
})

const packed = (text: string | Buffer): Buffer => zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })

function header(more: object = {}): string {
  return JSON.stringify({ v: 2, quiet: true, unquiet: [], keys: ['slots/0/snap/p-1'], entries: 1, ...more })
}

/** The error about a manifest with these lines, or `read`. */
async function said(lines: readonly (string | object)[]): Promise<string> {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const answer = await decodeManifest(packed(`${text}\n`)).catch((error: unknown) => error)
  return answer instanceof Error ? `${(answer as Error & { kind: string }).kind}: ${answer.message}` : 'read'
}

/** A file of one byte, in a frame with these facts. */
const file = (from: number, length: number, offset: number, size: number, zstd: 0 | 1): unknown[] => [
  'f',
  'a',
  420,
  TIME,
  size,
  SUM,
  [0, '', from, length, offset, size, zstd],
]

describe('a malicious manifest', () => {
  test('names a piece far behind the end of any frame', async () => {
    const larger = 'corrupt: the manifest has a piece that is larger than anything that tpi writes'
    expect(await said([header(), file(0, 98_000, 3_000_000_000, 1, 1)])).toBe(larger)
    expect(await said([header(), file(0, 98_000, LARGEST_FRAME, 1, 1)])).toBe(larger)
    expect(await said([header(), file(0, LARGEST_FRAME + 1, 0, LARGEST_FRAME + 1, 0)])).toBe(larger)
    expect(await said([header(), file(64 << 20, 1, 0, 1, 0)])).toBe(larger)
    expect(await said([header(), file(0, 98_000, LARGEST_FRAME - 1, 1, 1)])).toBe('read')
    expect(await said([header({ keys: [] }), ['f', 'a', 420, TIME, 2 ** 50, SUM, [-1, '', 0, 0, 0, 2 ** 50, 0]]])).toBe(larger)
  })

  test('has a line that does not end', async () => {
    const endless = packed(Buffer.alloc(64 << 20, ' '))
    expect(endless.length).toBeLessThan(10_000)
    await expect(decodeManifest(endless)).rejects.toThrow(`the manifest has a line of more than ${LONGEST_LINE} bytes`)
  })

  test('has a long line, of which each byte is copied at most twice', async () => {
    let copied = 0
    const { concat } = Buffer
    jest.spyOn(Buffer, 'concat').mockImplementation((parts) => {
      for (const part of parts) copied += part.length
      return concat(parts)
    })
    const long = `${header({ entries: 0 }).slice(0, -1)},"more":"${'x'.repeat(8 << 20)}"}`
    expect(await said([long])).toBe('read')
    expect(copied).toBeLessThanOrEqual(long.length + (64 << 10))
  })

  test('has a line of nothing but lists', async () => {
    expect(await said([header(), `["d",${'[],'.repeat(1 << 20)}0]`])).toBe('corrupt: the manifest has a line that is not an entry')
  })

  test('has more entries than a snapshot may have, or than it announces', async () => {
    expect(await said([header({ entries: 2_000_000 })])).toMatch(
      /^corrupt: the manifest announces 2000000 entries: one of \d+ stored bytes has at most 100\d{3}$/,
    )
    expect([mostEntries(0), mostEntries(1 << 26)]).toEqual([100_000, MOST_ENTRIES])
    let looked = 0
    const more = Array.from({ length: 1000 }, (_, n) => ['d', `f${String(n).padStart(4, '0')}`, 493, TIME])
    const { parse } = JSON
    jest.spyOn(JSON, 'parse').mockImplementation((text) => {
      looked += 1
      return parse(text)
    })
    expect(await said([header({ entries: 3 }), ...more])).toBe('corrupt: the manifest has more entries than the 3 that it announces')
    expect(looked).toBeLessThan(10)
  })

  test('has an unrealistic tree: entries that differ only by a number in their paths', async () => {
    const count = 500_000
    let text = header({ keys: [], entries: count })
    for (let number = 0; number < count; number++) text += `\n["d","${String(number).padStart(7, '0')}",493,"1"]`
    const lie = packed(`${text}\n`)
    let looked = 0
    const { parse } = JSON
    jest.spyOn(JSON, 'parse').mockImplementation((line) => {
      looked += 1
      return parse(line)
    })
    await expect(decodeManifest(lie)).rejects.toThrow(`announces ${count} entries: one of ${lie.length} stored bytes has at most`)
    expect(looked).toBe(1)
  })

  test('is much larger than what is stored of it', async () => {
    const links = Array.from({ length: 30_000 }, (_, n) => ['l', `f${String(n).padStart(5, '0')}`, 511, TIME, 'x'.repeat(4000)])
    expect(await said([header({ entries: 30_000 }), ...links])).toMatch(/^corrupt: the manifest has more than \d+ bytes for what is stored/)
  })

  test('has a path, or the target of a link, that no file system accepts', async () => {
    const long = 'x'.repeat(LONGEST_PATH + 1)
    const no = `corrupt: the manifest has a path of more than ${LONGEST_PATH} bytes`
    expect(await said([header(), ['d', long, 493, TIME]])).toBe(no)
    expect(await said([header(), ['l', 'a', 511, TIME, long]])).toBe(no)
  })

  test('has invalid hashes', async () => {
    expect(await said([header(), ['f', 'a', 420, TIME, 1, SUM, [0, 'g'.repeat(64), 0, 1, 0, 1, 0]]])).toContain('a hash is missing')
  })
})

describe('a frame', () => {
  test("that unpacks to more than any of tpi's is cut off at that size, and takes no more memory", async () => {
    const bomb = packed(Buffer.alloc(64 << 20))
    const store = memoryStore()
    await store.write('root/p-1', bomb)
    const target = join(home, 'target')
    mkdirSync(target)
    const piece = { key: 'p-1', sha256: hash('sha256', Buffer.alloc(1)), from: 0, length: bomb.length, offset: 0, size: 1, zstd: true }
    const entry = { type: 'file', path: 'a', mode: 0o644, mtime: TIME, size: 1, hash: piece.sha256, pieces: [piece] } as const
    const manifest = { v: 2, quiet: true, unquiet: [], entries: [entry] } as const
    await expect(fetchTree({ store, root: 'root/' }, manifest, target)).rejects.toThrow('does not match its hash')
  })

  test('takes no memory if its announced size exceeds the limit', async () => {
    const { bytes } = await pack(Buffer.alloc(1000))
    await expect(unpack(bytes, 3_000_000_000, LARGEST_FRAME)).rejects.toThrow(`more than ${LARGEST_FRAME} bytes`)
  })
})

test('what could not be read back is not saved', async () => {
  const piece = (number: number) => ({ key: 'p', sha256: hash('sha256', `${number}`), from: 0, length: 1, offset: 0, size: 1, zstd: false })
  const pieces = Array.from({ length: 250_000 }, (_, number) => piece(number))
  const file: Entry = { type: 'file', path: 'a', mode: 420, mtime: TIME, size: pieces.length, hash: SUM, pieces }
  const manifest = (entries: readonly Entry[]) => encodeManifest({ v: 2, quiet: true, unquiet: [], entries } as never)
  await expect(manifest([file])).rejects.toMatchObject({ kind: 'too-large', message: 'could not save "a": it has too many pieces' })
  const alike = Array.from({ length: 500_000 }, (_, number): Entry => {
    const path = String(number).padStart(7, '0')
    return { type: 'folder', path, mode: 0o755, mtime: '1' }
  })
  await expect(manifest(alike)).rejects.toMatchObject({ kind: 'too-large' })
  const many = { length: MOST_ENTRIES + 1, at: () => undefined, [Symbol.iterator]: [][Symbol.iterator] }
  await expect(manifest(many as never)).rejects.toMatchObject({ kind: 'too-large' })
})

test('the largest possible tree of real files compresses to more than the minimum, even with empty files, equal times and numbers as names', async () => {
  const count = 150_000
  const empty = hash('sha256', '')
  const entries = Array.from({ length: count }, (_, number): Entry => {
    const path = `f${String(number).padStart(7, '0')}`
    return { type: 'file', path, mode: 0o644, mtime: TIME, size: 0, hash: empty, pieces: [] }
  })
  const { bytes } = await encodeManifest({ v: 2, quiet: true, unquiet: [], entries } as never)
  expect((await decodeManifest(bytes)).entries.length).toBe(count)
  expect(mostEntries(bytes.length * (MOST_ENTRIES / count))).toBe(MOST_ENTRIES)
})
