/**
 * The profiles of an autoscale setting, as pure functions that run on machines and in commands. Of the profiles whose dates match, the first
 * counts; if none does, the one without dates counts. https://learn.microsoft.com/azure/azure-monitor/autoscale/autoscale-understanding-settings
 */
import { standbyStart, type Twin } from '../vm/spot-standby.ts'
import type { AutoscaleProfile } from './sdk.ts'

/**
 * Names of profiles: while the group is open, while it waits as a twin (`spot: prefer`), and after the end. A setting without the first two
 * is ended.
 */
const OPEN = 'open'
const STANDBY = 'standby'
const OVER = 'over'

type Profiles = readonly AutoscaleProfile[]

/** Milliseconds, a day less: a window has at most 365 days. */
const YEAR = 364 * 24 * 3600_000
/** Milliseconds since 1970: longer ago than any run. */
const PAST = Date.UTC(2000, 0)

export interface Window {
  /** Milliseconds since 1970. */
  readonly start: number
  readonly end: number
  /** The largest number of machines. */
  readonly most: number
}

/** The fewest machines that a profile may keep: 1 if Azure accepts no 0. */
export type Least = 0 | 1

/**
 * The profile while the group is open. It keeps as few machines as possible until a number is set. A machine that leaves lowers only the minimum,
 * never the maximum: so if two leave at once, neither takes a third one along.
 */
export const openFor = (window: Window, least: Least = 0): AutoscaleProfile => profileOf(OPEN, window, least)

/** The profile for after the end, which counts by default. `most`: machines that may remain. */
export const over = (most: 0 | 1): AutoscaleProfile => ({
  name: OVER,
  capacity: { minimum: '0', maximum: String(most), default: '0' },
  rules: [],
})

/** The same with dates: it leaves no machine for a year. */
export const overFrom = (start: number): AutoscaleProfile => profileOf(OVER, { start, end: start + YEAR, most: 0 }, 0)

/** One that never counts, because its dates are past, and has no 0: after the end, Azure neither keeps nor ends anything. */
export const neverOver = (): AutoscaleProfile => profileOf(OVER, { start: PAST, end: PAST + YEAR, most: 1 }, 1)

/** The fewest machines that a profile of this setting may keep: the one for after the end shows it. */
const leastIn = (profiles: Profiles): Least => (profiles.some(({ name, capacity }) => name === OVER && capacity.minimum !== '0') ? 1 : 0)

function profileOf(name: string, { start, end, most }: Window, least: number): AutoscaleProfile {
  return {
    name,
    capacity: { minimum: String(least), maximum: String(most), default: String(least) },
    rules: [],
    fixedDate: { timeZone: 'UTC', start: stamp(start), end: stamp(end) },
  }
}

/** In UTC, the `timeZone` beside it. */
const stamp = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
const timeOf = (text = ''): number => Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`)
const startOf = ({ fixedDate }: AutoscaleProfile): number => timeOf(fixedDate?.start)

const openIn = (profiles: Profiles): AutoscaleProfile | undefined => profiles.find(({ name }) => name === OPEN)
const standbyIn = (profiles: Profiles): AutoscaleProfile | undefined => profiles.find(({ name }) => name === STANDBY)

export const ended = (profiles: Profiles): Profiles => profiles.filter(({ name }) => name !== OPEN && name !== STANDBY)
export const isEnded = (profiles: Profiles): boolean => ended(profiles).length === profiles.length

/** How many machines the group keeps at that time. */
export function keptBy(profiles: Profiles, now: number): number {
  const holds = profiles.find((one) => startOf(one) <= now && now < timeOf(one.fixedDate?.end))
  return Number(holds?.capacity.minimum ?? 0)
}

/** How many machines it keeps while it is open; `undefined`: it is not open. */
export function leastOf(profiles: Profiles): number | undefined {
  const open = openIn(profiles)
  return open && Number(open.capacity.minimum)
}

/** Keeps that many machines while the group is open, and raises the maximum if it is lower. If Azure accepts no 0, keeping none ends the set. */
export function keeping(profiles: Profiles, least: number): Profiles {
  if (least < leastIn(profiles)) return ended(profiles)
  const minimum = String(least)
  return profiles.map((one) => {
    if (one.name !== OPEN) return one
    const maximum = String(Math.max(Number(one.capacity.maximum), least))
    return { ...one, capacity: { minimum, maximum, default: minimum } }
  })
}

/** Milliseconds: a window as short as this starts no machines. A window that is to count at once began so long ago. */
const LAST = 60_000
/** Milliseconds by which the vendor's clock and this one may differ. */
const SOON = 15_000

/** Milliseconds since 1970: later than any deadline. */
const NEVER = Date.UTC(2099, 0)

/** The profile of a twin that starts no machines until a time is set for the first time. */
export function asleep({ end, count }: Twin, least: Least = 0): AutoscaleProfile {
  const last = least === 0 ? end : NEVER
  return profileOf(STANDBY, { start: last - LAST, end: last, most: count }, least)
}

/**
 * The twin's machines start `wait` milliseconds from now at the earliest, and not at all near the end. A window that has begun stays, because its
 * machines would end with it: the new one is put before it.
 */
export function putOff(profiles: Profiles, { end, count }: Twin, wait: number, now: number): Profiles {
  const start = standbyStart(now, wait, end).getTime()
  const standby = start < end ? profileOf(STANDBY, { start, end, most: count }, count) : asleep({ end, count }, leastIn(profiles))
  const open = openIn(begun(profiles, now + SOON))
  return [standby, ...(open ? [open] : []), ...ended(profiles)]
}

/** The twin's machines start now. */
export const roused = (profiles: Profiles, { end, count }: Twin, now: number): Profiles => [
  profileOf(OPEN, { start: now - LAST, end, most: count }, count),
  ...ended(profiles),
]

/** If the twin's time has come, its profile becomes the open one. */
export function begun(profiles: Profiles, now: number): Profiles {
  const standby = standbyIn(profiles)
  return standby && startOf(standby) <= now ? [{ ...standby, name: OPEN }, ...ended(profiles)] : profiles
}

/** Whether no machines start before `from`. */
export function waits(profiles: Profiles, from: number): boolean {
  const standby = standbyIn(profiles)
  return standby !== undefined && (startOf(standby) >= from || standby.capacity.minimum === '0')
}
