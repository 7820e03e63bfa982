import { describe, expect, test } from '@jest/globals'
import {
  count,
  dictionary,
  either,
  flag,
  foreignTime,
  json,
  line,
  list,
  Misfit,
  maybe,
  number,
  object,
  oneOf,
  type Shape,
  text,
  time,
} from '../../src/lib/shape.ts'

interface Point {
  readonly x: number
  readonly name?: string
}
const point = object<Point>({ x: count(9), name: maybe(line(3)) })

/** The error about a value, or `fits`. */
function said(shape: Shape<unknown>, value: unknown): string {
  try {
    shape(value)
    return 'fits'
  } catch (error) {
    if (!(error instanceof Misfit)) throw error
    return error.message
  }
}

describe('a shape', () => {
  test.each<readonly [string, Shape<unknown>, unknown, string]>([
    ['text', text(3), 'abcd', 'it must be text of at most 3 characters'],
    ['text', text(3, /^a*$/, 'letters a'), 'ab', 'it must be letters a of at most 3 characters'],
    ['a line', line(9), 'a\u001b[2J', 'it must be one line of at most 9 characters'],
    ['a line', line(9), 'a\nb', 'it must be one line of at most 9 characters'],
    ['a number', number(0, 1), Number.NaN, 'it must be a number from 0 to 1'],
    ['a number', number(0, 1), '1', 'it must be a number from 0 to 1'],
    ['a count', count(9), 1.5, 'it must be a whole number from 0 to 9'],
    ['a flag', flag, 0, 'it must be true or false'],
    ['one of some', oneOf('a', null), 'b', 'it must be "a" or null'],
    ['a time', time, '2030-13-01T00:00:00Z', 'it must be a time like 2026-01-31T12:00:00.000Z'],
    ['a time', time, 'soon', 'it must be a time like 2026-01-31T12:00:00.000Z'],
    ['a time of others', foreignTime, '2030-13-01T00:00:00+00:00', 'it must be a time like 2026-01-31T12:00:00.000Z'],
    ['a time of others', foreignTime, '2030-12-01', 'it must be a time like 2026-01-31T12:00:00.000Z'],
    ['a list', list(count(), 2), [1, 2, 3], 'it must be a list of at most 2'],
    ['a list', list(count(), 2), [1, -2], '"[1]" must be a whole number from 0 to 9007199254740991'],
    ['an object', point, [], 'it must be an object'],
    ['an object', point, { name: 'a' }, '"x" must be a whole number from 0 to 9'],
    ['an object', point, { x: 1, name: 'abcd' }, '"name" must be one line of at most 3 characters'],
    [
      'what lies deeper',
      object<{ a: readonly Point[] }>({ a: list(point, 2) }),
      { a: [{ x: 10 }] },
      '"a[0].x" must be a whole number from 0 to 9',
    ],
    ['a dictionary', dictionary(line(2), flag, 1), { a: true, b: true }, 'it must have at most 1 names'],
    ['a dictionary', dictionary(line(2), flag, 1), { abc: true }, 'it must be one line of at most 2 characters'],
    ['either', either(flag, count(9)), 'x', 'it must be a whole number from 0 to 9'],
    ['any JSON', json(2), [[[]]], '"it" is nested too deeply'],
  ])('of %s says what does not fit', (_, shape, value, says) => {
    expect(said(shape, value).replace('"it"', 'it')).toBe(says.replace('"it"', 'it'))
  })

  test('of a time of others makes UTC', () => {
    expect(foreignTime('2026-01-31T12:00:00Z')).toBe('2026-01-31T12:00:00Z')
    expect(foreignTime('2026-01-31T12:00:00.123456+00:00')).toBe('2026-01-31T12:00:00.123Z')
    expect(foreignTime('2026-01-31T12:00:00+0130')).toBe('2026-01-31T10:30:00.000Z')
  })

  test('lets through the fields of the shape, and no others', () => {
    const given = JSON.parse('{"x":1,"name":"abc","more":2,"__proto__":{"x":3}}')
    expect(point(given)).toEqual({ x: 1, name: 'abc' })
    expect(Object.keys(point({ x: 0 }))).toEqual(['x'])
    expect(said(point, Object.create({ x: 1 }))).toBe('"x" must be a whole number from 0 to 9')
  })
})
