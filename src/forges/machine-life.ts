/** Which jobs can have ended with their machine: forges say when a job began and ended, tpi's records when a machine was taken away. */
import type { CutOffRequest } from '../core/forge.ts'

const MINUTE = 60_000
/** Milliseconds that the clocks of machine and forge may differ, and a job may need to end. */
export const SLACK = 5 * MINUTE

/** `ended`: ISO; absent: as far as the forge knows it still runs. */
export function wentAway(away: CutOffRequest['away'], began: string, ended?: string): boolean {
  const start = Date.parse(began)
  const end = ended === undefined ? Number.POSITIVE_INFINITY : Date.parse(ended)
  return away.some(
    ({ from, to }) => start >= Date.parse(from) - MINUTE && start <= Date.parse(to) + MINUTE && end >= Date.parse(to) - SLACK,
  )
}
