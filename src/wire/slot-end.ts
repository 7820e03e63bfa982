/** How slots and attempts end: the rules that machines and controllers share, so that each writer of an end writes the same. Pure. */
import type { Attempt, Cause, TerminalState } from './slot.ts'

/** What an end sets in the record of a slot. */
export interface SlotEnd {
  readonly state: TerminalState
  readonly cause: Cause
  readonly reason: string
  /** Present only if a program's own end decided. */
  readonly exitCode?: number
}

/** `by` of a stop that a sweep requests because the deadline is over, although no machine has acted on it: such slots end as timed out. */
export const BY_DEADLINE = 'deadline'

/** A stop was requested, another slot failed (`fail-fast`), or the deadline was imposed from outside. */
export function stoppedBy(by: string, deadline: string): SlotEnd {
  if (by === BY_DEADLINE) return timedOut(deadline)
  if (by === 'fail-fast') return { state: 'stopped', cause: 'sibling', reason: 'stopped: another slot failed' }
  return { state: 'stopped', cause: 'stopped', reason: `stopped (${by})` }
}

export function timedOut(deadline: string): SlotEnd {
  return { state: 'timed-out', cause: 'timed-out', reason: `deadline ${deadline}` }
}

export interface Circumstances {
  readonly stop?: { readonly by: string } | undefined
  readonly pastDeadline: boolean
  readonly deadline: string
}

/** How an open slot ends if no machine may continue with it; a stop request counts before the deadline. `undefined`: machines may continue. */
export function closing({ stop, pastDeadline, deadline }: Circumstances): SlotEnd | undefined {
  if (stop) return stoppedBy(stop.by, deadline)
  return pastDeadline ? timedOut(deadline) : undefined
}

/** The attempts, with the open one (if any) marked as ended. */
export function endOpenAttempt(
  attempts: readonly Attempt[],
  end: (open: Attempt) => Required<Pick<Attempt, 'end'>> & Partial<Attempt>,
): Attempt[] {
  return attempts.map((attempt) => (attempt.end === undefined ? { ...attempt, ...end(attempt) } : attempt))
}

const OWN: readonly (Cause | undefined)[] = ['exit', 'setup', 'out-of-memory', 'disk-full'] satisfies Cause[]

/** The user's set-up or script caused the end: no machine was lost or taken away. */
export function isOwnEnd(cause: Cause | undefined): boolean {
  return OWN.includes(cause)
}
