/** Jobs that were cut off, and whether they have run again since. */
import { expect, test } from '@jest/globals'
import { spent } from '../../src/agent/runner/verdict.ts'
import { runOutcome } from '../../src/engine/follow/outcome.ts'
import { interruptedJobs, madeGood } from '../../src/wire/interrupted-jobs.ts'
import type { ServedJob } from '../../src/wire/runner.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'

const AT = '2030-01-01T00:00:00.000Z'

function job(attempt: number, more: Partial<ServedJob> = {}, name = 'train'): ServedJob {
  return { epoch: 1, start: AT, end: AT, facts: { repository: 'octo/hello', run: '7', job: name, attempt: String(attempt) }, ...more }
}
/** Without an end. */
const open = (epoch: number): ServedJob => {
  const { end: _end, ...rest } = job(1, { epoch })
  return rest
}
const cut = (attempt: number, name?: string): ServedJob => job(attempt, { interrupted: true }, name)

test.each<[string, boolean, readonly ServedJob[], readonly ServedJob[]]>([
  ['nothing was cut off', true, [], []],
  ['it ran to its end in a later attempt', true, [cut(1)], [job(2)]],
  ['it was cut off again, and ran at last', true, [cut(1), cut(2)], [job(3)]],
  ['it has not run since', false, [cut(1)], [job(2, {}, 'other')]],
  ['another leg of its matrix ran beside it', false, [cut(1)], [job(1)]],
  ['two legs were cut off, and one has run since', false, [cut(1), cut(1)], [job(2)]],
  ['two legs were cut off, and both have run since', true, [cut(1), cut(1)], [job(2), job(2)]],
  ['it runs', false, [cut(1)], [{ ...job(2), end: undefined } as unknown as ServedJob]],
])('%s: made good is %s', (_, good, lost, others) => {
  expect(madeGood(lost, [...lost, ...others])).toBe(good)
})

const TAKEN = { epoch: 1, holder: 'm1', start: AT, end: AT, cause: 'interrupted', announced: true } as const
const LAST = { epoch: 2, holder: 'm2', start: AT } as const
const STOPPED = { ...LAST, end: AT, cause: 'stopped' } as const
const LOST = { ...LAST, end: AT, cause: 'lost' } as const

test.each<[string, boolean, Partial<SlotRecord>]>([
  ['its machine was taken away, which could record that', true, { epoch: 2, attempts: [TAKEN, LAST], jobs: [cut(1)] }],
  ['its machine was lost, and recorded no end', true, { state: 'failed', epoch: 2, attempts: [TAKEN, LOST], jobs: [open(2)] }],
  ['it runs', false, { epoch: 2, attempts: [TAKEN, LAST], jobs: [open(2)] }],
  ['its runner was stopped', false, { state: 'stopped', epoch: 2, attempts: [TAKEN, STOPPED], jobs: [{ ...cut(1), epoch: 2 }] }],
  [
    'it ran out of memory, and its machine with it',
    false,
    { epoch: 2, attempts: [{ ...TAKEN, cause: 'out-of-memory' }, LAST], jobs: [open(1)] },
  ],
  ['it outgrew the disk of its machine', false, { epoch: 2, attempts: [{ ...TAKEN, cause: 'disk-full' }, LAST], jobs: [cut(1)] }],
  ['its runner was stopped, and recorded no end', false, { state: 'stopped', epoch: 2, attempts: [TAKEN, STOPPED], jobs: [open(2)] }],
  [
    'its machine was taken away before the next one was stopped',
    true,
    { state: 'stopped', epoch: 2, attempts: [TAKEN, STOPPED], jobs: [cut(1)] },
  ],
  ['its machine was taken away, and none came before the stop', true, { state: 'stopped', attempts: [TAKEN], jobs: [cut(1)] }],
])('%s: cut off is %s', (_, interrupted, slot) => {
  const found = interruptedJobs([{ ...newSlot(0, 'n', AT), state: 'running', epoch: 1, ...slot }])
  expect(found).toEqual(interrupted ? slot.jobs : [])
})

test.each([
  ['what was cut off was served', [TAKEN, LAST], [cut(1), job(2)], 1, { state: 'succeeded', cause: 'exit' }],
  ['one was taken away while it waited', [TAKEN, LAST], [job(1)], 1, { state: 'succeeded', cause: 'exit' }],
  ['what was cut off was not served', [TAKEN, LAST], [cut(1), job(1, {}, 'other')], 1, { state: 'failed', cause: 'interrupted' }],
  ['nothing was served', [TAKEN, LAST], [], 0, { state: 'failed', cause: 'interrupted' }],
  ['its own runner used them up', [LAST], [job(1)], 1, { state: 'failed', cause: 'exit', exitCode: 1 }],
  [
    'the forge sent its runner away',
    [LAST],
    [job(1)],
    1,
    { state: 'succeeded', reason: expect.stringMatching(/^served 1 job; the forge no longer has/) },
    true,
  ],
  ['the forge sent its runner away after another was taken', [TAKEN, LAST], [cut(1)], 0, { state: 'failed' }, true],
] as const)('all registrations are used, and %s', (_, attempts, jobs, served, end, dismissed: boolean = false) => {
  expect(spent({ attempts, jobs, served, last: undefined, dismissed })).toMatchObject(end)
})

test('a slot whose last registration was lost with its machine does not fail a launch that has served everything', () => {
  const slot = (index: number, more: Partial<SlotRecord>): SlotRecord => ({ ...newSlot(index, 'n', AT), epoch: 1, ...more })
  const gone = (more: Partial<SlotRecord> = {}) => slot(0, { state: 'failed', cause: 'interrupted', jobs: [cut(1)], ...more })
  const other = (jobs: readonly ServedJob[]) => slot(1, { state: 'succeeded', served: jobs.length, jobs })
  expect(runOutcome([gone(), other([job(2)])])).toMatchObject({ state: 'succeeded', outcome: 'success', exitCode: 0 })
  expect(runOutcome([gone(), other([job(1, {}, 'other')])])).toMatchObject({ state: 'failed', exitCode: 76 })
  expect(runOutcome([gone()])).toMatchObject({ state: 'failed', exitCode: 76 })
  expect(runOutcome([gone({ cause: 'exit', exitCode: 1 }), other([job(2)])])).toMatchObject({ state: 'failed', exitCode: 1 })
})
