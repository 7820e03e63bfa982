/** Keeps the memory of work on many entries small. */
import { availableParallelism } from 'node:os'
import { shrink, tidyUp } from '../lib/heap.ts'

/** With fewer entries, an extra garbage collection does not pay. */
const MANY = 20_000

/** Call it at the end of work on so many entries. */
export function doneWith(entries: number): void {
  if (entries >= MANY) tidyUp()
}

/** The same, before something large that cannot use the memory that has become free inside the heap. */
export function makeRoomAfter(entries: number): void {
  if (entries >= MANY) shrink()
}

/** Digests at a time: each copies its input. */
const AT_ONCE = Math.min(4, Math.max(2, availableParallelism()))
const lanes: Promise<unknown>[] = Array.from({ length: AT_ONCE }, () => Promise.resolve())
let next = 0

/** SHA-256 on another thread. */
export function digestElsewhere(bytes: Uint8Array<ArrayBuffer>): Promise<Buffer> {
  const lane = next++ % AT_ONCE
  const digest = (lanes[lane] ?? Promise.resolve()).then(async () => Buffer.from(await crypto.subtle.digest('SHA-256', bytes)))
  lanes[lane] = digest.catch(() => undefined)
  return digest
}
