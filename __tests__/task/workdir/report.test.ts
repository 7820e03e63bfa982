import { expect, test } from '@jest/globals'
import { type LeftOut, NOTHING, reportLines } from '../../../src/task/workdir/report.ts'

const folder = (path: string, rule = `.gitignore: ${path}/`, remedy = 'write a .tpiignore'): LeftOut => ({
  path,
  isFolder: true,
  files: 2,
  bytes: 1000,
  rule,
  remedy,
})

test('all that is left out is named, not only the largest; each remedy is given once', () => {
  const report = {
    ...NOTHING,
    leftOut: [folder('.venv'), folder('data'), folder('old', 'option exclude', 'take it out'), folder('models')],
  }
  expect(reportLines(report).slice(1)).toEqual([
    '  not sent: .venv/ 1 kB in 2 files (.gitignore: .venv/); write a .tpiignore',
    '  not sent: data/ 1 kB in 2 files (.gitignore: data/)',
    '  not sent: old/ 1 kB in 2 files (option exclude); take it out',
    '  not sent: models/ 1 kB in 2 files (.gitignore: models/)',
  ])
})

test('what is not named is counted', () => {
  const report = { ...NOTHING, files: 3, bytes: 2, largest: [{ path: 'a', isFolder: false, files: 1, bytes: 2 }], leftOut: [folder('b')] }
  expect(reportLines({ ...report, moreSent: 2, moreLeftOut: 4 })).toEqual([
    'work directory: 3 files, 2 B',
    '  a 2 B',
    '  and 2 more',
    expect.stringContaining('not sent: b/'),
    '  not sent: 4 more',
  ])
})
