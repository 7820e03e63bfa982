/** The status of a run as its records have it now. */
import type { SlotRecord } from '../../wire/slot.ts'
import type { Spec } from '../../wire/spec.ts'
import { type Deployment, readCollected, slotRecords } from '../deployment.ts'
import { type Status, statusOf } from './status.ts'

/** `known`: the slots, if the caller has just read them. */
export async function readStatus(d: Deployment, spec: Spec, known?: readonly SlotRecord[]): Promise<Status> {
  const [slots, collected] = await Promise.all([known ?? slotRecords(d, spec.count), readCollected(d)])
  return statusOf({ cloud: d.cloudId, spec, store: d.store.url, slots, collected })
}
