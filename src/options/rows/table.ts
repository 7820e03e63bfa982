/** Every option of the program in one table: common rows, rows of the modes, rows of the clouds. */
import type { CloudDescriptor } from '../../core/cloud.ts'
import type { Row, Rows, Values } from '../../core/option.ts'
import { listed } from '../../lib/text.ts'
import { ciOptions } from './ci.ts'
import { actionOptions, commonOptions } from './common.ts'
import { machineOptions } from './machine.ts'
import { runnerOptions } from './runner.ts'
import { taskOptions } from './task.ts'
import { VERBS } from './verbs.ts'

/** What options need to know of a cloud. */
export type CloudFacts = Pick<CloudDescriptor, 'id' | 'title' | 'credentials' | 'can' | 'options' | 'aliases'>

/** Rows that every table has, with their types. */
const fixed = {
  ...actionOptions,
  ...commonOptions,
  ...machineOptions,
  ...taskOptions,
  ...runnerOptions,
  ...ciOptions,
} as const satisfies Rows

export type OptionName = keyof typeof fixed
/** Values by option name. Those of options that only some clouds have are there, too, but not in this type. */
export type OptionValues = Values<typeof fixed>

export interface Table {
  readonly rows: Readonly<Record<string, Row>>
  readonly clouds: readonly CloudFacts[]
  /** Any spelling of a name or alias (`_` for `-`) → the option's name. */
  readonly names: ReadonlyMap<string, string>
}

/** The first cloud is the default one. Throws if two rows claim the same name: a bug in the table, which the tests find. */
export function optionTable(clouds: readonly CloudFacts[]): Table {
  const rows: Record<string, Row> = { ...fixed }
  const known = clouds.map(({ id, title }) => (title === id ? id : `${id} (${title})`))
  const synonyms = Object.fromEntries(clouds.flatMap(({ id, aliases = [] }) => aliases.map((alias) => [alias, id])))
  rows['cloud'] = {
    ...fixed.cloud,
    help: `Where the machines are: ${listed(known)}.`,
    oneOf: clouds.map(({ id }) => id),
    synonyms,
    default: clouds[0]?.id ?? '',
    defaultText: `${clouds[0]?.id}; commands that look for runs ask every cloud known to be in use`,
  }
  for (const cloud of clouds) {
    for (const [name, row] of Object.entries(cloud.options ?? {})) {
      const known = rows[name]
      if (known && !known.clouds) throw new Error(`option "${name}" of cloud "${cloud.id}" hides a common one`)
      rows[name] = { ...row, clouds: [...(known?.clouds ?? []), cloud.id] }
    }
  }
  rows['place'] = { ...fixed.place, suggests: clouds.map(({ id }) => id) }
  rows['topic'] = {
    ...fixed.topic,
    suggests: [...Object.keys(VERBS), ...Object.keys(rows).filter((name) => !rows[name]?.hidden && name !== 'topic')],
  }
  return { rows, clouds, names: allNames(rows) }
}

function allNames(rows: Readonly<Record<string, Row>>): Map<string, string> {
  const names = new Map<string, string>()
  for (const [name, row] of Object.entries(rows)) {
    for (const spelling of [name, ...(row.aliases ?? [])]) {
      const other = names.get(spelling)
      if (other) throw new Error(`options "${other}" and "${name}" are both called "${spelling}"`)
      names.set(spelling, name)
    }
  }
  return names
}

/** `disk_size`, `DISK-SIZE` → `disk-size`. */
export function spelled(name: string): string {
  return name.trim().toLowerCase().replaceAll('_', '-')
}

/** `--disk-size`, `disk_size`, `TPI_DISK_SIZE`, or what it was called once → `disk-size`. */
export function optionMeant(table: Table, word: string): string | undefined {
  const name = spelled(word.replace(/^--|^TPI_/, ''))
  const option = table.names.get(name)
  return option === undefined || table.rows[option]?.hidden ? undefined : option
}

export function rowsOf(table: Table, verb: string): readonly (readonly [string, Row])[] {
  return Object.entries(table.rows).filter(([, row]) => row.verbs.includes(verb))
}

/** What a verb has in place of an option that it does not take; `undefined`: nothing. */
export function counterpartOf(table: Table, option: string, verb: string): string | undefined {
  const counterpart = table.rows[option]?.counterpart
  return counterpart !== undefined && table.rows[counterpart]?.verbs.includes(verb) ? counterpart : undefined
}

/** `disk-size` → `TPI_DISK_SIZE`. */
export function variableOf(name: string): string {
  return `TPI_${name.toUpperCase().replaceAll('-', '_')}`
}

/** Whether it can be given by that source. */
export function takes(row: Row, source: NonNullable<Row['sources']>[number]): boolean {
  return row.sources?.includes(source) ?? true
}
