/** A deployment with one slot, as the engine sees it, and its records. */
import type { Cloud } from '../../src/core/cloud.ts'
import { type Deployment, deploymentOf } from '../../src/engine/deployment.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'
import type { Store } from '../../src/wire/store.ts'

export const AT = '2030-01-01T00:00:00.000Z'

/** `cloud`: the parts of a cloud that the test needs. */
export const deploymentOn = (store: Store, cloud: object = {}): Deployment =>
  deploymentOf({ cloudId: 'x', cloud: cloud as Cloud, store, id: 'tpi-a', name: 'a', incarnation: 'i' })

/** The parts of a running slot's record that name its holder. */
export const heldBy = (holder: string): Pick<SlotRecord, 'state' | 'epoch' | 'holder' | 'attempts'> => ({
  state: 'running',
  epoch: 1,
  holder,
  attempts: [{ epoch: 1, holder, start: AT }],
})

/** Overwrites the record, whatever is there. */
export async function writeSlot(d: Deployment, over: Partial<SlotRecord>, index = 0): Promise<void> {
  await d.store.write(d.keys.slot(index).record, Buffer.from(JSON.stringify({ ...newSlot(index, 'n', AT), ...over })))
}
