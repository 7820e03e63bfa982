/** For which reclaimed machines a forge must be asked about jobs. */
import { expect, test } from '@jest/globals'
import { unreportedJobs } from '../../src/runner/unreported-jobs.ts'
import type { RunnerFacts, ServedJob } from '../../src/wire/runner.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'

const time = (minute: number): string => new Date(Date.UTC(2030, 0, 1, 0, minute)).toISOString()

/** Each machine was lost after a minute, except the last one, which is still there. */
function slotOf(lives: number, jobs: readonly ServedJob[]): SlotRecord {
  const attempts = Array.from({ length: lives }, (_, at) => ({ epoch: at + 1, holder: `m${at}`, start: time(at) }))
  const over = attempts.map((one, at) => (at < lives - 1 ? { ...one, end: time(at + 1), cause: 'lost' as const } : one))
  return { ...newSlot(0, 'n', time(0)), state: 'running', epoch: lives, claimed: 1, attempts: over, jobs }
}

const job = (epoch: number, how: Partial<ServedJob>): ServedJob => ({
  epoch,
  start: time(epoch - 1),
  facts: { runner: 'tpi-r-0-0' },
  ...how,
})
const enrolled = [{ slot: 0, k: 0, name: 'tpi-r-0-0' }]
const work = (more: object): RunnerFacts => ({ enrolled, machine: { hooks: {}, ...more } }) as unknown as RunnerFacts

test('for a runner with many machines in turn: each attempt without a job that the hooks reported as cut off, and no other', () => {
  const jobs = [job(1, { end: time(0) }), job(2, { end: time(2), interrupted: true })]
  expect(unreportedJobs(work({ registration: {} }), [slotOf(4, jobs)])).toEqual([
    { enrolled: enrolled[0], away: [{ from: time(0), to: time(1) }], as: 'tpi-r-0-0 1' },
    { enrolled: enrolled[0], away: [{ from: time(2), to: time(3) }], as: 'tpi-r-0-0 3' },
  ])
})

test('for a runner for one job: none once a hook has reported it, nor while its machine is there', () => {
  expect(unreportedJobs(work({}), [slotOf(2, [])])).toEqual([])
  const taken: SlotRecord = { ...slotOf(2, []), state: 'failed' }
  expect(unreportedJobs(work({}), [taken])).toMatchObject([{ as: 'tpi-r-0-0' }])
  expect(unreportedJobs(work({}), [{ ...taken, jobs: [job(1, { interrupted: true })] }])).toEqual([])
})
