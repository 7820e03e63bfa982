/** What a job is told about its machine, before any of its steps. */
import { expect, test } from '@jest/globals'
import { Timeline } from '../../src/agent/runner/job-timeline.ts'
import { factsOf, type Starting, waitedOnly } from '../../src/agent/runner/start.ts'

const AT = '2030-01-01T00:00:00.000Z'
const start = {
  credential: { k: 0, name: 'r-0-0', value: 'secret' },
  at: AT,
  before: [],
  served: 0,
  timeline: new Timeline(),
  early: 0,
  idled: 0,
}

interface More {
  readonly about?: string
  readonly price?: number
  readonly runner?: object
  readonly early?: number
  readonly idled?: number
}

function facts({ about, price, runner, early = 0, idled = 0 }: More): Record<string, string> {
  const context = {
    index: 0,
    config: { machine: 'm1', home: '/h' },
    folders: { work: '/h/work', run: '/h/run', tmp: '/h/tmp' },
    spec: { lifetime: { deadline: '2030-01-02T00:00:00.000Z' }, runner: { idle: 60, jobs: 1, ...runner } },
  }
  const starting = { about, context, holder: { record: { attempts: [{}] } }, control: { price, online: undefined } }
  return factsOf(starting as unknown as Starting, { ...start, early, idled })
}

/** The first line, which comes before the timeline. */
const kind = (more: More): string | undefined => facts(more)['timeline']?.split('\n')[0]

test('its kind if the cloud says it, its price if it is known, and always how long it lives', () => {
  const until = 'no longer than until 2030-01-02T00:00:00.000Z'
  expect(kind({ about: 'm5.large, spot, us-east-1a', price: 0.023511999999999998 })).toBe(
    `m5.large, spot, us-east-1a; about 0.0235 USD per hour; ${until}`,
  )
  expect(kind({ about: 'm5.large, on-demand, us-east-1a' })).toBe(`m5.large, on-demand, us-east-1a; ${until}`)
  expect(kind({})).toBe(until)
})

test.each([
  ['once its launch is complete', {}, '60'],
  ['while other machines are waited for: so much longer', { early: 30_500 }, '91'],
  ['but twice as long at most', { early: 90_500 }, '120'],
  ['with any number of jobs: it is started again if it ends too early', { early: 90_500, runner: { jobs: null } }, '60'],
  ['and then for the rest of that time', { early: 0, idled: 50_900, runner: { jobs: null } }, '10'],
  ['however little of it is left', { early: 0, idled: 60_000, runner: { jobs: null } }, '1'],
  ['which may be idle for ever', { early: 90_500, runner: { idle: null } }, '0'],
] as const)('the idle time of a program that measures it itself, %s', (_, more, idle) => {
  expect(facts(more)['idle']).toBe(idle)
})

test.each([
  [
    'no job could come before all were online: it waited since then',
    { early: 50_000, idled: 0 },
    { idled: 40_000, lasted: 60_000 },
    40_000,
  ],
  ['all were online when it started: it waited for its whole time', { early: 0, idled: 0 }, { idled: 60_000, lasted: 60_000 }, undefined],
  ['it was given the rest, and no job came', { early: 0, idled: 40_000 }, { idled: 100_000, lasted: 70_000 }, undefined],
  [
    'it was given the rest, had a job, and waited for the rest again',
    { early: 0, idled: 40_000 },
    { idled: 200_000, lasted: 90_000 },
    20_000,
  ],
] as const)('how long a program that left for lack of a job has waited: %s', (_, given, times, only) => {
  expect(waitedOnly(given, 60_000, times)).toBe(only)
})
