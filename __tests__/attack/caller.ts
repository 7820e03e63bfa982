/** The process that runs a caller's commands one after the other: the program as it is released, and measured. */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { PATIENCE } from '../setup/patience.ts'
import type { Answer, Call } from './victim.ts'

/** No command here has to wait for anything, so one that takes this long hangs. */
const HANGS = 60_000 * PATIENCE

export async function startVictim(): Promise<Victim> {
  // Outside the attacked folder: any process that runs below that folder counts as a machine.
  const folder = mkdtempSync(join(tmpdir(), 'tpi-victim-'))
  return new Victim(folder, await bundled(folder))
}

/** In chunks that are loaded on demand, like the released program; the measurements must not include stripping types at run time. */
async function bundled(folder: string): Promise<string> {
  const banner = { js: "import { createRequire as __createRequire } from 'node:module'\nconst require = __createRequire(import.meta.url)" }
  const entryPoints = [join(import.meta.dirname, 'victim.ts')]
  const outExtension = { '.js': '.mjs' }
  await build({
    entryPoints,
    outdir: folder,
    outExtension,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    banner,
  })
  return join(folder, 'victim.mjs')
}

/** A separate process, so that its cost can be measured; it is replaced if it hangs or dies. */
export class Victim {
  readonly #folder: string
  readonly #program: string
  #child: ChildProcess | undefined

  constructor(folder: string, program: string) {
    this.#folder = folder
    this.#program = program
  }

  async call(call: Call): Promise<Answer> {
    const child = (this.#child ??= fork(this.#program, {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: { PATH: process.env['PATH'] ?? '', TPI_AGENT_BUNDLE: process.env['TPI_AGENT_BUNDLE'] ?? '' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }))
    return new Promise((resolve) => {
      const end = (answer: Answer): void => {
        clearTimeout(timer)
        child.removeAllListeners()
        resolve(answer)
      }
      const lost = (code: number, why: string): void => {
        this.#kill()
        end({ code, out: '', err: why, cpu: 0, memory: 0 })
      }
      const timer = setTimeout(() => lost(-1, 'it hangs'), HANGS)
      child.once('exit', () => lost(-2, 'it died')).once('message', (answer: Answer) => end(answer))
      child.send(call)
    })
  }

  end(): void {
    this.#kill()
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  #kill(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }
}
