/** Temporary credentials that a run may outlive. */
import { expect, test } from '@jest/globals'
import { warnOfExpiry } from '../../src/verbs/shared/probe-store.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'

test('credentials that expire before the timeout, or at a time that nobody knows, cause a warning where machines keep them', () => {
  const host = memoryHost()
  const engine = { host, clock: fakeClock('2030-01-01T00:00:00.000Z'), home: '/nowhere', actor: 'ann@box' }
  const access = { url: 's3://bucket', until: '2030-01-01T01:00:00.000Z' }
  const unknown = { url: 's3://bucket', temporary: true }
  warnOfExpiry({ engine, host }, 'local', access, 3600)
  warnOfExpiry({ engine, host }, 'local', { url: 's3://bucket' }, 7200)
  for (const cloud of ['aws', 'gcp', 'az']) for (const one of [access, unknown]) warnOfExpiry({ engine, host }, cloud, one, 7200)
  expect(host.lines).toEqual([])
  warnOfExpiry({ engine, host }, 'local', access, 7200)
  warnOfExpiry({ engine, host }, 'k8s', unknown, 7200)
  expect(host.lines).toEqual([
    expect.stringContaining('expire at 2030-01-01T01:00:00.000Z, before "timeout" ends the run at 2030-01-01T02:00:00.000Z'),
    expect.stringContaining('nobody says when: perhaps before "timeout" ends the run at 2030-01-01T02:00:00.000Z'),
  ])
})
