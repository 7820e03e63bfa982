/** `--help` of the program and of each verb. */
import { columns, firstSentence, listed, wrap } from '../../lib/text.ts'
import type { Table } from '../rows/table.ts'
import { TOPICS, type Topic, type TopicName } from '../rows/topics.ts'
import { ALWAYS, SECTIONS, VERBS, type Verb, type VerbName, verbOf } from '../rows/verbs.ts'
import { besides, type Described, defaultOfRow, flagOf, GROUPS, grouped, WIDTH } from './describe.ts'

/** Flags longer than this have their text on the next line. */
const FLAGS = 30

/** Ends with a line feed. */
export function renderHelp(table: Table, verb?: VerbName, width = WIDTH): string {
  return `${(verb === undefined ? overview(width) : helpOf(table, verb, width)).join('\n')}\n`
}

function overview(width: number): string[] {
  const column = Math.max(...Object.keys(VERBS).map(({ length }) => length)) + 4
  return [
    'tpi - cloud machines for CI jobs and laptops, always given back',
    '',
    'Usage: tpi VERB [OPTIONS]',
    ...SECTIONS.flatMap((title) => ['', title, ...besides(verbsOf(title), width, column)]),
    '',
    'Start with',
    `  ${VERBS.task.examples[0]}`,
    '',
    ...wrap(
      `"tpi VERB --help" explains a verb and "tpi options" every option; "tpi help" explains one verb or option, or ${listed(Object.keys(TOPICS))}. Options can also be set as TPI_NAME variables and in tpi.yaml.`,
      width,
    ),
  ]
}

function verbsOf(section: Verb['section']): [string, string][] {
  return Object.entries(VERBS)
    .filter(([, verb]) => verb.section === section)
    .map(([name, { summary }]) => [`  ${name}`, summary])
}

function helpOf(table: Table, name: VerbName, width: number): string[] {
  const verb = verbOf(name)
  return [
    `tpi ${name} - ${verb.summary}`,
    '',
    ...usage(table, name, verb),
    '',
    ...wrap(verb.text, width),
    ...optionsOf(table, name, width),
    '',
    verb.examples.length === 1 ? 'Example' : 'Examples',
    ...verb.examples.map((example) => `  ${example}`),
    ...exits(verb, width),
    ...hints(table, name, width),
  ]
}

function usage(table: Table, name: VerbName, verb: Verb): string[] {
  const words = verb.arguments.map(({ option, required, unless }) => {
    const alternatives = [option.toUpperCase(), ...(unless ?? []).map((other) => `--${other}`)]
    if (alternatives.length > 1) return `(${alternatives.join(' | ')})`
    return required ? option.toUpperCase() : `[${option.toUpperCase()}]`
  })
  const options = grouped(table, name, 'flag').length === 0 ? [] : ['[OPTIONS]']
  if (verb.command === 'program') {
    const lines = ['-- COMMAND [ARGUMENT]...', '--script-file FILE', '--script TEXT']
    return lines.map((end, index) => `${index === 0 ? 'Usage:' : '      '} tpi ${name} [OPTIONS] ${end}`)
  }
  return [['Usage: tpi', name, ...words, ...options, ...(verb.command === 'required' ? ['-- COMMAND [ARGUMENT]...'] : [])].join(' ')]
}

function optionsOf(table: Table, name: VerbName, width: number): string[] {
  const own = new Set<string>(verbOf(name).arguments.map(({ option }) => option))
  return grouped(table, name, 'flag').flatMap(([group, rows]) => {
    const shown = rows.filter((row) => !own.has(row.name))
    return shown.length === 0 ? [] : ['', GROUPS[group], ...besides(shown.map(optionRow), width, FLAGS + 4)]
  })
}

function optionRow(described: Described): [string, string] {
  const label = `  ${described.row.short === undefined ? '    ' : ''}${flagOf(described)}`
  const value = defaultOfRow(described.row)
  return [label, `${firstSentence(described.row.help)}${value === undefined ? '' : ` [${value}]`}`]
}

function exits(verb: Verb, width: number): string[] {
  // The program's own comes right after 0.
  const order = (code: string) => (code === 'n' ? 0.5 : Number(code))
  const rows = Object.entries({ ...ALWAYS, ...verb.exits }).toSorted(([a], [b]) => order(a) - order(b))
  return [
    '',
    'Exit codes',
    ...besides(
      rows.map(([code, text]) => [`  ${code}`, text]),
      width,
      8,
    ),
  ]
}

function hints(table: Table, name: VerbName, width: number): string[] {
  const count = grouped(table, name, 'flag').flatMap(([, rows]) => rows).length
  if (count === 0) return []
  return [
    '',
    ...wrap(
      `Defaults are in brackets. "tpi options ${name}" says more about ${count === 1 ? 'this option' : `these ${count} options`}.`,
      width,
    ),
  ]
}

/** Ends with a line feed. */
export function renderTopic(name: TopicName, width = WIDTH): string {
  const { title, text, rows }: Topic = TOPICS[name]
  const plain = rows.map((row) => row.map((cell) => cell.replaceAll('`', '')))
  const labels = columns(plain.map((row) => row.slice(0, -1)))
  const lines = besides(
    plain.map((row, index) => [`  ${labels[index] ?? ''}`, row.at(-1) ?? '']),
    width,
  )
  return `${[title, '', ...lines, '', ...wrap(text, width)].join('\n')}\n`
}
