import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { distance, nearest } from '../../src/lib/nearest.ts'

describe('distance', () => {
  test.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', 'ab', 1],
    ['abc', 'abcd', 1],
    ['abc', 'axc', 1],
    ['abc', 'acb', 1],
    ['kitten', 'sitting', 3],
    ['', 'abc', 3],
  ])('%j to %j is %d', (a, b, changes) => {
    expect(distance(a, b)).toBe(changes)
  })

  test('is symmetric, and zero only for equal words', () => {
    const word = fc.string({ maxLength: 12 })
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(distance(a, b)).toBe(distance(b, a))
        expect(distance(a, b) === 0).toBe(a === b)
        expect(distance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length))
      }),
    )
  })
})

describe('nearest', () => {
  const names = ['task', 'list', 'status', 'stop', 'timeout', 'output', 'output-dir', 'checkpoint-interval', 'max-attempts']
  test.each([
    ['tsk', 'task'],
    ['tiemout', 'timeout'],
    ['TIMEOUT', 'timeout'],
    ['outputs', 'output'],
    ['stpo', 'stop'],
    ['interval', 'checkpoint-interval'],
    ['attempts', 'max-attempts'],
    ['outputdir', 'output-dir'],
  ])('%j means %j', (written, meant) => {
    expect(nearest(written, names)).toBe(meant)
  })

  test.each(['', 'zebra', 'x'])('%j means none of them', (written) => {
    expect(nearest(written, names)).toBeUndefined()
  })

  test('a huge word takes no time', () => {
    expect(nearest('x'.repeat(1_000_000), names)).toBeUndefined()
  })
})
