import { expect, test } from '@jest/globals'
import type { LogPiece } from '../../src/engine/log-reader.ts'
import { LastLines, Lines, tellOfAgent } from '../../src/report/log-lines.ts'
import { memoryHost } from '../setup/memory-host.ts'

const AT = '2030-01-01T00:00:00.000Z'
const piece = (text: string, more: Partial<LogPiece> = {}): LogPiece => ({
  slot: 0,
  epoch: 1,
  stream: 'script',
  at: AT,
  bytes: Buffer.from(text),
  ...more,
})
const textOf = (pieces: readonly LogPiece[]): string => pieces.map(({ bytes }) => Buffer.from(bytes).toString('utf8')).join('')

function last(most: number, ...texts: readonly string[]): string {
  const lines = new LastLines(most)
  for (const text of texts) lines.push(piece(text))
  return textOf(lines.take())
}

test('the last lines are the same however the log is cut into pieces', () => {
  const text = 'one\ntwo\n\nthree é\nfour'
  const wanted = ['', 'four', 'three é\nfour', '\nthree é\nfour', 'two\n\nthree é\nfour', text, text]
  for (const [most, expected] of wanted.entries()) {
    expect(last(most, text)).toBe(expected)
    expect(last(most, ...text.split(/(?<=.)/s))).toBe(expected)
    expect(last(most, text.slice(0, 9), text.slice(9))).toBe(expected)
  }
  expect([last(1, 'a\nb\n'), last(2, 'a\n', 'b\n', 'c\n'), last(3)]).toEqual(['b\n', 'b\nc\n', ''])
})

test('each slot has its own last lines, and lines that nobody needs are not kept', () => {
  const lines = new LastLines(1)
  for (let at = 0; at < 1000; at++) lines.push(piece(`${at}\n`, { slot: at % 2 }))
  expect(textOf(lines.take())).toBe('998\n999\n')
  expect(lines.take()).toEqual([])
})

test('lines are whole, with the time when they began, and no attempt continues another one’s line', () => {
  const lines = new Lines()
  const later = '2030-01-01T00:00:09.000Z'
  expect(lines.push(piece('a\nb'))).toMatchObject([{ slot: 0, attempt: 1, stream: 'script', at: AT, text: 'a' }])
  expect(lines.push(piece('x\n', { slot: 1, at: later }))).toMatchObject([{ slot: 1, at: later, text: 'x' }])
  expect(lines.push(piece('c\r\n\n', { at: later }))).toMatchObject([
    { at: AT, text: 'bc' },
    { at: later, text: '' },
  ])
  lines.push(piece('cut o'))
  expect(lines.push(piece('new', { epoch: 2 }))).toMatchObject([{ attempt: 1, text: 'cut o' }])
  expect(lines.end()).toMatchObject([{ attempt: 2, text: 'new' }])
  expect(lines.end()).toEqual([])
  // A character may be split between two pieces.
  const bytes = Buffer.from('é\n')
  expect(lines.push({ ...piece(''), bytes: bytes.subarray(0, 1) })).toEqual([])
  expect(lines.push({ ...piece(''), bytes: bytes.subarray(1) })).toMatchObject([{ text: 'é' }])
})

test('each line of what a machine says has its mark and its label', () => {
  const host = memoryHost()
  tellOfAgent(host, piece('busy\nfull\n', { stream: 'warning' }), '[1] ', false)
  tellOfAgent(host, piece('takes slot 1\n', { stream: 'agent' }), '[1] ', true)
  expect(host.lines).toEqual(['warn: [1] busy', 'warn: [1] full', 'debug: [1] machine: takes slot 1'])
})
