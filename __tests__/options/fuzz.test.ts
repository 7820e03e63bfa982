/** Any input gives an answer or one `InputError`, never anything else, and never a secret in its text. */
import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { InputError } from '../../src/core/errors.ts'
import type { Parsed } from '../../src/options/parse.ts'
import { VERBS } from '../../src/options/rows/verbs.ts'
import { anyCharacter } from '../setup/character.ts'
import { run, runInputs, table } from './world.ts'

const CANARY = 'cAnArY-cAnArY'
const names = [...table.names.keys()]

async function answered(parsed: Promise<Parsed>): Promise<void> {
  try {
    const { verb, values, program } = await parsed
    expect(Object.keys(VERBS)).toContain(verb)
    expect(Object.keys(values).toSorted()).toEqual(Object.keys(table.rows).toSorted())
    if (verb === 'task' || verb === 'plan') expect(program).toBeDefined()
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    expect(error.faults.length).toBeGreaterThan(0)
    for (const line of error.message.split('\n')) expect(line).not.toBe('')
    expect(error.message).not.toContain(CANARY)
    // Faults may be printed anywhere, so they contain no control characters except line feeds between them.
    expect(error.message.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  }
}

const odd = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.constantFrom(
    '',
    '-',
    '--',
    '---',
    '-1',
    '0',
    'true',
    'no',
    '1h',
    '16GB',
    '[',
    '{',
    '"',
    ',',
    '=',
    'a=b',
    '\n',
    '__proto__',
    'constructor',
    '*',
    '?',
  ),
)
const flag = fc.oneof(
  fc.constantFrom(...names).map((name) => `--${name}`),
  fc.constantFrom(...names).map((name) => `--no-${name}`),
  fc.tuple(fc.constantFrom(...names), odd).map(([name, text]) => `--${name}=${text}`),
  fc.constantFrom('-q', '-f', '-e', '-dvy', '-x', '--', '--bogus', '--__proto__', '--no-', '--='),
)
const verb = fc.constantFrom(...Object.keys(VERBS), 'tusk', '__proto__', 'constructor')

test('any command line is read, or refused in plain lines', async () => {
  const word = fc.oneof(flag, flag, verb, odd)
  await fc.assert(
    fc.asyncProperty(fc.option(verb), fc.array(word, { maxLength: 8 }), (first, rest) =>
      answered(run(first === null ? rest : [first, ...rest])),
    ),
    { numRuns: 600 },
  )
})

test('any inputs are read, or refused in plain lines', async () => {
  const name = fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 8 }))
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, odd, { maxKeys: 6 }), (given) => answered(runInputs(given))),
    { numRuns: 250 },
  )
})

test('any file is read, or refused in plain lines', async () => {
  const value = fc.oneof(
    odd.map((text) => JSON.stringify(text)),
    odd,
    fc.constantFrom('[a, 1, ~]', '{a: 1, ~: 2}', '[[a]]', '!!binary x', '&a b', '*a', '|\n  text', '2020-01-01', '0x10', '.inf'),
  )
  const line = fc.tuple(fc.oneof(fc.constantFrom(...names), odd), value).map(([name, text]) => `${name}: ${text}`)
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 5 }), (lines) =>
      answered(run(['task', '--', 'ls'], { files: { '/repo/tpi.yaml': lines.join('\n') } })),
    ),
    { numRuns: 250 },
  )
})

test('a secret in any place where its name belongs, in any file, in standard input', async () => {
  const around = fc.string({ unit: fc.constantFrom('A', '=', ' ', ',', '"', "'", '\n', '?', '*', '-', '/'), maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(around, around, async (before, after) => {
      const text = before + CANARY + after
      await answered(run(['task', `--secrets=${text}`, '--', 'ls']))
      await answered(runInputs({ script: 'x', secrets: text }))
      const files = { '/repo/s.env': text, '/repo/tpi.yaml': `secrets: [${JSON.stringify(text)}]` }
      await answered(run(['task', '--secrets-file', 's.env', '--', 'ls'], { files }))
      await answered(run(['task', '--secrets-stdin', '--', 'ls'], { stdin: text }))
    }),
    { numRuns: 150 },
  )
})
