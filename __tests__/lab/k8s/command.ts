/** The command line on a cluster of the lab, as processes of their own. */
import { type ChildProcess, execFile } from 'node:child_process'
import { join } from 'node:path'

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
}

export class CommandLine {
  readonly #options: CommandOptions

  constructor(options: CommandOptions) {
    this.#options = options
  }

  start(...args: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
    const { kubeconfig, place, env } = this.#options
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
    let child: ChildProcess | undefined
    const ended = new Promise<Ended>((resolve) => {
      const options = { env: surroundings, cwd: place, maxBuffer: 16 * 1024 * 1024 }
      child = execFile(process.execPath, ['--input-type=module', '-e', program, '--', 'tpi', ...args], options, (error, out, err) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err })
      })
    })
    return { child: child!, ended }
  }

  async run(...args: readonly string[]): Promise<Ended> {
    return this.start(...args).ended
  }
}
