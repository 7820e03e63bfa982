/** Whether a script failed because the machine ran out of memory or disk. */
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { formatBytes } from '../../lib/bytes.ts'
import { readSystemFile } from '../../lib/files.ts'
import type { OwnSystem } from '../../wire/machine.ts'
import { SCRIPT_CGROUP } from '../vm/script-user.ts'
import type { Exit } from './script.ts'

/** How many processes the kernel has killed for lack of memory, in a cgroup and on the whole host. */
export interface OomCount {
  readonly group: number | undefined
  readonly host: number | undefined
}

/** Bytes; `undefined` if the system does not say, or there is no limit. */
export interface MemoryFacts {
  readonly limit: number | undefined
  readonly peak: number | undefined
}

/** Paths of files about the memory of a cgroup. */
export interface CgroupFiles {
  /** Counts, such as `oom_kill`. */
  readonly events: string
  readonly limit: string
  readonly peak: string
  readonly now: string
}

/** Free bytes below which a failing script counts as having failed for lack of space. */
const NO_SPACE = 1024 * 1024

/** Files about the memory of a cgroup, in the tree of version 2 or of version 1's memory controller. `text`: as in /proc/self/cgroup. */
export function cgroupFiles(text: string, exists: (path: string) => boolean, root = '/sys/fs/cgroup'): CgroupFiles | undefined {
  const lines = text.split('\n').map((line) => line.split(':'))
  // Its path may hold colons.
  const pathIn = (line: readonly string[] | undefined): string | undefined => line?.slice(2).join(':')
  const unified = pathIn(lines.find(([id, controllers]) => id === '0' && controllers === ''))
  const memory = pathIn(lines.find(([, controllers]) => controllers?.split(',').includes('memory')))
  // In a container, the path may be the host's: then the root of the mount is our own group.
  for (const path of unified === undefined ? [] : [...upwards(join(root, unified), root), root]) {
    const events = join(path, 'memory.events')
    if (exists(events))
      return { events, limit: join(path, 'memory.max'), peak: join(path, 'memory.peak'), now: join(path, 'memory.current') }
  }
  for (const path of memory === undefined ? [] : [join(root, 'memory', memory), join(root, 'memory')]) {
    const events = join(path, 'memory.oom_control')
    const own = (name: string): string => join(path, `memory.${name}_in_bytes`)
    if (exists(events)) return { events, limit: own('limit'), peak: own('max_usage'), now: own('usage') }
  }
  return undefined
}

/** The group and those above it: if a group does not account for memory itself, the next one above it may. */
function upwards(path: string, root: string): string[] {
  return path.length <= root.length ? [] : [path, ...upwards(dirname(path), root)]
}

/** The group of the user's program: the agent's own, or that of the script's user. */
export function programCgroup(system: OwnSystem | undefined): CgroupFiles | undefined {
  const own = system ? `0::/${SCRIPT_CGROUP}\n1:memory:/${SCRIPT_CGROUP}` : (readSystemFile('/proc/self/cgroup') ?? '')
  return cgroupFiles(own, (path) => readSystemFile(path) !== undefined)
}

export function countOom(files: CgroupFiles | undefined): OomCount {
  return { group: files && counter(readSystemFile(files.events), 'oom_kill'), host: counter(readSystemFile('/proc/vmstat'), 'oom_kill') }
}

export function memoryFacts(files: CgroupFiles | undefined): MemoryFacts {
  return { limit: number(files?.limit), peak: number(files?.peak) }
}

export function memoryInUse(files: CgroupFiles | undefined): { readonly used: number | undefined; readonly limit: number | undefined } {
  return { used: number(files?.now), limit: number(files?.limit) }
}

function number(path: string | undefined): number | undefined {
  const value = path === undefined ? Number.NaN : Number.parseInt(readSystemFile(path) ?? '', 10)
  // v1 says "no limit" by a number near 2^63.
  return Number.isNaN(value) || value > 2 ** 60 ? undefined : value
}

/**
 * Whether a script failed because the kernel killed a process for lack of memory. Any kill in its own cgroup counts: perhaps the script
 * failed because one of its workers was killed. A kill elsewhere on the host counts only if the script itself was killed (137).
 */
export function ranOutOfMemory(exit: Exit, before: OomCount, after: OomCount): boolean {
  if (exit.code === 0) return false
  if ((after.group ?? 0) > (before.group ?? 0)) return true
  return exit.code === 137 && (after.host ?? 0) > (before.host ?? 0)
}

export function describeMemory({ limit, peak }: MemoryFacts): string {
  const facts = Object.entries({ limit, peak }).flatMap(([name, bytes]) => (bytes === undefined ? [] : [`${name} ${formatBytes(bytes)}`]))
  return facts.length === 0 ? 'out of memory' : `out of memory (${facts.join(', ')})`
}

/** Whether the file system of a folder has less than `room` bytes for the script, and less than a hundredth of its size. */
export async function diskIsFull(folder: string, room = NO_SPACE): Promise<boolean> {
  const { bavail, bsize, blocks, ffree, files } = await statfs(whatIsThere(folder))
  const inodesGone = files > 0 && ffree === 0
  return inodesGone || bavail * bsize < Math.min(room, (blocks * bsize) / 100)
}

/** The folder, or its parent: a script may remove its own folder. */
function whatIsThere(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : whatIsThere(dirname(folder))
}

function counter(text: string | undefined, name: string): number | undefined {
  const line = text?.split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}
