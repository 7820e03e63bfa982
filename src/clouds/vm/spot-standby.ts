/**
 * The twin of a spot group (`spot: prefer`): a group of machines at full price that stays empty until the cloud's own schedule starts it. The
 * holders of the work keep postponing that start. If none does any more, the cloud starts the twin, even if every command and every machine is
 * gone. This code also runs on machines.
 */
import type { Log, MachineSpec, SpotRequest } from '../../core/cloud.ts'
import { hardDeadline } from '../../wire/lifetime.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import { SPOT_WAIT } from '../../wire/machine-side.ts'

/** Least milliseconds between the start of the twin and its dead-man's switch, before or after it. */
const APART = 5 * 60_000

/** When the twin starts. */
export interface StandbyPlan {
  /** Seconds. */
  readonly wait: number
  /** Milliseconds since 1970: when the deployment ends at the latest. */
  readonly end: number
}

/** Seconds without enough spot machines after which the twin starts. */
const waitOf = (spot: SpotRequest): number => (spot.want === 'never' ? undefined : spot.wait) ?? SPOT_WAIT

/** `undefined`: such machines have no twin. */
export function standbyPlan({ spot, tags }: MachineSpec): StandbyPlan | undefined {
  return spot.want === 'prefer' ? { wait: waitOf(spot), end: hardDeadline(tags.lifetime) } : undefined
}

/** One of the groups of a deployment. */
export interface GroupKind {
  readonly name: string
  /** Its machines are spot machines. */
  readonly spot: boolean
}

/** One group; with `spot: prefer`, also its twin. */
export function groupKinds({ want }: SpotRequest, name: string, twin: string): readonly [GroupKind, ...GroupKind[]] {
  const first = { name, spot: want !== 'never' }
  return want === 'prefer' ? [first, { name: twin, spot: false }] : [first]
}

/** What each machine needs to know about the twin, as settings of its `MachineSide`. */
export function twinSide({ spot, tags }: MachineSpec, twin: string): Readonly<Record<string, string>> {
  return spot.want === 'prefer' ? { twin, count: String(tags.count), wait: String(waitOf(spot)) } : {}
}

/** Whether there are two groups; a single group shrinks with each machine that leaves. */
export const hasTwin = ({ side }: MachineConfig): boolean => side?.['twin'] !== undefined

export interface Twin {
  /** Number of machines that start. */
  readonly count: number
  /** Milliseconds since 1970: when the deployment ends at the latest. */
  readonly end: number
}

interface KnownTwin extends Twin {
  readonly name: string
  /** Milliseconds by which its start is postponed. */
  readonly wait: number
}

/** The twin as machines know it, from what `twinSide` has written. `undefined`: there is only one group. */
export function twinOf({ side, hardDeadline }: MachineConfig): KnownTwin | undefined {
  const { twin, count, wait } = side ?? {}
  if (twin === undefined || count === undefined || wait === undefined) return undefined
  return { name: twin, count: Number(count), wait: Number(wait) * 1000, end: Date.parse(hardDeadline) }
}

/**
 * When the twin starts. A schedule may act some minutes late, and machines that start near the deadline would do next to nothing. So a start
 * near the deadline is set after it: then the dead-man's switch has ended the group, and no machine starts.
 */
export function standbyStart(now: number, wait: number, end: number): Date {
  const at = now + wait
  return new Date(at < end - APART ? at : Math.max(at, end + APART))
}

/** Logs when the twin will start, unless that is after the end. */
export function tellStandby(log: Pick<Log, 'info'>, start: Date, end: number): void {
  if (start.getTime() >= end) return
  log.info(`machines at full price start at ${start.toISOString().slice(0, 16)}Z unless spot machines are at work by then`)
}

/** Milliseconds for which a machine tries to postpone or start the twin: it tries again soon anyway, and an interrupted machine has no time. */
export const PATIENCE = 10_000
