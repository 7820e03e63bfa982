/**
 * What starts the twin of a spot group (`spot: prefer`): an autoscaler whose schedule has one date. It raises the wanted size of its group and never
 * lowers it, so from then on the group behaves like any other. Pure functions, for machines and commands.
 * https://cloud.google.com/compute/docs/autoscaler/scaling-schedules · https://cloud.google.com/compute/docs/reference/rest/v1/regionAutoscalers
 */
import { standbyStart, type Twin } from '../vm/spot-standby.ts'
import type { Autoscaler } from './sdk.ts'

const SCHEDULE = 'tpi-standby'
const UPWARDS = 'ONLY_SCALE_OUT'
const MINUTE = 60_000
/** Milliseconds by which a date must be in the future: the request takes some seconds, and clocks differ by some. */
const AHEAD = 15_000
/** Seconds for which the schedule wants machines: the vendor looks at schedules only now and then, and refuses less than five minutes. */
const LASTS = 600

type Policy = NonNullable<Autoscaler['autoscalingPolicy']>

/**
 * The policy at creation: off. Google refuses a policy that has only a schedule, so it also has a load target, which machines cannot exceed. Those
 * with shared cores can, because they burst: a busy one may then start the others of its group, `count` at most.
 * https://cloud.google.com/compute/docs/autoscaler/scaling-schedules#limitations · .../scaling-cpu
 * https://cloud.google.com/monitoring/api/metrics_gcp_c (`instance/cpu/utilization`)
 */
export const offPolicy = (count: number): Policy => ({
  mode: 'OFF',
  minNumReplicas: 0,
  maxNumReplicas: count,
  cpuUtilization: { utilizationTarget: 1 },
})

/** A change of the policy: its machines start on the first full minute after `wait` milliseconds, and not at all near the end. */
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
 * A change of the policy: its machines start on the next full minute, by the date alone. The schedule is not switched off afterwards: a
 * process that died before setting the group's size would leave it off. `undefined`: it is too late for machines.
 */
export function startsSoon(twin: Twin, now: number): Autoscaler | undefined {
  const change = startsIn(AHEAD, twin, now)
  return isDisabled(change) ? undefined : change
}

const scheduleOf = ({ autoscalingPolicy }: Autoscaler) => autoscalingPolicy?.scalingSchedules?.[SCHEDULE] ?? {}
const isDisabled = (autoscaler: Autoscaler): boolean => scheduleOf(autoscaler).disabled === true

/**
 * Whether its machines have begun to start, or it never had a date. `false`: the start is still to come, or is switched off because the end
 * is near.
 */
export function isDue(autoscaler: Autoscaler, now: number): boolean {
  if (isDisabled(autoscaler)) return false
  const [minute, hour, day, month, , year] = (scheduleOf(autoscaler).schedule ?? '').split(' ').map(Number)
  const at = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute)
  return autoscaler.autoscalingPolicy?.mode !== UPWARDS || !(at > now)
}
