/**
 * The twin of a spot group (`spot: prefer`): a group of machines at the full price that is empty until the cloud's own schedule wakes it. Whoever holds the
 * work puts that off; once nobody does, the cloud starts it, even if every command and every machine is gone. What is here runs on machines, too.
 */
import type { Log, MachineSpec, SpotRequest } from '../../core/cloud.ts'
import type { MachineConfig } from '../../wire/machine.ts'

/** Seconds that work waits for a spot machine before others start, where no option says it. */
const WAIT = 600
/** Milliseconds between the start of the twin and its switch, either way. */
const APART = 5 * 60_000

/** When the twin starts. */
export interface StandbyPlan {
  /** Seconds. */
  readonly wait: number
  /** Milliseconds since 1970: when nothing of it runs any more. */
  readonly end: number
}

/** Seconds. */
export const waitOf = (spot: SpotRequest): number => (spot.want === 'never' ? undefined : spot.wait) ?? WAIT

/** One of the groups of a deployment. */
export interface GroupKind {
  readonly name: string
  /** Its machines are of the spot market. */
  readonly spot: boolean
}

/** One group; `spot: prefer` has a twin of the other market. */
export function groupKinds({ want }: SpotRequest, name: string, twin: string): readonly [GroupKind, ...GroupKind[]] {
  const first = { name, spot: want !== 'never' }
  return want === 'prefer' ? [first, { name: twin, spot: false }] : [first]
}

/** What a machine needs to know of the other group. */
export function twinSide({ spot, tags }: MachineSpec, twin: string): Readonly<Record<string, string>> {
  return spot.want === 'prefer' ? { twin, count: String(tags.count), wait: String(waitOf(spot)) } : {}
}

/** There are two groups; one alone grows smaller by each machine that leaves. */
export const hasTwin = ({ side }: MachineConfig): boolean => side?.['twin'] !== undefined

export interface Twin {
  /** Machines that come. */
  readonly count: number
  /** Milliseconds since 1970: when nothing of it runs any more. */
  readonly end: number
}

interface KnownTwin extends Twin {
  readonly name: string
  /** Milliseconds for which it is put off. */
  readonly wait: number
}

/** As machines know it: what `twinSide` has written. `undefined`: there is one group alone. */
export function twinOf({ side, hardDeadline }: MachineConfig): KnownTwin | undefined {
  const { twin, count, wait } = side ?? {}
  if (twin === undefined || count === undefined || wait === undefined) return undefined
  return { name: twin, count: Number(count), wait: Number(wait) * 1000, end: Date.parse(hardDeadline) }
}

/**
 * When the twin starts. Its switch has the deadline, and a schedule may come some minutes late: what would come at the end, and start machines for
 * next to nothing, comes after it, when the group surely takes no machine any more.
 */
export function standbyStart(now: number, wait: number, end: number): Date {
  const at = now + wait
  return new Date(at < end - APART ? at : Math.max(at, end + APART))
}

/** In the log of the command that plans it; nothing where it will not start before the end. */
export function tellStandby(log: Pick<Log, 'info'>, start: Date, end: number): void {
  if (start.getTime() >= end) return
  log.info(`machines at the full price start at ${start.toISOString().slice(0, 16)}Z unless spot machines are at work by then`)
}

/** Milliseconds for which a machine tries to put the twin off, or to start it: the next turn comes soon, and who was interrupted has no time. */
export const PATIENCE = 10_000
