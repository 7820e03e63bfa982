/**
 * The dead-man's switch of a set: profiles of its autoscale setting. The window of the first one ends at the hard deadline, and outside of it the set
 * has no machines, whoever is still there.
 */
import type { DeploymentTags } from '../../core/cloud.ts'
import { DeadlineError } from '../../core/errors.ts'
import { hardDeadline } from '../../wire/spec.ts'
import type { AutoscaleProfile } from './sdk.ts'

/** Names of profiles: while it is open, and once it is over. A setting without the first is ended. */
export const OPEN = 'open'
const OVER = 'over'
/** Milliseconds: clocks of the vendor's may be behind ours. */
const BEFORE = 10 * 60_000

/**
 * `most`: machines that may stay once it is over. Whether the vendor takes 0 is nowhere said; where it does not, the last one is left to itself, and to
 * whoever sweeps.
 */
export function deadlineProfiles({ createdAt, lifetime, count }: DeploymentTags, most: 0 | 1): AutoscaleProfile[] {
  const end = hardDeadline(lifetime)
  if (end <= Date.now()) throw new DeadlineError(`the hard deadline ${new Date(end).toISOString()} is past`)
  const start = new Date(Date.parse(createdAt) - BEFORE)
  return [
    {
      name: OPEN,
      // Whoever leaves lowers the least, and nobody the most: of two that do so at once, neither takes another's machine along.
      capacity: { minimum: '0', maximum: String(count), default: '0' },
      rules: [],
      fixedDate: { timeZone: 'UTC', start: stamp(start), end: stamp(new Date(end)) },
    },
    { name: OVER, capacity: { minimum: '0', maximum: String(most), default: '0' }, rules: [] },
  ]
}

/** Of the zone that stands beside it. */
const stamp = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z')
