/**
 * What a file of the store holds, and which state of a record is the current one.
 *
 * An object is one file: a header of 16 bytes (magic, random nonce), then the body. Its first state has the object's own name and is made
 * by `link` (wanted absent) or `rename` (no condition). State n > 0 of a record is `<name>%v/<nonce of the first>.<n>`, made by `link`: of
 * all writers that replace state n-1, exactly one gets the name; no lock is held, and a kill leaves nothing that blocks others. The nonce
 * makes versions of an object that was removed and written again differ from the old ones. To remove a record in a certain state, a process links an
 * empty file as the state after it, and then removes the files.
 */
import { randomBytes } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { constants, type FileHandle, lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, ifGone } from '../../lib/error-code.ts'
import { StoreError, type Version } from '../../wire/store.ts'
import type { ObjectPaths } from './names.ts'

const MAGIC = Buffer.from('TPI1')
export const HEADER_BYTES = 16

export interface Header {
  readonly bytes: Uint8Array
  readonly nonce: string
}

export function newHeader(): Header {
  const random = randomBytes(HEADER_BYTES - MAGIC.length)
  return { bytes: Buffer.concat([MAGIC, random]), nonce: random.toString('hex') }
}

/** A state of an object: the nonce of its first state and its own number. */
export interface State {
  readonly nonce: string
  readonly number: number
}

export function versionOf(state: State): Version {
  return `${state.nonce}.${state.number}`
}

export function statePath(paths: ObjectPaths, state: State): string {
  return state.number === 0 ? paths.path : join(paths.versions, versionOf(state))
}

export interface OpenedState extends State {
  readonly handle: FileHandle
}

/** Opens the current state; the caller closes the handle. `undefined`: the object does not exist. */
export async function openCurrent(paths: ObjectPaths): Promise<OpenedState | undefined> {
  // A round is in vain only if the object was removed, replaced or written many times during it.
  for (let round = 0; round < 100; round++) {
    const first = await openFile(paths.path)
    if (!first) return undefined
    const found = await settle(paths, first)
    if (found !== 'moved') return found
  }
  throw new StoreError('unavailable', `storage: could not read "${paths.key}": it changes too fast`)
}

async function settle(paths: ObjectPaths, first: FileHandle): Promise<OpenedState | undefined | 'moved'> {
  const opened: FileHandle[] = [first]
  try {
    const nonce = await readNonce(paths, first)
    if (nonce === undefined) return undefined
    const number = latest(await stateNumbers(paths, nonce))
    if (number > 0) {
      const later = await openFile(statePath(paths, { nonce, number }))
      if (!later) return 'moved'
      opened.push(later)
      if (await isEnd(later)) return undefined
    }
    // The first state is removed before later ones: if it still has its name, the list of states was complete.
    if (!(await isNamed(first, paths.path))) return 'moved'
    const handle = opened.pop() ?? first
    return { nonce, number, handle }
  } finally {
    for (const handle of opened) await handle.close()
  }
}

/** An empty file is the last state of an object: from then on it counts as removed. */
async function isEnd(state: FileHandle): Promise<boolean> {
  return (await state.stat()).size === 0
}

/** The current state without its bytes. */
export async function currentState(paths: ObjectPaths): Promise<State | undefined> {
  const current = await openCurrent(paths)
  await current?.handle.close()
  return current
}

/** The nonce of the first state, whatever came after it. */
export async function firstNonce(paths: ObjectPaths): Promise<string | undefined> {
  const handle = await openFile(paths.path)
  try {
    return handle && (await readNonce(paths, handle))
  } finally {
    await handle?.close()
  }
}

/** Numbers of the states that are still there of one life of the object (which begins with its nonce), without the first one (0). */
export async function stateNumbers(paths: ObjectPaths, nonce: string): Promise<readonly number[]> {
  const names = await readdir(paths.versions).catch(ifGone<string[]>([]))
  const ours = names.filter((name) => name.startsWith(`${nonce}.`)).map((name) => name.slice(nonce.length + 1))
  return ours.filter((number) => /^[1-9]\d{0,14}$/.test(number)).map(Number)
}

export function latest(numbers: readonly number[]): number {
  return numbers.reduce((high, number) => Math.max(high, number), 0)
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  // A pipe that somebody put there would never open.
  return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(ifGone(undefined))
}

/** `undefined` for a folder: a folder is not an object. */
async function readNonce(paths: ObjectPaths, handle: FileHandle): Promise<string | undefined> {
  const header = Buffer.alloc(HEADER_BYTES)
  try {
    const { bytesRead } = await handle.read(header, 0, HEADER_BYTES, 0)
    if (bytesRead === HEADER_BYTES && header.subarray(0, MAGIC.length).equals(MAGIC)) return header.toString('hex', MAGIC.length)
  } catch (error) {
    if (errorCode(error) === 'EISDIR') return undefined
    throw error
  }
  throw new StoreError('corrupt', `storage: "${paths.path}" was not written by this program: the storage folder must hold nothing else`)
}

/** Whether the open file still has this name. An inode number is not reused while the file is open. */
async function isNamed(handle: FileHandle, path: string): Promise<boolean> {
  return await isSameFile(handle.stat({ bigint: true }), lstat(path, { bigint: true })).catch(ifGone(false))
}

export async function isSameFile(...stats: readonly [Promise<BigIntStats>, Promise<BigIntStats>]): Promise<boolean> {
  const [one, other] = await Promise.all(stats)
  return one.ino === other.ino && one.dev === other.dev
}
