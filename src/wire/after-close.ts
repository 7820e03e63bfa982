/** What follows when a slot is closed: the same on the machine that has closed it, and at a server that does it for machines. */
import { randomUUID } from 'node:crypto'
import type { Layout } from './layout.ts'
import { VERSION } from './parse.ts'
import { CONTROL, type ControlRecord } from './records.ts'
import { isTerminal, SLOT, type SlotRecord } from './slot.ts'
import type { CommonSpec } from './spec.ts'
import type { Store } from './store.ts'
import { readRecord, swapRecord } from './swap.ts'

export interface Slots {
  readonly store: Pick<Store, 'read' | 'write' | 'remove'>
  readonly keys: Layout
  readonly spec: Pick<CommonSpec, 'count' | 'failFast'>
}

export async function allClosed({ store, keys, spec }: Slots, signal?: AbortSignal): Promise<boolean> {
  const closed = await Promise.all(
    Array.from({ length: spec.count }, async (_, slot) => {
      const read = await readRecord(SLOT, store, keys.slot(slot).record, signal)
      return read === undefined || isTerminal(read.value.state)
    }),
  )
  return closed.every(Boolean)
}

/**
 * After a slot was closed, at its end or by a takeover: if all are closed, nobody needs the secrets any more. If several close the last ones at
 * the same time, at least one sees that all are closed. True: all are. Controllers do the same.
 */
export async function removeSecrets(slots: Slots, signal?: AbortSignal): Promise<boolean> {
  const last = await allClosed(slots, signal)
  if (last) await slots.store.remove([slots.keys.secrets])
  return last
}

/** `fail-fast`: a slot that failed stops its siblings, also when no controller is watching. */
export async function stopSiblings({ store, keys, spec }: Slots, closed: SlotRecord, signal?: AbortSignal): Promise<void> {
  if (!spec.failFast || spec.count < 2 || closed.state !== 'failed') return
  await requestStopOnce({ store, keys }, 'fail-fast', signal)
}

/** The first request counts; later ones change nothing. */
export async function requestStopOnce({ store, keys }: Pick<Slots, 'store' | 'keys'>, by: string, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const before = await readRecord(CONTROL, store, keys.control, signal)
    if (before?.value.stop) return
    const next: ControlRecord = { ...before?.value, v: VERSION, nonce: randomUUID(), stop: { at: new Date().toISOString(), by } }
    const { won } = await swapRecord(CONTROL, store, keys.control, next, before?.version, signal)
    if (won) return
    // Somebody else asked for something meanwhile, perhaps the same.
  }
}
