/**
 * Slots whose holder is known to be dead: they are released at once, so that the next machine does not wait for a TTL of silence. What the group says
 * about the end is kept with the attempt. A machine that ended for lack of memory or disk could not record how the script ended; this does it
 * instead.
 */
import type { Machine, Observation } from '../../core/cloud.ts'
import { newNonce } from '../../core/identity.ts'
import { mayRetry } from '../../wire/retry-rule.ts'
import { isTerminal, SLOT, type SlotRecord } from '../../wire/slot.ts'
import type { SlotEnd } from '../../wire/slot-end.ts'
import type { Spec } from '../../wire/spec.ts'
import { swap } from '../change-record.ts'
import type { Deployment, SlotRead } from '../deployment.ts'
import { closeSlot, type SlotWatch } from './close.ts'

/** The exit code of a process that the kernel has killed. */
const KILLED = 137

/** The present time, by two clocks. */
export interface Clocks {
  /** Milliseconds, monotonic. */
  readonly now: number
  /** ISO. */
  readonly at: string
}

/** Releases or closes such slots; resolves to how many. */
export async function releaseDead(
  d: Deployment,
  spec: Spec,
  slots: readonly SlotRead[],
  seen: Observation,
  slotWatch: SlotWatch,
  { now, at }: Clocks,
): Promise<number> {
  let changed = 0
  const others = contenders(slots, seen)
  for (const slot of slots) {
    const end = endOf(slot.record, spec, seen, slotWatch.silentFor(slot.record, now), others)
    if (!end) continue
    const done = 'state' in end ? await closeSlot(d, spec, slot, end, at) : await release(d, slot, end.reason, end.used, at)
    if (done) changed += 1
  }
  return changed
}

/** How a slot is closed; or why it is released, and how many retries of the script are used then. */
type End = SlotEnd | { readonly reason: string; readonly used: number }

/** Machines that are there and hold nothing. */
function contenders(slots: readonly SlotRead[], { machines }: Observation): readonly Machine[] {
  const holders = new Set(slots.map(({ record }) => record.holder))
  return machines.filter(({ id, state }) => state !== 'gone' && !holders.has(id))
}

function endOf(record: SlotRecord, spec: Spec, seen: Observation, silent: number, others: readonly Machine[]): End | undefined {
  const { holder, released, retried = 0 } = record
  if (isTerminal(record.state) || seen.phase !== 'up') return undefined
  // Also after it has let go of the slot: to the machine itself, this looked as if it were taken away.
  const last = record.attempts.at(-1)
  const outgrown = seen.machines.find(({ id, cause }) => id === last?.holder && cause === 'disk-full')
  // If a job of a runner may have filled it, its machine has left the slot to the next one.
  const leftOn = spec.mode === 'runner' && last?.end !== undefined && (last.cause === 'disk-full' || last.saved === true)
  if (outgrown && !leftOn) return deathOf(outgrown, spec, retried)
  if (holder === undefined || released) return undefined
  const machine = seen.machines.find(({ id }) => id === holder)
  if (machine?.state === 'gone') return deathOf(machine, spec, retried)
  // The rule by which another machine takes a slot over; this process has watched for longer than a new machine.
  const replaced = others.some(({ index }) => index === undefined || index === record.index)
  return replaced && silent >= spec.lease.ttl ? { reason: `machine ${holder} went silent`, used: retried } : undefined
}

function deathOf({ id, cause, reason }: Machine, spec: Spec, used: number): End {
  const text = `machine ${id} died${reason === undefined ? '' : `: ${reason}`}`
  if (cause === undefined) return { reason: text, used }
  // The next machine would have no larger disk.
  if (cause === 'disk-full') return { state: 'failed', cause, reason: reason ?? 'disk full' }
  if (mayRetry(spec.retry, used, KILLED, true)) return { reason: text, used: used + 1 }
  return { state: 'failed', cause, reason: reason ?? 'out of memory', exitCode: KILLED }
}

async function release(d: Deployment, { record, version }: SlotRead, reason: string, retried: number, at: string): Promise<boolean> {
  const { phase: _phase, transfer: _transfer, ...rest } = record
  const attempts = record.attempts.map((attempt) => (attempt.end === undefined ? { ...attempt, lastSign: record.at, reason } : attempt))
  const next: SlotRecord = { ...rest, nonce: newNonce(), attempts, released: true, at, ...(retried > 0 && { retried }) }
  return (await swap(SLOT, d.store, d.keys.slot(record.index).record, next, version)) !== undefined
}
