/** `docs/options.md`, from the table. */
import type { Row } from '../../core/option.ts'
import { markdownTable } from '../../lib/markdown.ts'
import { OUTPUTS } from '../rows/outputs.ts'
import { type Table, takes, variableOf } from '../rows/table.ts'
import { OUTCOME_ROWS, VARIABLE_ROWS, WRITTEN } from '../rows/topics.ts'
import { VERBS } from '../rows/verbs.ts'
import { isInput } from '../sources/inputs.ts'
import { NOTE } from './action-yml.ts'
import { cloudsOf, type Described, defaultOfRow, GROUPS, grouped, KINDS, limits, placeholder } from './describe.ts'

export function renderMarkdown(table: Table): string {
  const sections = grouped(table, undefined).flatMap(([group, rows]) => [
    `## ${GROUPS[group]}`,
    ...rows.flatMap((row) => entry(table, row)),
  ])
  const verbs = tableOf(
    ['verb', 'does'],
    Object.entries(VERBS).map(([name, { summary }]) => [`\`tpi ${name}\``, summary]),
  )
  const outputs = tableOf(
    ['output', 'meaning'],
    Object.entries(OUTPUTS).map(([name, { help }]) => [`\`${name}\``, help]),
  )
  return (
    [
      `<!-- ${NOTE} -->`,
      '# Options',
      INTRODUCTION,
      tableOf(['kind', 'written as'], WRITTEN),
      '## Verbs',
      verbs,
      ...sections,
      '## Outputs of the action',
      outputs,
    ].join('\n\n') + '\n'
  )
}

const INTRODUCTION = `Every option has one name. You can give it in three ways; the first of these wins:

1. as a flag (\`--disk-size 100GB\`) or an input of the action (\`disk-size: 100GB\`),
2. as a variable (\`TPI_DISK_SIZE=100GB\`),
3. in \`tpi.yaml\` (\`disk-size: 100GB\`): the nearest one, upwards from the current folder to the root of the repository, or the one that \`config\` names.

Otherwise it has its default. You may write \`_\` instead of \`-\`. An empty input or variable counts as not given. An unknown name is an error that suggests the nearest one. If two options exclude each other, the one from the stronger source wins.

Names that TPI and CML used work too if they have only one meaning, including \`storage: {workdir: …}\` in \`tpi.yaml\`. On a machine of a task, variables like \`TPI_OUTPUT\` are for the program, so a \`tpi\` started there takes no option from variables; in a job on runners of tpi, only \`TPI_NAME\` and \`TPI_MACHINE\` are no options.`

function entry(table: Table, described: Described): string[] {
  const { name, row } = described
  const value = defaultOfRow(row)
  const clouds = cloudsOf(table, row)
  const places = [
    takes(row, 'flag') ? `\`--${name}${placeholder(described)}\`${row.short === undefined ? '' : ` (\`-${row.short}\`)`}` : [],
    isInput(table, name) ? `input \`${name}\`` : [],
    takes(row, 'variable') ? `\`${variableOf(name)}\`` : [],
    takes(row, 'file') ? '`tpi.yaml`' : [],
  ].flat()
  const facts = [
    `- ${places.join(' · ')}`,
    `- ${kindOf(row)}${value === undefined ? '' : `; default: ${value}`}`,
    `- for ${row.verbs.map((verb) => `\`${verb}\``).join(', ')}`,
    row.aliases ? `- also called ${[...row.aliases, ...(row.variables ?? [])].map((alias) => `\`${alias}\``).join(', ')}` : [],
    row.requires ? `- needs ${row.requires.map((other) => `\`${other}\``).join(', ')}` : [],
    row.excludes ? `- not together with ${row.excludes.map((other) => `\`${other}\``).join(', ')}` : [],
    clouds.length === 0 ? [] : `- only for ${clouds.join(', ')}`,
  ].flat()
  return [`### \`${name}\``, row.help.replaceAll('*', '\\*'), facts.join('\n')]
}

/** "one of a, b or c", "duration: at least 2m". */
function kindOf(row: Row): string {
  const limit = limits(row)
  if (row.kind === 'choice') return limit ?? `only ${row.oneOf?.join() ?? ''}`
  return limit === undefined ? KINDS[row.kind] : `${KINDS[row.kind]}: ${limit}`
}

/** Tables that pages written by hand hold between two comments, by the name in the first. */
const TABLES: Readonly<Record<string, string>> = {
  outcomes: tableOf(
    ['outcome', 'exit code', 'meaning'],
    OUTCOME_ROWS.map((row) => row.slice(0, 3)),
  ),
  'outcomes: what to do': tableOf(
    ['outcome', 'exit code', 'what to do'],
    OUTCOME_ROWS.filter(([, , , next]) => next !== '').map(([name = '', code = '', , next = '']) => [name, code, next]),
  ),
  variables: tableOf(['variable', 'holds'], VARIABLE_ROWS),
}

/** The page with its tables brought up to date. */
export function withTables(page: string): string {
  return page.replace(/(<!-- table ([^>]*) -->\n)[^]*?(\n<!-- end -->)/g, (whole, start: string, name: string, end: string) => {
    const table = TABLES[name]
    return table === undefined ? whole : `${start}\n${table}\n${end}`
  })
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return markdownTable(
    head,
    rows.map((row) => row.map(cell)),
  )
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('*', '\\*')
}
