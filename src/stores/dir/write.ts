/** Writing objects of a folder store. */
import { rename, rm } from 'node:fs/promises'
import { errorCode, isGone } from '../../lib/error-code.ts'
import { type Condition, isStoreError, type Version } from '../../wire/store.ts'
import { exists, type FolderSync, gone, making, puttingInto, removeIfEmpty, writeFileWhole } from './durable.ts'
import { conflict, linkOnce, linkState, tempPath } from './link.ts'
import type { ObjectPaths } from './names.ts'
import { dropStates, hasEnded } from './remove.ts'
import { currentState, firstNonce, type Header, newHeader, type State, versionOf } from './state.ts'

/** In memory, or as a stream. */
export interface Body {
  readonly size: number
  readonly pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

export interface Write {
  readonly paths: ObjectPaths
  readonly body: Body
  readonly syncs: FolderSync
  readonly signal?: AbortSignal | undefined
}

export async function writeObject(write: Write, condition: Condition | undefined): Promise<Version> {
  try {
    if (condition === undefined) return await replace(write)
    return 'absent' in condition ? await create(write) : await succeed(write, condition.version)
  } catch (error) {
    const { incarnation } = write.paths
    // If the incarnation was cleared meanwhile, that shows as a missing file or a lost race.
    const perhaps = errorCode(error) === 'ENOENT' || isStoreError(error, 'conflict')
    if (perhaps && incarnation !== undefined && !(await exists(incarnation))) throw gone(write.paths)
    throw error
  }
}

/** No condition: the new file takes the name, whatever had it. */
async function replace(write: Write): Promise<Version> {
  const { paths, syncs } = write
  return await withTemp(write, async (temp, header) => {
    const before = await firstNonce(paths)
    await puttingInto(paths, temp, syncs, () => rename(temp, paths.path))
    await syncs.sync(paths.folder)
    if (before !== undefined) await dropStates(paths, before)
    return versionOf({ nonce: header.nonce, number: 0 })
  })
}

async function create(write: Write): Promise<Version> {
  const { paths, syncs } = write
  // Checked first, because finding out after a large body was written would cost more.
  const there = await firstNonce(paths)
  if (there !== undefined && !(await hasEnded(paths, there))) throw conflict(paths)
  return await withTemp(write, async (temp, header) => {
    await puttingInto(paths, temp, syncs, () => linkOnce(temp, paths.path, paths))
    await syncs.sync(paths.folder)
    return versionOf({ nonce: header.nonce, number: 0 })
  })
}

/** The state after `version`, if that is the current one. */
async function succeed(write: Write, version: Version): Promise<Version> {
  const { paths, syncs } = write
  const current = await currentState(paths)
  if (!current || versionOf(current) !== version) throw conflict(paths)
  const next: State = { nonce: current.nonce, number: current.number + 1 }
  return await withTemp(write, async (temp) => {
    await linkState(paths, next, temp, syncs)
    return versionOf(next)
  })
}

/** Writes the bytes into a file that no list shows, on the same file system, runs `put`, and removes that file. */
async function withTemp<T>(write: Write, put: (temp: string, header: Header) => Promise<T>): Promise<T> {
  const { paths, body, signal } = write
  const header = newHeader()
  const temp = tempPath(paths)
  const writing = () => writeFileWhole(temp, afterHeader(header.bytes, body), signal)
  if (paths.incarnation === undefined) await making(paths, write.syncs, writing)
  else await writingBelow(paths, writing)
  try {
    signal?.throwIfAborted()
    return await put(temp, header)
  } catch (error) {
    await rm(temp, { force: true })
    // The object may have been removed meanwhile, and the folder too, except for this file.
    if (paths.incarnation === undefined) await removeIfEmpty(paths.folder)
    throw error
  } finally {
    await rm(temp, { force: true })
  }
}

/** Bytes. A smaller body is joined with its header, so that one write is enough. */
const SMALL = 65_536

async function* afterHeader(header: Uint8Array, { size, pieces }: Body): AsyncGenerator<Uint8Array> {
  if (size >= SMALL) {
    yield header
    yield* pieces
    return
  }
  const parts = [header]
  for await (const piece of pieces) parts.push(piece)
  yield Buffer.concat(parts)
}

async function writingBelow(paths: ObjectPaths, writing: () => Promise<void>): Promise<void> {
  try {
    await writing()
  } catch (error) {
    throw isGone(error) ? gone(paths) : error
  }
}
