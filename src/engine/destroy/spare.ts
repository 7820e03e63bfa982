/** Machines past their deadline whose run has saved something: only they are given back, and the rest stays until its retention is over. */
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

/** Milliseconds since 1970: a sweep removes it from then on. */
export function retainedUntil(slots: readonly SlotRecord[], lifetime: Lifetime): number {
  const end = slots.every((slot) => isTerminal(slot.state)) ? Math.max(...slots.map((slot) => Date.parse(slot.at))) : hardDeadline(lifetime)
  return retainedAfter(end, lifetime)
}

/** `undefined`: it is not complete, nothing of it is worth keeping, or its retention is over. */
export async function keptOf({ clock }: Pick<Engine, 'clock'>, d: Deployment): Promise<Kept | undefined> {
  // One that another command makes or removes is finished as that command would.
  if (!(await isOpen(d))) return undefined
  const spec = await readSpec(d)
  const slots = spec ? await slotRecords(d, spec.count) : []
  if (!spec || !slots.some(isWorthKeeping)) return undefined
  // A cloud may end a store of the run's own by itself at the second of these times.
  const until = Math.min(retainedUntil(slots, spec.lifetime), keptUntil(spec.lifetime))
  return clock.date().getTime() > until ? undefined : { d, spec, until: new Date(until).toISOString() }
}

/**
 * Ends a run past its deadline as `stop` does, but with the deadline for a reason. `nothing`: there is nothing to keep, and everything is as
 * it was; `silent`: its store does not answer, so nobody knows.
 */
export async function endOverdue(engine: Engine, d: Deployment, signal: AbortSignal): Promise<Kept | 'nothing' | 'silent'> {
  const found = await orLower(engine, d, look(engine, d))
  if (typeof found === 'string') return found
  const { spec } = found
  // By the clock of its machine, the deadline may still be to come: then that is in the middle of its work, or of its last save.
  const patience = (await givesSigns(engine, d, spec, signal)) ? overtime(spec.lifetime) * 1000 : 0
  const { d: there, spec: its } = await stopAndWait(engine, d, spec, { by: BY_DEADLINE, patience, signal, brief: true })
  signal.throwIfAborted()
  await untilEmpty(engine, there, 'run again: `tpi sweep --yes`')
  await untilClosed(engine, there, its, signal)
  signal.throwIfAborted()
  // Whoever closed the last slot may have died before it did this, and the rest may stay for long.
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

/** Whether a machine that holds a slot is heard of within one TTL. One that hangs is not worth a longer wait. */
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
