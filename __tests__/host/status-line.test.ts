/** The line at the bottom of a terminal: below all that is printed, never in it, and never gone for a moment. */
import { openSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { terminalHost } from '../../src/host/terminal.ts'
import { PLAIN } from './plain.ts'

function terminal({ out = true, err = true, columns = 40, fds = [undefined, undefined] as readonly (number | undefined)[] } = {}) {
  const wrote: string[] = []
  const write = (text: string | Uint8Array) => wrote.push(Buffer.from(text).toString('utf8'))
  const screen = { columns, rows: 10, isTTY: err, write, fd: fds[1]! }
  const program = { isTTY: out, write, fd: fds[0]! }
  return { host: terminalHost({ out: program, err: screen }, PLAIN), screen, taken: () => wrote.splice(0).filter((text) => text !== '') }
}

/** On the row of the cursor, and in the last one. */
const drawn = (text: string): string => `\u001b[?7l${text}\u001b[J\u001b[?7h`
const ERASE = '\r\u001b[J'
const AT_BOTTOM = '\u001b[10;1H'
const inLastRow = (text: string): string => `\u001b7${AT_BOTTOM}\u001b[2K\u001b[?7l${text}\u001b[?7h\u001b8`
const toLastRow = (text: string, region = ''): string => `\u001bD\u001b[1A\u001b7${region}${AT_BOTTOM}\u001b[?7l${text}\u001b[?7h\u001b8`

test('goes before anything is printed, and comes again behind it, in the same write', async () => {
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

test('that says the same as before is not drawn again', () => {
  const { host, taken } = terminal()
  for (const line of ['runs', 'runs']) host.status(line)
  expect(taken()).toEqual([drawn('runs')])
})

test('stands in the last row while a line of the program is open: progress bars never end theirs', () => {
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

test('comes below an open line also where it begins to say something only then', () => {
  const { host, taken } = terminal()
  host.script(Buffer.from('50 %'))
  host.status('runs')
  expect(taken()).toEqual(['50 %', toLastRow('runs')])
})

test('fits, whatever is wide or narrow in it, and goes as a whole from a terminal that has become narrower', () => {
  const { host, screen, taken } = terminal({ columns: 13 })
  host.status('模型e\u0301 模型模型')
  expect(taken()).toEqual([drawn('模型e\u0301 模型')])
  host.status('1234567890')
  screen.columns = 4
  host.status('')
  expect(taken()).toEqual([`\r${drawn('1234567890')}`, '\r\u001b[2A\u001b[J'])
})

test('stays in sight while much is printed: it has the last row, above which the rest scrolls', () => {
  const { host, screen, taken } = terminal()
  const much = `${'x'.repeat(79)}\n`.repeat(200).slice(0, -40)
  host.status('runs')
  host.script(Buffer.from(much))
  expect(taken()).toEqual([drawn('runs'), `${ERASE}${toLastRow('runs', '\u001b[1;9r')}${much}\u001b7\u001b[r\u001b8`])
  // The line of the program is open: ours goes on below it.
  host.status('later')
  expect(taken()).toEqual([inLastRow('later')])
  host.script(Buffer.from('end\n'))
  expect(taken()).toEqual([`\u001b7${AT_BOTTOM}\u001b[2K\u001b8end\n${drawn('later')}`])
  // Another height, and nobody knows where that row is.
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

test('nor where output and our own words go to different terminals', () => {
  const { host, taken } = terminal({ fds: [openSync('/dev/null', 'w'), openSync('/dev/zero', 'w')] })
  host.status('runs')
  host.script(Buffer.from('one\n'))
  expect(taken()).toEqual(['one\n'])
  const same = terminal({ fds: [openSync('/dev/null', 'w'), openSync('/dev/null', 'w')] })
  same.host.status('runs')
  expect(same.taken()).toEqual([drawn('runs')])
})
