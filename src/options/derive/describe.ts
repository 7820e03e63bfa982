/** What help, docs, completion and `tpi options` say about a row. */
import type { Kind, OptionGroup, OptionSource, Row } from '../../core/option.ts'
import { listed, wrap } from '../../lib/text.ts'
import { type CloudFacts, rowsOf, type Table, takes, variableOf } from '../rows/table.ts'
import { isInput } from '../sources/inputs.ts'
import { canNegate, isListKind, standsAlone, written } from '../values/read-value.ts'

/** Columns of help if the width of the terminal is not known, and at most: longer lines are hard to read. */
export const WIDTH = 96

/** Rows of label and text, the text in a column of its own beside the labels or, where that would be narrow, below each. */
export function besides(rows: readonly (readonly [label: string, text: string])[], width: number, column?: number): string[] {
  const beside = column ?? Math.max(...rows.map(([label]) => label.length)) + 2
  const below = width - beside < NARROW
  const indent = below ? INDENT : beside
  return rows.flatMap(([label, text]) => {
    const lines = wrap(text, width - indent).map((line) => ' '.repeat(indent) + line)
    if (below || label.length > indent - 2) return [label, ...lines]
    return [label.padEnd(indent) + (lines[0] ?? '').trimStart(), ...lines.slice(1)]
  })
}

/** A narrower column of text is hard to read. */
const NARROW = 40
const INDENT = 8

/** Sections in their order. */
export const GROUPS: Readonly<Record<OptionGroup, string>> = {
  what: 'What to run',
  where: 'Where and on what',
  data: 'Files',
  environment: 'Environment and secrets',
  time: 'Time and checkpoints',
  failure: 'Failure and repetition',
  follow: 'Waiting',
  results: 'Results and reports',
  general: 'General',
  test: 'For tests',
}

export const KINDS: Readonly<Record<Kind, string>> = {
  string: 'text',
  path: 'path',
  file: 'path',
  int: 'whole number',
  number: 'number',
  bool: 'true or false',
  duration: 'duration',
  size: 'size',
  list: 'list',
  paths: 'list of paths',
  map: 'list of KEY=VALUE',
  choice: 'one of these',
  wait: 'true, false or a duration',
  gpu: 'GPU',
  env: 'list of variables',
  'secret-list': 'list of names',
}

export interface Described {
  readonly name: string
  readonly row: Row
}

/**
 * Options to show, by section: those of `verb`, without what only the action has, or those of all verbs. Arguments are among them if they can be
 * given as flags.
 */
export function grouped(
  table: Table,
  verb: string | undefined,
  source?: OptionSource,
): readonly (readonly [OptionGroup, readonly Described[]])[] {
  const rows = verb === undefined ? Object.entries(table.rows) : rowsOf(table, verb)
  const shown = rows.filter(([, row]) => !row.hidden && (source === undefined ? hasPlace(row, verb) : takes(row, source)))
  return (Object.keys(GROUPS) as OptionGroup[]).flatMap((group) => {
    const own = shown.filter(([, row]) => row.group === group).map(([name, row]) => ({ name, row }))
    return own.length === 0 ? [] : [[group, own] as const]
  })
}

function hasPlace(row: Row, verb: string | undefined): boolean {
  const places = row.sources?.filter((source) => verb === undefined || source !== 'input')
  return places === undefined || places.length > 0
}

/** What follows the name of a flag: ` DIR`, ` a|b`, `[=TIME]` if it may stand alone; nothing for a plain switch. */
export function placeholder({ row }: Described): string {
  if (row.kind === 'bool') return ''
  const text = row.placeholder ?? row.oneOf?.join('|') ?? 'VALUE'
  return standsAlone(row) ? `[=${text}]` : ` ${text}`
}

/** `-f, --follow`, `--[no-]gang`, `--spot[=false|true|prefer]`, `--disk-size SIZE`. */
export function flagOf(described: Described): string {
  const { name, row } = described
  const value = placeholder(described)
  const negation = row.kind === 'bool' && canNegate(row) && row.default === 'true' ? '[no-]' : ''
  return `${row.short === undefined ? '' : `-${row.short}, `}--${negation}${name}${value}`
}

/** The default, as help shows it; `undefined`: there is none to show. */
export function defaultOfRow(row: Row): string | undefined {
  if (row.defaultText !== undefined) return row.defaultText
  return row.default === '' ? undefined : row.default
}

/** "one of a, b or c", "at least 1, at most 1000". */
export function limits(row: Row): string | undefined {
  if (row.oneOf) return row.oneOf.length === 1 ? undefined : `one of ${listed(row.oneOf)}`
  if (row.pattern) return row.pattern.says
  const parts = [
    row.min === undefined || row.min === 0 ? [] : `at least ${written(row, row.min)}`,
    row.max === undefined ? [] : `at most ${written(row, row.max)}`,
  ].flat()
  return row.kind === 'size' || parts.length === 0 ? undefined : parts.join(', ')
}

/** Clouds that an option is for: its own, or those that can do what it asks for. Empty: all. */
export function cloudsOf(table: Table, row: Row): readonly string[] {
  const able = ({ can }: CloudFacts): boolean => row.can === undefined || (can as Readonly<Record<string, boolean>>)[row.can] === true
  return row.clouds ?? (table.clouds.every(able) ? [] : table.clouds.filter(able).map(({ id }) => id))
}

export function choices(row: Row): readonly string[] {
  if (row.oneOf) return row.oneOf
  return row.kind === 'bool' || row.kind === 'wait' ? ['true', 'false'] : []
}

/** One row as plain data, for `tpi options --json`. */
export function factsOf(table: Table, { name, row }: Described): Readonly<Record<string, unknown>> {
  return {
    name,
    kind: row.kind,
    help: row.help,
    verbs: row.verbs,
    list: isListKind(row.kind),
    ...(takes(row, 'flag') ? { flag: `--${name}`, ...(row.short === undefined ? {} : { short: `-${row.short}` }) } : {}),
    ...(isInput(table, name) ? { input: name } : {}),
    ...(takes(row, 'variable') ? { variables: [variableOf(name), ...(row.variables ?? [])] } : {}),
    ...(takes(row, 'file') ? { file: name } : {}),
    ...(row.default === undefined || row.default === '' ? {} : { default: row.default }),
    ...(row.defaultText === undefined ? {} : { defaultText: row.defaultText }),
    ...(row.oneOf ? { oneOf: row.oneOf } : {}),
    ...(row.aliases ? { aliases: row.aliases } : {}),
    ...(row.requires ? { requires: row.requires } : {}),
    ...(row.excludes ? { excludes: row.excludes } : {}),
    ...(row.clouds ? { clouds: row.clouds } : {}),
  }
}
