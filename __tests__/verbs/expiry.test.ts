/** Temporary credentials that a run may outlive. */
import { expect, test } from '@jest/globals'
import { warnOfExpiry } from '../../src/verbs/shared/probe-store.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'

test('credentials that expire before the timeout cause a warning with both times; others none', () => {
  const host = memoryHost()
  const engine = { host, clock: fakeClock('2030-01-01T00:00:00.000Z'), home: '/nowhere', actor: 'ann@box' }
  const access = { url: 's3://bucket', until: '2030-01-01T01:00:00.000Z' }
  warnOfExpiry({ engine, host }, access, 3600)
  warnOfExpiry({ engine, host }, { url: 's3://bucket' }, 7200)
  expect(host.lines).toEqual([])
  warnOfExpiry({ engine, host }, access, 7200)
  expect(host.lines).toEqual([
    expect.stringMatching(/expire at 2030-01-01T01:00:00.000Z, before "timeout" ends the run at 2030-01-01T02:00:00.000Z/),
  ])
})
