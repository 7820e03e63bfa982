/** `fail-fast`: a slot that failed stops its siblings, also when no controller is watching. */
import { randomUUID } from 'node:crypto'
import { parseRecord, VERSION } from '../../wire/parse.ts'
import { CONTROL, type ControlRecord } from '../../wire/records.ts'
import type { SlotRecord } from '../../wire/slot.ts'
import { swapRecord } from '../../wire/swap.ts'
import type { Site } from '../site.ts'

export async function stopSiblings(site: Site, closed: SlotRecord, signal: AbortSignal): Promise<void> {
  if (!site.spec.failFast || site.spec.count < 2 || closed.state !== 'failed') return
  for (;;) {
    const object = await site.store.read(site.keys.control, undefined, signal)
    const before = object ? parseRecord(CONTROL, object.bytes, site.keys.control) : undefined
    if (before?.stop) return
    const next: ControlRecord = { ...before, v: VERSION, nonce: randomUUID(), stop: { at: new Date().toISOString(), by: 'fail-fast' } }
    const { won } = await swapRecord(CONTROL, site.store, site.keys.control, next, object?.version, signal)
    if (won) return
    // Somebody else wished something meanwhile, perhaps the same.
  }
}
