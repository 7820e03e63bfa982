import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { noteNames } from '../../src/engine/recent-names.ts'
import { renderActionYml } from '../../src/options/derive/action-yml.ts'
import { renderCompletion } from '../../src/options/derive/completion.ts'
import { renderHelp, renderTopic } from '../../src/options/derive/help.ts'
import { renderSchema } from '../../src/options/derive/json-schema.ts'
import { optionFacts, renderOption, renderOptions } from '../../src/options/derive/listing.ts'
import { renderMarkdown } from '../../src/options/derive/markdown.ts'
import { optionMeant } from '../../src/options/rows/table.ts'
import { TOPIC_WORDS, TOPICS, type Topic, type TopicName } from '../../src/options/rows/topics.ts'
import { isVerb, VERBS, type VerbName } from '../../src/options/rows/verbs.ts'
import { answerInfo } from '../../src/verbs/info.ts'
import { run, table } from './world.ts'

const verbs = Object.keys(VERBS) as VerbName[]

describe('help', () => {
  test.each(verbs)('%s fits a terminal and names every option', (verb) => {
    const text = renderHelp(table, verb)
    expect(text.split('\n').filter((line) => line.length > 100)).toEqual([])
    expect(text).not.toMatch(/undefined|\[object|[^\S\n]$/m)
    for (const [name, row] of Object.entries(table.rows)) {
      const shown = row.verbs.includes(verb) && !row.hidden && (row.sources?.includes('flag') ?? true)
      const isArgument = VERBS[verb].arguments.some(({ option }) => option === name)
      if (shown && !isArgument) expect(text).toMatch(new RegExp(`^ {2}(?:-., | {4})--(?:\\[no-\\])?${name}\\b`, 'm'))
    }
  })

  test('is as wide as without a terminal in one that does not know its width', async () => {
    const asked = await run(['help', 'task'])
    expect(answerInfo(table, 'help', asked, 0)).toBe(answerInfo(table, 'help', asked))
  })

  test.each([80, 60, 40])('fits a terminal of %d columns; texts beside the flags become texts below them', (width) => {
    const texts = [renderHelp(table, undefined, width), renderHelp(table, 'task', width), renderOptions(table, 'task', width)]
    // Those lines are to be copied, or begin with a name.
    const prose = texts
      .join('')
      .split('\n')
      .filter((line) => !/^(?:tpi |Usage: | {1,2}tpi | {7}tpi | {2} {0,4}-|.*\S{33})/.test(line))
    expect(prose.filter((line) => line.length > width)).toEqual([])
    expect(/^ {6}--parallelism N$/m.test(texts[1] ?? '')).toBe(width < 74)
  })

  test('a terminal that does not know its width is not taken for one of no width', async () => {
    expect(answerInfo(table, 'help', await run(['help']), 0)).toBe(answerInfo(table, 'help', await run(['help'])))
  })

  test('the overview names every verb', () => {
    const text = renderHelp(table)
    for (const verb of verbs) expect(text).toMatch(new RegExp(`^ {2}${verb} +[A-Z]`, 'm'))
  })

  test.each(verbs.flatMap((verb) => VERBS[verb].examples.map((example) => [example])))('the example parses: %s', async (example) => {
    const line = example.replace(/^.*<\(|\)$|\|.*$/g, '').replaceAll('\\\n', ' ')
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
    const world = { env: { WANDB_API_KEY: 'canary-canary' }, files: { '/repo/train.sh': 'echo' } }
    expect(words[0]).toBe('tpi')
    expect((await run(words.slice(1), world)).verb).toBe(words[1])
  })
})

describe('tpi options', () => {
  test('all of them, or those of a verb, as text and as data', () => {
    expect(renderOptions(table)).toContain('--sky-subnet VALUE')
    expect(renderOptions(table, 'stop')).not.toContain('--parallelism')
    const names = (optionFacts(table, 'task') as readonly { readonly name: string }[]).map(({ name }) => name)
    expect(names).toContain('timeout')
    expect(names).not.toContain('reserve')
    expect(optionFacts(table).find((fact) => (fact as { readonly name: string }).name === 'disk-size')).toMatchObject({
      flag: '--disk-size',
      input: 'disk-size',
      variables: ['TPI_DISK_SIZE', 'CML_RUNNER_CLOUD_HDD_SIZE'],
      file: 'disk-size',
      kind: 'size',
    })
  })

  test.each(['timeout', '--timeout', 'TPI_TIMEOUT'])('one of them: %s', (word) => {
    const text = renderOption(table, optionMeant(table, word) ?? '')
    expect(text).toMatch(/^ {2}--timeout TIME\n/)
    expect(text).toContain('"tpi task"')
    expect(text).not.toContain('--parallelism')
  })

  test('an unknown word is compared with all of them', async () => {
    await expect(run(['options', 'tiemout'])).rejects.toThrow('"tiemout" is neither a verb nor an option of tpi (did you mean "timeout"?)')
    await expect(run(['help', 'exit-cods'])).rejects.toThrow('did you mean "exit-codes"?')
    expect((await run(['help', 'variables'])).values.topic).toBe('variables')
    await expect(run(['options', 'variables'])).rejects.toThrow('nor an option')
    await expect(run(['options', 'outcomes'])).rejects.toThrow('nor an option')
  })

  test.each([
    ['outcomes', 'How a run ends'],
    ['exit codes', 'How a run ends'],
    ['exit code', 'How a run ends'],
    ['Exit_Code', 'How a run ends'],
    ['timed-out', 'How a run ends'],
    ['75', 'How a run ends'],
    ['environment variables', 'What a program is given on its machine'],
    ['durations', 'How values are written'],
  ])('a subject by other names: %s', async (words, title) => {
    expect(answerInfo(table, 'help', await run(['help', ...words.split(' ')])).split('\n')[0]).toBe(title)
  })

  test('no name of a subject is also that of another subject, a verb or an option', () => {
    const written = Object.entries<Topic>(TOPICS).flatMap(([name, { aliases }]) => [name, ...aliases])
    expect(written).toEqual([...TOPIC_WORDS])
    expect(TOPIC_WORDS.filter((word) => isVerb(word) || optionMeant(table, word) !== undefined)).toEqual([])
  })

  test.each(Object.keys(TOPICS) as TopicName[])('the subject %s fits a terminal', (topic) => {
    const text = renderTopic(topic)
    expect(text.split('\n').length).toBeGreaterThan(5)
    expect(text.split('\n').filter((line) => line.length > 100)).toEqual([])
    expect(text).not.toMatch(/undefined|`/)
    expect(renderOption(table, 'topic')).toContain(topic)
  })

  test('lines fit', () => {
    expect(
      renderOptions(table)
        .split('\n')
        .filter((line) => line.length > 100),
    ).toEqual([])
  })
})

describe('action.yml', () => {
  const action = parse(renderActionYml(table)) as {
    readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>
    readonly runs: unknown
    readonly outputs: Readonly<Record<string, unknown>>
  }

  test('what runs, and every input that any command takes', () => {
    expect(action.runs).toEqual({ using: 'node24', main: 'dist/main.js', post: 'dist/post.js' })
    expect(Object.keys(action.inputs)).toEqual(
      expect.arrayContaining(['mode', 'command', 'script', 'finished', 'discard', 'matrix', 'sky-subnet']),
    )
    for (const name of ['json', 'glob', 'secrets-stdin', 'reserve', 'shell', 'detach '] as const)
      expect(action.inputs[name]).toBeUndefined()
    expect(Object.keys(action.outputs)).toContain('exit-code')
  })

  test('a description begins with commands that the action has', () => {
    const known = ['task', 'runner', ...(table.rows['command']?.oneOf ?? [])]
    const marks = Object.values(action.inputs).flatMap(
      ({ description }) => /^\[(?!on )(.*?)(?: on .*)?\]/.exec(description)?.[1]?.split(', ') ?? [],
    )
    expect(marks.filter((mark) => !known.includes(mark))).toEqual([])
    expect(action.inputs['slot']?.description).toMatch(/^\[logs\] /)
    expect(action.inputs['comment']?.description).toMatch(/^\[task, collect\] /)
    expect(action.inputs['timeout']?.description).not.toMatch(/^\[/)
  })

  test('no defaults except expressions: any other would override variables and tpi.yaml', () => {
    const defaults = Object.values(action.inputs).flatMap((input) => input.default ?? [])
    expect(action.inputs['matrix']?.default).toBe('${{ toJSON(matrix) }}')
    expect(defaults.filter((text) => !/^\$\{\{ .* \}\}$/.test(text))).toEqual([])
    expect(action.inputs['timeout']?.description).toContain('Default: 24h.')
  })
})

describe('docs and schema', () => {
  test('a section per option, nothing undefined', () => {
    const text = renderMarkdown(table)
    for (const [name, row] of Object.entries(table.rows))
      expect(text.includes(`### \`${name}\``)).toBe(!row.hidden && row.sources?.length !== 0)
    expect(text).not.toMatch(/undefined|\[object/)
  })

  test('the schema covers what the file may contain', () => {
    const schema = JSON.parse(renderSchema(table)) as { readonly properties: Readonly<Record<string, unknown>> }
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(['timeout', 'disk-size', 'disk_size', 'storage', 'environment']))
    for (const name of ['discard', 'json', 'config', 'command']) expect(schema.properties[name]).toBeUndefined()
  })
})

describe('completion', () => {
  const home = mkdtempSync(join(tmpdir(), 'tpi-names-'))
  beforeAll(() => noteNames(home, ['fit', 'gpu-runners', 'fit']))
  afterAll(() => rmSync(home, { recursive: true }))

  /** What bash offers as completion of the last of these words. */
  function offered(words: readonly string[], more: Readonly<Record<string, string>> = {}): readonly string[] {
    const quoted = words.map((word) => `'${word}'`).join(' ')
    const script = `${renderCompletion(table, 'bash')}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _tpi; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr, status } = spawnSync('/bin/bash', ['--norc', '-c', script], {
      encoding: 'utf8',
      env: { ...process.env, TPI_HOME: home, ...more },
    })
    expect([status, stderr]).toEqual([0, ''])
    return stdout.split('\n').filter((line) => line !== '')
  }

  test.each([
    [
      ['tpi', 'st'],
      ['status', 'stop'],
    ],
    [
      ['tpi', 'task', '--max-'],
      ['--max-cost', '--max-price', '--max-attempts'],
    ],
    [
      ['tpi', 'task', '--on-cancel', ''],
      ['stop', 'detach'],
    ],
    [['tpi', 'task', '--spot', '=', 'p'], ['prefer']],
    [['tpi', 'task', '--cloud', 's'], ['sky']],
    [['tpi', 'task', '--timeout', ''], []],
    [['tpi', '--json', 'status', '--j'], ['--json']],
    [
      ['tpi', 'completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [
      ['tpi', 'help', 'ta'],
      ['task', 'tail', 'tags'],
    ],
    [
      ['tpi', 'help', 'exit-c'],
      ['exit-codes', 'exit-code'],
    ],
    [['tpi', 'help', 'outcomes'], ['outcomes']],
    [['tpi', 'options', 'disk'], ['disk-size']],
    [
      ['tpi', 'status', ''],
      ['fit', 'gpu-runners'],
    ],
    [['tpi', 'logs', '--follow', 'gp'], ['gpu-runners']],
    [
      ['tpi', 'task', '--machine', 'x'],
      ['xl', 'xl+v100'],
    ],
    [
      ['tpi', 'task', '--image', ''],
      ['ubuntu', 'debian', 'nvidia', 'python:3.13'],
    ],
    [['tpi', 'doctor', 's'], ['sky']],
    [['tpi', 'task', '--', '--max'], []],
    [['tpi', 'runner', '--no-def'], ['--no-default-labels']],
    [['tpi', 'task', '--no-w'], ['--no-wait']],
  ])('%j', (words, expected) => {
    expect(offered(words)).toEqual(expected)
  })

  test('names come from the file alone: with cat as the only program, neither Node nor tpi can be asked', () => {
    const bin = join(home, 'bin')
    mkdirSync(bin)
    symlinkSync('/bin/cat', join(bin, 'cat'))
    expect(offered(['tpi', 'logs', ''], { PATH: bin })).toEqual(['fit', 'gpu-runners'])
    expect(offered(['tpi', 'logs', ''], { PATH: bin, TPI_HOME: bin })).toEqual([])
  })

  function where(shell: string): typeof test | typeof test.skip {
    const missing = spawnSync(shell, ['--version']).error !== undefined
    if (missing) console.warn(`skipped: ${shell} is not installed`)
    return missing ? test.skip : test
  }

  const inFish = where('fish')
  inFish.each([
    ['tpi st', ['status', 'stop']],
    ['tpi status ', ['fit', 'gpu-runners']],
    ['tpi task --on-cancel ', ['detach', 'stop']],
    ['tpi task --max-', ['--max-attempts', '--max-cost', '--max-price']],
    ['tpi help exit-c', ['exit-code', 'exit-codes']],
    ['tpi task --cloud s', ['sky']],
    ['tpi task --spot ', ['false', 'prefer', 'true']],
    ['tpi task --spot=p', ['--spot=prefer']],
    ['tpi task --spot prefer --max-c', ['--max-cost']],
  ])('fish: %j', (line, expected) => {
    const script = `${renderCompletion(table, 'fish')}\ncomplete -C ${JSON.stringify(line)}`
    const { stdout, stderr, status } = spawnSync('fish', ['--no-config', '-c', script], {
      encoding: 'utf8',
      env: { ...process.env, TPI_HOME: home },
    })
    expect([status, stderr]).toEqual([0, ''])
    expect(
      stdout
        .split('\n')
        .filter((entry) => entry !== '')
        .map((entry) => entry.split('\t')[0]),
    ).toEqual(expected)
  })

  test('zsh loads its bash completion first', () => {
    expect(renderCompletion(table, 'zsh')).toMatch(/^# zsh completion of tpi\nautoload -U \+X bashcompinit && bashcompinit\n/)
  })

  const inZsh = where('zsh')
  inZsh.each([
    [['st'], ['status', 'stop']],
    [
      ['status', ''],
      ['fit', 'gpu-runners'],
    ],
    [
      ['task', '--on-cancel', ''],
      ['stop', 'detach'],
    ],
    [
      ['task', '--max-'],
      ['--max-cost', '--max-price', '--max-attempts'],
    ],
    [['task', '--image', 'n'], ['nvidia']],
  ])('zsh: tpi %j', (typed, expected) => {
    const words = ['tpi', ...typed]
    const last = typed.at(-1) ?? ''
    // Calls the function like zsh's bash completion; zsh itself later drops what does not fit the last word.
    const call = `words=(${words.map((word) => `'${word}'`).join(' ')}); COMP_WORDS=("\${words[@]}"); COMP_CWORD=${typed.length}; compgen -F _tpi -- '${last}'`
    const script = `autoload -U compinit && compinit -D -u\n${renderCompletion(table, 'zsh')}\nCURRENT=${words.length}; ${call}`
    const { stdout, stderr, status } = spawnSync('zsh', ['-f', '-c', script], { encoding: 'utf8', env: { ...process.env, TPI_HOME: home } })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').filter((line) => line !== '' && line.startsWith(last))).toEqual(expected)
  })
})
