/** The status of a run as its records have it now. */
import type { Spec } from '../../wire/spec.ts'
import { type Deployment, readCollected, slotRecords } from '../deployment.ts'
import { type Status, statusOf } from './status.ts'

export async function readStatus(d: Deployment, spec: Spec): Promise<Status> {
  const [slots, collected] = await Promise.all([slotRecords(d, spec.count), readCollected(d)])
  return statusOf({ cloud: d.cloudId, spec, store: d.store.url, slots, collected })
}
