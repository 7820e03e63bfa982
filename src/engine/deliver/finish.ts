/** What the controller that sees a deployment end does: compute to 0, deliver, remember, give back. */
import { orLate } from '../../lib/abort.ts'
import { retainedAfter } from '../../wire/lifetime.ts'
import { isWorthKeeping, type SlotRecord } from '../../wire/slot.ts'
import type { Spec } from '../../wire/spec.ts'
import { isStoreError } from '../../wire/store.ts'
import { type Deployment, type Engine, slotRecords } from '../deployment.ts'
import { destroy } from '../destroy/destroy.ts'
import { isRemoved, tooLate } from '../destroy/removed.ts'
import { type Status, statusOf } from '../follow/status.ts'
import { remember } from '../history.ts'
import { patiently } from '../outage.ts'
import type { Presence } from '../owner/presence.ts'
import { PARTING, readUntil } from '../read-until.ts'
import { type CollectParams, type Delivery, deliver, markCollected } from './collect.ts'
import { cutShort, GIVING_BACK, notGivenBack } from './cut-short.ts'
import { undelivered } from './delivery-failure.ts'
import { unmatchedWarnings, unreturnedWarnings } from './warnings.ts'

export interface Finish {
  readonly status: Status
  readonly delivery: Delivery | undefined
  /** ISO time until which store and last snapshots are kept; absent if everything is removed. */
  readonly keptUntil: string | undefined
}

/**
 * All slots are terminal. Any failure leaves the store in place and is thrown. If there are other controllers, all
 * deliver before anything is cleared; one that comes too late ends with an error, because it has delivered nothing. With `signal` it rejects
 * with the reason before anything counts as collected, or else as an `Interruption`.
 */
export async function finish(
  engine: Engine,
  d: Deployment,
  spec: Spec,
  seen: readonly SlotRecord[],
  presence: Presence,
  params: CollectParams = {},
): Promise<Finish> {
  const { signal } = params
  await empty(engine, d, signal)
  const before = statusOf({ cloud: d.cloudId, spec, store: d.store.url, slots: seen })
  await remember(engine.home, before)
  const delivery = await bringHome(engine, d, spec, params)
  const delivered = { ...before, collected: true, ...(delivery?.folder && { delivered: placeOf(engine, delivery) }) }
  // From now on others may come too late, and should be told where the results went.
  await remember(engine.home, delivered)
  const warn = (lines: Iterable<string>): void => {
    if (!params.optional) for (const line of lines) engine.host.warn(line)
  }
  const worth = seen.some(isWorthKeeping)
  const succeeded = before.outcome === 'success'
  if (worth && succeeded) warn(unmatchedWarnings(delivery?.unmatched))
  const keep = worth && (!succeeded || (!params.optional && missed(delivery)))
  if (!keep) warn(unreturnedWarnings(delivery?.unreturned))
  const { kept, destroyed } = await orLate(giveBack(engine, d, spec, presence, keep), signal, GIVING_BACK).catch((error: unknown) => {
    throw cutShort(signal, error, () => notGivenBack(d))
  })
  const status: Status = { ...delivered, destroyed }
  await remember(engine.home, status)
  return {
    status,
    delivery,
    keptUntil: kept ? new Date(retainedAfter(engine.clock.date().getTime(), spec.lifetime)).toISOString() : undefined,
  }
}

/** Tried after an interrupt too: machines cost money. They also leave by themselves. */
async function empty(engine: Engine, d: Deployment, signal: AbortSignal | undefined): Promise<void> {
  try {
    await orLate(
      patiently(engine, async () => d.cloud.scale(d, 0)),
      signal,
      PARTING,
    )
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}

async function giveBack(
  engine: Engine,
  d: Deployment,
  spec: Spec,
  presence: Presence,
  keep: boolean,
): Promise<{ readonly kept: boolean; readonly destroyed: boolean }> {
  // The machine or controller that closed the last slot may have died before it did this.
  if (keep && spec.mode === 'task') await d.store.remove([d.keys.secrets]).catch(() => undefined)
  // Others that give back at the same time wait for this one.
  await presence.leave()
  const remains = keep ? undefined : await destroy(engine, d, { why: 'collected', lease: spec.lease, alone: () => presence.alone() })
  // Another command may be removing at this moment what this one would keep, or need what this one would remove.
  const kept = keep && !(await isRemoved(d))
  return { kept, destroyed: !kept && remains !== 'kept' }
}

const placeOf = ({ actor, clock }: Engine, { folder }: Delivery): NonNullable<Status['delivered']> => ({
  at: clock.date().toISOString(),
  by: actor,
  to: folder,
})

async function bringHome(engine: Engine, d: Deployment, spec: Spec, params: CollectParams): Promise<Delivery | undefined> {
  const { signal } = params
  try {
    const slots = await slotRecords(signal ? readUntil(d, signal) : d, spec.count)
    const delivery = spec.mode === 'task' ? await deliver(engine, d, spec, { ...params, records: slots }) : undefined
    signal?.throwIfAborted()
    // If it arrives too late to be heard of here, everything is in its place nevertheless.
    await orLate(markCollected(engine, d, slots, delivery?.folder), signal, PARTING)
    return delivery
  } catch (error) {
    signal?.throwIfAborted()
    throw (await isGone(d, error)) ? await tooLate(engine, d, error) : await undelivered(error, d)
  }
}

/**
 * Outputs were requested and none of the globs matches anything, which is more often a mistyped glob than a program without results: what it
 * made, if anything, must not be removed before somebody has looked.
 */
function missed(delivery: Delivery | undefined): boolean {
  return delivery !== undefined && delivery.saved && delivery.unmatched.length > 0 && delivery.files.length + delivery.same === 0
}

/** Really gone, not only being removed while others are waited for: what was to be read no longer exists. */
async function isGone(d: Deployment, error: unknown): Promise<boolean> {
  if (isStoreError(error, 'gone')) return true
  return (await d.store.read(d.keys.spec).catch(() => ({}))) === undefined
}
