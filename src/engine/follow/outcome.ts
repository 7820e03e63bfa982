/** How a run has ended: one outcome for all its slots, and the exit code of the command that follows it. Pure. */
import { EXIT, type Outcome } from '../../core/exit-codes.ts'
import { interruptedJobs, madeGood } from '../../wire/interrupted-jobs.ts'
import { isTerminal, type SlotRecord, type SlotState } from '../../wire/slot.ts'
import { isOwnEnd } from '../../wire/slot-end.ts'

export interface RunOutcome {
  readonly state: SlotState
  readonly outcome: Outcome
  readonly exitCode: number | null
}

/** `running` while any slot is open; otherwise the first slot that did not succeed decides. */
export function runOutcome(slots: readonly SlotRecord[]): RunOutcome {
  const open = slots.filter((slot) => !isTerminal(slot.state))
  if (open.length > 0) {
    const order: SlotState[] = ['running', 'interrupted', 'booting', 'waiting']
    const state = order.find((candidate) => open.some((slot) => slot.state === candidate)) ?? 'waiting'
    return { state, outcome: 'running', exitCode: null }
  }
  const bad = slots.filter((slot) => slot.state !== 'succeeded' && !(spent(slot) && servedAfterAll(slots)))
  // Not a slot that was only stopped because another one failed.
  const decisive = bad.find((slot) => slot.cause !== 'sibling') ?? bad[0]
  if (!decisive) return { state: 'succeeded', outcome: 'success', exitCode: EXIT.ok }
  return { state: decisive.state, ...judged(decisive) }
}

/** Runner: its last registration was used up by a machine that was taken away. */
const spent = ({ state, cause }: SlotRecord): boolean => state === 'failed' && cause === 'interrupted'

/** Runners: some job was served, and all that were cut off on any of them have been re-run since, on any of them. */
function servedAfterAll(slots: readonly SlotRecord[]): boolean {
  const jobs = slots.flatMap((slot) => slot.jobs ?? [])
  return slots.some(({ served = 0 }) => served > 0) && madeGood(interruptedJobs(slots), jobs)
}

function judged(slot: SlotRecord): { outcome: Outcome; exitCode: number } {
  if (slot.state === 'timed-out') return { outcome: 'timed-out', exitCode: EXIT.timedOut }
  if (slot.state === 'stopped') return { outcome: 'stopped', exitCode: EXIT.stopped }
  if (slot.cause === 'setup') return { outcome: 'setup-failed', exitCode: slot.exitCode ?? 1 }
  if (isOwnEnd(slot.cause)) return { outcome: 'script-failed', exitCode: slot.exitCode || 1 }
  if (slot.cause === 'no-capacity') return { outcome: 'no-capacity', exitCode: EXIT.noCapacity }
  if (slot.cause === 'denied') return { outcome: 'denied', exitCode: EXIT.denied }
  return { outcome: 'remote-error', exitCode: EXIT.remote }
}
