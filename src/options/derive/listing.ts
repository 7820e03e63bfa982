/** `tpi options`: every option in full, as text or as data. */
import { wrap } from '../../lib/text.ts'
import { type Table, takes, variableOf } from '../rows/table.ts'
import { isInput } from '../sources/inputs.ts'
import { type Described, defaultOfRow, factsOf, flagOf, GROUPS, grouped, KINDS, limits, WIDTH } from './describe.ts'

/** Ends with a line feed. */
export function renderOptions(table: Table, verb?: string, width = WIDTH): string {
  const lines = grouped(table, verb).flatMap(([group, rows]) => [
    GROUPS[group].toUpperCase(),
    '',
    ...rows.flatMap((row) => [...entry(table, row, width), '']),
  ])
  return lines.join('\n')
}

/** One option, by its name; ends with a line feed. */
export function renderOption(table: Table, name: string, width = WIDTH): string {
  const row = table.rows[name]
  if (!row) return ''
  const { verbs, requires = [], excludes = [] } = row
  const notes = [
    `For ${verbs.map((verb) => `"tpi ${verb}"`).join(', ')}.`,
    requires.length === 0 ? [] : `Needs ${requires.map((other) => `--${other}`).join(', ')}.`,
    excludes.length === 0 ? [] : `Not together with ${excludes.map((other) => `--${other}`).join(', ')}.`,
  ].flat()
  return `${[...entry(table, { name, row }, width), ...notes.flatMap((note) => wrap(note, width - 6).map((line) => `      ${line}`))].join('\n')}\n`
}

/** What `renderOptions` prints, as data. */
export function optionFacts(table: Table, verb?: string): readonly unknown[] {
  return grouped(table, verb).flatMap(([, rows]) => rows.map((row) => factsOf(table, row)))
}

export function optionFact(table: Table, name: string): unknown {
  const row = table.rows[name]
  return row && factsOf(table, { name, row })
}

function entry(table: Table, described: Described, width: number): string[] {
  const { name, row } = described
  const value = defaultOfRow(row)
  const limit = limits(row)
  const facts = [
    row.kind === 'choice' ? [] : KINDS[row.kind],
    limit ?? [],
    value === undefined ? [] : `default: ${value}`,
    takes(row, 'variable') ? variableOf(name) : [],
    isInput(table, name) ? 'action input' : [],
    takes(row, 'file') ? 'tpi.yaml' : [],
    row.aliases ? `other names that are taken: ${row.aliases.join(', ')}` : [],
  ].flat()
  const title = takes(row, 'flag') ? flagOf(described) : name
  return [`  ${title}`, ...[...wrap(row.help, width - 6), ...wrap(`(${facts.join('; ')})`, width - 6)].map((line) => `      ${line}`)]
}
