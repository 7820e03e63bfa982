/** Writing and removing objects of a folder store. */
import { randomBytes } from 'node:crypto'
import { link, lstat, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Condition, isStoreError, StoreError, type Version } from '../../wire/store.ts'
import { exists, type FolderSync, gone, makeFolders, puttingInto, writeFileWhole } from './durable.ts'
import { codeOf, isMissing } from './errors.ts'
import { type Place, TEMP_FOLDER } from './names.ts'
import { currentState, firstNonce, type Header, latest, newHeader, type State, stateNumbers, statePath, versionOf } from './state.ts'
import { removeAbandoned, tempName } from './temp.ts'

/**
 * States of a record that stay behind the current one. A writer that was stopped between looking and linking could otherwise make a
 * number that others had already used and removed; with this many left it sees, after linking, that the record has moved on.
 */
const KEPT_STATES = 32

/** At hand, or on its way. */
export interface Body {
  readonly size: number
  readonly pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

export interface Write {
  readonly place: Place
  readonly body: Body
  readonly syncs: FolderSync
  readonly signal?: AbortSignal | undefined
}

export async function writeObject(write: Write, condition: Condition | undefined): Promise<Version> {
  try {
    if (condition === undefined) return await replace(write)
    return 'absent' in condition ? await create(write) : await succeed(write, condition.version)
  } catch (error) {
    const { incarnation } = write.place
    // What looks like a missing file or a lost race is neither when everything was cleared meanwhile.
    const perhaps = codeOf(error) === 'ENOENT' || isStoreError(error, 'conflict')
    if (perhaps && incarnation !== undefined && !(await exists(incarnation))) throw gone(write.place)
    throw error
  }
}

/** No condition: our file takes the name, whatever had it. */
async function replace(write: Write): Promise<Version> {
  const { place, syncs } = write
  return await withTemp(write, async (temp, header) => {
    const before = await firstNonce(place)
    await puttingInto(place, temp, syncs, () => rename(temp, place.path))
    await syncs.sync(place.folder)
    if (before !== undefined) await dropStates(place, before)
    return versionOf({ nonce: header.nonce, number: 0 })
  })
}

async function create(write: Write): Promise<Version> {
  const { place, syncs } = write
  // Cheaper than finding out after a large body was written.
  if ((await firstNonce(place)) !== undefined) throw conflict(place)
  return await withTemp(write, async (temp, header) => {
    await puttingInto(place, temp, syncs, () => linkOnce(temp, place.path, place))
    await syncs.sync(place.folder)
    return versionOf({ nonce: header.nonce, number: 0 })
  })
}

/** The state after `version`, if that is the current one. */
async function succeed(write: Write, version: Version): Promise<Version> {
  const { place, syncs } = write
  const current = await currentState(place)
  if (!current || versionOf(current) !== version) throw conflict(place)
  const next: State = { nonce: current.nonce, number: current.number + 1 }
  return await withTemp(write, async (temp) => {
    const here: Place = { ...place, folders: [...place.folders, place.versions], folder: place.versions }
    await puttingInto(here, temp, syncs, () => linkOnce(temp, statePath(place, next), place))
    await syncs.sync(place.versions)
    await confirm(place, next)
    return versionOf(next)
  })
}

/** Holds the link against what is there now, and removes states that nobody needs any more. */
async function confirm(place: Place, made: State): Promise<void> {
  const numbers = await stateNumbers(place, made.nonce)
  const newest = latest(numbers)
  const stale = newest > made.number + KEPT_STATES || (await firstNonce(place)) !== made.nonce
  if (stale) {
    await rm(statePath(place, made), { force: true })
    throw conflict(place)
  }
  for (const number of numbers) {
    if (number < newest - KEPT_STATES) await rm(statePath(place, { nonce: made.nonce, number }), { force: true })
  }
}

/** Removes an object; `true` if it was there. Later states go after the first one: readers rely on that order. */
export async function removeObject(place: Place): Promise<boolean> {
  const nonce = await firstNonce(place)
  if (nonce === undefined) return false
  await rm(place.path, { force: true })
  await dropStates(place, nonce)
  if (place.incarnation === undefined) await tidy(place.folder)
  return true
}

async function dropStates(place: Place, nonce: string): Promise<void> {
  for (const number of await stateNumbers(place, nonce)) await rm(statePath(place, { nonce, number }), { force: true })
  await removeIfEmpty(place.versions)
}

/** Removes half-written files that killed writers left above the incarnations, and the folder itself if nothing is in it any more. */
export async function tidy(folder: string): Promise<void> {
  try {
    await removeAbandoned(folder)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  await removeIfEmpty(folder)
}

export async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder)
  } catch (error) {
    const code = codeOf(error)
    // Somebody else was faster, or something is still (or again) in it: both are fine.
    if (!isMissing(error) && code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'EBUSY') throw error
  }
}

/** Writes the bytes beside the place under a name nobody lists, runs `put`, and leaves no such file behind. */
async function withTemp<T>(write: Write, put: (temp: string, header: Header) => Promise<T>): Promise<T> {
  const { place, body, signal } = write
  const header = newHeader()
  const temp = tempPath(place)
  const writing = () => writeFileWhole(temp, afterHeader(header.bytes, body), signal)
  if (place.incarnation === undefined) await writingAbove(write, writing)
  else await writingBelow(place, writing)
  try {
    signal?.throwIfAborted()
    return await put(temp, header)
  } finally {
    await rm(temp, { force: true })
  }
}

/** One write where the whole is small. */
async function* afterHeader(header: Uint8Array, { size, pieces }: Body): AsyncGenerator<Uint8Array> {
  if (size >= 65_536) yield header
  const small = size < 65_536 ? [header] : undefined
  for await (const piece of pieces) {
    if (small) small.push(piece)
    else yield piece
  }
  if (small) yield Buffer.concat(small)
}

function tempPath(place: Place): string {
  if (place.incarnation === undefined) return join(place.folder, tempName())
  return join(place.incarnation, TEMP_FOLDER, randomBytes(8).toString('hex'))
}

async function writingBelow(place: Place, writing: () => Promise<void>): Promise<void> {
  try {
    await writing()
  } catch (error) {
    throw isMissing(error) ? gone(place) : error
  }
}

async function writingAbove({ place, syncs }: Write, writing: () => Promise<void>): Promise<void> {
  for (let round = 1; ; round++) {
    try {
      await writing()
      return
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || round > 8) throw error
      await makeFolders(place, syncs)
    }
  }
}

/** `link`, or kind `conflict` when the name is taken by another file than ours. */
async function linkOnce(temp: string, path: string, place: Place): Promise<void> {
  try {
    await link(temp, path)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') {
      // A network file system may repeat a request whose answer was lost, and then meet its own link.
      if (await sameFile(temp, path)) return
      throw conflict(place)
    }
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP' || code === 'ENOSYS') throw noLinks(dirname(path), error)
    throw error
  }
}

async function sameFile(one: string, other: string): Promise<boolean> {
  try {
    const [a, b] = await Promise.all([lstat(one, { bigint: true }), lstat(other, { bigint: true })])
    return a.ino === b.ino && a.dev === b.dev
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

function noLinks(folder: string, cause: unknown): StoreError {
  const message = `storage: the file system of "${folder}" does not take hard links, which a folder store needs: use another folder`
  return new StoreError('invalid', message, { cause })
}

function conflict(place: Place): StoreError {
  return new StoreError('conflict', `storage: "${place.key}" is no longer what it was`)
}
