/** The hard deadline of a group, which a wall clock that is set does not move. */
import { bootId, bootNow, dueIn } from '../../lib/clock.ts'
import type { GroupRecord } from './folder.ts'

type Deadline = Pick<GroupRecord, 'due' | 'hardDeadline'>

/** Milliseconds by which two readings of one deadline may differ without anybody having moved a clock. */
const SLACK = 2000

/** The hard deadline on the boot clock: of the host that made the group, where nobody can move it; elsewhere by the wall clock. */
export function hardDue(record: Deadline): number {
  return record.due.boot === bootId() ? record.due.at : dueIn(record.hardDeadline)
}

/** The same as the wall clock shows it now (ISO), for a machine that starts after the wall clock was set. */
export function hardDeadlineNow(record: Deadline, now: number = Date.now()): string {
  const at = now + hardDue(record) - bootNow()
  return Math.abs(at - Date.parse(record.hardDeadline)) < SLACK ? record.hardDeadline : new Date(at).toISOString()
}
