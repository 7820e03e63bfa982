/** A run past its deadline that has saved something: only its machines are given back, and the rest stays until its `retention` is over. */
import { hardDeadline, keptUntil, type Lifetime, overtime, retainedAfter } from '../../wire/lifetime.ts'
import { isHeld, isTerminal, isWorthKeeping, type SlotRecord } from '../../wire/slot.ts'
import { BY_DEADLINE } from '../../wire/slot-end.ts'
import type { Spec } from '../../wire/spec.ts'
import { type Deployment, type Engine, readSpec, slotRecords } from '../deployment.ts'
import { isOpen } from '../follow/close.ts'
import { patiently } from '../outage.ts'
import { untilEmpty } from './await-empty.ts'
import { orLower } from './compute.ts'
import { isNoMore } from './destroy.ts'
import { stopAndWait, untilClosed } from './stop.ts'

export interface Kept {
  readonly d: Deployment
  readonly spec: Spec
  /** ISO: it stays at least until then. */
  readonly until: string
}

/** Milliseconds since 1970 from which a sweep removes the run. */
export function retainedUntil(slots: readonly SlotRecord[], lifetime: Lifetime): number {
  const end = slots.every((slot) => isTerminal(slot.state)) ? Math.max(...slots.map((slot) => Date.parse(slot.at))) : hardDeadline(lifetime)
  return retainedAfter(end, lifetime)
}

/** Milliseconds since 1970 until which a run is certainly kept: later, a sweep removes it, or its cloud, if its store is the run's own, by itself. */
export function endOfRetention(slots: readonly SlotRecord[], lifetime: Lifetime): number {
  return Math.min(retainedUntil(slots, lifetime), keptUntil(lifetime))
}

/** What is kept of the run. `undefined`: the run is not complete, nothing of it is worth keeping, or its retention is over. */
export async function keptOf({ clock }: Pick<Engine, 'clock'>, d: Deployment): Promise<Kept | undefined> {
  // If another command makes or removes it, that command decides what is kept.
  if (!(await isOpen(d))) return undefined
  const spec = await readSpec(d)
  const slots = spec ? await slotRecords(d, spec.count) : []
  if (!spec || !slots.some(isWorthKeeping)) return undefined
  const until = endOfRetention(slots, spec.lifetime)
  return clock.date().getTime() > until ? undefined : { d, spec, until: new Date(until).toISOString() }
}

/**
 * Ends a run past its deadline as `tpi stop` does, except that its slots end as timed out. Resolves to what is kept. `nothing`: there is nothing to
 * keep, and this has changed nothing. `silent`: its store does not answer, so nobody knows.
 */
export async function endOverdue(engine: Engine, d: Deployment, signal: AbortSignal): Promise<Kept | 'nothing' | 'silent'> {
  const found = await orLower(engine, d, look(engine, d))
  if (typeof found === 'string') return found
  const { spec } = found
  // The clock of a machine may be late: then it still works, or makes its last save.
  const patience = (await givesSigns(engine, d, spec, signal)) ? overtime(spec.lifetime) * 1000 : 0
  const { d: there, spec: its } = await stopAndWait(engine, d, spec, { by: BY_DEADLINE, patience, signal, brief: true })
  signal.throwIfAborted()
  await untilEmpty(engine, there, 'run again: `tpi sweep --yes`')
  await untilClosed(engine, there, its, signal)
  signal.throwIfAborted()
  // Whoever closed the last slot removes the secrets, but may have died before that, and the run may be kept for long.
  await patiently(engine, async () => there.store.clear(there.keys.confidential))
  return (await patiently(engine, async () => keptOf(engine, there))) ?? found
}

async function look(engine: Engine, d: Deployment): Promise<Kept | 'nothing' | 'silent'> {
  try {
    return (await patiently(engine, async () => keptOf(engine, d))) ?? 'nothing'
  } catch (error) {
    if (isNoMore(d, error)) return 'silent'
    throw error
  }
}

/** Whether a machine that holds a slot gives a sign of life within one TTL. One that hangs is not waited for. */
async function givesSigns(engine: Engine, d: Deployment, { count, lease: { ttl } }: Spec, signal: AbortSignal): Promise<boolean> {
  const { clock } = engine
  const read = async (): Promise<SlotRecord[]> => patiently(engine, async () => slotRecords(d, count), signal)
  const held = (await read()).filter(isHeld)
  for (const until = clock.now() + ttl; held.length > 0 && clock.now() < until; ) {
    await clock.sleep(ttl / 4, signal)
    const now = await read()
    if (held.some(({ index, nonce }) => now[index]?.nonce !== nonce)) return true
  }
  return false
}
