/** How slots and attempts end: one set of rules, so that machines and controllers record the same end in the same way. Pure. */
import type { Attempt, Cause, TerminalState } from './slot.ts'

/** What an end sets in the record of a slot. */
export interface SlotEnd {
  readonly state: TerminalState
  readonly cause: Cause
  readonly reason: string
  /** Present only if the program's own end decides. */
  readonly exitCode?: number
}

/** `StopRequest.by` if a sweep stops a run because its deadline has passed, and no machine has acted on that: its slots end as timed out. */
export const BY_DEADLINE = 'deadline'

/** How an open slot ends after a request to stop. `by`: as the request has it. */
export function stoppedBy(by: string, deadline: string): SlotEnd {
  if (by === BY_DEADLINE) return timedOut(deadline)
  if (by === 'fail-fast') return { state: 'stopped', cause: 'sibling', reason: 'stopped: another slot failed' }
  return { state: 'stopped', cause: 'stopped', reason: `stopped (${by})` }
}

/** How an open slot ends at the deadline (ISO). */
export function timedOut(deadline: string): SlotEnd {
  return { state: 'timed-out', cause: 'timed-out', reason: `deadline ${deadline}` }
}

export interface Circumstances {
  readonly stop?: { readonly by: string } | undefined
  readonly pastDeadline: boolean
  readonly deadline: string
}

/**
 * How an open slot ends that no machine may continue any more; a request to stop counts before the deadline. `undefined`: machines may continue it.
 */
export function closing({ stop, pastDeadline, deadline }: Circumstances): SlotEnd | undefined {
  if (stop) return stoppedBy(stop.by, deadline)
  return pastDeadline ? timedOut(deadline) : undefined
}

/** The attempts, with `end` added to the open one, if there is one. */
export function endOpenAttempt(
  attempts: readonly Attempt[],
  end: (open: Attempt) => Required<Pick<Attempt, 'end'>> & Partial<Attempt>,
): Attempt[] {
  return attempts.map((attempt) => (attempt.end === undefined ? { ...attempt, ...end(attempt) } : attempt))
}

const OWN: readonly (Cause | undefined)[] = ['exit', 'setup', 'out-of-memory', 'disk-full'] satisfies Cause[]

/** The set-up or the script has ended by itself, or has outgrown its machine: no machine was lost or taken away. */
export function isOwnEnd(cause: Cause | undefined): boolean {
  return OWN.includes(cause)
}
