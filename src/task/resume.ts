/** Starting from what a failed or stopped run left: its last snapshots become the heads of a new incarnation, under what was edited here since. */
import { withoutDeliveries } from '../engine/deliver/without-deliveries.ts'
import type { Deployment, Engine } from '../engine/deployment.ts'
import { sideBySide } from '../lib/side-by-side.ts'
import { SnapshotError } from '../snapshot/errors.ts'
import { encodeManifest, manifestKey, objectKeys, readManifest } from '../snapshot/manifest.ts'
import { nameSome } from '../snapshot/path.ts'
import type { Entry, Manifest } from '../snapshot/types.ts'
import { BASE, snapAt } from '../wire/layout.ts'
import { hasSaved, type SlotRecord, type SnapshotRef } from '../wire/slot.ts'
import type { TaskSpec } from '../wire/spec.ts'
import { type LaidOver, layOver } from './merge-edits.ts'

/** What a slot of the new incarnation starts with. */
export type SlotStart = Partial<Pick<SlotRecord, 'state' | 'cause' | 'reason' | 'exitCode' | 'head' | 'outputs' | 'summary'>>

export interface Seed {
  /** Says what the run is going to start from, before anything is made: `here` is the work directory as it is now. */
  tell(here: Manifest | undefined): Promise<void>
  /** Copies what is needed below the new incarnation; resolves to how each slot starts. `base`: what was uploaded for it. */
  plant(d: Deployment, base: SnapshotRef | undefined): Promise<ReadonlyMap<number, SlotStart>>
}

/** Objects copied at a time. */
const PARALLEL = 8

export function seedFrom(engine: Engine, old: Deployment, spec: TaskSpec, slots: readonly SlotRecord[]): Seed {
  const before = async (): Promise<Iterable<Entry>> =>
    spec.base === undefined ? [] : (await readManifest(old.store, old.keys.root, { digest: spec.base, at: BASE })).entries
  const saved = slots.flatMap((slot) => {
    const ref = refOf(slot)
    return ref ? [{ slot, ref }] : []
  })
  return {
    async tell(here) {
      const { host } = engine
      for (const { slot, ref } of saved)
        if (slot.state !== 'succeeded') host.info(`${old.name}: slot ${slot.index} goes on from its checkpoint of ${ref.savedAt}`)
      if (!here) return
      const edits = { was: await before(), now: (await withoutDeliveries(engine, old, spec, slots, here)).entries }
      const laid = await Promise.all(
        saved.map(async ({ slot, ref }) => layOver((await manifestOf(old, slot, ref)).entries, edits.was, edits.now)),
      )
      tellEdits(engine, laid)
    },
    async plant(d, base) {
      const starts = new Map<number, SlotStart>()
      const here = base && (await withoutDeliveries(engine, old, spec, slots, await readManifest(d.store, d.keys.root, base))).entries
      const was = await before()
      for (const { slot, ref } of saved) {
        const from = await manifestOf(old, slot, ref)
        const head = here ? await plantOver(old, d, ref, from, layOver(from.entries, was, here)) : ref
        if (head === ref) await plantAsItIs(old, d, ref, from)
        starts.set(slot.index, startOf(slot, { ...head, epoch: 0 }))
      }
      for (const slot of slots) if (slot.state === 'succeeded' && !starts.has(slot.index)) starts.set(slot.index, startOf(slot, base))
      return starts
    },
  }
}

/** The results of a slot that has succeeded; for others the last snapshot of a quiet tree. `undefined`: it had saved nothing. */
function refOf(slot: SlotRecord): SnapshotRef | undefined {
  if (!hasSaved(slot)) return undefined
  return slot.state === 'succeeded' ? slot.head : (slot.lastQuiet ?? slot.head)
}

/** Machines can write the record, and it says where the new incarnation's start is: so check that place. */
async function manifestOf(old: Deployment, slot: SlotRecord, ref: SnapshotRef): Promise<Manifest> {
  if (ref.at !== snapAt(slot.index))
    throw new SnapshotError('corrupt', `slot ${slot.index} names a checkpoint in ${ref.at}, which is not its own`)
  return readManifest(old.store, old.keys.root, ref)
}

function tellEdits({ host }: Engine, laid: readonly LaidOver[]): void {
  const edited = [...new Set(laid.flatMap((one) => one.edited))]
  if (edited.length > 0)
    host.info(`changed here since the last upload, and used as it is here: ${nameSome(edited)}; everything else comes from the checkpoint`)
  const both = new Map(laid.flatMap((one) => [...one.both]))
  for (const [path, beside] of both)
    host.warn(`${path} was changed here and by the run: the local version is used, the run's is beside it as ${beside}`)
}

/** A slot that had succeeded stays succeeded; the others go on from where they were. */
function startOf(slot: SlotRecord, head: SnapshotRef | undefined): SlotStart {
  const start = head ? { head } : {}
  if (slot.state !== 'succeeded') return start
  return {
    ...start,
    state: 'succeeded',
    cause: 'exit',
    reason: 'succeeded in the run this one resumes',
    exitCode: 0,
    ...(slot.outputs ? { outputs: slot.outputs } : {}),
    ...(slot.summary === undefined ? {} : { summary: slot.summary }),
  }
}

/** Keys are relative to the incarnation, so a snapshot is copied by copying its objects. */
export async function plantAsItIs(
  from: Deployment,
  to: Deployment,
  ref: Pick<SnapshotRef, 'digest' | 'at'>,
  manifest: Manifest,
): Promise<void> {
  await copyObjects(from, to, [...objectKeys(manifest), manifestKey(ref)])
}

/** What was uploaded for the new incarnation is there already; the rest is copied, under a new manifest. */
async function plantOver(from: Deployment, to: Deployment, ref: SnapshotRef, old: Manifest, { entries }: LaidOver): Promise<SnapshotRef> {
  const manifest: Manifest = { ...old, entries }
  const theirs = objectKeys(old)
  await copyObjects(
    from,
    to,
    [...objectKeys(manifest)].filter((key) => theirs.has(key)),
  )
  const { bytes, digest } = await encodeManifest(manifest)
  const head = { ...ref, digest, ...sizeOf(entries) }
  await to.store.write(to.keys.root + manifestKey(head), bytes)
  return head
}

function sizeOf(entries: readonly Entry[]): Pick<SnapshotRef, 'files' | 'bytes'> {
  const files = entries.flatMap((entry) => (entry.type === 'file' ? [entry.size] : []))
  return { files: files.length, bytes: files.reduce((sum, size) => sum + size, 0) }
}

async function copyObjects(from: Deployment, to: Deployment, keys: readonly string[]): Promise<void> {
  await sideBySide(PARALLEL, keys, async (key) => {
    const object = await from.store.read(from.keys.root + key)
    if (!object) throw new SnapshotError('lost', `the checkpoint to resume from is incomplete: ${key} is missing`)
    await to.store.write(to.keys.root + key, object.bytes)
  })
}
