/** Commands of tpi in a home of their own, and the processes that they leave as machines. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause } from '../../src/lib/clock.ts'
import { identify, type ProcessId, signalProcess } from '../../src/lib/process.ts'
import { Begun, type Facts, type Ran } from './begun.ts'
import type { Settings } from './check.ts'

/** Variables of the caller that are kept; those of a surrounding workflow are not, or commands would act as its step. */
const KEPT = /^(PATH|HOME|USER|LOGNAME|LANG|TZ|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|TPI_.*)$/

/** A part of names that other checks do not have. */
export const newNonce = (): string => randomBytes(3).toString('hex')

export type Process = 'runner' | 'worker' | 'agent' | 'other'

export class Commands {
  readonly home: string
  /** The environment of each command. */
  readonly env: Readonly<Record<string, string>>
  readonly #settings: Settings
  readonly #begun = new Set<Begun>()

  /** `own`: variables for each command; `kept`: further variables of the caller that they get. */
  static async open(settings: Settings, own: Readonly<Record<string, string>>, kept?: RegExp): Promise<Commands> {
    return new Commands(await mkdtemp(join(tmpdir(), 'tpi-smoke-')), settings, own, kept)
  }

  private constructor(home: string, settings: Settings, own: Readonly<Record<string, string>>, also: RegExp | undefined) {
    const kept = Object.entries(settings.env).filter(([name]) => KEPT.test(name) || also?.test(name)) as [string, string][]
    this.home = home
    this.env = { ...Object.fromEntries(kept), TPI_HOME: home, ...own }
    this.#settings = settings
  }

  async run(words: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ran> {
    return this.begin(words, more).ended
  }

  /** In a separate session, so that the Ctrl-C that ends these checks does not end the commands that remove everything. */
  begin(words: readonly string[], more: Readonly<Record<string, string>> = {}): Begun {
    const [program = '', ...first] = this.#settings.tpi
    const env = { ...this.env, ...more }
    const begun = new Begun(
      spawn(program, [...first, ...words], { env, cwd: this.home, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }),
    )
    this.#begun.add(begun)
    return begun
  }

  /** Rejects with the error message if it fails. */
  async must(words: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const ran = await this.run(words, more)
    if (ran.code === 0) return ran
    throw new Error(
      `tpi ${words.slice(0, 2).join(' ')} ended with ${ran.code}: ${ran.facts.error ?? (ran.err.slice(-600) || ran.out.slice(-600))}`,
    )
  }

  async status(name: string): Promise<Facts> {
    return (await this.run(['status', name, '--json'])).facts
  }

  /** Living processes that these commands have started. */
  async processes(kind?: Process): Promise<readonly ProcessId[]> {
    const all = await Promise.all(
      (await readdir('/proc'))
        .filter((name) => /^\d+$/.test(name))
        .map(async (name) => ({ pid: Number(name), words: await wordsOf(name) })),
    )
    const ours = all.filter(({ pid, words }) => pid !== process.pid && words.some((word) => word.includes(this.home)))
    const wanted = ours.filter(({ words }) => kind === undefined || kindOf(words, this.home) === kind)
    return wanted.flatMap(({ pid }) => identify(pid) ?? [])
  }

  async signal(kind: Process | undefined, name: NodeJS.Signals): Promise<number> {
    const all = await this.processes(kind)
    for (const one of all) signalProcess(one, name)
    return all.length
  }

  /** Whether a machine's file contains this text. */
  async wrote(text: string): Promise<boolean> {
    const entries = await readdir(this.home, { recursive: true, withFileTypes: true }).catch(() => [])
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    const logs = files.filter((path) => !/\/(runner|cache)\//.test(path))
    const texts = await Promise.all(logs.map(async (path) => readFile(path, 'latin1').catch(() => '')))
    return texts.some((one) => one.includes(text))
  }

  /** Waits until the condition holds; resolves to the seconds that it took, or `undefined` if it did not hold in time. */
  async within(seconds: number, holds: () => Promise<boolean>): Promise<number | undefined> {
    return heldWithin(seconds, holds, this.#settings.signal)
  }

  /** The same for removals, which go on after Ctrl-C. */
  async inAnyCase(seconds: number, holds: () => Promise<boolean>): Promise<number | undefined> {
    return heldWithin(seconds, holds)
  }

  async rest(seconds: number): Promise<void> {
    await pause(seconds * 1000, this.#settings.signal)
  }

  async close(): Promise<void> {
    for (const begun of this.#begun) if (!begun.over) begun.kill()
    await this.signal(undefined, 'SIGKILL')
    await rm(this.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

async function heldWithin(seconds: number, holds: () => Promise<boolean>, signal?: AbortSignal): Promise<number | undefined> {
  const begun = performance.now()
  for (;;) {
    const good = await holds()
    const took = (performance.now() - begun) / 1000
    if (good) return Number(took.toFixed(1))
    if (took > seconds) return undefined
    await pause(took < 10 ? 250 : 2000, signal)
  }
}

/** The runner program is below the machine's home, and starts a process of another name for each job. */
function kindOf(words: readonly string[], home: string): Process {
  const program = words.slice(0, 2).find((word) => word.startsWith(home) && word.includes('/runner/'))
  const supervised = words.findIndex((word) => word.endsWith('/agent.mjs'))
  if (program === undefined) return supervised >= 0 && words[supervised + 1] === 'run' ? 'agent' : 'other'
  return program.endsWith('/Runner.Worker') ? 'worker' : 'runner'
}

async function wordsOf(pid: string): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')
  return text.split('\0')
}
