/**
 * The dead-man's switch of a set: profiles of its autoscale setting. The window of the first one ends at the hard deadline. Outside of it, Azure
 * keeps no machines in the set, even if no controller is left.
 */
import type { DeploymentTags } from '../../core/cloud.ts'
import { hardDeadline } from '../../wire/lifetime.ts'
import { refusePast } from '../vm/deadline.ts'
import { asleep, type Least, neverOver, openFor, over, overFrom } from './profiles.ts'
import type { AutoscaleProfile } from './sdk.ts'

/** Milliseconds by which the window begins early, because the vendor's clocks may be behind this one. */
const BEFORE = 10 * 60_000

/** What a setting does after the deadline. */
export interface Ending {
  /** The profile for that time. `end`: milliseconds since 1970. */
  over(end: number): AutoscaleProfile
  readonly least: Least
  /** What the user has to know if only this ending is accepted. */
  readonly warning?: string
}

const SWEEP = 'stays until `tpi sweep` removes it'

/**
 * The surest first; each is tried if Azure does not accept the one before. A minimum and a default of 0 have been accepted
 * (https://github.com/hashicorp/terraform-provider-azurerm/issues/2624), but no document says so, nor that a maximum may be 0. With the last
 * two, machines delete themselves at the deadline, and a sweep removes those that do not.
 */
export const ENDINGS: readonly [Ending, ...Ending[]] = [
  { over: () => over(0), least: 0 },
  { over: overFrom, least: 0, warning: 'machines are ended at the deadline, but by a profile that is over after a year' },
  { over: () => over(1), least: 0, warning: `of machines that hang at the deadline, one ${SWEEP}` },
  { over: neverOver, least: 1, warning: `a machine that hangs at the deadline ${SWEEP}` },
]

/** `isTwin`: its machines start only later (`spot: prefer`). `name`: of the set. */
export function deadlineProfiles(
  { createdAt, lifetime, count }: DeploymentTags,
  { name, isTwin }: { readonly name: string; readonly isTwin: boolean },
  ending: Ending,
): AutoscaleProfile[] {
  const end = hardDeadline(lifetime)
  refusePast(`group ${name}`, end)
  const start = Date.parse(createdAt) - BEFORE
  const { least } = ending
  return [isTwin ? asleep({ end, count }, least) : openFor({ start, end, most: count }, least), ending.over(end)]
}
