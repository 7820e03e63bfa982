import { describe, expect, test } from '@jest/globals'
import { runOutcome } from '../../src/engine/follow/outcome.ts'
import { holderIsDead } from '../../src/engine/follow/status.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'

function slot(index: number, over: Partial<SlotRecord>): SlotRecord {
  return { ...newSlot(index, 'n', '2026-01-01T00:00:00Z'), ...over }
}

describe('verdict over slots', () => {
  test('is open while any slot is open, and names the most active state', () => {
    expect(runOutcome([slot(0, { state: 'succeeded' }), slot(1, { state: 'waiting' }), slot(2, { state: 'running' })])).toEqual({
      state: 'running',
      outcome: 'running',
      exitCode: null,
    })
    expect(runOutcome([slot(0, { state: 'waiting' }), slot(1, { state: 'interrupted' })]).state).toBe('interrupted')
  })

  test('is success only when every slot succeeded', () => {
    expect(runOutcome([slot(0, { state: 'succeeded' }), slot(1, { state: 'succeeded' })])).toEqual({
      state: 'succeeded',
      outcome: 'success',
      exitCode: 0,
    })
  })

  test('the lowest-index slot that did not succeed decides', () => {
    const slots = [
      slot(0, { state: 'succeeded' }),
      slot(1, { state: 'failed', cause: 'exit', exitCode: 7 }),
      slot(2, { state: 'failed', cause: 'exit', exitCode: 9 }),
    ]
    expect(runOutcome(slots)).toEqual({ state: 'failed', outcome: 'script-failed', exitCode: 7 })
  })

  test('a slot stopped by fail-fast is not the reason', () => {
    const slots = [slot(0, { state: 'stopped', cause: 'sibling' }), slot(1, { state: 'failed', cause: 'exit', exitCode: 3 })]
    expect(runOutcome(slots)).toEqual({ state: 'failed', outcome: 'script-failed', exitCode: 3 })
  })

  test.each([
    [{ state: 'failed', cause: 'setup', exitCode: 2 }, 'setup-failed', 2],
    [{ state: 'failed', cause: 'out-of-memory', exitCode: 137 }, 'script-failed', 137],
    [{ state: 'failed', cause: 'disk-full', exitCode: 0 }, 'script-failed', 1],
    [{ state: 'failed', cause: 'results-not-saved', exitCode: 0 }, 'remote-error', 76],
    [{ state: 'failed', cause: 'lost' }, 'remote-error', 76],
    [{ state: 'timed-out', cause: 'timed-out', exitCode: 143 }, 'timed-out', 124],
    [{ state: 'stopped', cause: 'stopped' }, 'stopped', 130],
  ] as const)('%j is %s with exit code %i', (over, outcome, exitCode) => {
    expect(runOutcome([slot(0, over)])).toMatchObject({ outcome, exitCode })
  })
})

describe('whether the group knows that a holder is dead', () => {
  const held = slot(0, { holder: 'm1', state: 'running' })
  const seen = (machines: { id: string; state: 'running' | 'gone' }[], phase: 'up' | 'stopped' = 'up') => ({
    phase,
    wanted: 1,
    machines,
    events: [],
  })

  test('a machine it lists as gone is dead, a present or unknown one is not', () => {
    expect(holderIsDead(held, seen([{ id: 'm1', state: 'gone' }]))).toBe(true)
    expect(holderIsDead(held, seen([{ id: 'm1', state: 'running' }]))).toBe(false)
    expect(holderIsDead(held, seen([{ id: 'm2', state: 'gone' }]))).toBe(false)
  })

  test('without a group every holder is dead', () => {
    expect(holderIsDead(held, seen([], 'stopped'))).toBe(true)
  })
})
