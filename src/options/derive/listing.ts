/** `tpi options`: every option in full, as text or as data. */
import { wrap } from '../../lib/text.ts'
import { type Table, takes, variableOf } from '../rows/table.ts'
import { isInput } from '../sources/inputs.ts'
import { type Described, defaultOfRow, factsOf, flagOf, GROUPS, grouped, KINDS, limits } from './describe.ts'

const WIDTH = 96

/** Ends with a line feed. */
export function renderOptions(table: Table, verb?: string): string {
  const lines = grouped(table, verb).flatMap(([group, rows]) => [
    GROUPS[group].toUpperCase(),
    '',
    ...rows.flatMap((row) => [...entry(table, row), '']),
  ])
  return lines.join('\n')
}

/** The same as data. */
export function optionFacts(table: Table, verb?: string): readonly unknown[] {
  return grouped(table, verb).flatMap(([, rows]) => rows.map((row) => factsOf(table, row)))
}

function entry(table: Table, described: Described): string[] {
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
    row.aliases ? `also called ${row.aliases.join(', ')}` : [],
  ].flat()
  const title = takes(row, 'flag') ? flagOf(described) : name
  return [`  ${title}`, ...[...wrap(row.help, WIDTH - 6), ...wrap(`(${facts.join('; ')})`, WIDTH - 6)].map((line) => `      ${line}`)]
}
