/**
 * `resume`: the last snapshots of a failed or stopped run become the heads of a new incarnation, with what was edited here since laid over
 * them.
 */
import { withoutDeliveries } from '../engine/deliver/without-deliveries.ts'
import type { Deployment, Engine } from '../engine/deployment.ts'
import { sideBySide } from '../lib/side-by-side.ts'
import { oneLine } from '../lib/text.ts'
import { isDamage, SnapshotError } from '../snapshot/errors.ts'
import { encodeManifest, manifestKey, objectKeys, readManifest } from '../snapshot/format/manifest.ts'
import { nameSome } from '../snapshot/path.ts'
import type { Entry, Manifest } from '../snapshot/types.ts'
import { BASE, snapAt } from '../wire/layout.ts'
import { generationsOf, hasSaved, type SlotRecord, type SnapshotRef } from '../wire/slot.ts'
import type { TaskSpec } from '../wire/spec.ts'
import { isStoreError } from '../wire/store.ts'
import { type LaidOver, layOver, type Tree, treeOf, withOwnTimes } from './merge-edits.ts'

/** What a slot of the new incarnation starts with. */
export type SlotStart = Partial<Pick<SlotRecord, 'state' | 'cause' | 'reason' | 'exitCode' | 'head' | 'previous' | 'outputs' | 'summary'>>

export interface Seed {
  /** Says what the run is going to start from, before anything is made. `here`: the work directory as it is now. */
  tell(here: Manifest | undefined): Promise<void>
  /** Copies what is needed to the keys of the new incarnation, and resolves to what each slot starts with. `base`: what was uploaded for it. */
  plant(d: Deployment, base: SnapshotRef | undefined): Promise<ReadonlyMap<number, SlotStart>>
}

/** Objects copied at a time. */
const PARALLEL = 8

/** A slot that has saved something. */
interface Saved {
  readonly slot: SlotRecord
  /** It has succeeded, and does not run again if its results are there. */
  readonly stays: boolean
  /** Its own snapshots, best first. Those that turn out damaged are taken out. */
  readonly refs: SnapshotRef[]
}

/** What has changed here since the upload. */
interface Edits {
  readonly was: Tree
  readonly now: Tree
  /** The same with results that were delivered here. */
  readonly sent: Tree
}

export function seedFrom(engine: Engine, old: Deployment, spec: TaskSpec, slots: readonly SlotRecord[]): Seed {
  const editsOf = async (here: Manifest): Promise<Edits> => {
    const base = spec.base === undefined ? undefined : await readManifest(old.store, old.keys.root, { digest: spec.base, at: BASE })
    const now = await withoutDeliveries(engine, old, spec, slots, here)
    return { was: treeOf(base?.entries ?? []), now: treeOf(now.entries), sent: treeOf(here.entries) }
  }
  // In a gang every slot runs again, because none of them can work without the others.
  const stays = ({ state }: SlotRecord): boolean => state === 'succeeded' && !spec.gang
  const saved = slots.filter(hasSaved).map((slot) => ({ slot, stays: stays(slot), refs: refsOf(slot, stays(slot)) }))
  return {
    async tell(here) {
      if (saved.length === 0 && !slots.some(stays))
        engine.host.info(`${old.name}: nothing to resume, because nothing had been saved: starting from the beginning`)
      const edits = here && (await editsOf(here))
      const found: FoundEdits[] = []
      for (const one of saved) {
        const { ref, entries } = await firstWhole(engine, old, one, async (ref) => ({ ref, ...(await manifestOf(old, one.slot, ref)) }))
        if (!isDone(one)) engine.host.info(`${old.name}: slot ${one.slot.index} goes on from its checkpoint of ${ref.savedAt}`)
        if (!edits) continue
        const { edited, both } = layOver(entries, edits.was, edits.now)
        found.push({ edited, both })
      }
      tellEdits(engine, found)
    },
    async plant(d, base) {
      const starts = new Map<number, SlotStart>()
      const edits = base && (await editsOf(await readManifest(d.store, d.keys.root, base)))
      const copies = new Copies(old, d)
      for (const one of saved) {
        const plantOne = async (ref: SnapshotRef): Promise<SnapshotRef> =>
          plantUnder(copies, ref, await manifestOf(old, one.slot, ref), edits)
        const head = await firstWhole(engine, old, one, plantOne)
        const previous = isDone(one) ? undefined : await fallback(one, plantOne)
        starts.set(one.slot.index, startOf(one.slot, isDone(one), head, previous))
      }
      for (const slot of slots) if (stays(slot) && !starts.has(slot.index)) starts.set(slot.index, startOf(slot, true, base))
      return starts
    },
  }
}

/** Snapshots of a slot, best first; the results of one that does not run again come before all. The upload is not one of them. */
function refsOf(slot: SlotRecord & { readonly head: SnapshotRef }, stays: boolean): SnapshotRef[] {
  const refs = generationsOf(slot).filter(({ at }) => at !== BASE)
  return stays ? [slot.head, ...refs.filter(({ digest }) => digest !== slot.head.digest)] : refs
}

/** Whether its results are there. If they are damaged, it runs again from what it had saved before. */
const isDone = ({ slot, stays, refs }: Saved): boolean => stays && refs[0] === slot.head

/** What `use` makes of the first checkpoint that is not damaged. Damaged ones before it are reported, and not tried again. */
async function firstWhole<T>(engine: Engine, old: Deployment, one: Saved, use: (ref: SnapshotRef) => Promise<T>): Promise<T> {
  const { slot, refs } = one
  for (let [ref, next] = refs; ref; [ref, next] = refs) {
    try {
      return await use(ref)
    } catch (error) {
      if (!isDamage(error) || !next) throw error
      const goesOn = isDone(one) ? 'it runs again from' : 'going on from'
      refs.shift()
      engine.host.warn(
        `${old.name}: slot ${slot.index}: its checkpoint of ${ref.savedAt} is damaged (${error.message}): ${goesOn} that of ${next.savedAt}`,
      )
    }
  }
  throw new SnapshotError('lost', `slot ${slot.index} has no checkpoint of its own`)
}

/**
 * The next checkpoint after the first that is not damaged, to fall back on: wrong bytes are found only when a machine unpacks them, and by then the
 * former run is gone. It mostly consists of the same objects. If the storage is full, there is none.
 */
async function fallback({ refs }: Saved, plantOne: (ref: SnapshotRef) => Promise<SnapshotRef>): Promise<SnapshotRef | undefined> {
  for (const ref of refs.slice(1))
    try {
      return await plantOne(ref)
    } catch (error) {
      if (isStoreError(error, 'full')) return undefined
      if (!isDamage(error)) throw error
    }
  return undefined
}

/** The manifest of a checkpoint. Machines can write the record that names it, so it is checked that it is a checkpoint of this slot. */
async function manifestOf(old: Deployment, slot: SlotRecord, ref: SnapshotRef): Promise<Manifest> {
  if (ref.at !== snapAt(slot.index))
    throw new SnapshotError('corrupt', `slot ${slot.index} names a checkpoint in ${ref.at}, which is not its own`)
  return readManifest(old.store, old.keys.root, ref)
}

/** Without the entries: those of a thousand slots would be too many. */
type FoundEdits = Pick<LaidOver, 'edited' | 'both'>

function tellEdits({ host }: Engine, found: readonly FoundEdits[]): void {
  const edited = [...new Set(found.flatMap((one) => one.edited))]
  if (edited.length > 0)
    host.info(`changed here since the last upload, and used as it is here: ${nameSome(edited)}; everything else comes from the checkpoint`)
  const both = new Map(found.flatMap((one) => [...one.both]))
  for (const [path, beside] of both)
    host.warn(oneLine(`${path} was changed here and by the run: the local version is used, the run's is beside it as ${beside}`))
}

/** What a slot starts with: one that is done stays succeeded, any other goes on from its checkpoint. */
function startOf(slot: SlotRecord, done: boolean, head: SnapshotRef | undefined, previous?: SnapshotRef): SlotStart {
  const start = {
    ...(head && { head }),
    ...(previous && previous.digest !== head?.digest && { previous }),
    // As after a takeover: a script that goes on skips what it has done, and what that has said.
    ...(slot.outputs && { outputs: slot.outputs }),
    ...(slot.summary !== undefined && { summary: slot.summary }),
  }
  if (!done) return start
  return {
    ...start,
    state: 'succeeded',
    cause: 'exit',
    reason: 'succeeded in the run this one resumes',
    exitCode: 0,
  }
}

/** Copies a checkpoint with the edits laid over it. Resolves to its name in the new incarnation. */
async function plantUnder(copies: Copies, ref: SnapshotRef, manifest: Manifest, edits: Edits | undefined): Promise<SnapshotRef> {
  const head = { ...ref, epoch: 0 }
  if (edits) return plantOver(copies, head, manifest, layOver(withOwnTimes(manifest.entries, edits.was, edits.sent), edits.was, edits.now))
  await plantAsItIs(copies, head, manifest)
  return head
}

/** Keys are relative to the incarnation, so a snapshot is copied by copying its objects. */
export async function plantAsItIs(copies: Copies, ref: Pick<SnapshotRef, 'digest' | 'at'>, manifest: Manifest): Promise<void> {
  await copies.bring([...objectKeys(manifest), manifestKey(ref)])
}

/** Writes a manifest of checkpoint and edits. Objects of the edits were uploaded with the new incarnation; those of the checkpoint are copied. */
async function plantOver(copies: Copies, ref: SnapshotRef, old: Manifest, { entries }: LaidOver): Promise<SnapshotRef> {
  const manifest: Manifest = { ...old, entries }
  const theirs = objectKeys(old)
  await copies.bring([...objectKeys(manifest)].filter((key) => theirs.has(key)))
  const { bytes, digest } = await encodeManifest(manifest)
  const head = { ...ref, digest, ...sizeOf(entries) }
  await copies.to.store.write(copies.to.keys.root + manifestKey(head), bytes)
  return head
}

function sizeOf(entries: readonly Entry[]): Pick<SnapshotRef, 'files' | 'bytes'> {
  const files = entries.flatMap((entry) => (entry.type === 'file' ? [entry.size] : []))
  return { files: files.length, bytes: files.reduce((sum, size) => sum + size, 0) }
}

/** Copies objects from one incarnation to another, each only once: snapshots share most of their objects. */
export class Copies {
  readonly to: Deployment
  readonly #from: Deployment
  readonly #there = new Set<string>()

  constructor(from: Deployment, to: Deployment) {
    this.#from = from
    this.to = to
  }

  async bring(keys: readonly string[]): Promise<void> {
    const missing = keys.filter((key) => !this.#there.has(key))
    await sideBySide(PARALLEL, missing, async (key) => {
      if (!(await this.#copy(this.#from.keys.root + key, this.to.keys.root + key)))
        throw new SnapshotError('lost', `the checkpoint to resume from is incomplete: ${key} is missing`)
      this.#there.add(key)
    })
  }

  /** `false`: there is nothing to copy. */
  async #copy(from: string, to: string): Promise<boolean> {
    const { store } = this.to
    const isSame = this.#from.store.url === store.url
    // The storage itself copies, if it can: then the bytes do not travel. (Azure calls a source missing that it may not read.)
    if (isSame && (await store.copy?.(from, to).catch(ifRefused))) return true
    // Through the store of the new incarnation, because that waits out an outage.
    const object = await (isSame ? store : this.#from.store).read(from)
    if (object) await store.write(to, object.bytes)
    return object !== undefined
  }
}

/** For `catch`: some servers cannot copy, and some identities may not. */
function ifRefused(error: unknown): false {
  if (!isStoreError(error) || error.kind === 'unavailable' || error.kind === 'full') throw error
  return false
}
