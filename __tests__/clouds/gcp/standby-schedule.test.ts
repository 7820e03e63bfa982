/** When the group at full price starts (`spot: prefer`), as machines and commands tell Google's autoscaler. */
import { expect, test } from '@jest/globals'
import type { Autoscaler } from '../../../src/clouds/gcp/sdk.ts'
import { isDue, offPolicy, startsIn, startsSoon } from '../../../src/clouds/gcp/standby-schedule.ts'

const MINUTE = 60_000
const NOW = Date.parse('2026-11-02T09:00:30Z')
const twin = { count: 3, end: NOW + 120 * MINUTE }
const schedule = (change: Autoscaler) => Object.values(change.autoscalingPolicy?.scalingSchedules ?? {})[0]

test('when it is made it starts nothing: it is off, and its only signal is a load that machines never exceed', () => {
  expect(offPolicy(3)).toEqual({ mode: 'OFF', minNumReplicas: 0, maxNumReplicas: 3, cpuUtilization: { utilizationTarget: 1 } })
  expect(isDue({ autoscalingPolicy: offPolicy(3) }, NOW)).toBe(true)
})

test('armed, all of it starts once, at the minute after the wait, and no machine is ever removed', () => {
  const armed = startsIn(10 * MINUTE, twin, NOW)
  expect(armed.autoscalingPolicy?.mode).toBe('ONLY_SCALE_OUT')
  expect(schedule(armed)).toEqual({
    schedule: '11 9 2 11 * 2026',
    timeZone: 'UTC',
    durationSec: 600,
    minRequiredReplicas: 3,
    disabled: false,
  })
  expect(schedule(startsIn(10 * MINUTE, twin, NOW - 30_000))?.schedule).toBe('10 9 2 11 * 2026')
  expect(
    schedule(startsIn(MINUTE, { ...twin, end: Date.parse('2028-01-01T00:00:00Z') }, Date.parse('2026-12-31T23:59:00Z')))?.schedule,
  ).toBe('0 0 1 1 * 2027')
  expect([NOW, NOW + 10 * MINUTE, NOW + 11 * MINUTE].map((now) => isDue(armed, now))).toEqual([false, false, true])
})

test('machines do not start shortly before the deadline', () => {
  for (const minutes of [103, 105, 109]) expect(schedule(startsIn(10 * MINUTE, twin, NOW + minutes * MINUTE))?.disabled).toBe(minutes > 103)
  const late = startsIn(10 * MINUTE, twin, NOW + 109 * MINUTE)
  for (const minutes of [0, 109, 130]) expect(isDue(late, NOW + minutes * MINUTE)).toBe(false)
  expect(isDue({ autoscalingPolicy: { ...late.autoscalingPolicy, mode: 'OFF' } }, NOW)).toBe(false)
})

test('at once means a minute that is still ahead when the request arrives, but not shortly before the deadline', () => {
  const soon = (now: string): unknown => schedule(startsSoon(twin, Date.parse(now)) ?? {})?.schedule
  expect(['2026-11-02T09:00:30Z', '2026-11-02T09:00:50Z', '2026-11-02T09:01:00Z'].map(soon)).toEqual([
    '1 9 2 11 * 2026',
    '2 9 2 11 * 2026',
    '2 9 2 11 * 2026',
  ])
  expect(startsSoon(twin, NOW)?.autoscalingPolicy?.mode).toBe('ONLY_SCALE_OUT')
  expect([113, 115, 119].map((minutes) => startsSoon(twin, NOW + minutes * MINUTE) !== undefined)).toEqual([true, false, false])
})
