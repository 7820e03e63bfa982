/** How far the log of an interrupted attempt goes: the process that ends the attempt records it, so that nothing that comes later counts. */
import { numbersOf, type SlotLayout } from './layout.ts'
import type { SlotRecord } from './slot.ts'
import type { Store } from './store.ts'

/** Number of its last segment; `undefined` if no attempt is open. */
export async function logEndOf(
  store: Pick<Store, 'list'>,
  slot: SlotLayout,
  record: Pick<SlotRecord, 'attempts'>,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const last = record.attempts.at(-1)
  if (last === undefined || last.end !== undefined) return undefined
  let seq = 0
  for await (const entry of store.list(slot.log, slot.segment(last.epoch, 0), signal)) {
    const found = numbersOf(entry.key)
    if (found?.epoch === last.epoch) seq = Math.max(seq, found.seq)
  }
  return seq
}
