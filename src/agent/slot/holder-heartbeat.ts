/** The holder's heartbeat, and how long it works on while the store is out of reach. */
import { onAbort } from '../../lib/abort.ts'
import { pause } from '../../lib/clock.ts'
import { Awake } from '../../lib/staleness.ts'
import type { Lease } from '../../wire/spec.ts'
import type { Ending } from './ending.ts'
import type { Holder } from './holder.ts'

class StoreLost extends Error {
  override readonly name = 'StoreLost'
}

/**
 * Renews the slot until the signal. Severs the ending if the slot is lost, or if the store is out of reach for longer than `storeGrace`
 * while a script is running.
 */
export async function keepBeating(holder: Holder, lease: Lease, ending: Ending, signal: AbortSignal): Promise<void> {
  onAbort(holder.fenced, () => ending.sever(holder.fenced.reason as Error))
  const slice = Math.min(lease.beat, lease.storeGrace) / 4
  const awake = new Awake(lease.storeGrace, performance.now())
  while (!signal.aborted && !ending.severed.aborted) {
    const now = performance.now()
    const silent = now - holder.renewedAt
    if (awake.heard(silent, now) >= lease.storeGrace && !ending.closing && !ending.engaged)
      ending.sever(new StoreLost(`the store has accepted no write for ${Math.round(silent / 1000)} s`))
    // Every write is a sign of life, so a heartbeat is needed only if nothing else is written.
    else if (silent >= lease.beat - slice / 2 && holder.idle) void holder.update((record) => record, signal).catch(() => undefined)
    await pause(slice, signal).catch(() => undefined)
  }
}
