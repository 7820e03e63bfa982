/** The environment of the user's program: what the options name, and nothing else of the caller's environment. */
import { resolve } from 'node:path'
import type { Fault } from '../../core/errors.ts'
import { maskable, SHORTEST_SECRET } from '../../lib/secret-forms.ts'
import { quoted } from '../../lib/text.ts'
import { opensStore } from '../../stores/registry.ts'
import { fault, readingTrouble, type Surroundings } from './assignment.ts'
import { parseDotenv, VARIABLE } from './dotenv.ts'

export interface Environment {
  readonly env: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
}

/** Values of the options, as written. */
export interface EnvironmentParams {
  readonly env: readonly string[]
  readonly envFiles: readonly string[]
  readonly secrets: readonly string[]
  readonly secretFiles: readonly string[]
  readonly stdin: boolean
  /** The name of an option, as the user wrote it. */
  as(option: 'env' | 'env-file' | 'secrets' | 'secrets-file' | 'secrets-stdin'): string
  /** Whether the names of secrets were given by a flag. */
  readonly secretsInArgv: boolean
}

/** Names of variables that hold a credential, or the path of one, besides those that open stores. */
const CREDENTIALS = [
  /^(?:GITHUB_TOKEN|GH_TOKEN|GH_ENTERPRISE_TOKEN|GITHUB_ENTERPRISE_TOKEN|REPO_TOKEN|repo_token|CML_TOKEN)$/,
  /^(?:GITLAB_TOKEN|CI_JOB_TOKEN|CI_JOB_JWT\w*|CI_REGISTRY_PASSWORD|CI_DEPLOY_PASSWORD|CI_DEPENDENCY_PROXY_PASSWORD)$/,
  /^(?:CI_REPOSITORY_URL|CI_RUNNER_SHORT_TOKEN|CI_SERVER_TLS_KEY_FILE|BITBUCKET_STEP_OIDC_TOKEN)$/,
  /^(?:NODE_AUTH_TOKEN|NPM_TOKEN|DOCKER_AUTH_CONFIG|KUBECONFIG|KUBE_\w*)$/,
]
/** Not credentials, but also never matched by a pattern such as `TPI_*`: only a full name takes them. */
const OF_THE_CALLER = /^(?:ACTIONS|INPUT|RUNNER|TPI)_/

export function holdsCredential(name: string): boolean {
  return opensStore(name) || CREDENTIALS.some((names) => names.test(name))
}

/** The value of a variable: `env['constructor']` would find something even if there is no such variable. */
function own(env: Surroundings['env'], name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined
}

/** Reports all faults at once, and never a value. `guarded`: variables that the clouds declare as credentials, which no pattern matches. */
export async function resolveEnvironment(
  params: EnvironmentParams,
  guarded: ReadonlySet<string>,
  surroundings: Surroundings,
): Promise<Environment & { readonly faults: readonly Fault[]; readonly warnings: readonly string[] }> {
  const faults: Fault[] = []
  const secrets = await readSecrets(params, surroundings, faults)
  const env = await readPlain(params, guarded, surroundings, secrets, faults)
  const warnings = [...secrets]
    .filter(([, value]) => maskable(value).length === 0)
    .map(
      ([name]) =>
        `the value of secret ${quoted(name)} is shorter than ${SHORTEST_SECRET} bytes and is not masked: anyone who reads the log may see it`,
    )
  return { env: Object.fromEntries(env), secrets: Object.fromEntries(secrets), faults, warnings }
}

async function readFiles(paths: readonly string[], as: string, surroundings: Surroundings, faults: Fault[]): Promise<Map<string, string>> {
  const values = new Map<string, string>()
  for (const path of paths) {
    try {
      addFile(values, await surroundings.readFile(resolve(surroundings.cwd, path)), `${as}: ${path}`, faults)
    } catch (error) {
      faults.push(fault(as, `${quoted(path)} ${readingTrouble(error)}`))
    }
  }
  return values
}

function addFile(values: Map<string, string>, text: string, as: string, faults: Fault[]): void {
  const file = parseDotenv(text)
  faults.push(...file.faults.map(({ line, message }) => fault(`${as}:${line}`, message)))
  for (const [name, value] of file.values) {
    if (name.startsWith('TPI_')) faults.push(reserved(as, name))
    else values.set(name, value)
  }
}

function reserved(as: string, name: string): Fault {
  return fault(as, `${quoted(name)} cannot be set`, 'names that start with TPI_ are set by tpi itself')
}

async function readSecrets(params: EnvironmentParams, surroundings: Surroundings, faults: Fault[]): Promise<Map<string, string>> {
  const secrets = await readFiles(params.secretFiles, params.as('secrets-file'), surroundings, faults)
  if (params.stdin) addFile(secrets, await surroundings.readStdin(), 'standard input', faults)
  for (const entry of params.secrets) {
    const name = entry.trim().replace(/\?$/, '')
    const optional = entry.trim().endsWith('?')
    const trouble = secretTrouble(entry, name, params)
    const value = own(surroundings.env, name)
    if (trouble) faults.push(trouble)
    else if (value !== undefined && value !== '') secrets.set(name, value)
    else if (!optional) faults.push(missingSecret(params.as('secrets'), name, value))
  }
  return secrets
}

function secretTrouble(entry: string, name: string, params: EnvironmentParams): Fault | undefined {
  const as = params.as('secrets')
  const equals = entry.indexOf('=')
  if (equals >= 0 && VARIABLE.test(entry.slice(0, equals).trim())) {
    const public_ = params.secretsInArgv
      ? 'on the command line, where every process of this machine can read it'
      : 'among the names, where it is not protected'
    const hint = `put the value into the environment and write only the name, or use ${params.secretsInArgv ? '--secrets-stdin or --secrets-file' : 'secrets-file'}`
    return fault(as, `the value of ${shownName(entry.slice(0, equals).trim()).text} is ${public_}`, hint)
  }
  if (name.includes('*')) return fault(as, 'a pattern cannot be used here', 'name each secret')
  if (name.startsWith('TPI_')) return reserved(as, name)
  return VARIABLE.test(name)
    ? undefined
    : fault(as, 'an entry is not the name of a variable (it is not shown: it may be a value)', 'write names only, like WANDB_API_KEY')
}

function missingSecret(as: string, name: string, value: string | undefined): Fault {
  const state = value === '' ? 'is empty' : 'is not set'
  return fault(
    as,
    `variable ${shownName(name).text} ${state}`,
    'in CI pass it with "env:" (runs for forks get no secrets); write NAME? if it may be absent',
  )
}

/**
 * What a message shows of a name. Somebody may have written the secret itself instead of its name, or a secret of several lines, each of which is
 * then taken for an entry. So either the whole name is shown, which a masker finds if it is a secret, or too little to be of use.
 */
function shownName(name: string): { readonly text: string; readonly whole: boolean } {
  const whole = /^[A-Z_][A-Z0-9_]{0,59}$/.test(name) || name.length < 16
  return { text: whole ? quoted(name) : `${quoted(`${name.slice(0, 3)}…`)} (shortened: it may be a value)`, whole }
}

async function readPlain(
  params: EnvironmentParams,
  guarded: ReadonlySet<string>,
  surroundings: Surroundings,
  secrets: ReadonlyMap<string, string>,
  faults: Fault[],
): Promise<Map<string, string>> {
  const as = params.as('env')
  const fromFiles = await readFiles(params.envFiles, params.as('env-file'), surroundings, faults)
  const named = new Map<string, string>()
  const matched = new Map<string, string>()
  for (const entry of params.env) {
    if (entry.includes('*') && !entry.includes('=')) expand(entry.trim(), { as, guarded, surroundings, matched, faults })
    else addEntry(entry, { as, surroundings, named, faults })
  }
  for (const name of [...fromFiles.keys(), ...named.keys()]) {
    if (secrets.has(name)) faults.push(fault(as, `${quoted(name)} is both a plain and a secret variable`, 'leave it out of one of them'))
  }
  const all = new Map([...matched, ...fromFiles, ...named])
  for (const name of secrets.keys()) all.delete(name)
  return all
}

/** What to do about an entry that may be one line of a value. */
const SEVERAL_LINES =
  'a value of several lines goes into "env-file", or write only its NAME and set the variable here; otherwise write NAME=value, NAME, NAME? or PREFIX_*'

function addEntry(
  entry: string,
  { as, surroundings, named, faults }: { as: string; surroundings: Surroundings; named: Map<string, string>; faults: Fault[] },
): void {
  const equals = entry.indexOf('=')
  const optional = equals < 0 && entry.trim().endsWith('?')
  const name = equals >= 0 ? entry.slice(0, equals) : entry.trim().replace(/\?$/, '')
  const value = equals >= 0 ? entry.slice(equals + 1) : own(surroundings.env, name)
  const shown = shownName(name)
  if (!VARIABLE.test(name)) {
    const likely = shown.whole ? 'write NAME=value, NAME, NAME? or PREFIX_*' : SEVERAL_LINES
    const hint = VARIABLE.test(name.trim()) ? 'write NAME=value without blanks around "="' : likely
    faults.push(fault(as, `${shown.text} is not the name of a variable`, hint))
  } else if (name.startsWith('TPI_')) faults.push(reserved(as, name))
  else if (value === undefined) {
    const hint = shown.whole ? `write ${name}=value, or ${name}? if it may be absent` : SEVERAL_LINES
    if (!optional) faults.push(fault(as, `variable ${shown.text} is not set here`, hint))
  } else if (named.has(name) && named.get(name) !== value) faults.push(fault(as, `${shown.text} is given twice`))
  else named.set(name, value)
}

interface Expansion {
  readonly as: string
  readonly guarded: ReadonlySet<string>
  readonly surroundings: Surroundings
  readonly matched: Map<string, string>
  readonly faults: Fault[]
}

function expand(glob: string, { as, guarded, surroundings, matched, faults }: Expansion): void {
  const plain = glob.replace(/\?$/, '')
  if (!/^[A-Za-z_][\w*]*$/.test(plain)) {
    const { text, whole } = shownName(glob)
    faults.push(fault(as, `${text} is not a pattern for names`, whole ? 'start it with a letter, like WANDB_*' : SEVERAL_LINES))
    return
  }
  const pattern = new RegExp(`^${plain.replaceAll('*', '\\w*')}$`)
  for (const [name, value] of Object.entries(surroundings.env)) {
    if (value === undefined || !VARIABLE.test(name) || !pattern.test(name)) continue
    if (!guarded.has(name) && !OF_THE_CALLER.test(name) && !holdsCredential(name)) matched.set(name, value)
  }
}
