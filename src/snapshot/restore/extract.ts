/** Writes entries of a manifest to disk: confined to one folder that nobody else writes to, every byte verified before it is written. */
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  ftruncateSync,
  futimesSync,
  lutimesSync,
  mkdirSync,
  openSync,
  symlinkSync,
  utimesSync,
  write,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { hasCode } from '../../lib/error-code.ts'
import { localError, SnapshotError } from '../errors.ts'
import { isZero, SMALL } from '../format/pack.ts'
import { nativePath, showPath } from '../path.ts'
import type { Entry, FileEntry, FolderEntry, LinkEntry } from '../types.ts'

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
const REOPEN = constants.O_WRONLY | constants.O_NOFOLLOW

/** Runs of zeros of this many bytes stay holes. */
const HOLE = 64 << 10

const writeAsync = promisify(write)

/** From nanoseconds: as Node's file system calls expect them. */
export function seconds(nanoseconds: string): number {
  const time = BigInt(nanoseconds)
  return Number(time / 1_000_000_000n) + Number(time % 1_000_000_000n) / 1e9
}

export class Placer {
  readonly #folder: string
  /** Pieces still to come, of files that take more than one write. */
  readonly #remaining = new Map<FileEntry, number>()

  constructor(folder: string) {
    this.#folder = folder
  }

  addFolder(entry: FolderEntry): void {
    this.#try(entry, (path) => mkdirSync(path, { mode: 0o700 }))
  }

  /** Empty and all-zero files are complete at once; `true`: its pieces are needed. */
  begin(entry: FileEntry): boolean {
    const stored = entry.pieces.filter((piece) => piece.key !== '').length
    if (stored === 1 && entry.pieces.length === 1 && entry.size < SMALL) return true
    this.#try(entry, (path) => {
      const fd = openSync(path, CREATE, 0o600)
      try {
        ftruncateSync(fd, entry.size)
        if (stored === 0) finish(fd, entry)
      } finally {
        closeSync(fd)
      }
    })
    if (stored > 0) this.#remaining.set(entry, stored)
    return stored > 0
  }

  /** Verified bytes of the piece that begins at `at`. */
  async put(entry: FileEntry, at: number, bytes: Buffer): Promise<void> {
    if (this.#remaining.has(entry)) await this.#putPart(entry, at, bytes)
    else this.#try(entry, (path) => putWhole(path, entry, bytes))
  }

  isWhole(entry: FileEntry): boolean {
    return !this.#remaining.has(entry)
  }

  /** Links come after all files: nothing can have been written through them. */
  addLink(entry: LinkEntry): void {
    this.#try(entry, (path) => {
      symlinkSync(nativePath(entry.target), path)
      lutimesSync(path, seconds(entry.mtime), seconds(entry.mtime))
    })
  }

  /** Modes and times of folders: last, and inner folders before outer ones. */
  finishFolder(entry: FolderEntry): void {
    this.#try(entry, (path) => {
      chmodSync(path, entry.mode)
      utimesSync(path, seconds(entry.mtime), seconds(entry.mtime))
    })
  }

  async #putPart(entry: FileEntry, at: number, bytes: Buffer): Promise<void> {
    try {
      const fd = openSync(this.#native(entry), REOPEN)
      try {
        for (const [from, to] of solid(bytes)) await writeFully(fd, bytes.subarray(from, to), at + from)
        const remaining = (this.#remaining.get(entry) ?? 1) - 1
        if (remaining > 0) this.#remaining.set(entry, remaining)
        else {
          this.#remaining.delete(entry)
          finish(fd, entry)
        }
      } finally {
        closeSync(fd)
      }
    } catch (error) {
      throw localError(`write ${showPath(entry.path)}`, error)
    }
  }

  #native(entry: Entry): string | Buffer {
    return nativePath(`${this.#folder}/${entry.path}`)
  }

  #try(entry: Entry, work: (path: string | Buffer) => void): void {
    try {
      work(this.#native(entry))
    } catch (error) {
      if (hasCode(error, 'EEXIST')) throw sameName(entry, error)
      throw localError(`write ${showPath(entry.path)}`, error)
    }
  }
}

/** Nobody else writes here: such a file system ignores case, or how an accent is encoded. */
function sameName({ path }: Entry, cause: unknown): SnapshotError {
  const why = 'this file system takes its name for that of another file, such as one that differs only in upper and lower case'
  return new SnapshotError('local', `could not write ${showPath(path)}: ${why}`, { cause })
}

/** Writing clears set-id bits and moves times: both are set at the end. */
function finish(fd: number, entry: FileEntry): void {
  fchmodSync(fd, entry.mode)
  futimesSync(fd, seconds(entry.mtime), seconds(entry.mtime))
}

function putWhole(path: string | Buffer, entry: FileEntry, bytes: Buffer): void {
  const fd = openSync(path, CREATE, 0o600)
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
    finish(fd, entry)
  } finally {
    closeSync(fd)
  }
}

async function writeFully(fd: number, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await writeAsync(fd, bytes, done, bytes.length - done, at + done)
    done += bytesWritten
  }
}

/** The parts that are not holes. */
function* solid(bytes: Buffer): Generator<readonly [number, number]> {
  let begin = 0
  for (let from = 0; from < bytes.length; from += HOLE) {
    const to = Math.min(from + HOLE, bytes.length)
    if (bytes[from] !== 0 || !isZero(bytes.subarray(from, to))) continue
    if (from > begin) yield [begin, from]
    begin = to
  }
  if (bytes.length > begin) yield [begin, bytes.length]
}
