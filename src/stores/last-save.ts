/** Finds out whether the server of a deployment's own store may still get the last snapshot of a machine. */
import { currentKey, layout } from '../wire/layout.ts'
import { CURRENT } from '../wire/records.ts'
import { isHeld, SLOT } from '../wire/slot.ts'
import { SPEC } from '../wire/spec.ts'
import type { Store } from '../wire/store.ts'
import { readRecord } from '../wire/swap.ts'

/** A machine has ended its program, and saves what that has left. `id`: of the deployment. */
export async function isSavingLast(store: Store, id: string): Promise<boolean> {
  const current = await readRecord(CURRENT, store, currentKey(id))
  if (!current) return false
  const keys = layout(id, current.value.incarnation)
  const count = (await readRecord(SPEC, store, keys.spec))?.value.count ?? 0
  for (let index = 0; index < count; index += 1) {
    const slot = (await readRecord(SLOT, store, keys.slot(index).record))?.value
    if (slot?.phase === 'saving' && isHeld(slot)) return true
  }
  return false
}
