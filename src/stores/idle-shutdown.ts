/** When the server of a deployment's own store has nothing to do any more: it ends by itself, so nobody has to come back for it. */
import { interruptedJobs, livesTaken } from '../wire/interrupted-jobs.ts'
import { currentKey, layout } from '../wire/layout.ts'
import { CURRENT } from '../wire/records.ts'
import { isTerminal, SLOT, type SlotRecord } from '../wire/slot.ts'
import { SPEC } from '../wire/spec.ts'
import type { Store } from '../wire/store.ts'
import { readRecord } from '../wire/swap.ts'

/** TTLs (ten minutes as a rule) during which status requests are still answered. */
const LENGTH = 10

/**
 * Milliseconds for which a store is kept if nothing in it will change by itself; `undefined`: it is needed. A task's store is needed: there may
 * be results, and the command that collects them removes it. So is that of runners while a job that was cut off may have to be re-run, and for the
 * log of what went wrong: until somebody says that it is settled, or its time is over.
 */
export async function idleTime(store: Store): Promise<number | undefined> {
  const id = await onlyOne(store)
  const current = id === undefined ? undefined : (await readRecord(CURRENT, store, currentKey(id)))?.value
  if (id === undefined || current?.state !== 'open' || current.relaunch) return undefined
  const keys = layout(id, current.incarnation)
  const spec = (await readRecord(SPEC, store, keys.spec))?.value
  if (spec?.mode !== 'runner') return undefined
  const slots: SlotRecord[] = []
  for (let index = 0; index < spec.count; index += 1) {
    const slot = (await readRecord(SLOT, store, keys.slot(index).record))?.value
    // The rest does not have to be read: this runs every few seconds.
    if (!slot || !isTerminal(slot.state)) return undefined
    slots.push(slot)
  }
  const again = Number(spec.runner.relaunch['retry'] ?? 0) > 0
  if (!current.settled && (slots.some(({ state }) => state === 'failed') || (again && isOwed(slots)))) return undefined
  return spec.lease.ttl * LENGTH
}

const isOwed = (slots: readonly SlotRecord[]): boolean => interruptedJobs(slots).length > 0 || livesTaken(slots).length > 0

/** The deployment that is kept here; there is no other one. */
async function onlyOne(store: Store): Promise<string | undefined> {
  for await (const { key } of store.list('')) return key.slice(0, key.indexOf('/'))
  return undefined
}
