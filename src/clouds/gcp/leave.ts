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
  const place = work ? placeFor(config, work, before) : before
  if (place > before) await group.resize(place)
  if (!(await group.deleteSelf())) return
  const after = await group.size()
  // Only the store tells whether a size of 0 is an end of the group, or that of siblings that have left.
  const mayBeOver = work === undefined && before > 1
  if (after === undefined || (after === 0 && mayBeOver)) return
  if (after < wanted) await group.resize(wanted)
  const added = place - before + Math.max(0, wanted - after)
  if (added > 0) await takeBackAtStop(group, added, open)
}

/**
 * The size with a place for the replacement. A sibling that leaves at the same moment may have made one for its own, which is not ours; but there are
 * never more than slots that miss a machine. A twin's size is its autoscaler's, up to its maximum.
 */
function placeFor(config: MachineConfig, work: OpenWork, before: number): number {
  if (work.stopped || isOfTwin(config)) return before
  const missed = work.open - work.holders.length
  return Math.max(before, Math.min(before + 1, wantedBy(config, work, before) + missed))
}

/**
 * If a stop came in between, takes back what was added, but no more than that if siblings hold slots: they may still save until their grace is over.
 */
async function takeBackAtStop(group: Group, added: number, open: OpenSlots | undefined): Promise<void> {
  const now = await open?.()
  if (!now || (!now.stopped && now.open > 0)) return
  const size = await group.size()
  const left = now.holders.length === 0 ? 0 : Math.max(now.holders.length, (size ?? 0) - added)
  if (size !== undefined && left < size) await group.resize(left)
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
