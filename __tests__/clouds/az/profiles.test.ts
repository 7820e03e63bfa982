/**
 * The capacity that an autoscale setting keeps, minute by minute, as machines and commands change it: for one set, and for a waiting twin (`spot:
 * prefer`).
 */
import { describe, expect, test } from '@jest/globals'
import {
  asleep,
  begun,
  ended,
  isEnded,
  keeping,
  keptBy,
  leastOf,
  neverOver,
  openFor,
  over,
  overFrom,
  putOff,
  roused,
  waits,
} from '../../../src/clouds/az/profiles.ts'
import type { AutoscaleProfile } from '../../../src/clouds/az/sdk.ts'

const MINUTE = 60_000
const START = Date.parse('2026-11-02T09:00:00Z')
const at = (minutes: number): number => START + minutes * MINUTE
const END = at(120)
const TWIN = { end: END, count: 3 }
const WAIT = 10 * MINUTE

/** The number of machines that are kept at these minutes. */
const kept = (profiles: readonly AutoscaleProfile[], ...minutes: readonly number[]): readonly number[] =>
  minutes.map((minute) => keptBy(profiles, at(minute)))

test('one set keeps what it is told until the deadline, and none after it; ended, it keeps none for good', () => {
  const made = [openFor({ start: at(-10), end: END, most: 3 }), over(0)]
  expect(kept(made, 0)).toEqual([0])
  const three = keeping(made, 3)
  expect(kept(three, 0, 119, 120, 500)).toEqual([3, 3, 0, 0])
  expect(three[0]?.capacity.maximum).toBe('3')
  expect([isEnded(three), isEnded(ended(three)), leastOf(ended(three))]).toEqual([false, true, undefined])
  expect(ended(three)).toEqual([over(0)])
})

test('with dates instead of a default, none are kept after the deadline either', () => {
  const made = keeping([openFor({ start: at(-10), end: END, most: 3 }), overFrom(END)], 3)
  expect(kept(made, 0, 119, 120, 500)).toEqual([3, 3, 0, 0])
  expect(isEnded(ended(made))).toBe(true)
})

describe('if Azure accepts no 0', () => {
  const zeros = (profiles: readonly AutoscaleProfile[]): readonly AutoscaleProfile[] =>
    profiles.filter(({ capacity }) => Object.values(capacity).includes('0'))

  test('no profile has one, and none holds after the deadline, nor once the set is ended', () => {
    const made = [openFor({ start: at(-10), end: END, most: 3 }, 1), neverOver()]
    const two = keeping(made, 2)
    expect([kept(two, 0, 119, 120, 500), leastOf(two)]).toEqual([[2, 2, 0, 0], 2])
    // Nothing is left for this set.
    expect(keeping(two, 0)).toEqual([neverOver()])
    expect([isEnded(made), isEnded(ended(two)), zeros([...made, ...two, ...ended(two)])]).toEqual([false, true, []])
  })

  test('a twin that waits starts nothing, neither before the deadline nor at it', () => {
    const made = [asleep(TWIN, 1), neverOver()]
    expect([kept(made, 0, 119, 120, 500), isEnded(made), waits(made, at(119))]).toEqual([[0, 0, 0, 0], false, true])
    const armed = putOff(made, TWIN, WAIT, at(0))
    expect(kept(armed, 9, 10, 119, 120)).toEqual([0, 3, 3, 0])
    const late = putOff(made, TWIN, WAIT, at(112))
    expect([kept(late, 112, 119, 120, 500), waits(late, at(119))]).toEqual([[0, 0, 0, 0], true])
    expect(zeros([...made, ...armed, ...late])).toEqual([])
  })
})

test('dates without a zone are in the zone that the profile names', () => {
  const [open] = [openFor({ start: START, end: END, most: 3 })].map((one) => ({
    ...one,
    fixedDate: { timeZone: 'UTC' as const, start: '2026-11-02T09:00:00', end: '2026-11-02T11:00:00' },
  }))
  expect(kept(keeping([open!], 2), -1, 0, 119, 120)).toEqual([0, 2, 2, 0])
})

test('a new twin starts nothing; once armed, all its machines start when it was not put off for the wait', () => {
  const made = [asleep(TWIN), over(0)]
  expect([kept(made, 0, 10, 119, 120), isEnded(made)]).toEqual([[0, 0, 0, 0], false])
  const armed = putOff(made, TWIN, WAIT, at(0))
  expect(kept(armed, 0, 9, 10, 119, 120)).toEqual([0, 0, 3, 3, 0])
  const held = putOff(armed, TWIN, WAIT, at(8))
  expect(kept(held, 10, 17, 18, 119, 120)).toEqual([0, 0, 3, 3, 0])
  expect([waits(held, at(18)), waits(held, at(19))]).toEqual([true, false])
})

test('a start that has begun is never postponed: its machines stay while the rest waits again', () => {
  const running = keeping(begun(putOff([over(0)], TWIN, WAIT, at(0)), at(11)), 1)
  expect(kept(running, 11, 60)).toEqual([1, 1])
  const held = putOff(running, TWIN, WAIT, at(12))
  expect(kept(held, 12, 21, 22, 119, 120)).toEqual([1, 1, 3, 3, 0])
  // Also if nothing was written since it began, or just as it begins.
  for (const when of [at(12), at(10), at(10) - 5000])
    expect(kept(putOff(putOff([over(0)], TWIN, WAIT, at(0)), TWIN, WAIT, when), 13, 19)).toEqual([3, 3])
  expect(kept(putOff(putOff([over(0)], TWIN, WAIT, at(0)), TWIN, WAIT, at(9)), 13, 18, 19)).toEqual([0, 0, 3])
})

test('a start shortly before the deadline does not happen', () => {
  const late = putOff([asleep(TWIN), over(0)], TWIN, WAIT, at(107))
  expect(kept(late, 108, 117, 119, 120)).toEqual([0, 0, 0, 0])
  expect([isEnded(late), waits(late, at(117))]).toEqual([false, true])
})

test('roused, all of it starts at once, and later holds put off only further machines', () => {
  const called = roused(putOff([over(0)], TWIN, WAIT, at(0)), TWIN, at(5))
  expect(kept(called, 5, 119, 120)).toEqual([3, 3, 0])
  expect(kept(putOff(keeping(called, 1), TWIN, WAIT, at(6)), 6, 15, 16)).toEqual([1, 1, 3])
})
