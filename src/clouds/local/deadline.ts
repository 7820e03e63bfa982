/** The hard deadline of a group: setting the wall clock does not move it. */
import { bootId, bootNow, dueIn } from '../../lib/clock.ts'
import type { GroupRecord } from './folder.ts'

type Deadline = Pick<GroupRecord, 'due' | 'hardDeadline'>

/** Milliseconds by which two readings of one deadline may differ without a change of the clock. */
const SLACK = 2000

/** The hard deadline, as a time of this host's boot clock. On another host than the one that made the group, it goes by the wall clock. */
export function hardDue(record: Deadline): number {
  return record.due.boot === bootId() ? record.due.at : dueIn(record.hardDeadline)
}

/** The hard deadline by the wall clock as it is now (ISO), for a machine that starts after the clock was set. */
export function hardDeadlineNow(record: Deadline, now: number = Date.now()): string {
  const at = now + hardDue(record) - bootNow()
  return Math.abs(at - Date.parse(record.hardDeadline)) < SLACK ? record.hardDeadline : new Date(at).toISOString()
}
