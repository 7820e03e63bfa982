/** `tpi exec` on a machine that a cloud can enter (a process of this host, a pod): in its work directory, with its program's environment. */
import { type SpawnOptions, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { notStarted } from '../lib/not-started.ts'
import { exitCodeOf, findMarked } from '../lib/process.ts'
import { printable } from '../lib/text.ts'

export interface ExecFolder {
  /** Name of the machine, as its processes are marked with it. */
  readonly machine: string
  /** Its work directory, absolute. */
  readonly folder: string
  /** Used if no program is running, or the system does not show its environment. */
  readonly env: NodeJS.ProcessEnv
}

/** Ends of a command that reach only this process; Ctrl-C reaches all programs of the terminal. */
const PASSED_ON = ['SIGTERM', 'SIGHUP'] as const

/**
 * Resolves to the exit code: 127 if there is no such command, 126 if it cannot be run (standard error says why), 128 + n after a signal.
 * `undefined`: there is no work directory yet; in another folder, the command would see and change unrelated files.
 */
export async function runBeside({ machine, folder, env }: ExecFolder, argv: readonly [string, ...string[]]): Promise<number | undefined> {
  const [command, ...args] = argv
  if (!existsSync(folder)) return undefined
  try {
    return await ended(command, args, { cwd: folder, env: programEnvironment(machine) ?? env })
  } catch (error) {
    const { code, why } = notStarted(error as NodeJS.ErrnoException, { name: command, cwd: folder })
    process.stderr.write(`tpi: ${why}\n`)
    return code
  }
}

/** Resolves to the exit code of a command that has this terminal, or these pipes. Rejects if the system does not start it. */
async function ended(command: string, args: readonly string[], place: Pick<SpawnOptions, 'cwd' | 'env'>): Promise<number> {
  // It throws most of the system's errors, and reports the rest by an event.
  const child = spawn(command, args, { ...place, stdio: 'inherit' })
  let pass: (signal: NodeJS.Signals) => void = () => undefined
  return await new Promise<number>((resolve, reject) => {
    pass = (signal) => {
      if (child.kill(signal) || child.exitCode !== null || child.signalCode !== null) return
      process.stderr.write(`tpi: ${printable(command)}: this user cannot end it (it may be another user's, with sudo): it goes on\n`)
      resolve(exitCodeOf(null, signal))
    }
    for (const signal of PASSED_ON) process.on(signal, pass)
    // For one that runs, this says that a signal could not be passed on.
    child.on('error', (error) => void (child.pid === undefined && reject(error)))
    child.once('exit', (code, signal) => resolve(exitCodeOf(code, signal)))
  }).finally(() => {
    for (const signal of PASSED_ON) process.off(signal, pass)
  })
}

/** The environment of the machine's first process that has the variables of a slot. */
function programEnvironment(machine: string): NodeJS.ProcessEnv | undefined {
  for (const { pid } of findMarked('TPI_MACHINE', machine)) {
    const env = environmentOf(pid)
    if (env?.['TPI_INDEX'] !== undefined) return env
  }
  return undefined
}

function environmentOf(pid: number): NodeJS.ProcessEnv | undefined {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter((entry) => entry.includes('='))
    return Object.fromEntries(entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]))
  } catch {
    // The process has ended, or this system has no /proc.
    return undefined
  }
}
