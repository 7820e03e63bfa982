/** Options from the inputs of the action, which the workflow runner hands over as `INPUT_<NAME>`. */
import type { Fault } from '../../core/errors.ts'
import type { Row } from '../../core/option.ts'
import type { Env } from '../../lib/env.ts'
import { didYouMean } from '../../lib/nearest.ts'
import { quoted } from '../../lib/text.ts'
import { counterpartOf, spelled, type Table, takes } from '../rows/table.ts'
import { isVerb, type VerbName, verbOf } from '../rows/verbs.ts'
import { readValue } from '../values/read-value.ts'
import { type Assignment, type Assignments, fault } from './assignment.ts'

/**
 * An undeclared input, of which the workflow runner only warns, is a fault. An empty one counts as not given. `wrong`: options that must not be
 * reported as missing, too.
 */
export function readInputs(table: Table, env: Env): Assignments & { readonly verb: VerbName; readonly wrong: readonly string[] } {
  const assignments: Assignment[] = []
  const faults: Fault[] = []
  for (const [variable, text] of Object.entries(env)) {
    if (!variable.startsWith('INPUT_') || text === undefined || text === '') continue
    const name = spelled(variable.slice('INPUT_'.length))
    const option = table.names.get(name)
    const row = option === undefined ? undefined : table.rows[option]
    if (option === undefined || !row || !isInput(table, option)) faults.push(unknownInput(table, name))
    else assignments.push({ option, source: 'input', as: name, spelled: name, raw: { text } })
  }
  const verb = verbFrom(table, assignments)
  const forRunner = isRunner(assignments) && verbOf(verb).command === 'program'
  const misplaced = assignments.filter(({ option }) => !table.rows[option]?.verbs.includes(verb) && !ALWAYS.includes(option))
  // One fault is enough: that runners cannot be planned.
  const blamed = forRunner ? misplaced.filter(({ option }) => !table.rows[option]?.verbs.includes('runner')) : misplaced
  const hints = blamed.map(({ option, as }) =>
    fault(
      as,
      `"${verb === 'runner' ? 'mode: runner' : `command: ${commandOf(verb)}`}" does not take it`,
      `it belongs to ${belongs(table, option)}${insteadOf(table, option, verb)}`,
    ),
  )
  const mode = forRunner ? [fault('mode', `"command: ${commandOf(verb)}" is for tasks, not for runners`, FOR_TASKS)] : []
  return {
    verb,
    assignments: assignments.filter((assignment) => !misplaced.includes(assignment)),
    faults: [...faults, ...mode, ...hints],
    wrong: forRunner ? ['script'] : [],
  }
}

const FOR_TASKS = 'leave "mode" out to plan a task; "command: doctor" checks the cloud and the forge'

/** Inputs that every command of the action takes. */
const ALWAYS: readonly string[] = ['mode', 'command', 'matrix', 'github-token']

/** Whether the action has such an input: some command of the action takes it. */
export function isInput(table: Table, option: string): boolean {
  const row = table.rows[option]
  return row !== undefined && takes(row, 'input') && verbsInAction(table, row).length > 0
}

/** The verbs of an option that some command of the action runs. */
export function verbsInAction(table: Table, { verbs }: Row): readonly string[] {
  const commands = table.rows['command']?.oneOf ?? []
  return verbs.filter((verb) => commands.includes(commandOf(verb)))
}

function commandOf(verb: string): string {
  return verb === 'task' || verb === 'runner' ? 'run' : verb
}

function belongs(table: Table, option: string): string {
  const row = table.rows[option]
  const verbs = row ? verbsInAction(table, row) : []
  return verbs.map((verb) => (verb === 'runner' ? 'run with mode: runner' : commandOf(verb))).join(', ')
}

function insteadOf(table: Table, option: string, verb: VerbName): string {
  const counterpart = counterpartOf(table, option, verb)
  return counterpart === undefined ? '' : `; use ${quoted(counterpart)}`
}

function unknownInput(table: Table, name: string): Fault {
  const known = [...table.names].filter(([, option]) => isInput(table, option)).map(([spelling]) => spelling)
  return fault(name, 'there is no such input', didYouMean(name, known, 'see docs/options.md'))
}

/** The verb that `command` and `mode` mean. A wrong `command` counts as `run` here: it is reported when the values are read. */
function verbFrom(table: Table, assignments: readonly Assignment[]): VerbName {
  const assignment = assignments.find(({ option }) => option === 'command')
  const row = table.rows['command']
  const reading = assignment && row ? readValue(row, assignment.raw, assignment.spelled) : 'not given'
  const command = reading !== 'not given' && 'value' in reading ? String(reading.value) : 'run'
  if (isVerb(command)) return command
  return isRunner(assignments) ? 'runner' : 'task'
}

const isRunner = (assignments: readonly Assignment[]): boolean =>
  assignments.some(({ option, raw }) => option === 'mode' && 'text' in raw && raw.text.trim() === 'runner')
