/** The error annotation of a step whose run has not succeeded. */
import { expect, test } from '@jest/globals'
import { outcomeLine } from '../src/action.ts'
import type { RunReport } from '../src/report/run.ts'

function reportOf(name: string, outcome: string, exitCode: number | null): RunReport {
  const reason = exitCode === 0 ? 'succeeded' : 'exit code 3'
  return {
    status: { name, outcome, exitCode, slots: [{ state: exitCode === 0 ? 'succeeded' : 'failed', reason }] },
  } as unknown as RunReport
}

const failed = reportOf('a', 'script-failed', 3)
const succeeded = reportOf('b', 'success', 0)

test('of several runs that a step has collected, it names the one whose exit code the step has', () => {
  expect(outcomeLine('collect', 3, [failed, succeeded])).toBe('a: script-failed: exit code 3')
  expect(outcomeLine('collect', 3, [succeeded, failed])).toBe('a: script-failed: exit code 3')
  expect(outcomeLine('destroy', 76, [])).toBe('destroy ended with exit code 76')
})

test('only a step that follows a run would follow it again', () => {
  const running = reportOf('c', 'running', null)
  expect(outcomeLine('task', 75, [running])).toContain('c is still running: run this step again to follow it')
  expect(outcomeLine('collect', 75, [succeeded, running])).toContain('c is still running: these results are from its last checkpoint')
})

test('of a run that was stopped, it gives the reason of a slot that was stopped, and the exit code of the step', () => {
  const slots = [
    { state: 'failed', reason: 'exit code 3' },
    { state: 'stopped', reason: 'stopped (cancel)' },
  ]
  const stopped = { status: { name: 'd', outcome: 'stopped', exitCode: 130, slots } } as unknown as RunReport
  expect(outcomeLine('task', 143, [stopped])).toBe('d: stopped: stopped (cancel) (exit code 143)')
})
