import { expect, test } from '@jest/globals'
import { Awake, Staleness } from '../../src/lib/staleness.ts'

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

test('a loop that has stood still itself counts silence anew', () => {
  const awake = new Awake(1000, 0)
  expect(awake.heard(900, 900)).toBe(900)
  expect(awake.heard(1800, 1800)).toBe(1800)
  const morning = 8 * 3_600_000
  expect([awake.heard(morning, morning), awake.heard(morning + 700, morning + 700)]).toEqual([0, 700])
  expect(awake.heard(10, morning + 800)).toBe(10)
})
