/** Options from environment variables: `TPI_<NAME>`, then the older names that its row lists. */
import { OUTPUT_VARIABLES } from '../../core/host.ts'
import type { Row } from '../../core/option.ts'
import type { Env } from '../../lib/env.ts'
import { nearest } from '../../lib/nearest.ts'
import { quoted } from '../../lib/text.ts'
import { OWN_VARIABLES, TOLD_TO_JOBS } from '../../wire/variables.ts'
import { rowsOf, spelled, type Table, takes, variableOf } from '../rows/table.ts'
import { describes, type VerbName } from '../rows/verbs.ts'
import type { Assignment } from './assignment.ts'

/** Variables of tpi that are not options. */
const OTHERS: readonly string[] = ['TPI_HOME', ...OWN_VARIABLES]

/**
 * An empty variable counts as not given. On a machine of a task, no variable is read as an option, because `TPI_OUTPUT`, `TPI_MACHINE` and others
 * are there for the program. In a job on a runner of tpi, the variables that tell jobs where they are, are not read.
 */
export function readVariables(
  table: Table,
  verb: VerbName,
  env: Env,
): { readonly assignments: readonly Assignment[]; readonly warnings: readonly string[] } {
  if (env['TPI_ATTEMPT'] !== undefined && env['TPI_INDEX'] !== undefined) return { assignments: [], warnings: [] }
  const told: readonly string[] = env['TPI_ID'] !== undefined && env['TPI_INDEX'] !== undefined ? TOLD_TO_JOBS : []
  const assignments: Assignment[] = []
  for (const [option, row] of rowsOf(table, verb)) {
    if (!takes(row, 'variable')) continue
    for (const name of [variableOf(option), ...(row.variables ?? [])]) {
      const text = env[name]
      if (text !== undefined && text !== '' && !told.includes(name))
        assignments.push({ option, source: 'variable', as: name, spelled: spellingOf(name, option, row), raw: { text } })
    }
  }
  return { assignments, warnings: describes(verb) ? slips(table, env) : [] }
}

/** Which of an option's names a variable stands for: `CML_RUNNER_REUSE_IDLE` for `reuse-idle`. */
function spellingOf(variable: string, option: string, { aliases = [] }: Row): string {
  if (variable.startsWith('TPI_')) return option
  const name = spelled(variable.replace('CML_RUNNER_', ''))
  return [option, ...aliases].includes(name) ? name : (aliases[0] ?? option)
}

/** Warnings of variables that look like a mistyped `TPI_<NAME>`. */
function slips(table: Table, env: Env): string[] {
  const known = [...OTHERS, ...Object.keys(table.rows).map(variableOf)]
  return Object.keys(env).flatMap((name) => {
    const meant =
      name.startsWith('TPI_') && !known.includes(name) && !name.startsWith(OUTPUT_VARIABLES)
        ? nearest(
            name.slice(4),
            known.map((other) => other.slice(4)),
          )
        : undefined
    return meant === undefined || meant.length < 4 ? [] : [`variable ${name} is not an option; did you mean ${quoted(`TPI_${meant}`)}?`]
  })
}
