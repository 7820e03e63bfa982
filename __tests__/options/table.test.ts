import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { clouds } from '../../src/clouds/registry.ts'
import { parseDuration } from '../../src/lib/duration.ts'
import { firstSentence } from '../../src/lib/text.ts'
import { type OptionValues, optionTable, takes } from '../../src/options/rows/table.ts'
import { isVerb, VERBS } from '../../src/options/rows/verbs.ts'
import { defaultOf, standsAlone } from '../../src/options/values/read-value.ts'
import { splitEntries, splitList } from '../../src/options/values/split.ts'
import { SPOT_WAIT } from '../../src/wire/machine-side.ts'
import { CLOUDS, table } from './world.ts'

const rows = Object.entries(table.rows)

describe('every row', () => {
  test.each(rows)('%s', (name, row) => {
    expect(name).toMatch(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/)
    expect(() => defaultOf(name, row)).not.toThrow()
    expect(row.help).toMatch(/^[A-Z].*\.$/)
    expect(firstSentence(row.help).length).toBeLessThan(160)
    expect(row.verbs.length).toBeGreaterThan(0)
    expect(row.verbs.filter((verb) => !isVerb(verb))).toEqual([])
    const others = [...(row.requires ?? []), ...(row.excludes ?? []), ...(row.counterpart === undefined ? [] : [row.counterpart])]
    for (const other of others) expect(Object.keys(table.rows)).toContain(other)
    for (const alias of row.aliases ?? []) expect(alias).toMatch(/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/)
    if (row.kind === 'choice') expect(row.oneOf?.length).toBeGreaterThan(0)
  })

  test('the usual wait for spot machines is said as it is', () => {
    expect(parseDuration(table.rows['spot-wait']?.defaultText ?? '')).toBe(SPOT_WAIT)
  })

  test('each time has a limit: no date and no number in a record is too large for it', () => {
    const times = rows.filter(([, { kind }]) => kind === 'duration' || kind === 'wait')
    expect(times.length).toBeGreaterThan(10)
    expect(times.flatMap(([name, { max = Infinity }]) => (max > 315_360_000 ? [name] : []))).toEqual([])
  })

  test('one letter means one option', () => {
    const letters = rows.flatMap(([, { short }]) => short ?? [])
    expect(new Set(letters).size).toBe(letters.length)
    expect(letters.filter((letter) => !/^[a-zA-Z]$/.test(letter) || letter === 'h' || letter === 'V')).toEqual([])
  })

  test('no name looks like the negation of another', () => {
    const negations = rows.filter(([, row]) => standsAlone(row)).map(([name]) => `no-${name}`)
    expect([...table.names.keys()].filter((name) => negations.includes(name))).toEqual([])
  })

  test('a flag that stands alone and takes words belongs to verbs that need no argument', () => {
    const wordy = rows.filter(([, row]) => takes(row, 'flag') && standsAlone(row) && row.kind !== 'bool')
    expect(wordy.map(([name]) => name)).toContain('wait')
    for (const [, row] of wordy)
      for (const verb of row.verbs) expect(isVerb(verb) && VERBS[verb].arguments.filter(({ required }) => required)).toEqual([])
  })

  test('the argument of a verb is one of its options', () => {
    for (const [name, verb] of Object.entries(VERBS))
      for (const { option } of verb.arguments) expect(table.rows[option]?.verbs).toContain(name)
  })
})

describe('clouds in the table', () => {
  test('the first is the default, and their options are their own', () => {
    expect(table.rows['cloud']).toMatchObject({ oneOf: ['local', 'sky'], default: 'local' })
    expect(table.rows['sky-subnet']?.clouds).toEqual(['sky'])
  })

  test('two clouds may share an option; none may hide a common one', () => {
    const [local, sky] = CLOUDS
    if (!local || !sky) throw new Error('there are two')
    const shared = optionTable([local, sky, { ...sky, id: 'cellar', aliases: [] }])
    expect(shared.rows['sky-subnet']?.clouds).toEqual(['sky', 'cellar'])
    expect(() =>
      optionTable([{ ...sky, options: { timeout: { kind: 'string', group: 'time', about: 'machines', verbs: ['task'], help: 'x' } } }]),
    ).toThrow('hides')
    expect(() =>
      optionTable([
        {
          ...sky,
          options: { mine2: { kind: 'string', group: 'time', about: 'machines', verbs: ['task'], help: 'x', aliases: ['timeout'] } },
        },
      ]),
    ).toThrow('both')
  })

  test('types follow the rows', () => {
    const spot: OptionValues['spot'] = 'prefer'
    const wait: OptionValues['wait'] = 5
    const absent: OptionValues['machine'] = undefined
    // @ts-expect-error not one of its choices
    const wrong: OptionValues['spot'] = 'maybe'
    // @ts-expect-error always a number: it has a default
    const missing: OptionValues['timeout'] = undefined
    expect([spot, wait, absent, wrong, missing]).toHaveLength(5)
  })
})

describe('lists', () => {
  test.each([
    ['a,b', ['a', 'b']],
    [' a , b ,', ['a', 'b']],
    ['a\nb\r\nc', ['a', 'b', 'c']],
    ['"a,b",c', ['a,b', 'c']],
    ['"a ""b"""', ['a "b"']],
    ['a"b,c"', ['a"b', 'c"']],
    ['"open,b', ['"open', 'b']],
    ['{a,b}/*,c', ['{a,b}/*', 'c']],
    ['x{a,{b,c}},d', ['x{a,{b,c}}', 'd']],
    ['{a,b', ['{a', 'b']],
    ['a},b', ['a}', 'b']],
    ['{a,{b},c', ['{a', '{b}', 'c']],
    ['', []],
    [',,\n,', []],
  ])('%j', (text, items) => {
    expect(splitList(text)).toEqual(items)
  })

  test.each([
    ['A=1,2', ['A=1,2']],
    ['A, B?, C_*', ['A', 'B?', 'C_*']],
    ['A\n  B=x \n\n', ['A', 'B=x ']],
    ['A,B=1', ['A,B=1']],
  ])('entries %j', (text, entries) => {
    expect(splitEntries(text)).toEqual(entries)
  })
})

describe('readers of options', () => {
  const SRC = join(import.meta.dirname, '../../src')
  /** Files that declare options: a name there does not count as a reader. */
  const DECLARED = /^(?:options\/rows\/(?:common|machine|task|runner|ci)|core\/cloud-options|clouds\/[^/]+\/(?:descriptor|options))\.ts$/
  const texts = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }))
  const code = texts.flatMap(({ file, text }) => (DECLARED.test(file) ? [] : [text])).join('\n')

  test('rows of options are in files that do not count as readers', () => {
    const declaring = texts.filter(({ text }) => /\bgroup: '[a-z-]+',\s+(?:about: '[a-z]+',\s+)?verbs: /.test(text)).map(({ file }) => file)
    expect(declaring.length).toBeGreaterThan(5)
    expect(declaring.filter((file) => !DECLARED.test(file))).toEqual([])
  })

  test('every option has a reader: no documented option is without effect', () => {
    const isRead = (name: string): boolean => {
      const dotted = /^[a-z]+$/.test(name)
        ? `|\\bvalues\\.${name}\\b|\\{[^{}]*\\b${name}\\b[^{}]*\\}(?: = |: )(?:\\w+\\.)*(?:values|OptionValues)\\b`
        : ''
      return new RegExp(`['\\[]${name}'${dotted}`).test(code)
    }
    // The code that reads programs adds "-file" to the name itself.
    const unread = Object.keys(optionTable(clouds).rows).filter((name) => !isRead(name.replace(/^(setup.*)-file$/, '$1')))
    expect(unread).toEqual([])
    expect(isRead('an-option-of-no-use')).toBe(false)
  })
})
