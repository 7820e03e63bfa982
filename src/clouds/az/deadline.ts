/**
 * The dead-man's switch of a set: profiles of its autoscale setting. The window of the first one ends at the hard deadline, and outside of it the set
 * has no machines, even if no controller is left.
 */
import type { DeploymentTags } from '../../core/cloud.ts'
import { DeadlineError } from '../../core/errors.ts'
import { hardDeadline } from '../../wire/lifetime.ts'
import { asleep, type Least, neverOver, openFor, over, overFrom } from './profiles.ts'
import type { AutoscaleProfile } from './sdk.ts'

/** Milliseconds: the vendor's clocks may be behind this one. */
const BEFORE = 10 * 60_000

/** What a setting does after the deadline. */
export interface Ending {
  /** `end`: milliseconds since 1970. */
  over(end: number): AutoscaleProfile
  readonly least: Least
  /** What the user has to know about it. */
  readonly warning?: string
}

const SWEEP = 'stays until `tpi sweep` removes it'

/**
 * The surest first. A profile with a minimum of 0 and a default of 0 has been accepted
 * (https://github.com/hashicorp/terraform-provider-azurerm/issues/2624); no document says so, nor anything of a maximum of 0. With the last
 * two, machines delete themselves at the deadline, and a sweep finds those that do not.
 */
export const ENDINGS: readonly [Ending, ...Ending[]] = [
  { over: () => over(0), least: 0 },
  { over: overFrom, least: 0, warning: 'machines are ended at the deadline, but by a profile that is over after a year' },
  { over: () => over(1), least: 0, warning: `of machines that hang at the deadline, one ${SWEEP}` },
  { over: neverOver, least: 1, warning: `a machine that hangs at the deadline ${SWEEP}` },
]

/** `waits`: for a twin (`spot: prefer`). */
export function deadlineProfiles({ createdAt, lifetime, count }: DeploymentTags, waits: boolean, ending: Ending): AutoscaleProfile[] {
  const end = hardDeadline(lifetime)
  if (end <= Date.now()) throw new DeadlineError(`the hard deadline ${new Date(end).toISOString()} is past`)
  const start = Date.parse(createdAt) - BEFORE
  const { least } = ending
  return [waits ? asleep({ end, count }, least) : openFor({ start, end, most: count }, least), ending.over(end)]
}
