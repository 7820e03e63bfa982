/** Keeps a process small beside the programs it serves. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * From now on the garbage collector keeps its nursery at a megabyte and lets the rest grow by a tenth before it looks, where it would
 * take several times as much as is in use: a hundred megabytes less with a hundred thousand files, for about a tenth more time. Engines that do not
 * know a setting go on without it.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=10')
}

/**
 * Loads a large program as the engine would by itself, and keeps the process small after that. Hardly any of it is garbage, so what goes through a
 * small nursery is copied, megabyte by megabyte: a seventh of the time until the first call of a cloud.
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

/** Bytes of a buffer: smaller ones may be parts of a pool, and are not worth the call. */
export const WORTH = 64 << 10

/**
 * Gives the memory of a large buffer back now: the garbage collector sees a small object, and would let hundreds of megabytes pile up. Only
 * for buffers that nobody else holds: they are empty afterwards. `room`: what zlib was given as `chunkSize`; its answer is a view of a
 * buffer of that size, which is its own, where everything found room in it.
 */
export function free(bytes: Uint8Array, room = bytes.byteLength): void {
  const { buffer } = bytes
  if (room >= WORTH && room === buffer.byteLength && 'transfer' in buffer) buffer.transfer(0)
}

/** The same for a buffer that zlib hands out part by part, together with the last part, when nobody looks at those before it any more. */
export function freeLast(part: Uint8Array): void {
  if (part.byteOffset + part.byteLength === part.buffer.byteLength) free(new Uint8Array(part.buffer))
}

export type Column = Uint8Array | Uint16Array | Int32Array | Float64Array | BigInt64Array

/** The same with more room behind it; the shorter one is given back. */
export function grown<C extends Column>(column: C, length: number): C {
  const longer = new (column.constructor as new (length: number) => C)(length)
  new Uint8Array(longer.buffer).set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
  free(new Uint8Array(column.buffer))
  return longer
}

/**
 * Collects garbage now: for the end of a phase that needed much, where a program that then mostly waits would hold it for hours. Takes about
 * a millisecond per megabyte in use.
 */
export function tidyUp(): void {
  gc ??= garbageCollector()
  gc()
}

/**
 * The same, but takes several times as long, and gives back the pages that became empty. Otherwise the engine keeps them for later, outside
 * every number that it reports: up to forty megabytes after walking through a hundred thousand files.
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
