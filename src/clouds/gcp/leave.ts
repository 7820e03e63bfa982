/**
 * Out of the group, by the call that takes the wanted size down with the machine:
 * https://docs.cloud.google.com/compute/docs/reference/rest/v1/regionInstanceGroupManagers/deleteInstances
 *
 * One that wants a successor then has the size set to what is open, and only upwards: never to `recreateInstances`, which keeps a zone that may
 * have no room, and never by adding one, which two that go at the same moment would get wrong.
 */
import type { GoogleMetadata } from '../../lib/google/metadata.ts'
import { reachable } from '../../lib/reachable.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import type { Leaving, OpenSlots, OpenWork } from '../../wire/machine-side.ts'
import { hasTwin } from '../vm/spot-standby.ts'
import { Group, rootOf } from './machine-call.ts'
import { endAll, putOffRefill } from './spot-standby.ts'

/** Milliseconds: a machine that cannot leave is switched off, and its group makes it again. */
const PATIENCE = 90_000

/** Idempotent: an instance or a group that is not there, and a group that wants none, are fine. Throws when it could not be done. */
export async function remove(config: MachineConfig, why: Leaving, open: OpenSlots | undefined, metadata: GoogleMetadata): Promise<void> {
  const group = new Group(config, metadata, { name: config.side?.['group'] ?? '', patience: PATIENCE, tried: 'leave the group' })
  if (why === 'done') {
    if (hasTwin(config)) await settle(config, open, metadata)
    await group.deleteSelf()
    return
  }
  const before = await group.size()
  if (!(await group.deleteSelf()) || !before) return
  const work = await open?.()
  const [after, wanted] = [await group.size(), work ? wantedBy(config, work, before) : before]
  // From more than one to none is not this machine's doing: the group was ended meanwhile.
  if (after === undefined || (after === 0 && before > 1) || after >= wanted) return
  await group.resize(wanted)
  const now = await open?.()
  if (now === undefined || wantedBy(config, now, before) > 0) return
  // A stop has come in between: what was raised goes back, and no further, since siblings may still save for as long as their grace lasts.
  const size = await group.size()
  if (size) await group.resize(Math.max(0, size - (wanted - after)))
}

/** Of two groups the other one holds some of what is open: this one has no more machines than it had. What then is nobody's, the twin starts for. */
function wantedBy(config: MachineConfig, { open, stopped }: OpenWork, before: number): number {
  if (stopped) return 0
  return hasTwin(config) ? Math.min(open, before) : open
}

/** Both groups first: what the other one still wants would come for nothing. Not while a sibling has work in hand, be it only to save it at a stop. */
async function settle(config: MachineConfig, open: OpenSlots | undefined, metadata: GoogleMetadata): Promise<void> {
  if ((await open?.())?.open === 0) return endAll(config, metadata)
  return putOffRefill(config, metadata)
}

/** Proves that the API by which this machine leaves can be reached: where it cannot, its work would never end. */
export async function answers(config: MachineConfig): Promise<void> {
  await reachable(rootOf(config), 'the Compute API', 'a network without a way out needs Private Google Access or a Cloud NAT')
}
