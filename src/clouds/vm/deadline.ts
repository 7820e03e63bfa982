/** Nothing of a group is made after its hard deadline: its dead-man's switch would be too late. */
import { DeadlineError, LONGER } from '../../core/errors.ts'

/** `what`: for people. `end`: the hard deadline, in milliseconds since 1970. */
export function refusePast(what: string, end: number): void {
  if (end > Date.now()) return
  throw new DeadlineError(`${what} is past its hard deadline ${new Date(end).toISOString()}`, { hint: LONGER })
}
