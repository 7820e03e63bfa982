/**
 * The dead-man's switch of a set: profiles of its autoscale setting. The window of the first one ends at the hard deadline, and outside of it the set
 * has no machines, even if no controller is left.
 */
import type { DeploymentTags } from '../../core/cloud.ts'
import { DeadlineError } from '../../core/errors.ts'
import { hardDeadline } from '../../wire/spec.ts'
import { asleep, openFor, over } from './profiles.ts'
import type { AutoscaleProfile } from './sdk.ts'

/** Milliseconds: the vendor's clocks may be behind this one. */
const BEFORE = 10 * 60_000

/**
 * `waits`: for a twin (`spot: prefer`). `most`: machines that may remain after the deadline. The documentation does not say whether Azure
 * accepts 0; if it does not, the last machine stays until it leaves by itself or a sweep removes it.
 */
export function deadlineProfiles({ createdAt, lifetime, count }: DeploymentTags, waits: boolean, most: 0 | 1): AutoscaleProfile[] {
  const end = hardDeadline(lifetime)
  if (end <= Date.now()) throw new DeadlineError(`the hard deadline ${new Date(end).toISOString()} is past`)
  const start = Date.parse(createdAt) - BEFORE
  return [waits ? asleep({ end, count }) : openFor({ start, end, most: count }), over(most)]
}
