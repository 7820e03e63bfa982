import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { contentHash, Gatherer, type HeldEntries, holdEntries } from '../../src/snapshot/format/entries.ts'
import { Pieces } from '../../src/snapshot/format/pieces.ts'
import { comparePaths } from '../../src/snapshot/path.ts'
import type { Entry, Piece } from '../../src/snapshot/types.ts'
import { anyCharacter } from '../setup/character.ts'

const hex = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'))
const bytes = fc.nat(2 ** 40)

const piece: fc.Arbitrary<Piece> = fc.oneof(
  fc.record({
    key: fc.constantFrom('a', 'b'),
    sha256: hex,
    from: bytes,
    length: bytes,
    offset: bytes,
    size: bytes,
    zstd: fc.constant(true),
  }),
  fc
    .record({ key: fc.constantFrom('a', 'b'), sha256: hex, from: bytes, size: bytes })
    .map((plain) => ({ ...plain, length: plain.size, offset: 0, zstd: false })),
  fc.record({ sha256: hex, size: bytes }).map((zeros) => ({ ...zeros, key: '', from: 0, length: 0, offset: 0, zstd: false })),
)

const named = {
  path: fc.string({ minLength: 1, unit: anyCharacter }),
  mode: fc.nat(0o7777),
  mtime: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
}

const entry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({ type: fc.constant('folder' as const), ...named }),
  fc.record({ type: fc.constant('link' as const), ...named, target: fc.string({ unit: anyCharacter }) }),
  fc.record({ type: fc.constant('file' as const), ...named, pieces: fc.array(piece, { maxLength: 3 }) }).map((file) => ({
    ...file,
    size: file.pieces.reduce((sum, { size }) => sum + size, 0),
    hash: contentHash(file.pieces.map(({ sha256 }) => sha256)),
  })),
)

const tree = fc
  .uniqueArray(entry, { selector: ({ path }) => path, maxLength: 30 })
  .map((entries) => entries.sort((a, b) => comparePaths(a.path, b.path)))

const plainPiece = ({ key, sha256, from, length, offset, size, zstd }: Piece): Piece => ({ key, sha256, from, length, offset, size, zstd })

/** The entries as plain objects. */
function plain(entries: Iterable<Entry>): Entry[] {
  return Array.from(entries, (one): Entry => {
    const { path, mode, mtime } = one
    if (one.type !== 'file') return one.type === 'folder' ? { type: 'folder', path, mode, mtime } : { ...one }
    return { type: 'file', path, mode, mtime, size: one.size, hash: one.hash, pieces: one.pieces.map(plainPiece) }
  })
}

function moved(held: HeldEntries): HeldEntries {
  const marks = new Uint8Array(held.pieces.count)
  held.mark(marks)
  const { pieces, numbers } = held.pieces.only(marks)
  return held.moved(pieces, numbers)
}

describe('entries in columns', () => {
  test('give back the entries that were put in, also among other pieces', () => {
    fc.assert(
      fc.property(tree, (entries) => {
        const pieces = new Pieces()
        for (let number = 0; number < 3; number++) pieces.add('\u00ff'.repeat(32), 1, { key: 'other', from: 0, length: 1, zstd: true })
        const held = holdEntries(entries, pieces)
        expect(held.length).toBe(entries.length)
        expect(plain(held)).toEqual(entries)
        expect(plain(moved(held))).toEqual(entries)
        expect(plain(holdEntries(held, new Pieces()))).toEqual(entries)
        expect(holdEntries(held, pieces)).toBe(held)
        expect(held.at(entries.length)).toBeUndefined()
      }),
    )
  })

  test('are dropped if one of their pieces is in a lost object, without a gap in the rest', () => {
    fc.assert(
      fc.property(tree, (entries) => {
        const held = holdEntries(entries, new Pieces())
        const without = held.without(new Set(['a']))
        const kept = entries.filter((one) => one.type !== 'file' || one.pieces.every(({ key }) => key !== 'a'))
        expect(plain(without)).toEqual(kept)
        const whole = without.whole()
        expect(whole.length).toBe(kept.length)
        expect(plain(whole)).toEqual(kept)
        expect(plain(held)).toEqual(entries)
        expect(held.whole()).toBe(held)
      }),
    )
  })

  test('with the same pieces are copied without an additional piece, however many there are', () => {
    const entries = Array.from(
      { length: 5000 },
      (_, number): Entry => ({
        type: 'file',
        path: String(number).padStart(5, '0'),
        mode: 0o644,
        mtime: String(number),
        size: 1,
        hash: contentHash([number.toString(16).padStart(64, '0')]),
        pieces: [{ key: 'k', sha256: number.toString(16).padStart(64, '0'), from: number, length: 1, offset: 0, size: 1, zstd: false }],
      }),
    )
    const held = holdEntries(entries, new Pieces())
    const gatherer = new Gatherer(held.pieces)
    for (const one of held) gatherer.add(one)
    expect(held.pieces.count).toBe(5000)
    expect(plain(gatherer.end())).toEqual(entries)
  })
})
