/**
 * Options from all their sources. The first of these wins: flag or action input, `TPI_<NAME>`, `tpi.yaml`, default. All faults are reported at once.
 */
import { type Fault, InputError } from '../core/errors.ts'
import type { Env } from '../lib/env.ts'
import { addressFaults } from './rows/addresses.ts'
import { type Chosen, crossFaults, ineffective, settleExclusions } from './rows/checks.ts'
import { type OptionName, type OptionValues, type Table } from './rows/table.ts'
import { describes, isVerb, type VerbName, verbOf } from './rows/verbs.ts'
import { type CommandLine, readArgv } from './sources/argv.ts'
import { type Assignment, type Assignments, fault, type Surroundings, type ValueSource } from './sources/assignment.ts'
import { findConfig, readConfig, shownPath } from './sources/config.ts'
import { type Environment, type EnvironmentParams, resolveEnvironment } from './sources/environment.ts'
import { readInputs } from './sources/inputs.ts'
import { assignmentsOfLine, chooseVerb } from './sources/line.ts'
import { rankOf } from './sources/precedence.ts'
import { type GivenProgram, type ProgramText, readFiles, readProgram, readText } from './sources/program.ts'
import { readVariables } from './sources/variables.ts'
import { defaultOf, readValue } from './values/read-value.ts'

export type { Surroundings } from './sources/assignment.ts'

export interface Given {
  readonly source: ValueSource
  /** As the user wrote it: `--disk-size`, `disk-size` (an input), `TPI_DISK_SIZE`, `tpi.yaml:3 disk-size`. */
  readonly as: string
}

export interface Parsed {
  readonly verb: VerbName
  /** Every option of the table. Those that the verb does not take have their defaults. */
  readonly values: OptionValues
  /** Options that came from anywhere but the default. */
  readonly given: ReadonlyMap<string, Given>
  /** What followed `--`, for verbs that take a command. */
  readonly command?: readonly string[]
  /** Only for verbs that describe a task. */
  readonly program?: GivenProgram
  readonly setup?: ProgramText
  /** Runners: what runs after the forge's own program has been installed. */
  readonly setupAfter?: ProgramText
  readonly environment: Environment
  /** The configuration file, if it has set any option, and which. */
  readonly config?: { readonly file: string; readonly sets: readonly OptionName[] }
  /** To be printed; none of them stops the command. */
  readonly warnings: readonly string[]
}

/** `argv` without the program's own name. Throws `InputError` with every fault. */
export async function parseCommandLine(table: Table, argv: readonly string[], surroundings: Surroundings): Promise<Parsed> {
  const line = readArgv(table, argv)
  const verb = chooseVerb(line)
  const help = line.help || (verb === 'help' && line.words.length < 2)
  if (help || verb === undefined || verb === 'version') return immediate(table, verb, line, surroundings.env)
  const front = { ...assignmentsOfLine(table, verb, line), command: line.command, inAction: false, wrong: [] }
  return await assemble(table, verb, front, surroundings)
}

/** The action's inputs, read from `INPUT_*` variables. Throws `InputError` with every fault. */
export async function parseInputs(table: Table, surroundings: Surroundings): Promise<Parsed> {
  const { verb, ...inputs } = readInputs(table, surroundings.env)
  return await assemble(table, verb, { ...inputs, command: undefined, inAction: true }, surroundings)
}

/** Help and version answer whatever else is on the line. */
function immediate(table: Table, verb: VerbName | undefined, line: CommandLine, env: Env): Parsed {
  const lost = verb === undefined && !line.help && (line.assignments.length > 0 || line.unknown.length > 0 || line.command !== undefined)
  if (lost) throw new InputError([fault('', 'no verb was given', 'start with a verb, like "tpi task"; see "tpi help"')])
  const values: Record<string, unknown> = defaults(table)
  if (verb !== 'version' && verb !== undefined && verb !== 'help') values['topic'] = verb
  if (verb === 'version') values['json'] = asksForJson(table, verb, line, env)
  return {
    verb: verb === 'version' && !line.help ? 'version' : 'help',
    values: values as unknown as OptionValues,
    given: new Map(),
    environment: { env: {}, secrets: {} },
    warnings: [],
  }
}

/** Whether the answer is to be JSON, by a command line that may have faults. */
export function wantsJson(table: Table, argv: readonly string[], env: Env): boolean {
  const line = readArgv(table, argv)
  const [word = ''] = line.words
  return asksForJson(table, isVerb(word) ? word : 'task', line, env)
}

function asksForJson(table: Table, verb: VerbName, line: CommandLine, env: Env): boolean {
  const { json } = table.rows
  const given = [...line.assignments, ...readVariables(table, verb, env).assignments].find(({ option }) => option === 'json')
  const reading = json && given && readValue(json, given.raw, given.spelled)
  return typeof reading === 'object' && 'value' in reading && reading.value === true
}

function defaults(table: Table): Record<string, unknown> {
  return Object.fromEntries(Object.entries(table.rows).map(([name, row]) => [name, defaultOf(name, row)]))
}

/** What a command line or the inputs of the action say. */
interface Front extends Assignments {
  /** What follows `--`. */
  readonly command: readonly string[] | undefined
  readonly inAction: boolean
  /** Options that are not missed: another fault is the reason why they are not there. */
  readonly wrong: readonly string[]
}

async function assemble(table: Table, verb: VerbName, front: Front, surroundings: Surroundings): Promise<Parsed> {
  const { inAction } = front
  const warnings: string[] = []
  const variables = readVariables(table, verb, surroundings.env)
  const file = await fromFile(table, verb, [...front.assignments, ...variables.assignments], surroundings)
  const faults: Fault[] = [...front.faults, ...file.faults]
  warnings.push(...variables.warnings, ...file.warnings, ...file.ignored.map(asWarning))
  const wrong = new Set(front.wrong)
  const chosen = choose(table, verb, [...front.assignments, ...variables.assignments, ...file.assignments], faults, wrong)
  // The program may be in the file that could not be read.
  if (file.unread && !['script', 'script-file'].some((name) => chosen.has(name))) wrong.add('script')
  placeIsCloud(table, chosen)
  faults.push(...settleExclusions(table, chosen))
  for (const name of await readFiles(table, chosen, faults, surroundings)) wrong.add(name)
  const { faults: ofProgram, ...parts } = await programParts(verb, chosen, wrong, front, surroundings)
  faults.push(...ofProgram)
  const addresses = addressFaults(verb, chosen, surroundings.env)
  warnings.push(...addresses.ignored.map(({ message, hint }) => `${message}: it is ignored; ${hint}`))
  const values = valuesOf(table, chosen)
  faults.push(...crossFaults(table, verb, chosen, wrong, values), ...addresses.faults)
  faults.push(...missing(verb, chosen, wrong, values, inAction))
  const environment = describes(verb) ? await readEnvironment(table, values, chosen, surroundings) : undefined
  faults.push(...(environment?.faults ?? []))
  warnings.push(...(environment?.warnings ?? []), ...ineffective(table, chosen, values))
  if (faults.length > 0) throw new InputError([...faults, ...file.ignored])
  const given = new Map([...chosen].map(([name, { assignment }]) => [name, { source: assignment.source, as: assignment.as }]))
  const { env, secrets } = environment ?? { env: {}, secrets: {} }
  const sets = [...chosen].flatMap(([name, { assignment }]) => (assignment.source === 'file' ? [name as OptionName] : []))
  const config = file.path === undefined || sets.length === 0 ? {} : { config: { file: file.path, sets } }
  return { verb, values, given, ...parts, environment: { env, secrets }, ...config, warnings }
}

/** `tpi doctor k8s` is about the cloud of that name, so it also takes the options of that cloud. */
function placeIsCloud(table: Table, chosen: Map<string, Chosen>): void {
  const place = chosen.get('place')
  const named = String(place?.value)
  const id = table.rows['cloud']?.synonyms?.[named] ?? named
  if (place && table.clouds.some((cloud) => cloud.id === id)) chosen.set('cloud', { ...place, value: id })
}

/** Takes the strongest assignment of each option. One that means "not given" makes way for the next. */
function choose(
  table: Table,
  verb: VerbName,
  assignments: readonly Assignment[],
  faults: Fault[],
  wrong: Set<string>,
): Map<string, Chosen> {
  const chosen = new Map<string, Chosen>()
  const done = new Map<string, Assignment>()
  for (const assignment of [...assignments].sort((a, b) => rankOf(b) - rankOf(a))) {
    const row = table.rows[assignment.option]
    const earlier = done.get(assignment.option)
    if (!row?.verbs.includes(verb)) continue
    if (earlier && rankOf(earlier) === rankOf(assignment) && earlier.source !== 'variable') {
      faults.push(fault(assignment.as, `is given twice, also as ${earlier.as}`))
    }
    if (earlier) continue
    const reading = readValue(row, assignment.raw, assignment.spelled)
    if (reading === 'not given') continue
    done.set(assignment.option, assignment)
    if ('problems' in reading) {
      wrong.add(assignment.option)
      faults.push(...reading.problems.map(({ message, hint }) => fault(assignment.as, message, hint)))
    } else chosen.set(assignment.option, { assignment, value: reading.value })
  }
  return chosen
}

interface FromFile extends Assignments {
  readonly warnings: readonly string[]
  /** Faults of files that are not used. */
  readonly ignored: readonly Fault[]
  readonly unread?: boolean
  readonly path?: string
}

const asWarning = ({ message, hint = '' }: Fault): string => `${message} (${hint})`

async function fromFile(table: Table, verb: VerbName, assignments: readonly Assignment[], surroundings: Surroundings): Promise<FromFile> {
  if (!table.rows['config']?.verbs.includes(verb)) return { assignments: [], faults: [], warnings: [], ignored: [] }
  const { file, ignored } = await findConfig(configNamed(assignments), surroundings)
  if (file === undefined) return { assignments: [], faults: [], warnings: [], ignored }
  const { assignments: found, faults, unknown, unread = false } = await readConfig(table, file, surroundings)
  const read = { assignments: found, unread, path: shownPath(file, surroundings), ignored }
  if (describes(verb)) return { ...read, faults: [...faults, ...unknown], warnings: [] }
  return { ...read, faults, warnings: unknown.map(asWarning) }
}

/** The file that `config` names, before its value is checked with those of the other options. */
function configNamed(assignments: readonly Assignment[]): string | undefined {
  const raw = assignments.find(({ option }) => option === 'config')?.raw
  if (!raw) return undefined
  if ('text' in raw) return raw.text
  return 'flags' in raw ? raw.flags[0] : undefined
}

interface ProgramParts extends Pick<Parsed, 'command' | 'program' | 'setup' | 'setupAfter'> {
  readonly faults: readonly Fault[]
}

async function programParts(
  verb: VerbName,
  chosen: Map<string, Chosen>,
  wrong: ReadonlySet<string>,
  { command, inAction }: Front,
  surroundings: Surroundings,
): Promise<ProgramParts> {
  if (!describes(verb)) {
    const lacking = verbOf(verb).command === 'required' && (command === undefined || command.length === 0)
    const faults = lacking ? [fault('', 'the command is missing', `write it after "--": ${verbOf(verb).examples[0]}`)] : []
    return { ...(command && { command }), faults }
  }
  const scriptIsWrong = wrong.has('script') || wrong.has('script-file')
  const runsNone = verbOf(verb).command !== 'program' || wrong.has('command')
  const { program, faults: found } = scriptIsWrong || runsNone ? { faults: [] } : await readProgram(chosen, command, inAction, surroundings)
  const faults = [...found]
  const read = async (name: 'setup' | 'setup-after'): Promise<ProgramText | undefined> => {
    const text = await readText(chosen, name, surroundings)
    if (text && 'fault' in text) faults.push(text.fault)
    return text && 'script' in text ? text : undefined
  }
  const [setup, setupAfter] = [await read('setup'), await read('setup-after')]
  return {
    ...(program ? { program } : {}),
    ...(setup ? { setup } : {}),
    ...(setupAfter ? { setupAfter } : {}),
    ...(command ? { command } : {}),
    faults,
  }
}

function valuesOf(table: Table, chosen: ReadonlyMap<string, Chosen>): OptionValues {
  const values = defaults(table)
  for (const [name, { value }] of chosen) values[name] = value
  if (values['detach'] === true) values['wait'] = false
  return values as unknown as OptionValues
}

function missing(
  verb: VerbName,
  chosen: ReadonlyMap<string, Chosen>,
  wrong: ReadonlySet<string>,
  values: OptionValues,
  inAction: boolean,
): Fault[] {
  const found: Fault[] = []
  for (const { option, required, unless = [] } of verbOf(verb).arguments) {
    const excused = unless.some((name) => values[name as OptionName] === true)
    if (!required || chosen.has(option) || excused || wrong.has(option)) continue
    const alternatives = unless.map((name) => (inAction ? `"${name}: true"` : `--${name}`)).join(' or ')
    found.push(
      fault(
        inAction ? option : option.toUpperCase(),
        'is missing',
        alternatives === '' ? `see "tpi ${verb} --help"` : `or say ${alternatives}`,
      ),
    )
  }
  return found
}

async function readEnvironment(table: Table, values: OptionValues, chosen: ReadonlyMap<string, Chosen>, surroundings: Surroundings) {
  const params: EnvironmentParams = {
    env: values.env,
    envFiles: values['env-file'],
    secrets: values.secrets,
    secretFiles: values['secrets-file'],
    stdin: values['secrets-stdin'],
    as: (option) => chosen.get(option)?.assignment.as ?? option,
    secretsInArgv: chosen.get('secrets')?.assignment.source === 'flag',
  }
  const guarded = new Set(table.clouds.flatMap(({ credentials }) => credentials.map(({ env }) => env)))
  return await resolveEnvironment(params, guarded, surroundings)
}
