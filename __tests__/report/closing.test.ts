import { expect, test } from '@jest/globals'
import type { Status } from '../../src/engine/follow/status.ts'
import { closingReport, outputsLine } from '../../src/report/closing.ts'
import { minute } from '../../src/report/run.ts'

const status: Status = {
  id: 'tpi-fit-0123456789',
  name: 'fit',
  cloud: 'local',
  mode: 'task',
  state: 'failed',
  outcome: 'script-failed',
  exitCode: 75,
  createdAt: '2026-01-02T03:04:05.000Z',
  deadline: '2026-01-02T04:04:05.000Z',
  endedAt: '2026-01-02T03:05:05.000Z',
  collected: true,
  destroyed: true,
  origin: {},
  store: 'dir:///s',
  slots: [
    {
      index: 0,
      state: 'failed',
      attempt: 1,
      exitCode: 75,
      reason: 'exit code 75',
      machine: 'm-1',
      savedAt: null,
      attempts: [
        { epoch: 1, holder: 'm-1', start: '2026-01-02T03:04:06.000Z', end: '2026-01-02T03:05:05.000Z', cause: 'exit', exitCode: 75 },
      ],
      outputs: { table: 'a\nb\u001b[2J', long: 'x'.repeat(200) },
    },
  ],
}

test('says what it has cost, if machines cost anything', () => {
  const at = (price: number | undefined) => closingReport({ status, delivery: undefined, keptUntil: undefined, price })
  expect(at(3)).toMatch(/^ {2}cost +about 0\.0492 USD, at 3 USD per machine-hour; storage and traffic are not included$/m)
  for (const price of [0, undefined]) expect(at(price)).not.toContain('cost')
})

test('without an interruption it does not say that nothing was lost, because the run may have failed', () => {
  expect(closingReport({ status, delivery: undefined, keptUntil: undefined })).toMatch(/lost work +no interruption$/m)
})

test('values of the program stay on their line, and the last line says how it ended', () => {
  const report = closingReport({ status, delivery: undefined, keptUntil: undefined }).split('\n')
  expect(report[0]).toBe('── fit: script-failed')
  expect(report).toContain('  table      a\\u000ab\\u001b[2J')
  expect(report).toContain(`  long       ${'x'.repeat(99)}…`)
  // tpi's own exit code may be 75, too: only the outcome tells them apart.
  expect(report.at(-1)).toBe('outcome: script-failed, exit code 75')
})

const saved = { ...status, slots: status.slots.map((slot) => ({ ...slot, savedAt: '2026-01-02T03:05:00.000Z' })) }

test('what is kept on a host that ends with its job is not promised for longer', () => {
  const kept = { status: saved, delivery: undefined, keptUntil: '2026-01-09T03:05:05.000Z' }
  expect(closingReport(kept)).toMatch(/kept +last checkpoints and logs until 2026-01-09 03:05 UTC; `resume: true`/)
  expect(closingReport({ ...kept, fleeting: 'hosted machine' })).toMatch(
    /kept +last .* only until this hosted machine ends with its job: with `storage`,/,
  )
})

test('a run that has saved nothing keeps its logs: a command with resume would start from the beginning', () => {
  const kept = { status, delivery: undefined, keptUntil: '2026-01-09T03:05:05.000Z' }
  expect(closingReport(kept)).toMatch(/kept +logs until 2026-01-09 03:05 UTC; `tpi logs fit` shows them, `tpi destroy fit` removes them$/m)
  expect(closingReport({ ...kept, fleeting: 'hosted machine' })).toMatch(/kept +logs, but only until this hosted machine ends/)
})

test('a run of which some slots have succeeded is resumed with the others, whether or not anything was saved', () => {
  const slots = status.slots.flatMap((slot) => [slot, { ...slot, index: 1, state: 'succeeded' as const }])
  const kept = { status: { ...status, slots }, delivery: undefined, keptUntil: '2026-01-09T03:05:05.000Z' }
  expect(closingReport(kept)).toMatch(/kept +logs until 2026-01-09 03:05 UTC; `resume: true` runs the slots that have not succeeded,/m)
})

test('outputs are counted as they were delivered, with the time that took', () => {
  const delivery = { folder: '/w', files: ['a'], bytes: 3100, same: 0, beside: [], conflicts: [], saved: true, unmatched: [], took: 61_400 }
  expect(outputsLine(delivery, false)).toBe('1 file (3.1 kB) in /w, fetched in 1m 1s')
  expect(outputsLine({ ...delivery, files: [], same: 2, took: 3 }, false)).toBe('nothing new: 2 files already in /w')
  // In another folder than the work directory, they are missing.
  expect(outputsLine({ ...delivery, same: 1, unchanged: 2, took: 0 }, false)).toBe(
    '1 file (3.1 kB) in /w, 1 already there, 2 unchanged since the upload left out',
  )
})

test('a time to the minute reads the same in reports and beside a commit', () =>
  expect(minute('2026-01-31T12:00:59.999Z')).toBe('2026-01-31 12:00 UTC'))
