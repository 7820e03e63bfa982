/** The processes of a home, seen from outside: by the system's process table, not by our own records. */
import { readdirSync, readFileSync } from 'node:fs'

export type Role = 'controller' | 'supervisor' | 'agent' | 'guard' | 'script' | 'other'

/** Each of them can end the machine alone. */
export const GUARDIANS: readonly Role[] = ['supervisor', 'agent', 'guard']

export interface Seen {
  readonly pid: number
  readonly role: Role
  /** It leads its session: the script itself, not something that it started. */
  readonly leads: boolean
  readonly command: string
}

/** Every living process whose command line or environment contains the folder. */
export function processesOf(folder: string): Seen[] {
  const found: Seen[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    const command = read(`/proc/${name}/cmdline`)
    const env = read(`/proc/${name}/environ`)
    if (!command.includes(folder) && !env.includes(folder)) continue
    const stat = read(`/proc/${name}/stat`)
    const [state = 'X', , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (/^[ZX]/.test(state)) continue
    found.push({
      pid: Number(name),
      role: roleOf(command.split('\0'), env),
      leads: session === name,
      command: command.replaceAll('\0', ' ').trim(),
    })
  }
  return found
}

function roleOf(argv: readonly string[], env: string): Role {
  if (/(^|\0)TPI_INDEX=/.test(env)) return 'script'
  if (argv.some((word) => word.endsWith('/cli.mjs'))) return 'controller'
  if (argv.includes('supervise')) return 'supervisor'
  if (argv.includes('guard')) return 'guard'
  if (argv.includes('run')) return 'agent'
  return 'other'
}

export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch {
    return false
  }
}

/** Repeats until no new process appears. */
export function killAll(look: () => Seen[]): void {
  for (let found = look(); found.length > 0; found = look()) for (const { pid } of found) signal(pid, 'SIGKILL')
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
