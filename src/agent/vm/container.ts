/**
 * `container`: programs of the user run inside a container on the machine. It shares only folders, network and shared memory with the
 * machine. Its processes have the mark by which the guard finds and kills them, so that needs no engine.
 */
import { retry } from '../../lib/backoff.ts'
import { run } from '../../lib/run.ts'
import { succeeds } from '../../lib/settle-all.ts'
import { messageOf } from '../../lib/text.ts'
import type { Program } from '../../wire/program.ts'
import { scriptFiles } from '../attempt/environment.ts'
import type { MachineFolders, MachineIdentity } from '../machine-context.ts'
import { type ContainerEngine, engineHere } from './container-engine.ts'
import { withLogin } from './registry-login.ts'
import type { Invocation } from './script-user.ts'

/** Tries to pull an image, and the pauses between them in milliseconds: a registry or a new network may fail for a while. */
const PULLS = { tries: 3, first: 5000, longest: 10_000 }
/** Bytes that an engine may print. */
const MOST = 1 << 20

export interface ContainerParams {
  readonly image: string
  readonly machine: string
  readonly folders: MachineFolders
  /** Folders of the machine that the container also has, at the same paths. */
  readonly mounts: readonly string[]
  /** Its user can become root. */
  readonly sudo: boolean
  readonly say: (line: string) => void
  readonly login: MachineIdentity['login']
}

/** Variables that engines read themselves. These are passed to the container by value, all others only by name. */
const ENGINES_OWN =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|LD_\w+|GO\w+|DOCKER_(?:HOST|CONFIG|CONTEXT|TLS\w*|CERT_PATH|API_VERSION|CONTENT_TRUST\w*|DEFAULT_PLATFORM|CLI_\w+)|CONTAINERS?_\w+|STORAGE_\w+|REGISTRY_AUTH_FILE|XDG_\w+|NOTIFY_SOCKET|LISTEN_\w+|DBUS_\w+|SSL_CERT_\w+|(?:HTTPS?|NO|ALL)_PROXY|TPI_MACHINE)$/i

/** A program that is started inside. */
export interface Inside {
  readonly name: 'setup' | 'script'
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

export class Container {
  readonly #engine: ContainerEngine
  readonly #params: ContainerParams
  /** `uid:gid` of the image's user, who must own the program's files; `undefined`: it is root, who may use any file. */
  readonly owner: string | undefined
  #image: string
  #running = ''

  private constructor(engine: ContainerEngine, params: ContainerParams, owner: string | undefined) {
    this.#engine = engine
    this.#params = params
    this.#image = params.image
    this.owner = owner
  }

  /** Fetches the image. Throws an Error for people. */
  static async open(params: ContainerParams, halt: AbortSignal): Promise<Container> {
    const engine = await engineHere()
    if (engine.lacking !== undefined) params.say(engine.lacking)
    await fetched(engine, params, halt)
    return new Container(engine, params, await ownerOf(engine, params.image, halt))
  }

  /** The program's words inside. A script runs with an interpreter of the image, not of the machine. `file`: the script's text. */
  argvOf(program: Program, file: string): readonly string[] {
    if ('argv' in program) return program.argv
    if (program.script.startsWith('#!')) return [file]
    return ['/bin/sh', '-c', CHOOSE, file]
  }

  /** The engine's command that runs the program. Removes containers that earlier programs have left. */
  async invocation(inside: Inside): Promise<Invocation> {
    await this.#remove(this.#running)
    this.#running = `tpi-${this.#params.machine.replace(/[^\w.-]/g, '-')}-${inside.name}`
    await this.#remove(this.#running)
    return invocationOf(inside, { ...this.#params, engine: this.#engine, image: this.#image, container: this.#running })
  }

  /** The engine's command that runs another one beside the program. `mark`: the variable by which its processes are known. */
  beside(argv: readonly string[], cwd: string, mark: string): Invocation {
    return { argv: [this.#engine.name, 'exec', `--env=${mark}`, `--workdir=${cwd}`, this.#running, ...argv], env: clientEnvironment() }
  }

  /** Call it after set-up: the next program starts from the image as set-up has changed it. */
  async keepSetUp(): Promise<void> {
    const kept = `localhost/${this.#running}:kept`
    await command(this.#engine, ['commit', this.#running, kept])
    this.#image = kept
  }

  async #remove(name: string): Promise<void> {
    if (name !== '') await command(this.#engine, ['rm', '--force', '--volumes', name]).catch(() => undefined)
  }
}

interface Enclosure extends Pick<ContainerParams, 'image' | 'folders' | 'mounts' | 'sudo'> {
  readonly engine: ContainerEngine
  /** The name of the container. */
  readonly container: string
}

export function invocationOf({ name, argv, env, cwd }: Inside, { engine, image, folders, mounts, sudo, container }: Enclosure): Invocation {
  const [entry = '', ...rest] = argv
  const passed = passing(env)
  const { output, summary } = scriptFiles(folders.run)
  const options = [
    `--name=${container}`,
    // The container of set-up stays, because its changes are to be kept (`keepSetUp`).
    ...(name === 'script' ? ['--rm'] : []),
    // A first process that passes signals on and reaps orphans. A program that is the first process gets no signal that it does not handle.
    '--init',
    '--env=TINI_KILL_PROCESS_GROUP=1',
    '--network=host',
    '--ipc=host',
    `--cgroup-parent=${engine.slice}`,
    // The output may contain secrets, and the agent has it anyway.
    '--log-driver=none',
    '--security-opt=label=disable',
    ...(sudo ? [] : CONFINED),
    // The agent, which is root, writes and reads in that folder: a link that the container's root put there could lead it anywhere.
    `${bind(folders.run)},readonly`,
    ...[output, summary, folders.work, folders.tmp, ...mounts].map(bind),
    `--workdir=${cwd}`,
    ...engine.gpus,
    ...passed.options,
    `--entrypoint=${entry}`,
  ]
  return { env: passed.env, argv: [engine.name, 'run', ...options, image, ...rest] }
}

const bind = (path: string): string => `--mount=type=bind,source=${path},target=${path}`

/**
 * Keeps root of a container from becoming root of the machine, and from sending raw packets, which pass the firewall and could reach the
 * metadata service. Docker grants both rights by default, podman neither.
 * https://docs.docker.com/engine/containers/run/#runtime-privilege-and-linux-capabilities
 */
const CONFINED = ['--security-opt=no-new-privileges', '--cap-drop=NET_RAW', '--cap-drop=MKNOD']

/** Whether a variable is passed by value, and so can be read on the engine's command line: a secret must not have such a name. */
export const isEnginesOwn = (name: string): boolean => ENGINES_OWN.test(name)

/** Runs a script with bash if the image has it, as on a machine; otherwise with sh, and a warning in the script's output. */
const CHOOSE = `if command -v bash >/dev/null 2>&1; then exec bash -e -o pipefail "$0"; fi
echo 'tpi: bash was not found in the container: the script runs with sh -e, which does not notice a failing command inside a pipe' >&2
exec sh -e "$0"`

/** How variables are passed: not on the command line, which other processes can read, except those that the engine itself would use. */
function passing(env: Readonly<Record<string, string>>): { readonly options: readonly string[]; readonly env: Record<string, string> } {
  const names = Object.keys(env)
  const own = names.filter((name) => ENGINES_OWN.test(name))
  const others = names.filter((name) => !ENGINES_OWN.test(name))
  return {
    options: [...own.map((name) => `--env=${name}=${env[name] ?? ''}`), ...others.map((name) => `--env=${name}`)],
    env: { ...clientEnvironment(), ...Object.fromEntries(others.map((name) => [name, env[name] ?? ''])) },
  }
}

const clientEnvironment = (): Record<string, string> => ({ PATH: process.env['PATH'] ?? '', HOME: '/root' })

async function command(
  { name }: ContainerEngine,
  argv: readonly string[],
  signal?: AbortSignal,
  more: Invocation['env'] = {},
): Promise<string> {
  try {
    return (await run(name, argv, { env: { ...clientEnvironment(), ...more }, maxBuffer: MOST, ...(signal && { signal }) })).stdout.trim()
  } catch (error) {
    signal?.throwIfAborted()
    const { stderr = '' } = error as { readonly stderr?: string }
    throw new Error(stderr.trim().split('\n').at(-1) || messageOf(error), { cause: error })
  }
}

/** Pulls the image. If that fails, a copy that the machine already has will do. */
async function fetched(engine: ContainerEngine, { image, login, say }: ContainerParams, halt: AbortSignal): Promise<void> {
  say(`container: ${engine.name} fetches ${image}`)
  const pull = async (): Promise<void> => {
    try {
      await withLogin(image, login, async (env) => command(engine, ['pull', '--quiet', image], halt, env))
    } catch (error) {
      halt.throwIfAborted()
      const isThere = await succeeds(command(engine, ['image', 'inspect', '--format', '{{.Id}}', image]))
      if (!isThere) throw error
      say(`container: using the copy of ${image} that the machine already has (${messageOf(error)})`)
    }
  }
  await retry(pull, { ...PULLS, again: () => true, signal: halt }).catch((error: unknown) => {
    halt.throwIfAborted()
    throw new Error(`${image} could not be fetched: ${messageOf(error)}`, { cause: error })
  })
}

/** See `Container.owner`. The image itself is asked, because it may name a user that only it has. */
async function ownerOf(engine: ContainerEngine, image: string, halt: AbortSignal): Promise<string | undefined> {
  const user = await command(engine, ['image', 'inspect', '--format', '{{.Config.User}}', image], halt)
  if (/^(?:root|0)?(?::|$)/.test(user)) return undefined
  const asked = ['run', '--rm', '--network=none', '--log-driver=none', '--entrypoint=/bin/sh', image, '-c', 'echo "$(id -u):$(id -g)"']
  const owner = await command(engine, asked, halt)
  if (!/^\d+:\d+$/.test(owner)) throw new Error(`${image} does not say who its user "${user}" is`)
  return owner === '0:0' ? undefined : owner
}
