/** Copies of files beside their folder, made while the script is held: it must go on soon, and heartbeats must not wait for a disk. */
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

/** Bytes that no disk takes in a millisecond: more than that in the given time is not even begun. */
const FASTEST = 4 << 20
/** Milliseconds after which the rate so far tells whether the rest can be done in time. */
const TRIAL = 250
/** A file costs as much time as so many more bytes of it, however small it is. */
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
 * Resolves to the copies, by path. `undefined`: there is not the time (`end`, by `performance.now`), the space or the right to make all of
 * them; then none is left. `place`: the folder that they are put in; nothing may be there.
 */
export async function copyAside(
  files: readonly Wanted[],
  place: string,
  end: number,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string> | undefined> {
  const all = files.map((file, number): Copying => ({ file, copy: `${place}/${number}` }))
  try {
    await mkdir(place, { mode: 0o700 })
    if (await copyAll(all, place, end, signal)) return new Map(all.map(({ file, copy }) => [file.path, copy]))
  } catch (error) {
    await removeCopies(place)
    if (errorCode(error) === undefined) throw error
  }
  await removeCopies(place)
  return undefined
}

export async function removeCopies(place: string): Promise<void> {
  await rm(place, { recursive: true, force: true })
}

/** `false`: it cannot be done. */
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

/** Calls `work` with a path that leads to the file that may be read, even if something else has its place meanwhile. */
async function withSource(file: Wanted, work: (source: string | Buffer) => void | Promise<void>): Promise<void> {
  if (file.real === undefined) return work(nativePath(file.source))
  const fd = opened(file)
  try {
    await work(`/proc/self/fd/${fd}`)
  } finally {
    closeSync(fd)
  }
}

/** Where the file system can share blocks, a copy of any size is made at once. */
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
  // In one call: for thousands of files, handing each step to another thread would take longer than the script may be held.
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
        // Shorter than it was: somebody writes who could not be held.
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
  return elapsed < TRIAL ? now <= end : (elapsed * (total - done)) / done <= end - now
}
