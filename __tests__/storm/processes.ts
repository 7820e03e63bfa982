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

/** Those that were seen before, by folder and by pid and start time. */
const before = new Map<string, Map<string, Seen>>()

/**
 * Every living process whose command line or environment contains the folder. One that was killed shows neither while the system takes it down, but
 * is alive until it is a zombie: it is known from an earlier look. One that is just becoming another program shows neither for a moment: it is known
 * by its parent.
 */
export function processesOf(folder: string): Seen[] {
  const known = before.get(folder) ?? new Map<string, Seen>()
  const found = new Map<string, Seen>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    const command = read(`/proc/${name}/cmdline`)
    const env = read(`/proc/${name}/environ`)
    const isFound = command.includes(folder) || env.includes(folder)
    if (!isFound && env !== '') continue
    const stat = read(`/proc/${name}/stat`)
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state = 'X', parent, , session] = fields
    if (/^(?:[ZX]|$)/.test(state)) continue
    const id = `${name} ${fields[STARTED]}`
    const isChild = (): boolean => [...known.values(), ...found.values()].some(({ pid }) => pid === Number(parent))
    const seen = {
      pid: Number(name),
      role: roleOf(command.split('\0'), env),
      leads: session === name,
      command: command.replaceAll('\0', ' ').trim(),
    }
    const one = isFound ? seen : (known.get(id) ?? (isChild() ? seen : undefined))
    if (one) found.set(id, one)
  }
  before.set(folder, found)
  return [...found.values()]
}

/** Index of the start time in proc_pid_stat(5), counted from the state. */
const STARTED = 19

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
