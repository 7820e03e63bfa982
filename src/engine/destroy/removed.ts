/** A deployment that another command removes while this one is at it: it ends with what is recorded of it. */
import { EXIT } from '../../core/errors.ts'
import { removalOf } from '../../wire/incarnation.ts'
import type { SlotRecord } from '../../wire/slot.ts'
import type { Spec } from '../../wire/spec.ts'
import type { Deployment, Engine } from '../deployment.ts'
import { pickHistory, readCurrent } from '../find.ts'
import { type Status, statusOf } from '../follow/status.ts'

/** Gone, going, or replaced by another incarnation. What cannot be read is not taken for gone. */
export async function isRemoved(d: Deployment): Promise<boolean> {
  try {
    return removalOf((await readCurrent(d.store, d.id))?.value, d.incarnation) !== undefined
  } catch {
    return false
  }
}

/** As the history of this home has it; where somebody else's home does, it was stopped under us. */
export async function lastWord(engine: Engine, d: Deployment, spec: Spec, slots: readonly SlotRecord[]): Promise<Status> {
  const known = await pickHistory(engine.home, d.id)
  if (known?.createdAt === spec.createdAt && known.outcome !== 'running') return { ...known, destroyed: true }
  const seen = statusOf({ cloud: d.cloudId, spec, store: d.store.url, slots, destroyed: true })
  return seen.outcome === 'running' || slots.length < spec.count
    ? { ...seen, state: 'stopped', outcome: 'stopped', exitCode: EXIT.stopped }
    : seen
}
