/**
 * What starts the twin of a spot group (`spot: prefer`): an autoscaler with a schedule of one date, which raises the wanted size of its group and never
 * lowers it, so that it is a group like any other as soon as its machines are asked for. Rules without any call: the same on machines and where commands run.
 * https://cloud.google.com/compute/docs/autoscaler/scaling-schedules · https://cloud.google.com/compute/docs/reference/rest/v1/regionAutoscalers
 */
import { standbyStart, type Twin } from '../vm/spot-standby.ts'
import type { Autoscaler } from './sdk.ts'

const SCHEDULE = 'tpi-standby'
const UPWARDS = 'ONLY_SCALE_OUT'
const MINUTE = 60_000
/** Milliseconds by which a date is to come when it is asked for: a request is tried for some seconds, and clocks differ by some. */
const AHEAD = 15_000
/** Seconds for which it asks for machines: the vendor looks at schedules now and then, and takes none of less than five minutes. */
const LASTS = 600

type Policy = NonNullable<Autoscaler['autoscalingPolicy']>

/**
 * As it is made: off. A schedule alone is not taken, so there is a load that machines do not exceed, but for those that share their cores: they burst
 * above it, and one that is busy may then have the others of its group come, `count` at most.
 * https://cloud.google.com/compute/docs/autoscaler/scaling-schedules#limitations · .../scaling-cpu
 * https://cloud.google.com/monitoring/api/metrics_gcp_c (`instance/cpu/utilization`)
 */
export const offPolicy = (count: number): Policy => ({
  mode: 'OFF',
  minNumReplicas: 0,
  maxNumReplicas: count,
  cpuUtilization: { utilizationTarget: 1 },
})

/** A change of it: its machines start in `wait` milliseconds, on the minute after. Those that would at the very end do not. */
export function startsIn(wait: number, { count, end }: Twin, now: number): Autoscaler {
  const at = new Date(Math.ceil(standbyStart(now, wait, end).getTime() / MINUTE) * MINUTE)
  const disabled = at.getTime() >= end
  const schedule = `${at.getUTCMinutes()} ${at.getUTCHours()} ${at.getUTCDate()} ${at.getUTCMonth() + 1} * ${at.getUTCFullYear()}`
  return {
    autoscalingPolicy: {
      mode: UPWARDS,
      scalingSchedules: { [SCHEDULE]: { schedule, timeZone: 'UTC', durationSec: LASTS, minRequiredReplicas: count, disabled } },
    },
  }
}

/**
 * A change of it: its machines start on the next minute, by the date alone. It is never switched off for that: who dies before the size of the group is
 * set would leave it so. `undefined`: it is too late for them.
 */
export function startsSoon(twin: Twin, now: number): Autoscaler | undefined {
  const change = startsIn(AHEAD, twin, now)
  return isDisabled(change) ? undefined : change
}

const scheduleOf = ({ autoscalingPolicy }: Autoscaler) => autoscalingPolicy?.scalingSchedules?.[SCHEDULE] ?? {}
const isDisabled = (autoscaler: Autoscaler): boolean => scheduleOf(autoscaler).disabled === true

/** What it is for has begun to come, or was never given a date. Not what still waits for it, and not what is to stay away because the end is near. */
export function isDue(autoscaler: Autoscaler, now: number): boolean {
  if (isDisabled(autoscaler)) return false
  const [minute, hour, day, month, , year] = (scheduleOf(autoscaler).schedule ?? '').split(' ').map(Number)
  const at = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute)
  return autoscaler.autoscalingPolicy?.mode !== UPWARDS || !(at > now)
}
