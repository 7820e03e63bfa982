/** Delivering results: pin, check the disk, download into the staging folder, verify, place. Anything that fails leaves the store as it is. */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { InputError } from '../../core/errors.ts'
import { newNonce } from '../../core/identity.ts'
import { orLate } from '../../lib/abort.ts'
import { removeTree } from '../../lib/remove.ts'
import { messageOf, oneLine } from '../../lib/text.ts'
import { makeRoomAfter } from '../../snapshot/memory.ts'
import { pin } from '../../snapshot/pins.ts'
import type { Entry } from '../../snapshot/types.ts'
import { VERSION } from '../../wire/parse.ts'
import type { CollectedRecord } from '../../wire/records.ts'
import { hasSaved, isTerminal, SLOT, type SlotRecord, type SnapshotRef } from '../../wire/slot.ts'
import type { TaskSpec } from '../../wire/spec.ts'
import { isStoreError } from '../../wire/store.ts'
import { readRecord } from '../../wire/swap.ts'
import { type Deployment, type Engine, slotRecords } from '../deployment.ts'
import { patiently } from '../outage.ts'
import { PARTING, readUntil } from '../read-until.ts'
import { telling } from '../transfer-progress.ts'
import { undelivered } from './delivery-failure.ts'
import { type Destination, type DestinationParams, destinationOf, readReceipt, writeReceipt } from './destination.ts'
import { earlierNote, notePath, readNote, writeNote } from './ledger.ts'
import type { Results } from './merge.ts'
import { type Installed, NOTHING, place } from './place.ts'
import {
  bytesOf,
  compare,
  diskBytesOf,
  entryAt,
  type HeadTree,
  isEmpty,
  pathsOf,
  placements,
  type SavedSlot,
  treeOf,
  without,
} from './results.ts'
import { download, needSpace, openStaging } from './staging.ts'
import { unmatchedIn, unmatchedInUpload } from './unmatched-globs.ts'
import { type Unreturned, unreturnedFiles } from './unreturned-files.ts'
import { deliveryWarnings } from './warnings.ts'

/** Paths are relative to the folder, as the results have them. */
export interface Delivery {
  /** Absolute; empty: nowhere. */
  readonly folder: string
  /** Files and links that were put there now, also those beside others. */
  readonly files: readonly string[]
  /** Bytes of these files. */
  readonly bytes: number
  /** How many were there already with the same content. */
  readonly same: number
  /** How many match, but were left out because they are as they were uploaded. Absent if the folder is the work directory, which has them. */
  readonly unchanged?: number
  /** Results that were put beside something else that has their name. */
  readonly beside: readonly string[]
  /** Results that slots made differently: each slot's version is in a folder of its own. */
  readonly conflicts: readonly string[]
  /** Milliseconds that it took. */
  readonly took?: number
  /** Some slot has its own snapshot: there is more than what was uploaded. */
  readonly saved: boolean
  /** Globs that match no file of any slot, changed or not. */
  readonly unmatched: readonly string[]
  /** Present if no outputs were requested. */
  readonly unreturned?: Unreturned
}

export interface CollectParams extends DestinationParams {
  readonly slots?: readonly number[] | undefined
  /** The records of all slots, if the caller has just read them. */
  readonly records?: readonly SlotRecord[]
  /** A run without any output is as good as one with (`if-no-files-found: ignore`). */
  readonly optional?: boolean | undefined
  /**
   * Called once everything is in its place, and before the run is recorded as collected; if it throws, the run does not count as collected.
   * `paths`: all results, as they are now below the folder.
   */
  readonly beforeCollected?: ((delivery: Delivery, paths: readonly string[]) => Promise<void>) | undefined
  /** Ends the delivery with its reason, and leaves nothing here; too late once files are being put in their place. */
  readonly signal?: AbortSignal | undefined
}

/** A slot whose head nobody prunes until it is released. */
type Pinned = SavedSlot & { readonly release: () => Promise<void> }

/** Delivers the results that the slots have saved last, of a run that has ended or is still going on; stops nothing. */
export async function deliver(engine: Engine, whole: Deployment, spec: TaskSpec, params: CollectParams = {}): Promise<Delivery> {
  const { signal, beforeCollected } = params
  const d = readUntil(whole, signal)
  const begun = engine.clock.now()
  const destination = await destinationOf(engine, d, spec, params)
  const { delivery: brought, paths } = await bringAll(engine, d, spec, params, destination)
  const delivery = { ...brought, took: Math.round(engine.clock.now() - begun) }
  if (destination.globs.length > 0 && beforeCollected) {
    signal?.throwIfAborted()
    await orLate(beforeCollected(delivery, paths), signal, 0)
  }
  return delivery
}

interface Brought {
  readonly delivery: Delivery
  readonly paths: readonly string[]
}

async function bringAll(engine: Engine, d: Deployment, spec: TaskSpec, params: CollectParams, destination: Destination): Promise<Brought> {
  const { folder, globs: patterns } = destination
  const nothing: Brought = {
    delivery: { folder: folder ?? '', files: [], bytes: 0, same: 0, beside: [], conflicts: [], saved: false, unmatched: [] },
    paths: [],
  }
  if (patterns.length === 0) {
    // Only for a warning: if it cannot be read, there is none.
    const unreturned = await unreturnedFiles(d, spec).catch((): Unreturned => ({ files: 0, names: [] }))
    return { ...nothing, delivery: { ...nothing.delivery, unreturned } }
  }
  if (!folder) throw new InputError(`it is not known where the outputs of ${d.name} belong`, { hint: 'give a folder: `to: DIR`' })
  const all = params.records ?? (await slotRecords(d, spec.count))
  const chosen = all.filter(({ index }) => params.slots?.includes(index) ?? true).filter(hasSaved)
  if (chosen.length === 0) {
    // While it runs, files may still come.
    const unmatched = all.every((slot) => isTerminal(slot.state)) ? await unmatchedInUpload(d, spec, patterns) : []
    return { ...nothing, delivery: { ...nothing.delivery, unmatched } }
  }
  const pinned = await orLate(Promise.all(chosen.map((slot) => pinHead(d, slot))), params.signal, PARTING)
  try {
    return await bring(engine, d, spec, pinned, { ...destination, folder, signal: params.signal })
  } catch (error) {
    params.signal?.throwIfAborted()
    throw await undelivered(error, d, folder)
  } finally {
    await orLate(Promise.allSettled(pinned.map((slot) => slot.release())), params.signal, PARTING).catch(() => undefined)
  }
}

async function pinHead(d: Deployment, slot: SavedSlot): Promise<Pinned> {
  // Only a holder prunes, and a slot that has ended has none.
  if (isTerminal(slot.state)) return { ...slot, release: async () => {} }
  const head = async (): Promise<SnapshotRef[]> => {
    const read = await readRecord(SLOT, d.store, d.keys.slot(slot.index).record)
    return read?.value.head ? [read.value.head] : []
  }
  const held = await pin({ store: d.store, root: d.keys.root, slot: slot.index, reader: `collect-${newNonce()}`, head })
  return { ...slot, ...(held.refs[0] ? { head: held.refs[0] } : {}), release: () => held.release() }
}

type Target = Destination & { readonly folder: string; readonly signal: AbortSignal | undefined }

async function bring(engine: Engine, d: Deployment, spec: TaskSpec, slots: readonly SavedSlot[], target: Target): Promise<Brought> {
  const { folder, globs: patterns, base, own } = target
  const trees = await Promise.all(slots.map(async (slot) => treeOf(d, slot)))
  const unmatched = unmatchedIn(trees, patterns)
  const { results, conflicts, unchanged, before, git } = await compare(d, spec, trees, patterns, own ? base : undefined)
  makeRoomAfter(trees.reduce((sum, { manifest }) => sum + manifest.entries.length, 0))
  const placed = isEmpty(results) ? NOTHING : await fetchAndPlace(engine, d, { trees, results, before }, target)
  const there = without(results, placed.refused)
  const warnings = deliveryWarnings({ placed, conflicts, git, changed: own && base !== undefined, trees })
  for (const warning of warnings) engine.host.warn(oneLine(warning))
  const paths = pathsOf(there, (path) => placed.beside.get(path)?.path ?? path)
  const beside = [...placed.beside.keys()]
  const files = [...placed.written, ...beside]
  const bytes = bytesOf(without(there, new Set(placed.same)))
  const left = own ? {} : { unchanged }
  return { delivery: { folder, files, bytes, same: placed.same.length, ...left, beside, conflicts, saved: true, unmatched }, paths }
}

interface Compared {
  readonly trees: readonly HeadTree[]
  readonly results: Results
  readonly before: ReadonlyMap<string, Entry>
}

/** Makes the folder, which need not exist, and puts the results into it. */
async function fetchAndPlace(
  engine: Engine,
  d: Deployment,
  { trees, results, before }: Compared,
  { folder, fresh, signal }: Target,
): Promise<Installed> {
  await mkdir(folder, { recursive: true })
  if (fresh) {
    await writeReceipt(engine, d, { v: VERSION, ...(await readReceipt(engine, d)), folder, fresh }).catch(unwritten(engine, d))
    engine.host.info(`it is not known here where ${d.name} was to put its outputs: they go to ${folder}; for another folder: \`to: DIR\``)
  }
  await needSpace(d, folder, diskBytesOf(results))
  const staging = await openStaging(folder)
  try {
    await telling(engine, 'fetching the results', bytesOf(results), async (tell) => {
      const arrived = new Map<number, number>()
      const progress = (index: number) => (at: { readonly bytes: number }) => {
        arrived.set(index, at.bytes)
        tell([...arrived.values()].reduce((sum, one) => sum + one, 0))
      }
      await Promise.all(
        trees.map((tree) =>
          download(engine, d, tree, results, { folder: join(staging, String(tree.index)), progress: progress(tree.index), signal }),
        ),
      )
    })
    const note = notePath(engine, d)
    const delivered = (await readNote(note)) ?? (await earlierNote(engine, d, folder))
    const placed = await place(placements(results, staging), {
      folder,
      before: (path) => before.get(path),
      delivered,
      had: (path) => trees.flatMap(({ manifest }) => entryAt(manifest.entries, path) ?? []),
      signal,
    })
    await writeNote(note, delivered, without(results, placed.refused), placed.beside).catch(unwritten(engine, d))
    return placed
  } finally {
    await removeTree(staging)
  }
}

/** For `catch`: without its notes, a later delivery puts its files beside those of this one. */
const unwritten =
  ({ home, host }: Engine, { name }: Deployment) =>
  (error: unknown): void =>
    host.warn(`${name}: where its results are cannot be noted in ${home}: ${messageOf(error)}`)

/**
 * Records that the results were delivered. If several controllers have delivered them, the record of the first one stays. It may be this one's, written
 * by a call whose answer was lost.
 */
export async function markCollected(
  engine: Engine,
  d: Deployment,
  slots: readonly SlotRecord[],
  to?: string,
  signal?: AbortSignal,
): Promise<void> {
  const at = engine.clock.date().toISOString()
  const heads = Object.fromEntries(slots.filter((slot) => slot.head).map((slot) => [String(slot.index), slot.head?.digest ?? '']))
  const record: CollectedRecord = { v: VERSION, at, by: engine.actor, ...(to && { to }), heads }
  try {
    await patiently(engine, async () => d.store.write(d.keys.collected, Buffer.from(JSON.stringify(record)), { absent: true }), signal)
  } catch (error) {
    if (!isStoreError(error, 'conflict')) throw error
  }
}
