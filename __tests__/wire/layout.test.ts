import { expect, test } from '@jest/globals'
import { BASE, layout, numbersOf, pinsAt, snapAt } from '../../src/wire/layout.ts'
import { hasSaved } from '../../src/wire/slot.ts'

const keys = layout('tpi-t-0123456789', 'one')

test('names of segments and samples contain slot and attempt, and sort by time', () => {
  const slot = keys.slot(3)
  const names = [slot.segment(1, 2), slot.segment(1, 10), slot.segment(2, 1), slot.segment(12, 1)]
  expect(names.toSorted()).toEqual(names)
  expect(names.map(numbersOf)).toEqual([
    { epoch: 1, seq: 2 },
    { epoch: 1, seq: 10 },
    { epoch: 2, seq: 1 },
    { epoch: 12, seq: 1 },
  ])
  expect(numbersOf(slot.sample(4, 5))).toEqual({ epoch: 4, seq: 5 })
  for (const key of [slot.record, slot.log, `${slot.log}000001`, `${keys.root}${snapAt(3)}p-000001-0000000001`])
    expect(numbersOf(key)).toBeUndefined()
})

test('snapshots and pins of a slot are beside its record, and the upload is separate', () => {
  const folder = keys.slot(3).record.replace(/slot\.json$/, '')
  expect(keys.root + snapAt(3)).toBe(`${folder}snap/`)
  expect(keys.root + pinsAt(snapAt(3))).toBe(`${folder}pins/`)
  expect(keys.base).toBe(keys.root + BASE)
  const head = { digest: 'd', epoch: 1, savedAt: '', quiet: true, files: 0, bytes: 0 }
  expect([{}, { head: { ...head, at: BASE } }, { head: { ...head, at: snapAt(3) } }].map(hasSaved)).toEqual([false, false, true])
})
