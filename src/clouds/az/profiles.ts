/**
 * The profiles of an autoscale setting, as rules without any call: the same on machines and where commands run. Of those whose dates hold the first
 * counts, and the one without dates where none does. https://learn.microsoft.com/azure/azure-monitor/autoscale/autoscale-understanding-settings
 */
import { standbyStart, type Twin } from '../vm/spot-standby.ts'
import type { AutoscaleProfile } from './sdk.ts'

/** Names: while it is open, while others wait beside it (`spot: prefer`), and once it is over. A setting without the first two is ended. */
const OPEN = 'open'
const STANDBY = 'standby'
const OVER = 'over'

type Profiles = readonly AutoscaleProfile[]

/** Milliseconds since 1970. */
export interface Window {
  readonly start: number
  readonly end: number
  /** Machines that there may be. */
  readonly most: number
}

/** Empty until somebody says how many. A machine that leaves lowers the least, and none lowers the most: of two that do so at once, neither takes another's machine along. */
export const openFor = (window: Window): AutoscaleProfile => profileOf(OPEN, window, 0)

/** `most`: machines that may stay. */
export const over = (most: 0 | 1): AutoscaleProfile => ({
  name: OVER,
  capacity: { minimum: '0', maximum: String(most), default: '0' },
  rules: [],
})

function profileOf(name: string, { start, end, most }: Window, least: number): AutoscaleProfile {
  return {
    name,
    capacity: { minimum: String(least), maximum: String(most), default: String(least) },
    rules: [],
    fixedDate: { timeZone: 'UTC', start: stamp(start), end: stamp(end) },
  }
}

/** Of the zone that stands beside it. */
const stamp = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
const timeOf = (text = ''): number => Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`)
const startOf = ({ fixedDate }: AutoscaleProfile): number => timeOf(fixedDate?.start)

const openIn = (profiles: Profiles): AutoscaleProfile | undefined => profiles.find(({ name }) => name === OPEN)
const standbyIn = (profiles: Profiles): AutoscaleProfile | undefined => profiles.find(({ name }) => name === STANDBY)

export const ended = (profiles: Profiles): Profiles => profiles.filter(({ name }) => name !== OPEN && name !== STANDBY)
export const isEnded = (profiles: Profiles): boolean => ended(profiles).length === profiles.length

/** How many machines are kept at that time. */
export function keptBy(profiles: Profiles, now: number): number {
  const holds = profiles.find((one) => startOf(one) <= now && now < timeOf(one.fixedDate?.end))
  return Number(holds?.capacity.minimum ?? 0)
}

/** How many are kept while it is open; `undefined`: it is not. */
export function leastOf(profiles: Profiles): number | undefined {
  const open = openIn(profiles)
  return open && Number(open.capacity.minimum)
}

/** The most that there may be grows with it where it must. */
export function keeping(profiles: Profiles, least: number): Profiles {
  const minimum = String(least)
  return profiles.map((one) => {
    if (one.name !== OPEN) return one
    const maximum = String(Math.max(Number(one.capacity.maximum), least))
    return { ...one, capacity: { minimum, maximum, default: minimum } }
  })
}

/** Milliseconds of a window that starts no machine. */
const LAST = 60_000
/** Milliseconds: the vendor's clock and this one differ. */
const SOON = 15_000

/** None come, until they are put off for the first time. */
export const asleep = ({ end, count }: Twin): AutoscaleProfile => profileOf(STANDBY, { start: end - LAST, end, most: count }, 0)

/**
 * They come no sooner than `wait` milliseconds from now, and those that would at the very end do not. A window that has begun stays as it is, since
 * its machines would go with it: what comes later lies over it.
 */
export function putOff(profiles: Profiles, { end, count }: Twin, wait: number, now: number): Profiles {
  const start = standbyStart(now, wait, end).getTime()
  const standby = start < end ? profileOf(STANDBY, { start, end, most: count }, count) : asleep({ end, count })
  const open = openIn(begun(profiles, now + SOON))
  return [standby, ...(open ? [open] : []), ...ended(profiles)]
}

/** They come now. */
export const roused = (profiles: Profiles, { end, count }: Twin, now: number): Profiles => [
  profileOf(OPEN, { start: now - LAST, end, most: count }, count),
  ...ended(profiles),
]

/** Those that were to come and have are what is open. */
export function begun(profiles: Profiles, now: number): Profiles {
  const standby = standbyIn(profiles)
  return standby && startOf(standby) <= now ? [{ ...standby, name: OPEN }, ...ended(profiles)] : profiles
}

/** None come sooner than then. */
export function waits(profiles: Profiles, from: number): boolean {
  const standby = standbyIn(profiles)
  return standby !== undefined && (startOf(standby) >= from || standby.capacity.minimum === '0')
}
