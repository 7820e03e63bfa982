import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { parseDotenv } from '../../src/options/sources/dotenv.ts'
import { anyCharacter } from '../setup/character.ts'
import { faultsOf, run, runInputs, type World } from './world.ts'

const CALLER = {
  PATH: '/bin',
  SEED: '7',
  EMPTY: '',
  FOO_A: '1',
  FOO_B: '2',
  FOO_SECRET: 'hidden-value',
  GITHUB_TOKEN: 'ghs-canary-1',
  GITHUB_SHA: 'abc',
  ACTIONS_RUNTIME_TOKEN: 'canary-2',
  INPUT_NAME: '',
  RUNNER_NAME: 'r',
  CI_JOB_TOKEN: 'canary-3',
  CI_JOB_ID: '9',
  AWS_SECRET_ACCESS_KEY: 'canary-4',
  AWS_REGION: 'eu-west-1',
  SKY_KEY: 'canary-5',
  SKY_PLACE: 'up',
  TPI_HOME: '/home/tpi',
}

async function environmentOf(argv: readonly string[], world: World = {}) {
  return (await run(['task', '--script', 'x', ...argv], { env: CALLER, ...world })).environment
}

describe('env', () => {
  test('nothing of the caller’s environment by default', async () => {
    expect(await environmentOf([])).toEqual({ env: {}, secrets: {} })
  })

  test.each([
    [['A=1'], { A: '1' }],
    [['SEED'], { SEED: '7' }],
    [['EMPTY'], { EMPTY: '' }],
    [['SEED?', 'ABSENT?'], { SEED: '7' }],
    [['SEED,FOO_A, ABSENT?'], { SEED: '7', FOO_A: '1' }],
    [['FOO_*'], { FOO_A: '1', FOO_B: '2', FOO_SECRET: 'hidden-value' }],
    [['FOO_*', 'FOO_A=9'], { FOO_A: '9', FOO_B: '2', FOO_SECRET: 'hidden-value' }],
    [['NONE_*'], {}],
    [['A=x*y'], { A: 'x*y' }],
  ])('%j', async (entries, env) => {
    expect((await environmentOf(entries.map((entry) => `--env=${entry}`))).env).toEqual(env)
  })

  test('patterns never match tokens, cloud keys and the like; their full names do', async () => {
    const patterns = ['GITHUB_*', 'ACTIONS_*', 'INPUT_*', 'RUNNER_*', 'CI_*', 'AWS_*', 'SKY_*', 'TPI_*'].map(
      (pattern) => `--env=${pattern}`,
    )
    expect((await environmentOf(patterns)).env).toEqual({ GITHUB_SHA: 'abc', CI_JOB_ID: '9', AWS_REGION: 'eu-west-1', SKY_PLACE: 'up' })
    const named = ['GITHUB_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'SKY_KEY', 'RUNNER_NAME'].map((name) => `--env=${name}`)
    expect(Object.keys((await environmentOf(named)).env)).toEqual(['GITHUB_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'SKY_KEY', 'RUNNER_NAME'])
  })

  test.each([
    ['ABSENT', '--env: variable "ABSENT" is not set here (write ABSENT=value, or ABSENT? if it may be absent)'],
    ['9X=1', '--env: "9X" is not the name of a variable (write NAME=value, NAME, NAME? or PREFIX_*)'],
    ['A = 1', '--env: "A " is not the name of a variable (write NAME=value without blanks around "=")'],
    ['*', '--env: "*" is not a pattern for names (start it with a letter, like WANDB_*)'],
    ['TPI_INDEX=3', '--env: "TPI_INDEX" cannot be set (names that start with TPI_ are set by tpi itself)'],
  ])('%s', async (entry, message) => {
    expect(await faultsOf(environmentOf([`--env=${entry}`]).then(() => run([])))).toEqual([message])
  })

  const PEM = [
    '-----BEGIN PRIVATE KEY-----',
    'MIIEvQcanaryBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8c',
    'Us8cKcanary/SkAgEAAoIBAQC7VJTUt9Us8cKjMzEfYyjiWA4R4/M2bS1GB4t7NXp98C',
    'A1B2C3D4E5F6CANARY0718293A4B5C6D7E8F90A1B2C3D4E5F60718293A4B5C6D7E',
    '9canary*canary*canary',
    '-----END PRIVATE KEY-----',
  ]

  test.each([
    ['an input', (text: string) => runInputs({ script: 'x', env: text })],
    ['TPI_ENV', (text: string) => run(['task', '--script', 'x'], { env: { TPI_ENV: text } })],
  ])('the lines of a value never appear, nor a part of them by which no masker knows them: %s', async (_, given) => {
    const found = await faultsOf(given(`DEPLOY_KEY=${PEM.join('\n')}`))
    expect(found).toHaveLength(PEM.length - 1)
    expect(found.join('\n')).not.toMatch(/canary|Us8cK|98C|D7E|PRIVATE/i)
    for (const fault of found) {
      expect(fault).toMatch(/"[^"]{3}…" \(shortened: it may be a value\) is not /)
      expect(fault).toContain('(a value of several lines goes into "env-file", or write only its NAME and set the variable here')
    }
  })

  test('a name that is shown whole is also in the hint, and a long one that is written with blanks gets that hint', async () => {
    expect(await faultsOf(run(['task', '--script', 'x', '--env', 'A_LONG_NAME_OF_A_VARIABLE']))).toEqual([
      '--env: variable "A_LONG_NAME_OF_A_VARIABLE" is not set here (write A_LONG_NAME_OF_A_VARIABLE=value, or A_LONG_NAME_OF_A_VARIABLE? if it may be absent)',
    ])
    expect(await faultsOf(run(['task', '--script', 'x', '--env', 'long_name_of_a_variable = 1']))).toEqual([
      '--env: "lon…" (shortened: it may be a value) is not the name of a variable (write NAME=value without blanks around "=")',
    ])
  })

  test('given twice with two values is a fault', async () => {
    expect(await faultsOf(run(['task', '--script', 'x', '--env', 'A=1', '--env', 'A=2']))).toEqual(['--env: "A" is given twice'])
  })

  test('as an input: one entry per line', async () => {
    const { environment } = await runInputs({ script: 'x', env: 'A=1, 2\n\n  B=two words \nSEED, FOO_A\n' }, { env: CALLER })
    expect(environment.env).toEqual({ A: '1, 2', B: 'two words ', SEED: '7', FOO_A: '1' })
  })

  test('files come first, entries win over them', async () => {
    const files = { '/repo/a.env': 'A=1\nB=1\n', '/repo/b.env': 'export B="two\\nlines" # comment\n' }
    const { env } = await environmentOf(['--env-file', 'a.env,b.env', '--env', 'A=9'], { files })
    expect(env).toEqual({ A: '9', B: 'two\nlines' })
  })

  test('faults of a file name it and the line, never a value', async () => {
    const files = { '/repo/a.env': 'A=1\noops canary\nB="open canary\n1x=canary\nTPI_X=canary' }
    const found = await faultsOf(run(['task', '--script', 'x', '--env-file', 'a.env'], { files }))
    expect(found).toEqual([
      '--env-file: a.env:2: is not a NAME=value line',
      '--env-file: a.env:3: has a quote that does not end',
      '--env-file: a.env:4: is not a NAME=value line',
      '--env-file: a.env: "TPI_X" cannot be set (names that start with TPI_ are set by tpi itself)',
    ])
    expect(found.join()).not.toContain('canary')
  })
})

describe('secrets', () => {
  test('names, from flag, file and standard input', async () => {
    const files = { '/repo/s.env': "B='b-canary-b'" }
    const line = ['--secrets', 'FOO_SECRET,ABSENT?', '--secrets-file', 's.env', '--secrets-stdin']
    const { secrets, env } = await environmentOf(line, { files, stdin: 'C=c-canary-c\n' })
    expect(secrets).toEqual({ FOO_SECRET: 'hidden-value', B: 'b-canary-b', C: 'c-canary-c' })
    expect(env).toEqual({})
  })

  test('a pattern of env does not match a secret; its full name is a fault', async () => {
    expect((await environmentOf(['--env', 'FOO_*', '--secrets', 'FOO_SECRET'])).env).toEqual({ FOO_A: '1', FOO_B: '2' })
    expect(await faultsOf(run(['task', '--script', 'x', '--env', 'SEED', '--secrets', 'SEED'], { env: CALLER }))).toEqual([
      '--env: "SEED" is both a plain and a secret variable (leave it out of one of them)',
    ])
  })

  test('a value among the names is refused and never shown', async () => {
    const found = await faultsOf(run(['task', '--script', 'x', '--secret', 'KEY=canary-canary']))
    expect(found).toEqual([
      '--secret: the value of "KEY" is on the command line, where every process of this machine can read it (put the value into the environment and write only the name, or use --secrets-stdin or --secrets-file)',
    ])
    const [input = ''] = await faultsOf(runInputs({ script: 'x', secrets: 'KEY=canary-canary' }))
    expect(input).toContain('secrets: the value of "KEY" is among the names')
    expect(input).not.toContain('canary')
  })

  test.each(['ghp_canarycanarycanarycanary', 'canary/canary+canary==', 'canary canary', '-----BEGIN canary'])(
    'a value in place of a name is not shown: %s',
    async (value) => {
      const found = (await faultsOf(runInputs({ script: 'x', secrets: value }))).join()
      expect(found).toMatch(/^secrets: /)
      expect(found).not.toContain('canary')
    },
  )

  test.each([
    ['ABSENT', 'secrets: variable "ABSENT" is not set'],
    ['EMPTY', 'secrets: variable "EMPTY" is empty'],
    ['FOO_*', 'secrets: a pattern cannot be used here (name each secret)'],
    ['TPI_X', 'secrets: "TPI_X" cannot be set'],
  ])('%s', async (entry, message) => {
    const found = await faultsOf(runInputs({ script: 'x', secrets: entry }, { env: CALLER }))
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(message)
  })

  test('a value too short to be masked is mentioned', async () => {
    const { warnings } = await run(['task', '--script', 'x', '--secrets', 'SEED'], { env: CALLER })
    expect(warnings).toEqual(['the value of secret "SEED" is shorter than 4 bytes and is not masked: anyone who reads the log may see it'])
  })
})

describe('dotenv', () => {
  test.each([
    ['A=1', { A: '1' }],
    ['  export A = 1 ', { A: '1' }],
    ['A=', { A: '' }],
    ['A=a#b # c', { A: 'a#b' }],
    ['A= # c', { A: '' }],
    ["A='a # \"b\\n' # c", { A: 'a # "b\\n' }],
    ['A="a \\"b\\" \\$c \\\\ \\x"', { A: 'a "b" $c \\ \\x' }],
    ['A="one\ntwo"\nB=2', { A: 'one\ntwo', B: '2' }],
    ["A='one\r\ntwo'\r\nB=2", { A: 'one\ntwo', B: '2' }],
    ['# c\n\n\uFEFF', {}],
    ['\uFEFFA=1', { A: '1' }],
    ['A=1\nA=2', { A: '2' }],
    ['A=x=y', { A: 'x=y' }],
  ])('%j', (text, values) => {
    const read = parseDotenv(text)
    if (text !== '# c\n\n\uFEFF') expect(read.faults).toEqual([])
    expect(Object.fromEntries(read.values)).toEqual(values)
  })

  test('any text in double quotes comes back unchanged', () => {
    const escape = (text: string) => text.replace(/[\\"$]/g, (char) => `\\${char}`)
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter }).map((text) => text.replace(/\r/g, '')),
        (text) => {
          const { values, faults } = parseDotenv(`A="${escape(text)}"\nB=1`)
          expect(faults).toEqual([])
          expect(values.get('A')).toBe(text)
        },
      ),
    )
  })

  test('any text gives values and faults, never an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('A', '=', '"', "'", '\n', '#', ' ', '\\', 'export ') }), (text) => {
        const { values, faults } = parseDotenv(text)
        expect(values.size + faults.length).toBeLessThanOrEqual(text.split('\n').length)
      }),
    )
  })
})
