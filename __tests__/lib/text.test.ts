import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { columns, firstSentence, listed, plural, quoted, wrap } from '../../src/lib/text.ts'
import { anyCharacter } from '../setup/character.ts'

test('quoted values are one harmless line, cut in the middle', () => {
  expect(quoted('a"b')).toBe('"a\\"b"')
  expect(quoted('a\nb\u001b[31m\u009b')).toBe('"a\\nb\\u001b[31m\\u009b"')
  expect(quoted('x'.repeat(100)).length).toBeLessThan(70)
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(quoted(text)).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
    }),
  )
})

test('lists and plurals read well', () => {
  expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'], 'and')]).toEqual(['', 'a', 'a or b', 'a, b and c'])
  expect([plural(1, 'file'), plural(0, 'file'), plural(2, 'entry', 'entries')]).toEqual(['1 file', '0 files', '2 entries'])
})

test('wrapped lines fit, and nothing is lost', () => {
  expect(wrap('one two three\n\n  four five', 9)).toEqual(['one two', 'three', '', '  four', '  five'])
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 }), fc.integer({ min: 12, max: 40 }), (words, width) => {
      const lines = wrap(words.join(' '), width)
      expect(lines.join(' ').split(' ')).toEqual(words)
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(width)
    }),
  )
})

describe('tables and sentences', () => {
  test('a cell starts no new line', () => {
    expect(
      columns([
        ['a', 'b\n── c: succeeded'],
        ['d\r\n', 'e'],
      ]),
    ).toEqual(['a   b ── c: succeeded', 'd   e'])
  })

  test('columns are as wide as their widest cell', () => {
    expect(
      columns([
        ['a', 'bb', ''],
        ['ccc', 'd', 'e'],
      ]),
    ).toEqual(['a    bb', 'ccc  d   e'])
  })

  test('the first sentence ends at its full stop', () => {
    expect(firstSentence('Use tpi.yaml here. More.')).toBe('Use tpi.yaml here')
    expect(firstSentence('No stop')).toBe('No stop')
  })
})
