/** The line at the bottom of a terminal: below all that is printed, never in it. */
import { expect, test } from '@jest/globals'
import { terminalHost } from '../../src/host/terminal.ts'

function terminal({ out = true, err = true, columns = 40 } = {}) {
  const wrote: string[] = []
  const screen = { columns, rows: 10, isTTY: err, write: (text: string | Uint8Array) => wrote.push(Buffer.from(text).toString('utf8')) }
  const program = { isTTY: out, write: screen.write }
  const files = { outputs: undefined, report: undefined }
  const plain = {
    json: false,
    quiet: false,
    verbose: false,
    colour: { color: 'never', env: {} } as const,
    now: () => 0,
    date: () => new Date(0),
    sections: false,
    files,
  }
  return { host: terminalHost({ out: program, err: screen }, plain), screen, taken: () => wrote.splice(0).filter((text) => text !== '') }
}

const drawn = (text: string): string => `\u001b[?7l${text}\u001b[?7h`
const ERASE = '\r\u001b[J'

test('goes before anything is printed, and comes again behind it; an open line of the program has none', async () => {
  const { host, taken } = terminal()
  host.status('runs')
  host.script(Buffer.from('one\n'))
  host.info('ours')
  expect(taken()).toEqual([drawn('runs'), ERASE, 'one\n', drawn('runs'), ERASE, 'ours\n', drawn('runs')])
  host.script(Buffer.from('50 %'))
  host.status('later')
  host.script(Buffer.from(' done\n'))
  expect(taken()).toEqual([ERASE, '50 %', ' done\n', drawn('later')])
  await host.close()
  host.info('end')
  expect(taken()).toEqual([ERASE, 'end\n'])
})

test('fits, whatever is wide or narrow in it, and goes as a whole from a terminal that has become narrower', () => {
  const { host, screen, taken } = terminal({ columns: 13 })
  host.status('模型e\u0301 模型模型')
  expect(taken()).toEqual([drawn('模型e\u0301 模型')])
  host.status('1234567890')
  screen.columns = 4
  host.status('')
  expect(taken()).toEqual([ERASE, drawn('1234567890'), '\r\u001b[2A\u001b[J'])
})

test('stays in sight while much is printed: it has the last row, above which the rest scrolls', () => {
  const { host, screen, taken } = terminal()
  const much = `${'x'.repeat(79)}\n`.repeat(200).slice(0, -40)
  const atBottom = `\u001b[10;1H`
  host.status('runs')
  host.script(Buffer.from(much))
  expect(taken()).toEqual([
    drawn('runs'),
    ERASE,
    `\u001bD\u001b[1A\u001b7\u001b[1;9r${atBottom}${drawn('runs')}\u001b8`,
    much,
    '\u001b7\u001b[r\u001b8',
    `\u001b7${atBottom}\u001b[2K${drawn('runs')}\u001b8`,
  ])
  // The line of the program is open: ours goes on below it.
  host.status('later')
  expect(taken()).toEqual([`\u001b7${atBottom}\u001b[2K${drawn('later')}\u001b8`])
  host.script(Buffer.from('end\n'))
  expect(taken()).toEqual([`\u001b7${atBottom}\u001b[2K\u001b8`, 'end\n', drawn('later')])
  // Another height, and nobody knows where that row is.
  host.script(Buffer.from(much))
  taken()
  screen.rows = 20
  host.info('ours')
  expect(taken()).toEqual(['\u001b[J', '\n', 'ours\n', drawn('later')])
})

test.each([{ out: false }, { err: false }, { out: false, err: false }])('is not there for pipes: %j', (streams) => {
  const { host, taken } = terminal(streams)
  host.status('runs')
  host.script(Buffer.from('one\n'))
  expect(taken()).toEqual(['one\n'])
})
