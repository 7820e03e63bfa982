/** Waiting for runners, with a clock that is moved by hand. */
import { describe, expect, test } from '@jest/globals'
import type { Cloud } from '../../src/core/cloud.ts'
import type { Forge } from '../../src/core/forge.ts'
import { deploymentOf } from '../../src/engine/deployment.ts'
import { type OnlineLimits, untilOnline } from '../../src/runner/online.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'
import type { RunnerSpec } from '../../src/wire/spec.ts'
import { named } from '../engine/named.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

const CREATED = '2030-01-01T00:00:00.000Z'
const NAMES = ['tpi-r-0', 'tpi-r-1', 'tpi-r-2']

/** Waits for this many runners, whose machines have only been requested so far. */
async function waiting(count: number, more: Partial<OnlineLimits> = {}) {
  const store = memoryStore()
  const cloud = { observe: async () => ({ phase: 'up', wanted: count, machines: [], events: [] }) } as unknown as Cloud
  const d = deploymentOf({ cloudId: 'one', cloud, store, id: 'tpi-r-0123456789', name: 'r', incarnation: 'i' })
  const put = async (index: number, changes: Partial<SlotRecord> = {}): Promise<void> => {
    const record = { ...newSlot(index, `${store.counts.writes}`, CREATED), ...changes }
    await store.write(d.keys.slot(index).record, Buffer.from(JSON.stringify(record)))
  }
  for (let index = 0; index < count; index++) await put(index)
  await named(d)
  const clock = fakeClock(CREATED)
  const engine = { host: memoryHost(), clock, home: '/nowhere', actor: 'ann@box' }
  const lifetime = { deadline: '2030-01-01T01:00:00.000Z', grace: 60, reserve: 60, retention: 60 }
  const lease = { beat: 1000, ttl: 5000, storeGrace: 60_000 }
  const enrolled = NAMES.slice(0, count).map((name, slot) => ({ slot, k: 0, id: `${slot}`, name }))
  const spec = { name: 'r', count, createdAt: CREATED, lifetime, lease, runner: { enrolled } } as unknown as RunnerSpec
  const watcher = { slot: () => {}, log: () => {}, event: () => {} }
  const limits = { seconds: 600, signal: new AbortController().signal, ...more }
  const online = new Set<string>()
  const look: Forge['look'] = async (all) =>
    all.flatMap(({ name, id = '' }) => (online.has(name) ? [{ id, name, online: true, busy: false }] : []))
  const result = { over: false }
  const settled = untilOnline(engine, d, spec, { look } as Forge, watcher, limits)
    .then(
      ({ after, missing }) => ({ online: [...after.keys()], missing: missing?.message }),
      (error: Error) => error.message,
    )
    .finally(() => (result.over = true))
  const remove = (index: number): unknown => store.objects.delete(d.keys.slot(index).record)
  /** Its machine has started the runner; `comes`: the forge says so, too. */
  const machine = async (index: number, comes = true): Promise<void> => {
    if (comes) online.add(NAMES[index] ?? '')
    await put(index, { state: 'running', phase: 'idle', epoch: 1, claimed: 1 })
  }
  /** Until it is over, or for this many seconds at most. */
  const pass = async (seconds: number): Promise<void> => {
    for (let left = seconds * 10; left > 0 && !result.over; left--) await clock.advance(100)
  }
  return { clock, put, remove, machine, pass, settled, result }
}

const FAILED = { state: 'failed', cause: 'exit', epoch: 1, reason: 'its set-up failed' } as const

test('if another command removes the deployment meanwhile, the waiting ends at once with that reason', async () => {
  const { clock, remove, settled } = await waiting(1)
  // Both have looked and sleep, beside the overall limit: the follower for 300 ms, the loop for 500.
  while (clock.sleepers < 3) await new Promise((resolve) => setImmediate(resolve))
  remove(0)
  // The follower sees it first. The clock is not moved any further.
  await clock.advance(300)
  expect(await settled).toMatch(/gone: another command removed it/)
})

test('one that cannot come ends the waiting of a first start at once, however many are there', async () => {
  const { put, machine, pass, settled, clock } = await waiting(3)
  await machine(0)
  await pass(5)
  await put(1, FAILED)
  await pass(600)
  expect(await settled).toBe('r: runner 1 did not come online: its set-up failed')
  expect(clock.now()).toBeLessThan(60_000)
})

test('one that came since the last look counts when the time is over, as on a computer that has slept meanwhile', async () => {
  const { machine, pass, settled } = await waiting(2, { seconds: 100 })
  await machine(0, false)
  // Looks are ten seconds apart by then.
  await pass(99)
  await Promise.all([machine(0), machine(1)])
  await pass(10)
  expect(await settled).toEqual({ online: [0, 1], missing: undefined })
})

describe('if some are better than none', () => {
  test('one that cannot come ends nothing: all that can still come are waited for, and why not all did is told', async () => {
    const { put, machine, pass, settled, result } = await waiting(3, { some: true })
    await put(1, FAILED)
    await pass(30)
    await machine(0)
    await pass(30)
    expect(result.over).toBe(false)
    await machine(2)
    await pass(60)
    expect(await settled).toEqual({ online: [0, 2], missing: 'r: runner 1 did not come online: its set-up failed' })
  })

  test('those that are there when the time is over stay, and the message says how far the missing one has come', async () => {
    const { machine, pass, settled, clock } = await waiting(2, { some: true, seconds: 100 })
    await machine(1)
    await machine(0, false)
    await pass(99)
    expect(clock.now()).toBe(99_000)
    await pass(10)
    expect(await settled).toEqual({ online: [1], missing: 'r: not every runner came online within 1m 40s: machine 0 is idle' })
  })

  test('all of them: nothing is missing', async () => {
    const { machine, pass, settled } = await waiting(2, { some: true })
    await Promise.all([machine(0), machine(1)])
    await pass(60)
    expect(await settled).toEqual({ online: [0, 1], missing: undefined })
  })

  test.each([
    ['none can come', [FAILED, FAILED], 600, 'r: runner 0 did not come online: its set-up failed'],
    ['none has come in time', [], 100, /^r: not every runner came online within 1m 40s: machine 0 is /],
  ] as const)('%s: that is an error', async (_, ends, seconds, message) => {
    const { put, pass, settled } = await waiting(2, { some: true, seconds })
    for (const [index, end] of ends.entries()) await put(index, end)
    await pass(seconds + 10)
    expect(await settled).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  })
})
