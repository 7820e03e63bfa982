/** How far the files of a slot have come, on its record. */
import type { Holder } from '../slot/holder.ts'

/** Milliseconds between two notes. */
const NOTE = 2000

/** For commands that wait for it. It carries no decision: what is not stored is not missed. */
export function recordTransfer(holder: Holder): (at: { readonly bytes: number; readonly total: number }) => void {
  const since = new Date().toISOString()
  let noted = performance.now()
  return ({ bytes, total }) => {
    if (performance.now() - noted < NOTE || !holder.idle) return
    noted = performance.now()
    void holder.update((record) => ({ ...record, transfer: { done: Math.round(bytes), total, since } })).catch(() => undefined)
  }
}
