/** The command line on a cluster of the lab, as processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { until } from '../shell.ts'

const ENTRY = join(import.meta.dirname, '../../../src/entry.ts')

export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface CommandOptions {
  readonly kubeconfig: string | undefined
  /** Home and working directory. */
  readonly place: string
  readonly env?: Readonly<Record<string, string>>
  /** Program to run instead of the sources: quicker to start. */
  readonly cli?: string
}

export class CommandLine {
  readonly #options: CommandOptions

  constructor(options: CommandOptions) {
    this.#options = options
  }

  /** The same with other variables. */
  with(env: Readonly<Record<string, string>>): CommandLine {
    return new CommandLine({ ...this.#options, env: { ...this.#options.env, ...env } })
  }

  /** The same by another program. */
  by(cli: string): CommandLine {
    return new CommandLine({ ...this.#options, cli })
  }

  start(...args: readonly string[]): Started {
    const { kubeconfig, place, env, cli } = this.#options
    const program = `await (await import(${JSON.stringify(ENTRY)})).runCli()`
    const surroundings = {
      PATH: process.env['PATH'],
      HOME: place,
      TPI_HOME: join(place, 'home'),
      TPI_AGENT_BUNDLE: process.env['TPI_AGENT_BUNDLE'],
      TPI_RUNTIME_IMAGE: 'lab.test/tpi-runtime:1',
      KUBECONFIG: kubeconfig,
      ...env,
    }
    const words = cli === undefined ? ['--input-type=module', '-e', program, '--', 'tpi', ...args] : [cli, ...args]
    const child = spawn(process.execPath, words, { env: surroundings, cwd: place, stdio: ['ignore', 'pipe', 'pipe'] })
    const began = performance.now()
    const said = { out: '', err: '' }
    const pieces: { readonly at: number; readonly out: number; readonly err: number }[] = []
    for (const stream of ['out', 'err'] as const)
      child[`std${stream}`].setEncoding('utf8').on('data', (text: string) => {
        said[stream] += text
        pieces.push({ at: performance.now(), out: said.out.length, err: said.err.length })
      })
    const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code: code ?? -1, ...said })))
    return {
      child,
      began,
      ended,
      saidAt: (words) => pieces.find(({ out, err }) => words.test(said.out.slice(0, out)) || words.test(said.err.slice(0, err)))?.at,
      kill: (signal) => child.kill(signal),
      async says(words, seconds) {
        await until(`the command to say ${String(words)}`, seconds, async () => {
          if (words.test(said.out) || words.test(said.err)) return true
          if (child.exitCode !== null) throw new Error(`it has ended: ${said.out}${said.err}`)
          return undefined
        })
      },
    }
  }

  async run(...args: readonly string[]): Promise<Ended> {
    return this.start(...args).ended
  }
}

/** A command that runs. */
export interface Started {
  readonly child: ChildProcess
  /** On this process' own clock, in milliseconds. */
  readonly began: number
  readonly ended: Promise<Ended>
  kill(signal: NodeJS.Signals): void
  /** When it first said so, on either stream and on that clock. */
  saidAt(words: RegExp): number | undefined
  /** Resolves when it has said so, on either stream. */
  says(words: RegExp, seconds: number): Promise<void>
}
