/** Processes of this host, identified by pid and start time: a pid alone may have been reused. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readlinkSync } from 'node:fs'
import { constants } from 'node:os'
import { bootId, bootNow, pause } from './clock.ts'
import { hasCode } from './error-code.ts'
import { readSystemFile } from './files.ts'

export interface ProcessId {
  readonly pid: number
  /** Opaque; never equal for two processes with the same pid, even across reboots. */
  readonly start: string
}

interface Entry {
  readonly pid: number
  readonly parent: number
  /** Session (Linux) or process group (macOS). */
  readonly session: number
  readonly state: string
  readonly start: string
  /** Whether it was started with the mark that was looked for. */
  readonly marked: boolean
}

const linux = process.platform === 'linux'

/** The process that has this pid now; `undefined` if there is none, or only a zombie. */
export function identify(pid: number): ProcessId | undefined {
  if (pid <= 0) return undefined
  const entry = entryOf(pid)
  return entry !== undefined && lives(entry) ? { pid, start: entry.start } : undefined
}

/** Whether exactly this process is still running. Zombies are not. */
export function isAlive(id: ProcessId): boolean {
  return identify(id.pid)?.start === id.start
}

/** Signals one process if it is still the same. False when it is gone (or not ours to signal). */
export function signalProcess(id: ProcessId, signal: NodeJS.Signals): boolean {
  return isAlive(id) && send(id.pid, signal)
}

/** Signals a whole process group. False when no member is left. */
export function signalGroup(pgid: number, signal: NodeJS.Signals): boolean {
  if (pgid <= 1) throw new RangeError(`${pgid} is not a process group that may be signalled`)
  return send(-pgid, signal)
}

function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(target, signal)
    return true
  } catch (error) {
    if (hasCode(error, 'ESRCH', 'EPERM')) return false
    throw error
  }
}

/**
 * Every living process that was started with `NAME=value` in its environment. Processes of other users whose environment cannot be read
 * are not seen.
 */
export function findMarked(name: string, value: string): ProcessId[] {
  return table(`${name}=${value}`)
    .filter(({ marked }) => marked)
    .map(({ pid, start }) => ({ pid, start }))
}

/** A living process, its descendants, and the members of the session that it leads. */
export function findFamily(id: ProcessId): ProcessId[] {
  const all = table()
  const root = all.filter(({ pid, start }) => pid === id.pid && start === id.start)
  return kin(all, root).map(({ pid, start }) => ({ pid, start }))
}

export interface KillOptions {
  /** Also kill this process's ancestors if they carry the mark. Never this process. */
  readonly ancestors?: boolean
  /** Pids to leave alone. */
  readonly spare?: readonly number[]
  /** Milliseconds after which it gives up with an error that names the survivors. */
  readonly patience?: number
}

/** Rounds before it gives up, however long they take: on a busy host with thousands of processes, one can take seconds. */
const FEWEST_ROUNDS = 10

/**
 * Stops and SIGKILLs everything that carries the mark, the descendants of it and the sessions it leads (so also children with an emptied
 * environment), in rounds, until two looks in a row find nothing. Resolves when all of it is gone.
 */
export async function killMarked(name: string, value: string, options: KillOptions = {}): Promise<void> {
  const giveUp = bootNow() + (options.patience ?? 30_000)
  const spared = sparedPids(options)
  const doomed = new Map<number, ProcessId>()
  let quiet = 0
  for (let round = 1, wait = 2; quiet < 2; round += 1, wait = Math.min(wait * 2, 100)) {
    // Stopped first, because a process that forks and ends is another process a moment later; killed once all its children are known.
    const all = table(`${name}=${value}`, ({ pid }) => spared.has(pid) || send(pid, 'SIGSTOP'))
    const found = kin(
      all,
      all.filter(({ marked }) => marked),
    ).filter((entry) => !spared.has(entry.pid))
    for (const { pid, start } of found) doomed.set(pid, { pid, start })
    for (const id of doomed.values()) if (!signalProcess(id, 'SIGKILL') && !isAlive(id)) doomed.delete(id.pid)
    quiet = doomed.size === 0 ? quiet + 1 : 0
    if (round > FEWEST_ROUNDS && bootNow() > giveUp) throw new Error(`processes that could not be killed: ${[...doomed.keys()].join(', ')}`)
    await pause(wait)
  }
}

function sparedPids(options: KillOptions): Set<number> {
  const spared = new Set([process.pid, ...(options.spare ?? [])])
  if (options.ancestors) return spared
  for (let pid = process.ppid; pid > 0 && !spared.has(pid); pid = entryOf(pid)?.parent ?? 0) spared.add(pid)
  return spared
}

/** `roots`, their descendants, and the members of sessions that a root leads. */
function kin(all: readonly Entry[], roots: readonly Entry[]): Entry[] {
  const family = new Set(roots.map((entry) => entry.pid))
  const leaders = new Set(family)
  for (let before = -1; before !== family.size; ) {
    before = family.size
    for (const entry of all) if (family.has(entry.parent) || leaders.has(entry.session)) family.add(entry.pid)
  }
  return all.filter((entry) => family.has(entry.pid))
}

function lives(entry: Entry): boolean {
  return !/^[ZX]/.test(entry.state)
}

/** Most listings in one look, for hosts on which others start processes all the time. */
const MOST_LISTINGS = 50

/**
 * All living processes. `onMarked` is called for one that carries the mark as soon as it is known. `/proc` is not a snapshot of one moment:
 * a process may end between its listing and its reading, and leave a child that was not listed. So it is listed again until no name is new:
 * then every living process has been read.
 */
function table(mark?: string, onMarked?: (entry: Entry) => void): Entry[] {
  if (!linux) return tableOfPs(mark, onMarked)
  const entries: Entry[] = []
  const read = new Set<string>()
  for (let listing = 0; listing < MOST_LISTINGS; listing++) {
    const fresh = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && !read.has(name))
    if (fresh.length === 0) break
    for (const name of fresh.reverse()) {
      read.add(name)
      const entry = readStat(Number(name), mark)
      if (entry === undefined || !lives(entry)) continue
      entries.push(entry)
      if (entry.marked) onMarked?.(entry)
    }
  }
  return entries
}

function entryOf(pid: number): Entry | undefined {
  return linux ? readStat(pid) : askPs(['-p', String(pid)])[0]
}

/** Milliseconds since it was started; `undefined` if there is none with this pid, or no /proc. */
export function ageOf(pid: number): number | undefined {
  const fields = statFields(pid)
  return fields && Math.max(0, bootNow() - Number(fields[STARTED]) * TICK)
}

/** Which of the fields says when it was started, and its unit in milliseconds: Linux shows programs a hundred ticks a second on any machine. */
const STARTED = 19
const TICK = 10

/** proc_pid_stat(5), from the state on: the command name before it is in parentheses and may hold anything, also parentheses. */
function statFields(pid: number): string[] | undefined {
  const text = readSystemFile(`/proc/${pid}/stat`)
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')
}

function readStat(pid: number, mark?: string): Entry | undefined {
  const fields = statFields(pid)
  if (fields === undefined) return undefined
  const [state = 'X', parent, , session] = fields
  const start = `${bootId().slice(0, 8)}-${fields[STARTED]}`
  const marked = mark !== undefined && `\0${readSystemFile(`/proc/${pid}/environ`) ?? ''}`.includes(`\0${mark}\0`)
  return { pid, parent: Number(parent), session: Number(session), state, start, marked }
}

/** ps(1) of macOS prints the environment behind the command, separated by spaces. Values of our marks hold none. */
function tableOfPs(mark: string | undefined, onMarked: ((entry: Entry) => void) | undefined): Entry[] {
  const pids = new Set<number>()
  if (mark !== undefined)
    for (const line of ps(['-ax', '-E', '-ww', '-o', 'pid=,command=']).split('\n'))
      if (`${line} `.includes(` ${mark} `)) pids.add(Number.parseInt(line, 10))
  const entries = askPs(['-ax'])
    .filter(lives)
    .map((entry) => ({ ...entry, marked: pids.has(entry.pid) }))
  for (const entry of entries) if (entry.marked) onMarked?.(entry)
  return entries
}

function askPs(which: readonly string[]): Entry[] {
  const entries: Entry[] = []
  for (const line of ps([...which, '-ww', '-o', 'pid=,ppid=,pgid=,stat=,lstart=']).split('\n')) {
    const [pid, parent, session, state, ...start] = line.trim().split(/\s+/)
    if (state === undefined) continue
    entries.push({ pid: Number(pid), parent: Number(parent), session: Number(session), state, start: start.join(' '), marked: false })
  }
  return entries
}

function ps(args: readonly string[]): string {
  try {
    return execFileSync('/bin/ps', args, {
      encoding: 'latin1',
      env: { LC_ALL: 'C' },
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    // It also exits 1 when the pid is gone.
    return ''
  }
}

/** Of a process that has ended, as shells have it: 128 + n after a signal. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + constants.signals[signal ?? 'SIGKILL']
}

/** The words that a process was started with; empty when it is gone. */
export function commandOf(pid: number): string[] {
  if (linux) return (readSystemFile(`/proc/${pid}/cmdline`) ?? '').split('\0').filter((word) => word !== '')
  return ps(['-ww', '-o', 'command=', '-p', String(pid)])
    .trim()
    .split(/\s+/)
}

/** Milliseconds of processor time of all threads of a process, to less than a millisecond; `undefined` where the system does not say. */
export function busyTime(pid: number): number | undefined {
  if (!linux) return undefined
  let nanoseconds = 0
  try {
    for (const task of readdirSync(`/proc/${pid}/task`))
      nanoseconds += Number((readSystemFile(`/proc/${pid}/task/${task}/schedstat`) ?? '0').split(' ')[0])
  } catch {
    // It is gone: it uses none any more.
    return 0
  }
  return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : undefined
}

/** The pid namespace; empty if the system has only one. */
export function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}
