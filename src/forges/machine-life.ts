/** Which jobs may have ended with their machine: the forge says when a job began and ended, tpi's records say when a machine was taken away. */
import type { CutOffRequest } from '../core/forge.ts'

const MINUTE = 60_000
/** Milliseconds by which the clocks of machine and forge may differ, and that a job may take to end. */
export const SLACK = 5 * MINUTE

/** Whether a job ended with one of these machines. `ended`: ISO; absent: the forge believes that it still runs. */
export function wentAway(away: CutOffRequest['away'], began: string, ended?: string): boolean {
  const start = Date.parse(began)
  const end = ended === undefined ? Number.POSITIVE_INFINITY : Date.parse(ended)
  return away.some(
    ({ from, to }) => start >= Date.parse(from) - MINUTE && start <= Date.parse(to) + MINUTE && end >= Date.parse(to) - SLACK,
  )
}
