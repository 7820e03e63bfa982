/** A caller with secrets and two finished runs: one that all lies are about, and a neighbour. */
import { cpSync, linkSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { openStore } from '../../src/stores/registry.ts'
import { type Layout, layout } from '../../src/wire/layout.ts'
import type { Store } from '../../src/wire/store.ts'
import { type ResultsDouble, resultsDouble } from '../lab/results-service.ts'
import { unzip } from '../lab/unzip.ts'
import { inputs } from '../options/world.ts'
import { scratch } from '../setup/scratch.ts'
import { until } from '../setup/wait.ts'
import { killAll, processesOf } from '../storm/processes.ts'
import { startVictim } from './caller.ts'
import type { Far } from './far.ts'
import { astray, CANARY, changes, costly, fingerprints, forgedValues, leaks, misspoken, type Places } from './oracle.ts'
import type { Answer } from './victim.ts'

export const NAME = 'prey'
export const NEIGHBOUR = 'neighbour'

export interface Prey extends Places {
  /** Writes an object into the store. */
  write(key: string, bytes: Uint8Array): Promise<void>
  /** This incarnation's folder in the store. */
  readonly folder: string
  readonly keys: Layout
  /** Replaces a record by what `make` returns for it: text or bytes. */
  forge(key: string, make: (record: Record<string, unknown>) => unknown): Promise<void>
  /** Restores everything, tells the lie, and runs each command. `out`: where results may be written, if not in the usual folder. */
  attack(lie: () => unknown, commands: readonly Command[], out?: string): Promise<string[]>
  /** Makes this computer forget that it started and fetched runs. */
  forget(): void
  end(): Promise<void>
}

type Play = (lie: () => unknown, commands: readonly Command[], out: string) => Promise<Readonly<Record<'breaches' | 'costs', string[]>>>

interface InJob {
  readonly job: readonly string[]
}
/** Arguments of a command line, the same in a GitLab job, or the inputs of a workflow step. */
export type Command = readonly string[] | InJob | Readonly<Record<string, string>>
const isInJob = (command: Command): command is InJob => 'job' in command && typeof command.job !== 'string'
const wordsOf = (command: Command): readonly string[] | undefined =>
  Array.isArray(command) ? (command as readonly string[]) : isInJob(command) ? command.job : undefined

/** `far`: the store of the deployments, if not in the caller's own folder. */
export async function prey(words: readonly string[], far?: Far): Promise<Prey> {
  const root = scratch('tpi-attack-')
  const [home, work, template] = [join(root, 'me/.tpi'), join(root, 'work'), join(root, 'template')]
  fillHomes(root)
  const service = await resultsDouble()
  const env = environment(root, service, far?.env)
  const victim = await startVictim()
  const call = (command: Command): Promise<Answer> => {
    const argv = wordsOf(command)
    return victim.call(
      argv
        ? { argv, env: isInJob(command) ? env.job : env.command, cwd: work, terminal: argv.includes('list') }
        : { env: { ...env.step, ...inputs(command as Readonly<Record<string, string>>) }, cwd: work, terminal: false },
    )
  }
  const start = [...STARTED, ...(far?.words ?? [])]
  await startAll(call, { [NEIGHBOUR]: [...start, '--output', 'r', '--script', 'echo 1 > r'], [NAME]: [...start, ...words] })
  await until('their machines have left', () => processesOf(root).length === 0)
  copyHome(home, template)
  const reset = await far?.keep()
  const [id = '', incarnation = ''] = far ? farAway(far) : inFolder(join(home, 'store'))
  // Opened again each time, because each attack restores the folder.
  const open = (): Promise<Store> => openStore({ url: `dir://${join(home, 'store')}` })
  const step = { output: join(root, 'step/output'), summary: join(root, 'step/step_summary') }
  const places: Places = { root, home, id, out: join(work, 'out'), outputs: join(work, 'outputs.env'), step }
  const restore = (): void => {
    for (const name of ['me', 'work', 'victim', 'step']) rmSync(join(root, name), { recursive: true, force: true })
    fillHomes(root)
    copyHome(template, home)
    reset?.()
    service.artifacts.clear()
  }
  const play: Play = async (lie, commands, out) => {
    const here = { ...places, out }
    restore()
    await lie()
    const before = fingerprints(here)
    const [breaches, costs]: [string[], string[]] = [[], []]
    for (const command of commands) {
      const answer = await call(command)
      const [label, isStep] = [labelOf(command), wordsOf(command) === undefined]
      breaches.push(...misspoken(answer, isStep).map((what) => `${label} ${what}`))
      costs.push(...costly(answer, isStep).map((what) => `${label} ${what}`))
      // Whatever a lie says about the run, `--discard` must remove it.
      if (label.endsWith('--discard') && answer.code !== 0) breaches.push(`${label} ended with ${answer.code}: ${answer.err}`)
    }
    // A command that believed the lie may have started a machine.
    killAll(() => processesOf(root))
    // Checked only once, at the end: no later command undoes a breach.
    const artifacts = new Map([...service.artifacts.values()].flatMap(({ bytes }) => [...unzip(bytes)]))
    const found = [...changes(before, fingerprints(here)), ...astray(here), ...leaks(here, artifacts), ...forgedValues(here)]
    return { breaches: [...new Set([...breaches, ...found.map((what) => `after ${commands.map(labelOf).join(', ')}: ${what}`)])], costs }
  }
  return {
    ...places,
    async write(key, bytes) {
      const store = await open()
      await store.write(key, bytes)
    },
    folder: join(home, 'store', id, incarnation),
    keys: layout(id, incarnation),
    async forge(key, make) {
      const store = await open()
      const there = await store.read(key)
      const made = make(recordIn(there?.bytes))
      await store.write(key, Buffer.from(typeof made === 'string' || made instanceof Uint8Array ? made : JSON.stringify(made)))
    },
    forget: () => ['started', 'delivered', 'history'].forEach((name) => rmSync(join(home, name), { recursive: true, force: true })),
    async attack(lie, commands, out = join(work, 'out')) {
      const { breaches, costs } = await play(lie, commands, out)
      // Other processes of the host affect caches and garbage collection. Only a cost that appears twice is due to the lie.
      return costs.length === 0 ? breaches : [...breaches, ...(await play(lie, commands, out)).costs]
    },
    async end() {
      victim.end()
      await service.close()
      rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

/** Files of this many bytes are not records. */
const LARGE = 64 << 10
const STARTED = ['--detach', '--workdir', 'none', '--output-dir', 'out']
const labelOf = (command: Command): string => wordsOf(command)?.join(' ') ?? JSON.stringify(command)

/** Id and incarnation. */
function inFolder(store: string): readonly (string | undefined)[] {
  const [id = ''] = readdirSync(store).filter((name) => name.startsWith(`tpi-${NAME}-`))
  return [id, readdirSync(join(store, id)).find((name) => !name.startsWith('current.json'))]
}

function farAway(far: Far): readonly (string | undefined)[] {
  const key = far.keys().find((one) => one.startsWith(`tpi-${NAME}-`) && one.endsWith('/spec.json'))
  return key?.split('/') ?? []
}

/** Log segments and samples are not records. */
function recordIn(bytes: Uint8Array = Buffer.from('{}')): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, unknown>
  } catch {
    return {}
  }
}

function fillHomes(root: string): void {
  const files = {
    'me/.ssh/id_rsa': `-----BEGIN ${CANARY}-----\nx\n`,
    'me/.aws/credentials': `[default]\naws_secret_access_key = ${CANARY}\n`,
    'me/.bashrc': 'true\n',
    'work/.git/config': `[http]\n\textraheader = ${CANARY}\n`,
    'work/.git/HEAD': 'ref: refs/heads/main\n',
    'work/.git/hooks/README': 'none\n',
    'work/.github/workflows/ci.yml': 'on: push\n',
    'work/.env': `TOKEN=${CANARY}\n`,
    'work/main.py': 'print()\n',
    'victim/file': 'of somebody else\n',
    'step/output': '',
    'step/state': '',
    'step/step_summary': '',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

function environment(root: string, service: ResultsDouble, far: Readonly<Record<string, string>> = {}) {
  const command = {
    ...far,
    PATH: process.env['PATH'] ?? '',
    HOME: join(root, 'me'),
    TPI_HOME: join(root, 'me/.tpi'),
    TPI_LEASE_BEAT: '500ms',
    TPI_LEASE_TTL: '2s',
    TPI_RESERVE: '5s',
    TPI_STORE_GRACE: '5s',
    MY_TOKEN: CANARY,
    CI_JOB_TOKEN: CANARY,
    GITHUB_TOKEN: CANARY,
  }
  const results = service.env()
  const step = {
    ...command,
    ...results,
    ...Object.fromEntries(['OUTPUT', 'STATE', 'STEP_SUMMARY'].map((name) => [`GITHUB_${name}`, join(root, 'step', name.toLowerCase())])),
    ACTIONS_RUNTIME_TOKEN: `${results['ACTIONS_RUNTIME_TOKEN']}.${CANARY}`,
    'INPUT_GITHUB-TOKEN': CANARY,
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: 'octo/hello',
    GITHUB_RUN_ID: '77',
    GITHUB_JOB: 'start',
    GITHUB_ACTION: 'step',
    GITHUB_WORKSPACE: join(root, 'work'),
  }
  const job = {
    ...command,
    CI: 'true',
    GITLAB_CI: 'true',
    CI_SERVER_URL: 'http://127.0.0.1:9',
    CI_PROJECT_PATH: 'group/project',
    CI_PROJECT_DIR: join(root, 'work'),
    CI_PIPELINE_ID: '5',
    CI_JOB_ID: '6',
    CI_JOB_NAME: 'train',
  }
  return { command, step, job }
}

async function startAll(
  call: (words: readonly string[]) => Promise<Answer>,
  runs: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  for (const [name, words] of Object.entries(runs)) {
    const ran = await call(['task', '--name', name, ...words])
    if (ran.code !== 0) throw new Error(`${name} was not started: ${ran.err}`)
  }
  await until('all have ended', async () => !(await call(['list', '--json'])).out.includes('"outcome": "running"'))
}

/** Programs and packs are linked, not copied: nothing writes to an object that never changes. */
function copyHome(from: string, to: string): void {
  const programs: string[] = []
  const filter = (source: string): boolean => {
    const there = lstatSync(source)
    const lasting = there.isFile() && there.size > LARGE
    if (lasting) programs.push(source)
    return !lasting
  }
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter })
  for (const path of programs) linkSync(path, join(to, relative(from, path)))
}
