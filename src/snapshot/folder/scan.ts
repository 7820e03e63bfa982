/** Reads names and stat data of a tree, in columns: a hundred thousand files must fit beside the script's own memory. */
import { lstatSync, readdirSync, statfsSync } from 'node:fs'
import { errorCode, isGone } from '../../lib/error-code.ts'
import { free, grown } from '../../lib/heap.ts'
import { isUnreadable, localError, SnapshotError } from '../errors.ts'
import { comparePaths, decodeName, isDoubtful, nativePath } from '../path.ts'
import { Turns } from '../turns.ts'

export const FILE = 1
export const FOLDER = 2
export const LINK = 3
const OTHER = 0

export interface Scan {
  /** In the order of `comparePaths`. The columns beside it are at least as long. */
  readonly paths: string[]
  readonly kind: Uint8Array
  readonly mode: Uint16Array
  /** Bytes. */
  readonly size: Float64Array
  readonly ino: Float64Array
  /** Nanoseconds since the epoch, as `ctime`, `startedAt` and `endedAt`. */
  readonly mtime: BigInt64Array
  readonly ctime: BigInt64Array
  readonly startedAt: bigint
  readonly endedAt: bigint
  /** Sockets, pipes, devices, and folders in which the kernel shows itself: not saved. */
  readonly special: readonly string[]
  readonly unreadable: readonly string[]
}

/** Frees the other columns, for a caller that needs only paths, kinds and modes from now on. */
export function releaseStats({ size, ino, mtime, ctime }: Scan): void {
  for (const { buffer } of [size, ino, mtime, ctime]) free(new Uint8Array(buffer))
}

export type Select = (path: string, isFolder: boolean) => boolean

/** `f_type` of file systems without real files (linux/magic.h): proc, sysfs, devpts, cgroup, cgroup2, debugfs, tracefs, securityfs, configfs, bpf. */
const KERNELS = new Set([0x9fa0, 0x62656572, 0x1cd1, 0x27e0eb, 0x63677270, 0x64626720, 0x74726163, 0x73636673, 0x62656570, 0xcafe4a11])

const wallClock = (): bigint => BigInt(Date.now()) * 1_000_000n

interface Columns {
  paths: string[]
  kind: Uint8Array
  mode: Uint16Array
  size: Float64Array
  ino: Float64Array
  mtime: BigInt64Array
  ctime: BigInt64Array
  special: string[]
  unreadable: string[]
  /** For each device, whether its files are the kernel's. That of the folder itself is always saved: the user asked for it. */
  kernels: Map<bigint, boolean>
}

interface Open {
  readonly path: string
  readonly names: readonly string[]
  next: number
}

/**
 * Symbolic links are never followed. Files that vanish meanwhile are left out. `former`: the paths of an earlier scan, whose strings are
 * reused for equal ones. Throws `no-folder` when `folder` is not a folder, `local` when the system cannot read it.
 */
export async function scanTree(folder: string, select?: Select, signal?: AbortSignal, former: readonly string[] = []): Promise<Scan> {
  const startedAt = wallClock()
  const stack: Open[] = [{ path: '', names: topNames(folder), next: 0 }]
  const columns = makeColumns(former.length + 1024, folder)
  const texts = new Texts(former)
  const turns = new Turns(signal)
  for (let open = stack.at(-1); open !== undefined; open = stack.at(-1)) {
    const name = open.names[open.next++]
    if (name === undefined) {
      stack.pop()
      continue
    }
    const path = texts.same(open.path === '' ? name : `${open.path}/${name}`)
    if (addEntry(columns, folder, path, select) === FOLDER) {
      const names = readNames(`${folder}/${path}`)
      if (names === undefined) columns.unreadable.push(path)
      else stack.push({ path, names, next: 0 })
    }
    if ((columns.paths.length & 127) === 0 && turns.isDue) await turns.next()
  }
  const { kernels: _asked, ...scan } = columns
  return { ...scan, startedAt, endedAt: wallClock() }
}

/** Replaces a path by the equal string of an earlier scan, so that it is in memory once. Both come in the same order. */
class Texts {
  readonly #former: readonly string[]
  #next = 0

  constructor(former: readonly string[]) {
    this.#former = former
  }

  same(path: string): string {
    for (;;) {
      const text = this.#former[this.#next]
      if (text === path) this.#next += 1
      if (text === undefined || text === path) return text ?? path
      if (comparePaths(text, path) > 0) return path
      this.#next += 1
    }
  }
}

function topNames(folder: string): readonly string[] {
  try {
    if (lstatSync(folder).isDirectory()) return namesIn(folder)
  } catch (error) {
    throw new SnapshotError('no-folder', `could not save "${folder}": ${errorCode(error) ?? 'it cannot be read'}`, { cause: error })
  }
  throw new SnapshotError('no-folder', `could not save "${folder}": it is not a folder`)
}

/** `undefined`: it cannot be read. A folder that vanished is empty: the next scan sees it gone. */
function readNames(folder: string): readonly string[] | undefined {
  try {
    return namesIn(folder)
  } catch (error) {
    if (isGone(error)) return []
    if (isUnreadable(error)) return undefined
    throw localError(`read the folder "${folder}"`, error)
  }
}

function namesIn(folder: string): string[] {
  const names = readdirSync(nativePath(folder))
  if (!names.some(isDoubtful)) return names.sort()
  return readdirSync(nativePath(folder), { encoding: 'buffer' }).map(decodeName).sort()
}

function addEntry(columns: Columns, folder: string, path: string, select: Select | undefined): number {
  let stat
  try {
    stat = lstatSync(nativePath(`${folder}/${path}`), { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    if (isGone(error)) return OTHER
    if (!isUnreadable(error)) throw localError(`read "${folder}/${path}"`, error)
    columns.unreadable.push(path)
    return OTHER
  }
  if (stat === undefined) return OTHER
  const mode = Number(stat.mode)
  const kind = kindOf(mode)
  if (select !== undefined && !select(path, kind === FOLDER)) return OTHER
  if (kind === OTHER || (kind === FOLDER && isKernels(columns.kernels, stat.dev, `${folder}/${path}`))) {
    columns.special.push(path)
    return OTHER
  }
  const at = columns.paths.push(path) - 1
  if (at >= columns.kind.length) growColumns(columns)
  columns.kind[at] = kind
  columns.mode[at] = mode & 0o7777
  columns.size[at] = Number(stat.size)
  columns.ino[at] = Number(stat.ino)
  columns.mtime[at] = stat.mtimeNs
  columns.ctime[at] = stat.ctimeNs
  return kind
}

function isKernels(known: Map<bigint, boolean>, device: bigint, folder: string): boolean {
  const answer = known.get(device) ?? KERNELS.has(systemOf(folder))
  known.set(device, answer)
  return answer
}

function systemOf(folder: string): number {
  try {
    return statfsSync(nativePath(folder)).type
  } catch {
    return 0 // it has gone, or cannot be read: whoever reads it reports that
  }
}

function kindOf(mode: number): number {
  const format = mode & 0o170000
  if (format === 0o100000) return FILE
  if (format === 0o040000) return FOLDER
  return format === 0o120000 ? LINK : OTHER
}

function makeColumns(length: number, folder: string): Columns {
  const top = lstatSync(nativePath(folder), { bigint: true, throwIfNoEntry: false })?.dev
  return { paths: [], ...numbers(length), special: [], unreadable: [], kernels: new Map(top === undefined ? [] : [[top, false]]) }
}

function numbers(length: number): Omit<Columns, 'paths' | 'special' | 'unreadable' | 'kernels'> {
  return {
    kind: new Uint8Array(length),
    mode: new Uint16Array(length),
    size: new Float64Array(length),
    ino: new Float64Array(length),
    mtime: new BigInt64Array(length),
    ctime: new BigInt64Array(length),
  }
}

function growColumns(columns: Columns): void {
  const length = columns.kind.length * 2
  columns.kind = grown(columns.kind, length)
  columns.mode = grown(columns.mode, length)
  columns.size = grown(columns.size, length)
  columns.ino = grown(columns.ino, length)
  columns.mtime = grown(columns.mtime, length)
  columns.ctime = grown(columns.ctime, length)
}
