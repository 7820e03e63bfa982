/** A home in which commands run as processes that may be killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { TEMP_PREFIX } from '../../src/stores/dir/names.ts'
import { below } from '../setup/below.ts'
import { PATIENCE } from '../setup/patience.ts'
import { killAll, processesOf, type Seen } from './processes.ts'
import type { Program } from './program.ts'

export interface Ended {
  readonly code: number | string
  readonly out: string
  readonly err: string
  // biome-ignore lint/suspicious/noExplicitAny: facts are read by the rounds that know them
  readonly facts: any
}

export interface Command {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
}

/** Seconds or less in place of minutes, so that a round is short. */
const FAST = {
  TPI_LEASE_BEAT: '300ms',
  TPI_LEASE_TTL: '2s',
  TPI_RESERVE: '4s',
  TPI_STORE_GRACE: '30s',
  TPI_LOCAL_NOTICE: '2s',
  TPI_LOCAL_TERM: '500ms',
  TPI_LOCAL_SILENCE: '5s',
}
/** `store/<id>/%new-…`: above every incarnation. */
function isHalf(name: string): boolean {
  return /^store\/[^/]+\/[^/]+$/.test(name) && basename(name).startsWith(TEMP_PREFIX)
}

/** Milliseconds that a command of a round may take at most. */
const HANGS = 90_000 * PATIENCE

export class House {
  readonly root: string
  readonly home: string
  readonly work: string
  /** What was done and seen, for debugging a failed round. */
  readonly diary: string[] = []
  readonly #program: Program
  readonly #env: Readonly<Record<string, string>>
  readonly #begun = performance.now()

  private constructor(root: string, program: Program, env: Readonly<Record<string, string>>) {
    this.root = root
    this.home = join(root, 'home')
    this.work = join(root, 'work')
    this.#program = program
    this.#env = env
  }

  static async build(program: Program, name: string, env: Readonly<Record<string, string>> = {}): Promise<House> {
    const house = new House(await mkdtemp(join(tmpdir(), `tpi-storm-${name}-`)), program, env)
    await mkdir(house.home)
    await mkdir(house.work)
    return house
  }

  note(line: string): void {
    this.diary.push(`${((performance.now() - this.#begun) / 1000).toFixed(2).padStart(7)} ${line}`)
  }

  start(words: readonly string[], env: Readonly<Record<string, string>> = {}): Command {
    const base = { PATH: process.env['PATH'] ?? '', HOME: this.root, TPI_HOME: this.home, TPI_AGENT_BUNDLE: this.#program.agent, ...FAST }
    const child = spawn(process.execPath, [this.#program.cli, ...words], {
      cwd: this.work,
      env: { ...base, ...this.#env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.note(`tpi ${words.join(' ').slice(0, 60)} (${child.pid})`)
    return { child, ended: this.#follow(child, words) }
  }

  /** Runs a command to its end. */
  async tpi(...words: readonly string[]): Promise<Ended> {
    return this.start(words).ended
  }

  #follow(child: ChildProcess, words: readonly string[]): Promise<Ended> {
    const heard = { out: '', err: '' }
    child.stdout?.on('data', (chunk: Buffer) => (heard.out += chunk.toString()))
    child.stderr?.on('data', (chunk: Buffer) => (heard.err += chunk.toString()))
    const limit = setTimeout(() => {
      this.note(`tpi ${words[0]} does not end`)
      child.kill('SIGKILL')
    }, HANGS)
    return new Promise((resolve) =>
      child.once('close', (code, signal) => {
        clearTimeout(limit)
        this.note(`tpi ${words[0]} (${child.pid}) ended: ${code ?? signal}; ${lastWords(heard.err)}`)
        resolve({ code: code ?? signal ?? '?', ...heard, facts: parse(heard.out) })
      }),
    )
  }

  async write(path: string, text: string): Promise<void> {
    await mkdir(join(this.work, path, '..'), { recursive: true })
    await writeFile(join(this.work, path), text)
  }

  processes(): Seen[] {
    return processesOf(this.root)
  }

  /** Paths below the home, without history, caches and empty roots. */
  async remains(): Promise<string[]> {
    const names = (await below(this.home)).map((entry) => relative(this.home, join(entry.parentPath, entry.name)))
    const things = names.filter(
      (name) => !/^(store|local|names)$/.test(name) && !/^(history|delivered|started|cache)(\/|$)/.test(name) && !isHalf(name),
    )
    // A writer that is killed at the first record of a deployment leaves a folder that is empty or has half a file; the next deployment of that name
    // uses it.
    return things.filter((name) => !/^store\/[^/]+$/.test(name) || things.some((other) => other.startsWith(`${name}/`)))
  }

  /** Ends everything that still runs here. */
  clear(): void {
    killAll(() => this.processes())
  }

  /** `keep`: the folder stays, for debugging. */
  async leave(keep: boolean): Promise<void> {
    if (keep) await writeFile(join(this.root, 'diary.txt'), `${this.diary.join('\n')}\n`)
    else await rm(this.root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const nap = async (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Polls until the condition holds; `false` after the limit (milliseconds on a calm machine). */
export async function comesTrue(check: () => boolean | Promise<boolean>, limit: number): Promise<boolean> {
  for (const end = performance.now() + limit * PATIENCE; performance.now() < end; await nap(50)) if (await check()) return true
  return await check()
}

/** The lines that name the cause, and the last two, shortened. */
function lastWords(text: string): string {
  const lines = text.trim().split('\n')
  const why = lines.filter((line) => /error|bug/.test(line))
  return [...why, ...lines.slice(-2)].join(' | ').slice(0, 500)
}
