/** What a controller does when it has seen a run end: scale to 0, deliver, record that, and give everything back. */
import { TpiError } from '../../core/errors.ts'
import { orLate } from '../../lib/abort.ts'
import { isWorthKeeping, type SlotRecord } from '../../wire/slot.ts'
import type { Spec } from '../../wire/spec.ts'
import { isStoreError } from '../../wire/store.ts'
import { type Deployment, type Engine, slotRecords } from '../deployment.ts'
import { destroy } from '../destroy/destroy.ts'
import { isRemoved, tooLate } from '../destroy/removed.ts'
import { endOfRetention } from '../destroy/spare.ts'
import { type Status, statusOf } from '../follow/status.ts'
import { tryToRemember } from '../history.ts'
import { patiently } from '../outage.ts'
import type { Presence } from '../owner/presence.ts'
import { PARTING, readUntil } from '../read-until.ts'
import { type CollectParams, type Delivery, deliver, markCollected } from './collect.ts'
import { cutShort, GIVING_BACK, LeftoverError, notGivenBack } from './cut-short.ts'
import { undelivered } from './delivery-failure.ts'
import { unmatchedWarnings, unreturnedWarnings } from './warnings.ts'

export interface Finish {
  readonly status: Status
  readonly delivery: Delivery | undefined
  /** ISO time until which store and last snapshots are kept; absent if everything is removed. */
  readonly keptUntil: string | undefined
}

/**
 * For a run whose slots are all terminal (`seen`). Throws after any failure, and then leaves the store as it is. If there are other controllers, all
 * of them deliver before anything is removed; one that comes too late throws `TooLate`, because it has delivered nothing. After `params.signal` it
 * rejects with the signal's reason as long as nothing counts as collected, and later with an `Interruption`.
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
  await tryToRemember(engine, before)
  const delivery = await bringHome(engine, d, spec, params)
  const delivered = { ...before, collected: true, ...(delivery?.folder && { delivered: placeOf(engine, delivery) }) }
  // Already now: a command that comes too late reads here where the results went.
  await tryToRemember(engine, delivered)
  const warn = (lines: Iterable<string>): void => {
    if (!params.optional) for (const line of lines) engine.host.warn(line)
  }
  const worth = seen.some(isWorthKeeping)
  const succeeded = before.outcome === 'success'
  if (worth && succeeded) warn(unmatchedWarnings(delivery?.unmatched))
  const keep = worth && (!succeeded || (!params.optional && missed(delivery)))
  if (!keep) warn(unreturnedWarnings(delivery?.unreturned))
  const { kept, destroyed } = await orLate(giveBack(engine, d, spec, presence, keep), signal, GIVING_BACK).catch((error: unknown) => {
    const isKnown = error instanceof TpiError || isStoreError(error)
    throw isKnown ? new LeftoverError(error, d) : cutShort(signal, error, () => notGivenBack(d))
  })
  const status: Status = { ...delivered, destroyed }
  await tryToRemember(engine, status)
  return {
    status,
    delivery,
    keptUntil: kept ? new Date(endOfRetention(seen, spec.lifetime)).toISOString() : undefined,
  }
}

/** Also tried after an interrupt, because machines cost money. If it does not arrive then, they still leave by themselves. */
async function empty(engine: Engine, d: Deployment, signal: AbortSignal | undefined): Promise<void> {
  try {
    await orLate(
      patiently(engine, async () => d.cloud.end(d)),
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
  // Whoever closed the last slot removes the secrets, but may have died before that.
  if (keep && spec.mode === 'task') await d.store.remove([d.keys.secrets]).catch(() => undefined)
  // Others that give back at the same time wait for this one. If this fails, they wait one TTL.
  await presence.leave().catch(() => undefined)
  const remains = keep ? undefined : await destroy(engine, d, { why: 'collected', lease: spec.lease, alone: () => presence.alone() })
  // Another command may be removing what this one would keep; or it needs what this one would remove (`kept`).
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
    const slots = await slotRecords(readUntil(d, signal), spec.count)
    const delivery = spec.mode === 'task' ? await deliver(engine, d, spec, { ...params, records: slots }) : undefined
    signal?.throwIfAborted()
    // Everything is in its place by now, whether or not this still arrives.
    await orLate(markCollected(engine, d, slots, delivery?.folder), signal, PARTING)
    return delivery
  } catch (error) {
    signal?.throwIfAborted()
    throw (await isGone(d, error)) ? await tooLate(engine, d, { cause: error, createdAt: spec.createdAt }) : await undelivered(error, d)
  }
}

/**
 * Outputs were requested, and no glob matches any file. That is more often a mistyped glob than a program without results, so what the program has
 * made must not be removed before somebody has looked at it.
 */
function missed(delivery: Delivery | undefined): boolean {
  return delivery !== undefined && delivery.saved && delivery.unmatched.length > 0 && delivery.files.length + delivery.same === 0
}

/** What was to be read no longer exists. A deployment that is only marked as being removed still has it, as long as it waits for its readers. */
async function isGone(d: Deployment, error: unknown): Promise<boolean> {
  if (isStoreError(error, 'gone')) return true
  return (await d.store.read(d.keys.spec).catch(() => ({}))) === undefined
}
