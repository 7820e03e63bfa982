/** The orderly end of a run: the request on record, signal, last save, compute to 0. */
import { describeError } from '../../core/errors.ts'
import { abortIn } from '../../lib/clock.ts'
import { overtime } from '../../wire/lifetime.ts'
import { isHeld, isTerminal, type SlotRecord } from '../../wire/slot.ts'
import { type Spec } from '../../wire/spec.ts'
import { type Deployment, type Engine, needSpec, requestStop, slotRecords } from '../deployment.ts'
import { follow, SILENT } from '../follow/follow.ts'
import { endBehind, resolveMove } from '../follow/moved-run.ts'
import { UnfinishedCreation } from '../follow/removal.ts'
import { patiently } from '../outage.ts'
import { TooLate } from './removed.ts'

export interface Stopping {
  /** Who asks, for people; absent: the actor. */
  readonly by?: string | undefined
  /** Seconds that the program gets after SIGTERM; absent: as the specification says. */
  readonly grace?: number | undefined
  /** How many milliseconds to wait for its last snapshot before compute is removed. */
  readonly patience?: number | undefined
  /** From then on nothing is waited for: machines save what there is and leave by themselves, because the request is on record. */
  readonly signal?: AbortSignal | undefined
  /** Does not even wait until the slots of removed machines are closed: somebody else will do that. */
  readonly brief?: boolean | undefined
}

export interface Stopped {
  /** Where it was stopped: another command may just have moved it to another region. */
  readonly d: Deployment
  readonly spec: Spec
  /** In their last state. */
  readonly slots: readonly SlotRecord[]
}

export async function stopAndWait(engine: Engine, d: Deployment, spec: Spec, how: Stopping = {}): Promise<Stopped> {
  const { grace, by = engine.actor } = how
  await requestStop(d, { at: engine.clock.date().toISOString(), by, ...(grace === undefined ? {} : { grace }) })
  const there = await resolveMove(engine, d, { ttl: spec.lease.ttl, undo: true })
  if (there && there.incarnation !== d.incarnation) return stopAndWait(engine, there, await needSpec(there), how)
  // In parallel: a stop that is on record must not fail because of it.
  const behind = endBehind(engine, d).catch((error: unknown) => engine.host.warn(`${d.name}: ${describeError(error)}`))
  const slots = await untilStopped(engine, d, spec, how)
  if (!how.signal?.aborted) await behind
  return { d, spec, slots }
}

async function untilStopped(
  engine: Engine,
  d: Deployment,
  spec: Spec,
  { patience = overtime(spec.lifetime) * 1000, signal, brief }: Stopping,
): Promise<readonly SlotRecord[]> {
  // From now on, a machine that takes a slot starts nothing.
  const before = await slotRecords(d, spec.count)
  let slots: readonly SlotRecord[] = before
  if (patience > 0 && before.some(isHeld)) {
    engine.host.info(`asked ${d.name} to stop; waiting for the last checkpoint`)
    slots = await followFor(engine, d, spec, patience, signal)
  } else if (!before.every(({ state }) => isTerminal(state)))
    engine.host.info(`asked ${d.name} to stop; no machine is working on it, so there is nothing to wait for`)
  if (signal?.aborted) return slots
  await patiently(engine, async () => d.cloud.scale(d, 0), signal)
  return brief || slots.every(({ state }) => isTerminal(state)) ? slots : untilClosed(engine, d, spec, signal)
}

/** Machines that did not finish in time are gone now: their slots are closed as stopped. */
export async function untilClosed(engine: Engine, d: Deployment, spec: Spec, signal?: AbortSignal): Promise<readonly SlotRecord[]> {
  return followFor(engine, d, spec, spec.lease.ttl * 2, signal)
}

async function followFor(
  engine: Engine,
  d: Deployment,
  spec: Spec,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<readonly SlotRecord[]> {
  using limit = abortIn(engine.clock, milliseconds)
  try {
    return await follow(engine, d, spec, SILENT, { signal: signal ? AbortSignal.any([limit.signal, signal]) : limit.signal })
  } catch (error) {
    // Nobody closes them any more: their state stays as it is.
    if (error instanceof TooLate || error instanceof UnfinishedCreation) return await slotRecords(d, spec.count)
    throw error
  }
}
