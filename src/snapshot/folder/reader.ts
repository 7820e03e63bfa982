/** Reads files of a tree into slabs. */
import { hash } from 'node:crypto'
import { closeSync, constants, openSync, read, readlinkSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { hasCode, isGone } from '../../lib/error-code.ts'
import { isUnreadable, localError } from '../errors.ts'
import { contentHash } from '../format/entries.ts'
import { CHUNK, type Packer, SMALL } from '../format/pack.ts'
import { fromHex, sumOf } from '../format/pieces.ts'
import { decodeName, isDoubtful, nativePath, showPath } from '../path.ts'
import type { FileEntry } from '../types.ts'

/** A link is not followed, and opening a pipe that has taken the file's place does not block. */
const READING = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

const readAsync = promisify(read)

export interface Wanted {
  readonly path: string
  /** Its path for the file system. */
  readonly source: string
  /** Bytes to read: its size in the scan. */
  readonly size: number
  /** Its real path, if only what lies there may be read (`SaverOptions.guarded`). */
  readonly real?: string
}

/** `changed`: it is gone, shorter than it was, or something else has its name. */
export type Trouble = 'changed' | 'unreadable'

/** A file whose pieces are not all known yet: they are after the packer's `flush`. */
export interface Draft {
  readonly wanted: Wanted
  readonly pieces: number[]
  /** Bytes that were there. */
  size: number
}

/** Reads a file that fits into the open slab, at once; returns its pieces. `undefined`: it does not fit, use `readFile`. */
export function readSmall(wanted: Wanted, packer: Packer): readonly number[] | Trouble | undefined {
  if (wanted.size === 0) return []
  const room = wanted.size < SMALL ? packer.fits(wanted.size) : undefined
  if (room === undefined) return undefined
  const fd = openFile(wanted)
  if (typeof fd !== 'number') return fd
  try {
    const size = readFully(fd, room.buffer, room.at, wanted.size)
    return size < wanted.size ? 'changed' : [packer.addSmall(size)]
  } catch (error) {
    return troubleWith(wanted, error)
  } finally {
    closeSync(fd)
  }
}

function readFully(fd: number, buffer: Buffer, at: number, size: number): number {
  let done = 0
  while (done < size) {
    const got = readSync(fd, buffer, at + done, size - done, null)
    if (got === 0) break
    done += got
  }
  return done
}

/** Reads a file of any size. `read` hears how many of its bytes were read. A large file that has become shorter yields a draft of what is there. */
export async function readFile(
  wanted: Wanted,
  packer: Packer,
  read: (bytes: number) => void,
): Promise<Draft | readonly number[] | Trouble> {
  if (wanted.size < SMALL) {
    await packer.room(wanted.size)
    return readSmall(wanted, packer) ?? 'changed'
  }
  const fd = openFile(wanted)
  if (typeof fd !== 'number') return fd
  try {
    return await readChunks(fd, wanted, packer, read)
  } finally {
    closeSync(fd)
  }
}

async function readChunks(fd: number, wanted: Wanted, packer: Packer, read: (bytes: number) => void): Promise<Draft | Trouble> {
  const draft: Draft = { wanted, pieces: [], size: 0 }
  while (draft.size < wanted.size) {
    const size = Math.min(CHUNK, wanted.size - draft.size)
    const { buffer, at } = await packer.room(size)
    const got = await readPart(fd, buffer.subarray(at, at + size), draft.size).catch((error: unknown) => troubleWith(wanted, error))
    if (typeof got === 'string') return got
    if (got === 0) break
    const number = Math.floor(draft.size / CHUNK)
    packer.addChunk(got, (piece) => {
      draft.pieces[number] = piece
    })
    draft.size += got
    read(draft.size)
    if (got < size) break
  }
  return draft
}

/** Fills `into` with the bytes from `from` on; resolves to how many there were. */
export async function readPart(fd: number, into: Buffer, from: number): Promise<number> {
  let done = 0
  while (done < into.length) {
    const { bytesRead } = await readAsync(fd, into, done, into.length - done, from + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return done
}

/** Returns a file descriptor. The caller closes it. */
export function openFile(wanted: Wanted): number | Trouble {
  try {
    const fd = openSync(nativePath(wanted.source), READING)
    if (wanted.real === undefined || isAt(fd, wanted.real)) return fd
    closeSync(fd)
    return 'changed'
  } catch (error) {
    return troubleWith(wanted, error)
  }
}

/** The system knows where an open file is, whatever led there (proc_pid_fd(5)). */
function isAt(fd: number, real: string): boolean {
  return pathAt(fd).equals(bytesOf(real))
}

function pathAt(fd: number): Buffer {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`, { encoding: 'buffer' })
  } catch {
    return Buffer.of()
  }
}

function bytesOf(path: string): Buffer {
  const native = nativePath(path)
  return typeof native === 'string' ? Buffer.from(native) : native
}

function troubleWith({ path }: Wanted, error: unknown): Trouble {
  // It is gone, or its name is that of a link, a socket, a folder, or a file that is not a link.
  if (isGone(error) || hasCode(error, 'ELOOP', 'ENXIO', 'EISDIR', 'EINVAL', 'ESTALE')) return 'changed'
  if (isUnreadable(error)) return 'unreadable'
  throw localError(`read ${showPath(path)}`, error)
}

/** Where a link points; bytes that are not UTF-8 as in paths (`decodeName`). Throws the file system's error. */
export function linkTarget(path: string): string {
  const target = readlinkSync(nativePath(path))
  return isDoubtful(target) ? decodeName(readlinkSync(nativePath(path), { encoding: 'buffer' })) : target
}

export function readLink(wanted: Wanted): { readonly target: string } | { readonly trouble: Trouble } {
  try {
    return { target: linkTarget(wanted.source) }
  } catch (error) {
    return { trouble: troubleWith(wanted, error) }
  }
}

/** Whether the first bytes of a file (as long as the entry is) are still what the entry says. */
export async function isStill(entry: FileEntry, source: string): Promise<boolean> {
  const fd = openFile({ path: entry.path, source, size: entry.size })
  if (typeof fd !== 'number') return false
  const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK, Math.max(entry.size, 1)))
  try {
    let from = 0
    for (const piece of entry.pieces) {
      const bytes = buffer.subarray(0, piece.size)
      if ((await readPart(fd, bytes, from).catch(() => 0)) < piece.size || sumOf(bytes) !== fromHex(piece.sha256)) return false
      from += piece.size
    }
    return true
  } finally {
    closeSync(fd)
  }
}

/** Identity of a file as it is now, like `FileEntry.hash`. Rejects as `open` does. */
export async function fileHash(source: string, signal?: AbortSignal): Promise<string> {
  const file = await open(nativePath(source))
  const buffer = Buffer.allocUnsafeSlow(CHUNK)
  const hashes: string[] = []
  try {
    for (let from = 0; ; from += CHUNK) {
      signal?.throwIfAborted()
      const got = await readPart(file.fd, buffer, from)
      if (got > 0) hashes.push(hash('sha256', buffer.subarray(0, got)))
      if (got < CHUNK) return contentHash(hashes)
    }
  } finally {
    await file.close()
  }
}

/** As if the file had these bytes. */
export async function takeBytes(wanted: Wanted, bytes: Uint8Array, packer: Packer): Promise<Draft> {
  const draft: Draft = { wanted, pieces: [], size: bytes.length }
  for (let from = 0; from < bytes.length; from += CHUNK) {
    const part = bytes.subarray(from, from + CHUNK)
    const { buffer, at } = await packer.room(part.length)
    buffer.set(part, at)
    packer.addChunk(part.length, (piece) => {
      draft.pieces[from / CHUNK] = piece
    })
  }
  return draft
}
