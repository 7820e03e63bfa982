/** A task on one machine as engines see it, and its slots. */
import type { Cloud } from '../../src/core/cloud.ts'
import { type Deployment, deploymentOf } from '../../src/engine/deployment.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'
import type { Store } from '../../src/wire/store.ts'

export const AT = '2030-01-01T00:00:00.000Z'

/** `cloud`: what a test needs of one. */
export const deploymentOn = (store: Store, cloud: object = {}): Deployment =>
  deploymentOf({ cloudId: 'x', cloud: cloud as Cloud, store, id: 'tpi-a', name: 'a', incarnation: 'i' })

/** A slot that this machine works on. */
export const heldBy = (holder: string): Pick<SlotRecord, 'state' | 'epoch' | 'holder' | 'attempts'> => ({
  state: 'running',
  epoch: 1,
  holder,
  attempts: [{ epoch: 1, holder, start: AT }],
})

/** Whatever was there before. */
export async function writeSlot(d: Deployment, over: Partial<SlotRecord>, index = 0): Promise<void> {
  await d.store.write(d.keys.slot(index).record, Buffer.from(JSON.stringify({ ...newSlot(index, 'n', AT), ...over })))
}
