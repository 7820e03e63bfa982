/** The orderly end of a run: a request on record; machines send SIGTERM and save a last time; then the size is 0. */
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
  /** Who asks, for people; absent: `Engine.actor`. */
  readonly by?: string | undefined
  /** Seconds that the program gets after SIGTERM; absent: as the specification says. */
  readonly grace?: number | undefined
  /** Milliseconds to wait for last snapshots before machines are removed; absent: as long as the specification gives them. */
  readonly patience?: number | undefined
  /** Ends the waiting. The request stays on record, so machines save what they have, and leave by themselves. */
  readonly signal?: AbortSignal | undefined
  /** Does not wait until the slots of removed machines are closed: somebody else does that. */
  readonly brief?: boolean | undefined
}

export interface Stopped {
  /** The incarnation that was stopped: another command may just have moved the run to another region. */
  readonly d: Deployment
  readonly spec: Spec
  /** As they were seen last. */
  readonly slots: readonly SlotRecord[]
}

/** Asks a run to stop, waits for its last snapshots, and removes its machines. */
export async function stopAndWait(engine: Engine, d: Deployment, spec: Spec, how: Stopping = {}): Promise<Stopped> {
  const { grace, by = engine.actor } = how
  await requestStop(d, { at: engine.clock.date().toISOString(), by, ...(grace === undefined ? {} : { grace }) })
  const there = await resolveMove(engine, d, { ttl: spec.lease.ttl, undo: true })
  if (there && there.incarnation !== d.incarnation) return stopAndWait(engine, there, await needSpec(there), how)
  // Machines in a region that the run has left. In parallel, and only with a warning: the stop itself must not fail because of them.
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
  // The request is on record: a machine that takes a slot after this look starts nothing.
  const before = await slotRecords(d, spec.count)
  let slots: readonly SlotRecord[] = before
  if (patience > 0 && before.some(isHeld)) {
    engine.host.info(`asked ${d.name} to stop; waiting for the last checkpoint`)
    slots = await followFor(engine, d, spec, patience, signal)
  } else if (!before.every(({ state }) => isTerminal(state)))
    engine.host.info(`asked ${d.name} to stop; no machine is working on it, so there is nothing to wait for`)
  if (signal?.aborted) return slots
  await patiently(engine, async () => d.cloud.end(d), signal)
  return brief || slots.every(({ state }) => isTerminal(state)) ? slots : untilClosed(engine, d, spec, signal)
}

/** Waits, once the machines are removed, until all slots are closed: those of machines that did not finish in time are closed here. */
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
    // The run was removed, or never completed, so nobody closes its slots any more.
    if (error instanceof TooLate || error instanceof UnfinishedCreation) return await slotRecords(d, spec.count)
    throw error
  }
}
