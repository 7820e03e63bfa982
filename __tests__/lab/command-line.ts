/** Runs commands as separate processes, which can be killed at any moment. */
import { type ChildProcess, spawn } from 'node:child_process'
import { commonCli } from '../storm/program.ts'
import { until } from './shell.ts'

export interface Ended {
  /** -1 if it was killed. */
  readonly code: number
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

export interface CommandOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Replaces the program that all tests share. */
  readonly cli?: string
}

export class CommandLine {
  readonly #options: CommandOptions

  constructor(options: CommandOptions) {
    this.#options = options
  }

  /** The same command line with additional variables. */
  with(env: Readonly<Record<string, string>>): CommandLine {
    return new CommandLine({ ...this.#options, env: { ...this.#options.env, ...env } })
  }

  /** The same command line with another program. */
  by(cli: string): CommandLine {
    return new CommandLine({ ...this.#options, cli })
  }

  start(...args: readonly string[]): Started {
    const { cwd, env, cli = commonCli() } = this.#options
    const { PATH, TPI_AGENT_BUNDLE } = process.env
    const child = spawn(process.execPath, [cli, ...args], {
      env: { PATH, TPI_AGENT_BUNDLE, ...env },
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const began = performance.now()
    const said = { out: '', err: '' }
    const pieces: { readonly at: number; readonly out: number; readonly err: number }[] = []
    for (const stream of ['out', 'err'] as const)
      child[`std${stream}`].setEncoding('utf8').on('data', (text: string) => {
        said[stream] += text
        pieces.push({ at: performance.now(), out: said.out.length, err: said.err.length })
      })
    const ended = new Promise<Ended>((resolve) =>
      child.once('close', (code, signal: NodeJS.Signals | null) => resolve({ code: code ?? -1, signal, ...said })),
    )
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

/** A running command. */
export interface Started {
  readonly child: ChildProcess
  /** In milliseconds, on this process' own clock. */
  readonly began: number
  readonly ended: Promise<Ended>
  kill(signal: NodeJS.Signals): void
  /** When the text first appeared, on either stream, by that clock. */
  saidAt(words: RegExp): number | undefined
  /** Resolves when it has said so, on either stream. */
  says(words: RegExp, seconds: number): Promise<void>
}
