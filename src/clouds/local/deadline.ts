/** The hard deadline of a group, which does not move when the wall clock is set. */
import { bootId, bootNow, dueIn } from '../../lib/clock.ts'
import type { GroupRecord } from './folder.ts'

type Deadline = Pick<GroupRecord, 'due' | 'hardDeadline'>

/** Milliseconds by which two readings of one deadline may differ without a change of the clock. */
const SLACK = 2000

/** The hard deadline by the boot clock, on the host that made the group, where nobody can move it; elsewhere by the wall clock. */
export function hardDue(record: Deadline): number {
  return record.due.boot === bootId() ? record.due.at : dueIn(record.hardDeadline)
}

/** The hard deadline by the present wall clock (ISO), for a machine that starts after the wall clock was set. */
export function hardDeadlineNow(record: Deadline, now: number = Date.now()): string {
  const at = now + hardDue(record) - bootNow()
  return Math.abs(at - Date.parse(record.hardDeadline)) < SLACK ? record.hardDeadline : new Date(at).toISOString()
}
