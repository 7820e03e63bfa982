import { expect, test } from '@jest/globals'
import { transferWords } from '../../src/lib/transfer.ts'

test.each([
  [{ done: 270e6, total: 600e6, seconds: 10 }, '270 MB of 600 MB (45 %), 27 MB/s, 13s left'],
  [{ done: 600e6, total: 600e6, seconds: 20 }, '600 MB of 600 MB (100 %), 30 MB/s, 0s left'],
  // A rate after only a moment would be a guess.
  [{ done: 1e6, total: 600e6, seconds: 1 }, '1 MB of 600 MB (0 %)'],
  [{ done: 0, total: 600e6, seconds: 30 }, '0 B of 600 MB (0 %)'],
  // A file that grew while it was read.
  [{ done: 700, total: 600, seconds: 1 }, '700 B of 700 B (100 %)'],
  [{ done: 0, total: 0, seconds: 0 }, '0 B of 0 B (100 %)'],
])('%j', (transfer, words) => {
  expect(transferWords(transfer)).toBe(words)
})
