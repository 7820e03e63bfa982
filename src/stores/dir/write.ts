/** Writing objects of a folder store. */
import { rename, rm } from 'node:fs/promises'
import { type Condition, isStoreError, type Version } from '../../wire/store.ts'
import { exists, type FolderSync, gone, making, puttingInto, removeIfEmpty, writeFileWhole } from './durable.ts'
import { codeOf, isMissing } from './errors.ts'
import { confirm, conflict, linkOnce, tempPath } from './link.ts'
import type { Place } from './names.ts'
import { dropStates, hasEnded } from './remove.ts'
import { currentState, firstNonce, type Header, newHeader, type State, statePath, versionOf } from './state.ts'

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
  const there = await firstNonce(place)
  if (there !== undefined && !(await hasEnded(place, there))) throw conflict(place)
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

/** Writes the bytes beside the place under a name nobody lists, runs `put`, and leaves no such file behind. */
async function withTemp<T>(write: Write, put: (temp: string, header: Header) => Promise<T>): Promise<T> {
  const { place, body, signal } = write
  const header = newHeader()
  const temp = tempPath(place)
  const writing = () => writeFileWhole(temp, afterHeader(header.bytes, body), signal)
  if (place.incarnation === undefined) await making(place, write.syncs, writing)
  else await writingBelow(place, writing)
  try {
    signal?.throwIfAborted()
    return await put(temp, header)
  } catch (error) {
    await rm(temp, { force: true })
    // The object may have been removed meanwhile, and the folder with it, but for us.
    if (place.incarnation === undefined) await removeIfEmpty(place.folder)
    throw error
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

async function writingBelow(place: Place, writing: () => Promise<void>): Promise<void> {
  try {
    await writing()
  } catch (error) {
    throw isMissing(error) ? gone(place) : error
  }
}
