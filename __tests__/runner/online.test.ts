/** Waiting for runners, with a clock that is moved by hand. */
import { expect, test } from '@jest/globals'
import type { Cloud } from '../../src/core/cloud.ts'
import type { Forge } from '../../src/core/forge.ts'
import { deploymentOf } from '../../src/engine/deployment.ts'
import { untilOnline } from '../../src/runner/online.ts'
import { newSlot } from '../../src/wire/slot.ts'
import type { RunnerSpec } from '../../src/wire/spec.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

const CREATED = '2030-01-01T00:00:00.000Z'

test('if another command removes the deployment meanwhile, the waiting ends at once with that reason', async () => {
  const store = memoryStore()
  const cloud = { observe: async () => ({ phase: 'up', wanted: 1, machines: [], events: [] }) } as unknown as Cloud
  const d = deploymentOf({ cloudId: 'one', cloud, store, id: 'tpi-r-0123456789', name: 'r', incarnation: 'i' })
  const record = d.keys.slot(0).record
  await store.write(record, Buffer.from(JSON.stringify(newSlot(0, 'n', CREATED))))
  const clock = fakeClock(CREATED)
  const engine = { host: memoryHost(), clock, home: '/nowhere', actor: 'ann@box' }
  const lifetime = { deadline: '2030-01-01T01:00:00.000Z', grace: 60, reserve: 60, retention: 60 }
  const lease = { beat: 1000, ttl: 5000, storeGrace: 60_000 }
  const spec = { count: 1, createdAt: CREATED, lifetime, lease, runner: { enrolled: [] } } as unknown as RunnerSpec
  const watcher = { slot: () => {}, log: () => {}, event: () => {} }
  const limits = { seconds: 600, signal: new AbortController().signal }
  const settled = untilOnline(engine, d, spec, {} as Forge, watcher, limits).then(
    () => 'online',
    (error: Error) => error.message,
  )
  // Both have looked and sleep, beside the overall limit: the follower for 300 ms, the loop for 500.
  while (clock.sleepers < 3) await new Promise((resolve) => setImmediate(resolve))
  store.objects.delete(record)
  // The follower sees it first. The clock is not moved any further.
  await clock.advance(300)
  expect(await settled).toMatch(/gone: another command removed it/)
})
