/** Files and variables for the parser, and a table with two clouds. */
import { InputError } from '../../src/core/errors.ts'
import { type Parsed, parseCommandLine, parseInputs, type Surroundings } from '../../src/options/parse.ts'
import { type CloudFacts, optionTable } from '../../src/options/rows/table.ts'

const can = { spot: true, gpu: true, exec: true, rehearse: true, keep: true, numbered: true, wholeSystem: true }

export const CLOUDS: readonly CloudFacts[] = [
  { id: 'local', title: 'processes on this machine', credentials: [], can },
  {
    id: 'sky',
    title: 'a cloud of the tests',
    aliases: ['heaven'],
    credentials: [{ env: 'SKY_KEY', help: 'its key', secret: true }],
    can: { ...can, spot: false, rehearse: false, keep: false },
    options: {
      'sky-subnet': { kind: 'string', group: 'where', about: 'machines', verbs: ['task', 'plan'], help: 'Subnet of the sky.' },
    },
  },
]

export const table = optionTable(CLOUDS)

export interface World {
  readonly env?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
  readonly folders?: readonly string[]
  /** Path → users to whom it belongs, if not to this one. */
  readonly owners?: Readonly<Record<string, readonly number[]>>
  readonly user?: number
  readonly stdin?: string
  readonly cwd?: string
}

export function surroundings({
  env = {},
  files = {},
  folders = [],
  owners = {},
  user = 1000,
  stdin = '',
  cwd = '/repo',
}: World = {}): Surroundings {
  return {
    env,
    cwd,
    readFile: async (path) => {
      if (folders.includes(path)) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' })
      const text = files[path]
      if (text === undefined) throw Object.assign(new Error('it does not exist'), { code: 'ENOENT' })
      return text
    },
    ownersOf: async (path) => owners[path] ?? [user],
    user,
    readStdin: async () => stdin,
  }
}

export async function run(argv: readonly string[], world: World = {}): Promise<Parsed> {
  return await parseCommandLine(table, argv, surroundings(world))
}

/** Inputs as the workflow runner passes them. */
export function inputs(given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([name, text]) => [`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`, text]))
}

export async function runInputs(given: Readonly<Record<string, string>>, world: World = {}): Promise<Parsed> {
  return await parseInputs(table, surroundings({ ...world, env: { ...world.env, ...inputs(given) } }))
}

/** The lines of the `InputError` with which parsing must end. */
export async function faultsOf(parsed: Promise<Parsed>): Promise<readonly string[]> {
  try {
    await parsed
  } catch (error) {
    if (error instanceof InputError) return error.message.split('\n')
    throw error
  }
  return []
}
