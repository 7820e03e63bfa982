/** Runs third-party programs: short ones to their end, servers until this process ends. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { PATIENCE } from '../setup/patience.ts'
import { answered } from '../setup/wait.ts'

const exec = promisify(execFile)
/** Part of util-linux, on every host that has namespaces. */
const KEEPER = 'setpriv'

/** Resolves to its output; rejects with the last lines of its error output. */
export async function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  try {
    return (await exec(program, args, { ...options, maxBuffer: 64 * 1024 * 1024 })).stdout
  } catch (error) {
    const { stderr = '', code = '' } = error as { stderr?: string; code?: string | number }
    if (code === 'ENOENT') throw new Error(`there is no program "${program}" here`, { cause: error })
    const said = stderr.trim().split('\n').slice(-4).join(' | ')
    throw new Error(`${program} ${args.slice(0, 4).join(' ')}: ${said || `ended with ${code}`}`, { cause: error })
  }
}

/** A server of the lab: ends at `stop`, and with this process, however that ends. */
export class Daemon {
  readonly name: string
  readonly log: string
  /** Resolves at its end. */
  readonly over: Promise<void>
  readonly #child: ChildProcess

  constructor(name: string, log: string, command: readonly string[], env: NodeJS.ProcessEnv = {}) {
    this.name = name
    this.log = log
    const output = openSync(log, 'a')
    // The kernel ends it when this process ends, even by SIGKILL.
    const args = ['--pdeathsig', 'KILL', ...command]
    this.#child = spawn(KEEPER, args, { env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', output, output], cwd: '/' })
    this.over = new Promise((resolve) => this.#child.once('exit', () => resolve()))
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error(`${this.name} did not start`)
    return this.#child.pid
  }

  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** The end of its log, for error messages. */
  tail(): string {
    return readFileSync(this.log, 'utf8').slice(-1500)
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.ended) return
    const end = once(this.#child, 'exit')
    this.#child.kill(signal)
    await end
  }
}

/** Asks until the answer is not `undefined`; an exception counts as no answer. */
export async function until<T>(
  what: string,
  seconds: number,
  ask: () => Promise<T | undefined>,
  daemons: readonly Daemon[] = [],
): Promise<T> {
  let problem = ''
  const question = async (): Promise<T | undefined> => {
    const dead = daemons.find((daemon) => daemon.ended)
    if (dead) throw new Error(`${dead.name} has ended: ${dead.tail()}`)
    try {
      return await ask()
    } catch (error) {
      problem = `: ${error instanceof Error ? error.message : String(error)}`
      return undefined
    }
  }
  const tails = (): string => daemons.map((daemon) => `\n${daemon.name}: ${daemon.tail()}`).join('')
  const complain = (): Error => new Error(`${what} took longer than ${seconds * PATIENCE} s${problem}${tails()}`)
  return answered(question, { limit: seconds * 1000, every: 100 }, complain)
}
