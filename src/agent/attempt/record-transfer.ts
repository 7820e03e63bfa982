/** Records in slot.json how far the transfer of a slot's files has come. */
import type { Holder } from '../slot/holder.ts'

/** Milliseconds between two notes. */
const NOTE = 2000

/** A progress callback, for commands that show it. No decision depends on what it records, so a failed write does no harm. */
export function recordTransfer(holder: Holder): (at: { readonly bytes: number; readonly total: number }) => void {
  const since = new Date().toISOString()
  let noted = performance.now()
  return ({ bytes, total }) => {
    if (performance.now() - noted < NOTE || !holder.idle) return
    noted = performance.now()
    void holder.update((record) => ({ ...record, transfer: { done: Math.round(bytes), total, since } })).catch(() => undefined)
  }
}
