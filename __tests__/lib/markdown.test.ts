import { expect, test } from '@jest/globals'
import { inline } from '../../src/lib/markdown.ts'

test('a control sequence in a Markdown cell is removed as a whole, and nothing else', () => {
  expect(inline('a\u001b[2Jb|c')).toBe('ab&#124;c')
  expect(`${inline('\u001b]0;title')} | next`).toBe(' | next')
})
