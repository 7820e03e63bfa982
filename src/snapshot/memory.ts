/** Keeps memory down to what is in use. */
import { availableParallelism } from 'node:os'
import { shrink, tidyUp } from '../lib/heap.ts'

/** With fewer entries, garbage is not worth an extra collection. */
const MANY = 20_000

/** At the end of work on so many entries. */
export function doneWith(entries: number): void {
  if (entries >= MANY) tidyUp()
}

/** The same if something large comes next that cannot use the memory that is idle now. */
export function makeRoomAfter(entries: number): void {
  if (entries >= MANY) shrink()
}

/** Concurrent calls, of those that copy their input. */
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
