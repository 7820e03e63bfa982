/**
 * Leaving the group, by the call that lowers the wanted size together with the machine:
 * https://docs.cloud.google.com/compute/docs/reference/rest/v1/regionInstanceGroupManagers/deleteInstances
 *
 * If the machine needs a replacement, it first makes a place for that, because it may be switched off before its next call: without a place, the
 * group would stay too small for ever; a machine too many finds no slot, and leaves. Afterwards, it sets the size to the number of open slots, and
 * only upwards, because siblings may have left at the same moment. It does not call `recreateInstances`, which stays in a zone that may have no room.
 */

import { reachable } from '../../lib/reachable.ts'
import type { GoogleMetadata } from '../../vendors/google/metadata.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import type { Leaving, OpenSlots, OpenWork } from '../../wire/machine-side.ts'
import { hasTwin } from '../vm/spot-standby.ts'
import { Group, rootOf } from './machine-call.ts'
import { endAll, isOfTwin, putOffRefill } from './spot-standby.ts'

/** Milliseconds: a machine that cannot leave is switched off, and its group makes it again. */
const PATIENCE = 90_000

/** Idempotent: an instance or a group that does not exist, and a group that wants no machines, are fine. Throws if it could not leave. */
export async function remove(config: MachineConfig, why: Leaving, open: OpenSlots | undefined, metadata: GoogleMetadata): Promise<void> {
  const group = new Group(config, metadata, { name: config.side?.['group'] ?? '', patience: PATIENCE, tried: 'leave the group' })
  if (why === 'done') {
    if (hasTwin(config)) await settle(config, open, metadata)
    await group.deleteSelf()
    return
  }
  const [before, work] = [await group.size(), await open?.()]
  if (!before) return void (await group.deleteSelf())
  const wanted = work ? wantedBy(config, work, before) : before
  let added = 0
  const resize = async (from: number, to: number): Promise<void> => {
    added += to - from
    await group.resize(to)
  }
  // A twin's size is its autoscaler's, up to its maximum.
  if (work && before <= wanted && !isOfTwin(config)) await resize(before, wanted + 1)
  if (!(await group.deleteSelf())) return
  const after = await group.size()
  // Only the store tells whether a size of 0 is an end of the group, or that of siblings that have left.
  const mayBeOver = work === undefined && before > 1
  if (after === undefined || (after === 0 && mayBeOver)) return
  if (after < wanted) await resize(after, wanted)
  const now = added > 0 ? await open?.() : undefined
  if (now === undefined || wantedBy(config, now, before) > 0) return
  // A stop came in between, so the increase is taken back, but no more than that: siblings may still save until their grace is over.
  const size = await group.size()
  if (size) await group.resize(Math.max(0, size - added))
}

/**
 * How many machines this group should have. With two groups, the machines of the other one hold some of the open slots, so this group does not
 * grow beyond its earlier size; for slots without a holder, the twin starts.
 */
function wantedBy(config: MachineConfig, { open, stopped }: OpenWork, before: number): number {
  if (stopped) return 0
  return hasTwin(config) ? Math.min(open, before) : open
}

/**
 * Before a machine of one of two groups leaves: if no work is left, ends both groups, so that the other one starts no more machines. If a sibling
 * still has work, even if it only saves it at a stop, the groups stay.
 */
async function settle(config: MachineConfig, open: OpenSlots | undefined, metadata: GoogleMetadata): Promise<void> {
  if ((await open?.())?.open === 0) return endAll(config, metadata)
  return putOffRefill(config, metadata)
}

/** Throws if this machine cannot reach the API by which it leaves: it would never leave, and its group would make it again. */
export async function answers(config: MachineConfig): Promise<void> {
  await reachable(rootOf(config), 'the Compute API', 'a network without a way out needs Private Google Access or a Cloud NAT')
}
