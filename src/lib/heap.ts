/** Keeps a process small beside the programs it serves. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * From now on, the garbage collector keeps its nursery at a megabyte, and collects when the rest has grown by a tenth. Otherwise the heap would be
 * several times as large as what is in use. With a hundred thousand files, that saves a hundred megabytes, and takes about a tenth more time. An
 * engine that does not know a setting ignores it.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=10')
}

/**
 * Loads a large program with the engine's own settings, and keeps the process small after that. Hardly anything that is loaded is garbage, so a small
 * nursery would only be copied again and again, which takes a seventh of the time until the first call of a cloud.
 */
export async function loadedAtOnce<T>(load: () => Promise<T>): Promise<T> {
  setFlagsFromString('--semi-space-growth-factor=2')
  setFlagsFromString('--heap-growing-percent=0')
  try {
    return await load()
  } finally {
    keepHeapSmall()
  }
}

/** Bytes of a buffer that is worth freeing. Smaller ones may also be parts of a pool. */
export const WORTH = 64 << 10

/**
 * Gives the memory of a large buffer back now. The garbage collector would let hundreds of megabytes pile up, because it sees only a small object. Only
 * for buffers that nobody else holds: they are empty afterwards. A part of a larger buffer is left alone.
 */
export function free(bytes: Uint8Array): void {
  const { buffer, byteLength } = bytes
  if (byteLength >= WORTH && byteLength === buffer.byteLength && 'transfer' in buffer) buffer.transfer(0)
}

/** For buffers that zlib hands out part by part: frees the whole buffer with its last part. By then, nobody may hold the other parts. */
export function freeLast(part: Uint8Array): void {
  if (part.byteOffset + part.byteLength === part.buffer.byteLength) free(new Uint8Array(part.buffer))
}

export type Column = Uint8Array | Uint16Array | Int32Array | Float64Array | BigInt64Array

/** A longer column with the same beginning; the shorter one is freed. */
export function grown<C extends Column>(column: C, length: number): C {
  const longer = new (column.constructor as new (length: number) => C)(length)
  new Uint8Array(longer.buffer).set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
  free(new Uint8Array(column.buffer))
  return longer
}

/**
 * Collects garbage now, at the end of a phase that needed much memory: a program that then mostly waits would hold it for hours. Takes about a
 * millisecond per megabyte in use.
 */
export function tidyUp(): void {
  gc ??= garbageCollector()
  gc()
}

/**
 * The same, and also gives back the pages that have become empty, which takes several times as long. Otherwise the engine keeps them for later (and
 * reports them nowhere): up to forty megabytes after a walk through a hundred thousand files.
 */
export function shrink(): void {
  gc ??= garbageCollector()
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

type Collect = (how?: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }) => void

let gc: Collect | undefined

function garbageCollector(): Collect {
  setFlagsFromString('--expose-gc')
  const found: unknown = runInNewContext('globalThis.gc')
  return typeof found === 'function' ? (found as Collect) : () => undefined
}
