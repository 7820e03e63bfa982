/** What follows when a slot is closed: the same on the machine that has closed it, in a controller, and at a server that acts for machines. */
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

/** Whether all slots are closed. One without a record counts as closed: the deployment is being removed. */
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
 * To be called after a slot was closed. If all are closed, the secrets are removed, because nobody needs them any more; resolves to whether they are.
 * If several processes close the last slots at the same time, at least one of them sees that all are closed.
 */
export async function removeSecrets(slots: Slots, signal?: AbortSignal): Promise<boolean> {
  const last = await allClosed(slots, signal)
  if (last) await slots.store.remove([slots.keys.secrets])
  return last
}

/** `fail-fast`: requests a stop after a slot has failed, also if no controller is watching. */
export async function stopSiblings({ store, keys, spec }: Slots, closed: SlotRecord, signal?: AbortSignal): Promise<void> {
  if (!spec.failFast || spec.count < 2 || closed.state !== 'failed') return
  await requestStopOnce({ store, keys }, 'fail-fast', signal)
}

/** Requests a stop, unless there is a request already. `by`: who asks, for people. */
export async function requestStopOnce({ store, keys }: Pick<Slots, 'store' | 'keys'>, by: string, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const before = await readRecord(CONTROL, store, keys.control, signal)
    if (before?.value.stop) return
    const next: ControlRecord = { ...before?.value, v: VERSION, nonce: randomUUID(), stop: { at: new Date().toISOString(), by } }
    const { won } = await swapRecord(CONTROL, store, keys.control, next, before?.version, signal)
    if (won) return
    // The record has changed meanwhile: look again.
  }
}
