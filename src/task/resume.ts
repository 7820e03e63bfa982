/** Starting from what a failed or stopped run left: its last snapshots become the heads of a new incarnation. */
import type { Deployment } from '../engine/deployment.ts'
import { SnapshotError } from '../snapshot/errors.ts'
import { manifestKey, objectKeys, readManifest } from '../snapshot/manifest.ts'
import type { SlotRecord, SnapshotRef } from '../wire/slot.ts'

/** What a slot of the new incarnation starts with. */
export type Start = Partial<Pick<SlotRecord, 'state' | 'cause' | 'reason' | 'exitCode' | 'head' | 'outputs' | 'summary'>>

export interface Seed {
  /** Copies what is needed below the new incarnation; resolves to how each slot starts. */
  plant(d: Deployment): Promise<ReadonlyMap<number, Start>>
}

/** Objects copied at a time. */
const PARALLEL = 8

export function seedFrom(old: Deployment, slots: readonly SlotRecord[]): Seed {
  return {
    async plant(d) {
      const starts = new Map<number, Start>()
      for (const slot of slots) {
        const ref = slot.lastQuiet ?? slot.head
        if (!ref) continue
        await copySnapshot(old, d, slot.index, ref)
        starts.set(slot.index, startOf(slot, ref))
      }
      return starts
    },
  }
}

/** A slot that had succeeded stays succeeded; the others go on from where they were. */
function startOf(slot: SlotRecord, ref: SnapshotRef): Start {
  if (slot.state !== 'succeeded') return { head: { ...ref, epoch: 0 } }
  return {
    state: 'succeeded',
    cause: 'exit',
    reason: 'succeeded in the run this one resumes',
    exitCode: 0,
    head: { ...(slot.head ?? ref), epoch: 0 },
    ...(slot.outputs ? { outputs: slot.outputs } : {}),
    ...(slot.summary === undefined ? {} : { summary: slot.summary }),
  }
}

/** Keys are relative to the incarnation, so a snapshot is copied by copying its objects. */
async function copySnapshot(from: Deployment, to: Deployment, slot: number, ref: SnapshotRef): Promise<void> {
  const manifest = await readManifest(from.store, from.keys.root, ref)
  const next = [...objectKeys(manifest), manifestKey(ref)][Symbol.iterator]()
  const copy = async (): Promise<void> => {
    for (let item = next.next(); !item.done; item = next.next()) {
      const object = await from.store.read(from.keys.root + item.value)
      if (!object) throw new SnapshotError('lost', `the snapshot of slot ${slot} is not whole: ${item.value} is missing`)
      await to.store.write(to.keys.root + item.value, object.bytes)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, copy))
}
