/** JSON schema of `tpi.yaml`, for editors. The parser does not use it. */
import type { Kind, Row } from '../../core/option.ts'
import { spelled, type Table, takes } from '../rows/table.ts'
import { NOTE } from './action-yml.ts'

type Schema = Readonly<Record<string, unknown>>

export function renderSchema(table: Table): string {
  const rows = Object.entries(table.rows).filter(([, row]) => takes(row, 'file'))
  const properties = rows.flatMap(([name, row]) => [
    [name, { description: row.help, ...schemaOf(row) }],
    ...spellings(name, row).map((alias) => [alias, schemaOfAlias(name, row, alias)]),
  ])
  const schema = {
    $comment: NOTE,
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'tpi.yaml',
    description: 'Options of tpi, by name.',
    type: 'object',
    additionalProperties: false,
    properties: { ...Object.fromEntries(properties), ...nested(rows) },
  }
  return `${compact(JSON.stringify(schema, null, 2))}\n`
}

/** Lists of plain values on one line, as the formatter of this repository has them. */
function compact(json: string): string {
  return json.replace(/^(.*)\[\n([^[\]{}]*?)\n\s*\]/gm, (whole, before: string, items: string) => {
    const line = `${before}[${items.trim().replace(/\n\s*/g, ' ')}]`
    return line.length < 140 ? line : whole
  })
}

function schemaOfAlias(name: string, row: Row, alias: string): Schema {
  const { [spelled(alias)]: means } = row.switches ?? {}
  if (means !== undefined && spelled(alias) !== name) return { description: `true is the same as "${name}: ${means}".`, type: 'boolean' }
  return { description: `The same as "${name}"${row.base64?.includes(spelled(alias)) ? ', in base64' : ''}.`, ...schemaOf(row) }
}

/** Aliases, and the spelling with underscores. */
function spellings(name: string, row: Row): string[] {
  const plain = [...(row.aliases ?? [])].filter((alias) => !alias.includes('.'))
  return [...plain, ...[name, ...plain].filter((other) => other.includes('-')).map((other) => other.replaceAll('-', '_'))]
}

/** TPI's `storage: {workdir: …}` beside the plain text that `storage` is. */
function nested(rows: readonly (readonly [string, Row])[]): Record<string, Schema> {
  const outer: Record<string, { anyOf: [Schema, { type: 'object'; additionalProperties: false; properties: Record<string, Schema> }] }> = {}
  for (const [name, row] of rows) {
    for (const alias of (row.aliases ?? []).filter((other) => other.includes('.'))) {
      const [head = '', tail = ''] = alias.split('.')
      const own = rows.find(([other]) => other === head)?.[1]
      outer[head] ??= {
        anyOf: [own ? { description: own.help, ...schemaOf(own) } : {}, { type: 'object', additionalProperties: false, properties: {} }],
      }
      outer[head].anyOf[1].properties[tail] = { description: `The same as "${name}".`, ...schemaOf(row) }
    }
  }
  return outer
}

const PLAIN: Schema = { type: ['string', 'number', 'boolean'] }
const LIST: Schema = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'array', items: PLAIN }] }
const PAIRS: Schema = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } }

const SCHEMAS: Readonly<Record<Exclude<Kind, 'choice' | 'int' | 'number'>, Schema>> = {
  string: PLAIN,
  path: { type: 'string' },
  file: { type: 'string' },
  bool: { type: 'boolean' },
  duration: { type: 'string', examples: ['90s', '1h30m', '2 days'] },
  size: { type: ['string', 'number'], examples: ['16GB', '512MiB'] },
  list: LIST,
  paths: LIST,
  map: { anyOf: [...(LIST['anyOf'] as Schema[]), PAIRS] },
  wait: { anyOf: [{ type: 'boolean' }, { type: 'string', examples: ['2h'] }] },
  gpu: { type: ['string', 'integer'], examples: ['l4', 'a100:4', 1] },
  env: { anyOf: [...(LIST['anyOf'] as Schema[]), PAIRS] },
  'secret-list': LIST,
}

function schemaOf(row: Row): Schema {
  const value = row.default === undefined || row.default === '' ? {} : { default: plainDefault(row) }
  if (row.kind === 'choice')
    return { enum: (row.oneOf ?? []).flatMap((one) => (one === 'true' || one === 'false' ? [one === 'true', one] : [one])), ...value }
  if (row.kind === 'int' || row.kind === 'number') {
    const minimum = row.min === undefined ? {} : { minimum: row.min }
    const maximum = row.max === undefined ? {} : { maximum: row.max }
    return { type: row.kind === 'int' ? 'integer' : 'number', ...minimum, ...maximum, ...value }
  }
  return { ...SCHEMAS[row.kind], ...value }
}

function plainDefault(row: Row): unknown {
  if (row.default === 'true' || row.default === 'false') return row.default === 'true'
  return row.kind === 'int' || row.kind === 'number' ? Number(row.default) : row.default
}
