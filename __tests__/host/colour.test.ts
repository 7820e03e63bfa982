/** tpi's own lines stand out on a terminal, and nowhere else unless the user says so. */
import { expect, test } from '@jest/globals'
import type { ColourChoice } from '../../src/host/colour.ts'
import { terminalHost } from '../../src/host/terminal.ts'
import { outcomeTones } from '../../src/report/closing.ts'
import { PLAIN } from './plain.ts'

function terminal(colour: ColourChoice, isTTY = true) {
  const wrote: string[] = []
  const stream = { columns: 80, isTTY, write: (text: string | Uint8Array) => wrote.push(Buffer.from(text).toString('utf8')) }
  const host = terminalHost({ out: stream, err: stream }, { ...PLAIN, colour })
  return { host, taken: () => wrote.splice(0).filter((text) => text !== '') }
}

const here: ColourChoice = { color: 'auto', env: {} }

test('tpi’s own lines are faint, labels of warnings and errors are coloured, facts and the program’s output unchanged', () => {
  const { host, taken } = terminal(here)
  host.info('one\ntwo')
  host.warn('late')
  host.error('gone')
  host.print('NAME')
  host.script(Buffer.from('\u001b[35mits own\u001b[0m\n'))
  expect(taken()).toEqual([
    '\u001b[2mone\u001b[0m\n\u001b[2mtwo\u001b[0m\n',
    '\u001b[33mwarning:\u001b[0m late\n',
    '\u001b[1;31merror:\u001b[0m gone\n',
    'NAME\n',
    '\u001b[35mits own\u001b[0m\n',
  ])
})

test.each([
  ['success', '32'],
  ['script-failed', '1;31'],
] as const)('the verdict of %s and the last line have its colour, the rest of a report none', (outcome, code) => {
  const { host, taken } = terminal(here)
  host.info(`── train: ${outcome}\n  took  1 s\noutcome: ${outcome}, exit code 3`, outcomeTones(outcome))
  expect(taken()).toEqual([
    `\u001b[${code}m── train: ${outcome}\u001b[0m\n  took  1 s\n\u001b[${code}moutcome: ${outcome}, exit code 3\u001b[0m\n`,
  ])
})

test('colours in foreign text are removed', () => {
  const { host, taken } = terminal(here)
  host.info('a \u001b[31mname\u001b[0m')
  expect(taken()).toEqual(['\u001b[2ma name\u001b[0m\n'])
})

test.each<[string, ColourChoice, boolean, boolean]>([
  ['a pipe', here, false, false],
  ['NO_COLOR', { color: 'auto', env: { NO_COLOR: '1' } }, true, false],
  ['an empty NO_COLOR', { color: 'auto', env: { NO_COLOR: '' } }, true, true],
  ['a terminal that shows none', { color: 'auto', env: { TERM: 'dumb' } }, true, false],
  ['--color never', { color: 'never', env: {} }, true, false],
  ['--color always in a pipe, whatever NO_COLOR says', { color: 'always', env: { NO_COLOR: '1' } }, false, true],
])('%s', (_, colour, isTTY, coloured) => {
  const { host, taken } = terminal(colour, isTTY)
  host.info('ours')
  expect(taken()).toEqual([coloured ? '\u001b[2mours\u001b[0m\n' : 'ours\n'])
})
