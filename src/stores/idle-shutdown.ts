/**
 * Finds out when the server of a deployment's own store is no longer needed. It then ends by itself, so nobody has to come back to remove it. One that
 * was told to end may be needed for a while.
 */
import { interruptedJobs, livesTaken } from '../wire/interrupted-jobs.ts'
import { currentKey, type Layout, layout } from '../wire/layout.ts'
import { CURRENT, type CurrentRecord } from '../wire/records.ts'
import { isHeld, isTerminal, SLOT, type SlotRecord } from '../wire/slot.ts'
import { SPEC } from '../wire/spec.ts'
import type { Store } from '../wire/store.ts'
import { readRecord } from '../wire/swap.ts'

/** For so many lease TTLs (together about ten minutes, by default), questions about the run are still answered. */
const LENGTH = 10

/**
 * Milliseconds for which the store must be kept from when this is first answered; `undefined`: it is still needed. A task's store is always needed:
 * there may be results, and the command that collects them removes it. That of runners is needed while a job that was cut off may have to be started
 * again, and if a slot has failed, for its log: until `tpi retry` records that no job needs it (`settled`).
 */
export async function idleTime(store: Store): Promise<number | undefined> {
  const run = await presentRun(store)
  if (run?.current.state !== 'open' || run.current.relaunch) return undefined
  const { current, keys } = run
  const spec = (await readRecord(SPEC, store, keys.spec))?.value
  if (spec?.mode !== 'runner') return undefined
  const slots: SlotRecord[] = []
  for (let index = 0; index < spec.count; index += 1) {
    const slot = (await readRecord(SLOT, store, keys.slot(index).record))?.value
    // One is enough to know. This runs every few seconds, so the others are not read.
    if (!slot || !isTerminal(slot.state)) return undefined
    slots.push(slot)
  }
  const again = Number(spec.runner.relaunch['retry'] ?? 0) > 0
  if (!current.settled && (slots.some(({ state }) => state === 'failed') || (again && isOwed(slots)))) return undefined
  return spec.lease.ttl * LENGTH
}

/**
 * Whether machines that were told to end may still need the store: their programs have the time of `--grace`, and then they save what these have
 * left. The present run decides, which may have another `--grace` than the one for which the store was made. `time`: milliseconds that programs
 * have had.
 */
export async function mayBeEnding(store: Store, time: number): Promise<boolean> {
  const run = await presentRun(store)
  const spec = run && (await readRecord(SPEC, store, run.keys.spec))?.value
  // Nothing runs yet.
  if (!run || !spec) return false
  if (time < spec.lifetime.grace * 1000) return true
  for (let index = 0; index < spec.count; index += 1) {
    const slot = (await readRecord(SLOT, store, run.keys.slot(index).record))?.value
    if (slot?.phase === 'saving' && isHeld(slot)) return true
  }
  return false
}

const isOwed = (slots: readonly SlotRecord[]): boolean => interruptedJobs(slots).length > 0 || livesTaken(slots).length > 0

/** The incarnation that has the id of the deployment whose store this is, and where its records are. */
async function presentRun(store: Store): Promise<{ readonly current: CurrentRecord; readonly keys: Layout } | undefined> {
  const id = await idIn(store)
  const current = id === undefined ? undefined : (await readRecord(CURRENT, store, currentKey(id)))?.value
  return id === undefined || !current ? undefined : { current, keys: layout(id, current.incarnation) }
}

async function idIn(store: Store): Promise<string | undefined> {
  for await (const { key } of store.list('')) return key.slice(0, key.indexOf('/'))
  return undefined
}
