import { expect, test } from '@jest/globals'
import { Staleness } from '../../src/lib/staleness.ts'

test('silence starts with the look that first saw the mark, and again with every change', () => {
  const watch = new Staleness()
  expect(watch.for('a', 'n1', 1000)).toBe(0)
  expect(watch.for('a', 'n1', 1600)).toBe(600)
  expect(watch.for('b', 'n1', 1600)).toBe(0)
  expect(watch.for('a', 'n2', 1700)).toBe(0)
  expect(watch.for('a', 'n2', 1750)).toBe(50)
  // A mark that returns counts as a change, too.
  expect(watch.for('a', 'n1', 1800)).toBe(0)
})

test('what does not exist is silent as well, and its appearance is a sign of life', () => {
  const watch = new Staleness()
  watch.for('a', undefined, 0)
  expect(watch.for('a', undefined, 70)).toBe(70)
  expect(watch.hasMoved('a')).toBe(false)
  watch.for('a', 'n', 80)
  expect(watch.hasMoved('a')).toBe(true)
  watch.for('a', 'n', 90)
  expect([watch.hasMoved('a'), watch.hasMoved('b')]).toEqual([true, false])
})
