import { describe, expect, test } from '@jest/globals'
import { judge } from '../../src/agent/attempt/verdict.ts'
import { takeOver } from '../../src/agent/slot/takeover-rules.ts'
import { slotEndOf } from '../../src/engine/follow/close.ts'
import { runOutcome } from '../../src/engine/follow/outcome.ts'
import { lostWork } from '../../src/report/closing.ts'
import { type Attempt, newSlot, type SlotRecord } from '../../src/wire/slot.ts'
import { closing, endOpenAttempt, isOwnEnd } from '../../src/wire/slot-end.ts'
import type { Spec } from '../../src/wire/spec.ts'

const AT = '2030-01-01T00:00:00.000Z'
const spec = { lifetime: { deadline: AT }, retry: { maxAttempts: 5, retries: 0, retryOn: [] } } as unknown as Spec
const taker = { machine: 'm2', at: AT, beat: 1000, silence: 'machine m1 went silent' }
const late = new Date('2031-01-01')

function slot(attempts: readonly Attempt[] = []): SlotRecord {
  return { ...newSlot(0, 'n', AT), epoch: attempts.length, attempts }
}

describe('the end of an open slot', () => {
  test.each([
    ['a request', { by: 'ann' }, false],
    ['a request past the deadline', { by: 'ann' }, true],
    ['a slot beside it that failed', { by: 'fail-fast' }, false],
    ['the deadline', undefined, true],
    ['the deadline that a controller imposes', { by: 'deadline' }, false],
  ])('by %s is the same whoever writes it', (_name, stop, pastDeadline) => {
    const end = closing({ stop, pastDeadline, deadline: AT })!
    const request = stop && { ...stop, at: AT }
    expect(takeOver(slot(), taker, { retry: spec.retry, stop: request, pastDeadline, deadline: AT })).toMatchObject(end)
    expect(slotEndOf(spec, stop, pastDeadline ? late : new Date(0))).toEqual(end)
    const cause = stop ? ({ kind: 'stopped', ...stop } as const) : ({ kind: 'timed-out' } as const)
    expect(judge({ kind: 'imposed', cause }, {}, spec)).toEqual(end)
  })

  test('does not come without a stop request before the deadline', () => {
    expect(closing({ pastDeadline: false, deadline: AT })).toBeUndefined()
  })
})

test('only the open attempt is cut off', () => {
  const ended: Attempt = { epoch: 1, holder: 'm1', start: AT, end: AT, cause: 'exit', exitCode: 75 }
  const open: Attempt = { epoch: 2, holder: 'm1', start: AT }
  expect(endOpenAttempt([ended, open], () => ({ end: AT, cause: 'lost' }))).toEqual([ended, { ...open, end: AT, cause: 'lost' }])
})

describe("an end of the user's own programs", () => {
  test.each(['exit', 'setup', 'out-of-memory', 'disk-full'] as const)('%s is no loss of a machine, and is reported as such', (cause) => {
    expect(isOwnEnd(cause)).toBe(true)
    const attempt: Attempt = { epoch: 1, holder: 'm1', start: AT, end: AT, cause }
    const many = Array.from({ length: 5 }, (_, at) => ({ ...attempt, epoch: at + 1 }))
    expect(takeOver(slot(many), taker, { retry: spec.retry, pastDeadline: false, deadline: AT }).state).toBe('booting')
    expect(lostWork([{ attempts: [attempt, attempt] } as never])).toContain('1 restart')
    const outcome = cause === 'setup' ? 'setup-failed' : 'script-failed'
    expect(runOutcome([{ ...slot(), state: 'failed', cause, exitCode: 3 }])).toMatchObject({ outcome, exitCode: 3 })
  })

  test.each(['lost', 'interrupted', 'stopped', 'timed-out', 'no-start', undefined] as const)('%s is none', (cause) => {
    expect(isOwnEnd(cause)).toBe(false)
  })
})
