import { expect, test } from '@jest/globals'
import { sideBySide } from '../../src/lib/side-by-side.ts'

test('at most so many are under way at a time, and after a failure none is begun', async () => {
  const begun: number[] = []
  let most = 0
  let now = 0
  const each = async (item: number): Promise<void> => {
    begun.push(item)
    most = Math.max(most, ++now)
    await new Promise((resolve) => setImmediate(resolve))
    now -= 1
    if (item === 3) throw new Error('the third')
  }
  await sideBySide(2, [0, 1, 2], each)
  expect([most, begun]).toEqual([2, [0, 1, 2]])
  await expect(sideBySide(2, [3, 4, 5, 6, 7, 8], each)).rejects.toThrow('the third')
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(begun.length).toBeLessThan(7)
})
