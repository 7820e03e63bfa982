import { expect, test } from '@jest/globals'
import { Timeline } from '../../src/agent/runner/job-timeline.ts'

test('moments are in order, with the day if it changes, and the duration of each step; unknown ones are left out', () => {
  const line = new Timeline()
    .mark('runner starts', '2030-01-02T00:00:09.400Z')
    .mark('asked for', '2030-01-01T23:58:00.000Z')
    .mark('never', Number.NaN)
    .mark('machine is up', Date.parse('2030-01-01T23:59:30Z'))
  expect(line.text().split('\n')).toEqual([
    '2030-01-01 23:58:00Z           asked for',
    '           23:59:30Z  +1m 30s  machine is up',
    '2030-01-02 00:00:09Z     +39s  runner starts',
  ])
  line.copy().mark('job starts')
  expect(line.text()).not.toContain('job starts')
})
