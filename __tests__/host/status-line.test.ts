/** The status line of a terminal: always below all output, never in it, and never gone for a moment. */
import { openSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { terminalHost } from '../../src/host/terminal.ts'
import { PLAIN } from './plain.ts'

function terminal({
  out = true,
  err = true,
  columns = 40,
  env = {},
  fds = [undefined, undefined] as readonly (number | undefined)[],
} = {}) {
  const wrote: string[] = []
  const write = (text: string | Uint8Array) => wrote.push(Buffer.from(text).toString('utf8'))
  const screen = { columns, rows: 10, isTTY: err, write, fd: fds[1]! }
  const program = { isTTY: out, write, fd: fds[0]! }
  return {
    host: terminalHost({ out: program, err: screen }, { ...PLAIN, colour: { color: 'never', env } }),
    screen,
    taken: () => wrote.splice(0).filter((text) => text !== ''),
  }
}

/** Drawn on the row of the cursor; `inLastRow`: in the last row. */
const drawn = (text: string): string => `\u001b[?7l${text}\u001b[J\u001b[?7h`
const ERASE = '\r\u001b[J'
const AT_BOTTOM = '\u001b[10;1H'
const inLastRow = (text: string): string => `\u001b7${AT_BOTTOM}\u001b[2K\u001b[?7l${text}\u001b[?7h\u001b8`
const toLastRow = (text: string, region = ''): string => `\u001bD\u001b[1A\u001b7${region}${AT_BOTTOM}\u001b[?7l${text}\u001b[?7h\u001b8`

test('is erased before anything is printed, and drawn again below it, in the same write', async () => {
  const { host, taken } = terminal()
  host.status('runs')
  host.script(Buffer.from('one\n'))
  host.info('ours')
  host.print('a fact')
  expect(taken()).toEqual([drawn('runs'), ...['one', 'ours', 'a fact'].map((text) => `${ERASE}${text}\n${drawn('runs')}`)])
  host.status('later')
  expect(taken()).toEqual([`\r${drawn('later')}`])
  host.status('')
  expect(taken()).toEqual([ERASE])
  await host.close()
  host.info('end')
  expect(taken()).toEqual(['end\n'])
})

test('is not drawn where control sequences are shown as text; a terminal without a size has the usual width', () => {
  const dumb = terminal({ env: { TERM: 'dumb' } })
  const unsized = terminal({ columns: 0 })
  for (const { host } of [dumb, unsized]) host.status('runs')
  dumb.host.info('ours')
  expect([dumb.taken(), unsized.taken()]).toEqual([['ours\n'], [drawn('runs')]])
})

test('is not drawn again if it has not changed', () => {
  const { host, taken } = terminal()
  for (const line of ['runs', 'runs']) host.status(line)
  expect(taken()).toEqual([drawn('runs')])
})

test('is in the last row while a line of the program is open: progress bars never end theirs', () => {
  const { host, taken } = terminal()
  host.status('runs')
  host.script(Buffer.from('50 %'))
  expect(taken()).toEqual([drawn('runs'), `${ERASE}50 %${toLastRow('runs')}`])
  host.status('later')
  expect(taken()).toEqual([inLastRow('later')])
  const gone = `\u001b7${AT_BOTTOM}\u001b[2K\u001b8`
  host.script(Buffer.from('\r60 %'))
  expect(taken()).toEqual([`${gone}\r\u001b[K60 %${toLastRow('later')}`])
  host.script(Buffer.from(' done\n'))
  expect(taken()).toEqual([`${gone} done\n${drawn('later')}`])
  host.script(Buffer.from('70 %'))
  taken()
  host.info('ours')
  expect(taken()).toEqual([`${gone}\nours\n${drawn('later')}`])
})

test('is drawn below an open line also if it appears only then', () => {
  const { host, taken } = terminal()
  host.script(Buffer.from('50 %'))
  host.status('runs')
  expect(taken()).toEqual(['50 %', toLastRow('runs')])
})

test('fits, with wide and combining characters, and is erased as a whole from a terminal that has become narrower', () => {
  const { host, screen, taken } = terminal({ columns: 13 })
  host.status('模型e\u0301 模型模型')
  expect(taken()).toEqual([drawn('模型e\u0301 模型')])
  host.status('1234567890')
  screen.columns = 4
  host.status('')
  expect(taken()).toEqual([`\r${drawn('1234567890')}`, '\r\u001b[2A\u001b[J'])
})

test('stays visible while much is printed: it has the last row, and the rest scrolls above it', () => {
  const { host, screen, taken } = terminal()
  const much = `${'x'.repeat(79)}\n`.repeat(200).slice(0, -40)
  host.status('runs')
  host.script(Buffer.from(much))
  expect(taken()).toEqual([drawn('runs'), `${ERASE}${toLastRow('runs', '\u001b[1;9r')}${much}\u001b7\u001b[r\u001b8`])
  // The program's line is open, so ours stays below it.
  host.status('later')
  expect(taken()).toEqual([inLastRow('later')])
  host.script(Buffer.from('end\n'))
  expect(taken()).toEqual([`\u001b7${AT_BOTTOM}\u001b[2K\u001b8end\n${drawn('later')}`])
  // With another height, the position of that row is unknown.
  host.script(Buffer.from(much))
  taken()
  screen.rows = 20
  host.info('ours')
  expect(taken()).toEqual([`\u001b[J\nours\n${drawn('later')}`])
})

test.each([{ out: false }, { err: false }, { out: false, err: false }])('is not there for pipes: %j', (streams) => {
  const { host, taken } = terminal(streams)
  host.status('runs')
  host.script(Buffer.from('one\n'))
  expect(taken()).toEqual(['one\n'])
})

test('is not there if output and our own lines go to different terminals', () => {
  const { host, taken } = terminal({ fds: [openSync('/dev/null', 'w'), openSync('/dev/zero', 'w')] })
  host.status('runs')
  host.script(Buffer.from('one\n'))
  expect(taken()).toEqual(['one\n'])
  const same = terminal({ fds: [openSync('/dev/null', 'w'), openSync('/dev/null', 'w')] })
  same.host.status('runs')
  expect(same.taken()).toEqual([drawn('runs')])
})
