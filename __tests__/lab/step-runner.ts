/**
 * Runs one step of a workflow as GitHub's runner does: inputs with their defaults; files for outputs, state and summary, which are read after the
 * process has ended, however it ended; lines taken as commands; cancellation by SIGINT, SIGTERM 7.5 s later and SIGKILL 2.5 s after that; and the
 * post step with the saved state.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { until } from '../setup/wait.ts'
import { readLines, type Shown } from './runner-commands.ts'
import { stepFiles } from './step-files.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** The built action: the committed one, or another build to try. */
export const DIST = process.env['TPI_TEST_DIST'] ?? join(ROOT, 'dist')

export interface StepOptions {
  /** A separate folder for its files. */
  readonly folder: string
  readonly inputs: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Another build of the action. */
  readonly dist?: string
}

export interface StepEnd extends Shown {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly text: string
  readonly outputs: Readonly<Record<string, string>>
  readonly state: Readonly<Record<string, string>>
  readonly summary: string
}

export interface RunningStep {
  readonly child: ChildProcess
  /** What it has printed so far. */
  text(): string
  readonly end: Promise<StepEnd>
  /** Resolves when the text has been printed; rejects if the step ends without it. */
  saw(pattern: RegExp): Promise<void>
  /** Cancels as the runner does, with its own times or shorter ones. */
  cancel(afterInt?: number, afterTerm?: number): Promise<StepEnd>
}

export function startStep(file: 'main' | 'post', options: StepOptions, state: Readonly<Record<string, string>> = {}): RunningStep {
  const folder = mkdtempSync(join(options.folder, `${file}-`))
  const paths = stepFiles(folder)
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: options.folder,
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: 'octo/repo',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_RUN_ID: '7',
    GITHUB_JOB: 'train',
    GITHUB_ACTION: 'fit',
    GITHUB_SHA: 'a'.repeat(40),
    GITHUB_REF: 'refs/heads/main',
    TPI_HOME: join(options.folder, 'home'),
    ...paths,
    ...inputsOf(options.inputs),
    ...Object.fromEntries(Object.entries(state).map(([name, value]) => [`STATE_${name}`, value])),
    ...options.env,
  }
  const child = spawn(process.execPath, [join(options.dist ?? DIST, `${file}.js`)], {
    env,
    cwd: options.cwd ?? options.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      for (const listener of listeners) listener()
    })
  const end = new Promise<StepEnd>((resolve) => {
    child.on('close', (code, signal) => {
      for (const listener of listeners) listener()
      const read = (name: keyof typeof paths): string => readFileSync(paths[name], 'utf8')
      const outputs = readPairs(read('GITHUB_OUTPUT'))
      resolve({
        ...readLines(text),
        code,
        signal,
        text,
        outputs,
        state: readPairs(read('GITHUB_STATE')),
        summary: read('GITHUB_STEP_SUMMARY'),
      })
    })
  })
  return {
    child,
    text: () => text,
    end,
    saw: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!pattern.test(text) && child.exitCode === null && child.signalCode === null) return
          listeners.delete(look)
          if (pattern.test(text)) resolve()
          else reject(new Error(`ended without ${String(pattern)}:\n${text}`))
        }
        listeners.add(look)
        look()
      }),
    async cancel(afterInt = 7500, afterTerm = 2500) {
      child.kill('SIGINT')
      const term = setTimeout(() => child.kill('SIGTERM'), afterInt)
      const kill = setTimeout(() => child.kill('SIGKILL'), afterInt + afterTerm)
      const ended = await end
      clearTimeout(term)
      clearTimeout(kill)
      return ended
    },
  }
}

interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
}

/** Every input of the action is set, and empty if not given. */
function inputsOf(given: Readonly<Record<string, string>>): Record<string, string> {
  const { inputs } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as ActionFile
  const defaults = Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [name, (input.default ?? '').replace(/\$\{\{.*\}\}/, name === 'matrix' ? 'null' : '')]),
  )
  return Object.fromEntries(
    Object.entries({ ...defaults, ...given }).map(([name, value]) => [`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`, value]),
  )
}

/** `name<<DELIMITER` … `DELIMITER`, and `name=value`. */
function readPairs(text: string): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const [, name = '', , value = ''] of text.matchAll(/^([^\n=<]+)<<([^\n]+)\n([\s\S]*?)\n?^\2$/gm)) pairs[name] = value
  return pairs
}

/** Waits until a detached run has succeeded, as another command of the same user sees it. */
export async function succeeded(home: string, run: string): Promise<void> {
  const env = { PATH: process.env['PATH'], HOME: home, TPI_HOME: home }
  await until(`${run} has succeeded`, () => {
    const words = [join(DIST, 'cli.js'), 'status', run, '--json']
    return JSON.parse(spawnSync(process.execPath, words, { env, encoding: 'utf8' }).stdout).state === 'succeeded'
  })
}
