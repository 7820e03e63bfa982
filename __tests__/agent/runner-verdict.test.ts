/** What is reported about the jobs of one start of a runner, and of its slot. */
import { expect, test } from '@jest/globals'
import { ofFullDisk, servedText, settled } from '../../src/agent/runner/verdict.ts'
import type { ServedJob } from '../../src/wire/runner.ts'

const NOW = '2030-01-01T01:00:00.000Z'

function job(attempt: number, more: Partial<ServedJob> = {}, name = 'train'): ServedJob {
  const facts = { repository: 'octo/hello', run: '7', job: name, attempt: String(attempt) }
  return { epoch: 1, start: '2030-01-01T00:00:00Z', end: NOW, facts, ...more }
}
const { end: _end, ...open } = job(1)

test('a job without an end was cut off if its machine was leaving; otherwise it ended by itself', () => {
  const settle = (cutOff: number, leaving: boolean) =>
    settled([job(1), open], { cutOff, leaving, now: NOW }).map((one) => [one.end, one.interrupted])
  expect(settle(-1, true)).toEqual([
    [NOW, undefined],
    [NOW, true],
  ])
  expect(settle(-1, false)).toEqual([
    [NOW, undefined],
    [NOW, undefined],
  ])
  // Its process was told to end, but its hook still ran.
  expect(settle(0, true)[0]).toEqual([NOW, true])
})

test.each([
  ['served 2 jobs', 2, [job(1), job(1, {}, 'other')]],
  ['served 0 jobs, 1 cut off and not run again here', 0, [job(1, { interrupted: true })]],
  ['served 1 job, 1 cut off and run again', 1, [job(1, { interrupted: true }), job(2)]],
  [
    'served 1 job, 1 cut off and run again, 1 cut off and not run again here',
    1,
    [job(1, { interrupted: true }), job(1, { interrupted: true }), job(2)],
  ],
  [
    'served 1 job, 1 cut off and run again, 1 cut off and not run again here',
    1,
    [job(1, { interrupted: true }), job(2), job(1, { interrupted: true }, 'other')],
  ],
])('%s', (says, served, jobs) => {
  expect(servedText({ served, failed: 0 }, jobs)).toBe(says)
})

test('jobs that failed by themselves are reported beside those that were cut off', () => {
  expect(servedText({ served: 3, failed: 1 }, [job(1)])).toBe('served 3 jobs (1 failed on its own)')
  expect(servedText({ served: 3, failed: 2 }, [job(1, { interrupted: true }), job(2)])).toBe(
    'served 3 jobs (2 failed on their own), 1 cut off and run again',
  )
})

test('a slot whose machine has a full disk goes on only if another one may register; only a job that was cut off is to run again', () => {
  const reason = 'a job has filled the disk of its machine'
  const how = { crash: undefined, cutOff: false, mayRegister: true }
  expect(ofFullDisk(how)).toEqual({ state: 'interrupted', cause: 'disk-full', reason })
  expect(ofFullDisk({ ...how, cutOff: true })).toEqual({ state: 'interrupted', cause: 'interrupted', reason })
  const none = `${reason}; no registration is left for another machine`
  expect(ofFullDisk({ ...how, mayRegister: false })).toEqual({ state: 'failed', cause: 'disk-full', reason: none })
  const crash = { state: 'failed', cause: 'exit', reason: 'it crashed', exitCode: 134 } as const
  expect(ofFullDisk({ ...how, crash })).toEqual({ ...crash, cause: 'disk-full', reason: `${reason}: it crashed` })
})
