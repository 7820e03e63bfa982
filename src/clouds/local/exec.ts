/** A command beside the script: in its folder, with its environment, ended with its machine. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { InputError } from '../../core/errors.ts'
import { findMarked } from '../../lib/process.ts'
import type { GroupRecord, MachineFolder } from './folder.ts'

type Env = Record<string, string>

/** Resolves to the exit code; 127 when there is no such command, 128 + n after a signal. */
export async function execBeside(machine: MachineFolder, record: GroupRecord, argv: readonly string[]): Promise<number> {
  const [command, ...args] = argv
  if (command === undefined) throw new InputError('no command to run')
  const env = scriptEnvironment(machine) ?? { ...record.base, TPI_MACHINE: machine.name }
  const cwd = machine.path('work')
  // Elsewhere it would see, and change, what is no concern of the program's.
  if (!existsSync(cwd))
    throw new InputError(`machine ${machine.name} has no work directory yet: it is just coming up`, { hint: 'try again in a moment' })
  const child = spawn(command, args, { cwd, env, stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? resolve(127) : error.code === 'EACCES' ? resolve(126) : reject(error),
    )
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']))
  })
}

/** Of the first process that the agent gave a slot's environment to. Linux tells; elsewhere there is only the base. */
function scriptEnvironment(machine: MachineFolder): Env | undefined {
  for (const { pid } of findMarked('TPI_MACHINE', machine.name)) {
    const env = environmentOf(pid)
    if (env?.['TPI_INDEX'] !== undefined) return env
  }
  return undefined
}

function environmentOf(pid: number): Env | undefined {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return Object.fromEntries(
      entries.flatMap((entry) => (entry.includes('=') ? [[entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]] : [])),
    )
  } catch {
    // Gone meanwhile, or no such system.
    return undefined
  }
}
