/** Copies files to a place beside their folder while the script is held. The script must go on soon, and heartbeats must not wait for the disk. */
import { closeSync, copyFileSync, constants as fsConstants } from 'node:fs'
import { copyFile, mkdir, open, rm, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../../lib/error-code.ts'
import { writeAll } from '../../lib/files.ts'
import { free } from '../../lib/heap.ts'
import { CHUNK, SMALL } from '../format/pack.ts'
import { nativePath } from '../path.ts'
import { nextTurn } from '../turns.ts'
import { openFile, readPart, type Wanted } from './reader.ts'

/** Bytes per millisecond that no disk exceeds: if even this would take too long, nothing is copied. */
const FASTEST = 4 << 20
/** Milliseconds of copying after which the rate so far says whether the rest can be done in time. */
const TRIAL = 250
/** Bytes that could be copied in the time that opening and closing one file takes. */
const PER_FILE = 64 << 10

interface Copying {
  readonly file: Wanted
  readonly copy: string
}

/** How far the copying has come, in bytes. */
interface Pace {
  readonly begun: number
  readonly end: number
  readonly total: number
  done: number
}

/**
 * Resolves to the places of the copies, by path. `undefined`: not all of them could be made, for lack of time, space or rights; then none is left.
 * `place`: the folder to make for them; it must not exist. `end`: when they must be complete, by `performance.now`.
 */
export async function copyAside(
  files: readonly Wanted[],
  place: string,
  end: number,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string> | undefined> {
  const all = files.map((file, number): Copying => ({ file, copy: `${place}/${number}` }))
  let made = false
  try {
    await mkdir(place, { mode: 0o700 })
    made = await copyAll(all, place, end, signal)
  } catch (error) {
    // Files may vanish, and the disk may be full or broken: then there are no copies. An abort is passed on.
    if (errorCode(error) === undefined) throw error
  } finally {
    if (!made) await removeCopies(place)
  }
  return made ? new Map(all.map(({ file, copy }) => [file.path, copy])) : undefined
}

export async function removeCopies(place: string): Promise<void> {
  await rm(place, { recursive: true, force: true })
}

/** `false`: there is not enough time or space. */
async function copyAll(all: readonly Copying[], place: string, end: number, signal: AbortSignal | undefined): Promise<boolean> {
  const rest: Copying[] = []
  for (const one of all) {
    if (performance.now() > end) return false
    if (one.file.size < SMALL || !(await isCloned(one))) rest.push(one)
  }
  const bytes = rest.reduce((sum, { file }) => sum + file.size, 0)
  const total = bytes + rest.length * PER_FILE
  const begun = performance.now()
  if (total > FASTEST * (end - begun) || !(await isRoomFor(bytes, dirname(place)))) return false
  const pace: Pace = { begun, end, total, done: 0 }
  for (const one of rest) {
    signal?.throwIfAborted()
    pace.done += PER_FILE
    if (!(await copyOne(one, pace))) return false
  }
  return performance.now() <= end
}

function opened(file: Wanted): number {
  const fd = openFile(file)
  if (typeof fd === 'number') return fd
  throw Object.assign(new Error(`${file.path}: ${fd}`), { code: 'ESTALE' })
}

/** Calls `work` with a path that leads to this very file. In a guarded folder, that is the open file, whatever takes its name meanwhile. */
async function withSource(file: Wanted, work: (source: string | Buffer) => void | Promise<void>): Promise<void> {
  if (file.real === undefined) return work(nativePath(file.source))
  const fd = opened(file)
  try {
    await work(`/proc/self/fd/${fd}`)
  } finally {
    closeSync(fd)
  }
}

/** Whether it could be copied by sharing blocks, which takes no time or space whatever its size. Not all file systems can do that. */
async function isCloned({ file, copy }: Copying): Promise<boolean> {
  return await withSource(file, async (source) => copyFile(source, copy, fsConstants.COPYFILE_FICLONE_FORCE)).then(
    () => true,
    () => false,
  )
}

/** The script goes on writing while its copies are read, so they may take only half of what is free. */
async function isRoomFor(bytes: number, folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bytes * 2 <= bavail * bsize
}

async function copyOne({ file, copy }: Copying, pace: Pace): Promise<boolean> {
  if (file.size >= SMALL) return await copyPieces(file, copy, pace)
  // Synchronously: with thousands of files, handing each step to another thread would take longer than the script may be held.
  await withSource(file, (source) => copyFileSync(source, copy, fsConstants.COPYFILE_FICLONE))
  pace.done += file.size
  await nextTurn()
  return isInTime(pace)
}

async function copyPieces(file: Wanted, copy: string, pace: Pace): Promise<boolean> {
  const buffer = Buffer.allocUnsafeSlow(CHUNK)
  const from = opened(file)
  try {
    const to = await open(copy, 'wx', 0o600)
    try {
      for (let at = 0; at < file.size; at += CHUNK) {
        const piece = buffer.subarray(0, Math.min(CHUNK, file.size - at))
        // It is shorter than it was: a process that is not held writes to it.
        if ((await readPart(from, piece, at)) < piece.length) return false
        await writeAll(to, piece, at)
        pace.done += piece.length
        if (!isInTime(pace)) return false
      }
      return true
    } finally {
      await to.close()
    }
  } finally {
    closeSync(from)
    free(buffer)
  }
}

function isInTime({ begun, end, total, done }: Pace): boolean {
  const now = performance.now()
  const elapsed = now - begun
  if (elapsed < TRIAL) return now <= end
  const needed = (elapsed / done) * (total - done)
  return now + needed <= end
}
