/** Stopping when machines answer late, never, or never existed: it always ends. */
import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Observation } from '../../src/core/cloud.ts'
import { RemoteError } from '../../src/core/errors.ts'
import { type Deployment, type Engine, readControl } from '../../src/engine/deployment.ts'
import { type Stopping, stopAndWait } from '../../src/engine/destroy/stop.ts'
import { type SlotRecord } from '../../src/wire/slot.ts'
import type { Spec } from '../../src/wire/spec.ts'
import { type FakeClock, fakeClock } from '../lib/fake-clock.ts'
import { type MemoryHost, memoryHost } from '../setup/memory-host.ts'
import { memoryStore } from '../snapshot/memory-store.ts'
import { named } from './named.ts'
import { AT, deploymentOn, heldBy, writeSlot } from './one-deployment.ts'

const GRACE = 30
const RESERVE = 300
const spec = {
  mode: 'task',
  count: 1,
  lifetime: { deadline: '2030-01-02T00:00:00.000Z', grace: GRACE, reserve: RESERVE, retention: 600 },
  lease: { beat: 15_000, ttl: 60_000, storeGrace: 1 },
} as Spec
const held = heldBy('m1')

let d: Deployment
let engine: Engine & { readonly host: MemoryHost; readonly clock: FakeClock }
/** The sizes that were requested of the group, in order. */
let wanted: number[]

beforeEach(async () => {
  wanted = [1]
  const observe = async (): Promise<Observation> => {
    const now = wanted.at(-1) ?? 0
    return {
      phase: now === 0 ? 'stopped' : 'up',
      wanted: now,
      machines: now === 0 ? [] : [{ id: 'm1', index: 0, state: 'running' }],
      events: [],
    }
  }
  const cloud = { observe, end: async () => void wanted.push(0) }
  d = deploymentOn(memoryStore(), cloud)
  await named(d)
  engine = { host: memoryHost(), clock: fakeClock(AT), home: '/nowhere', actor: 'ann@box' }
})

const seconds = (): number => engine.clock.now() / 1000

/** Lets time pass until it ends, but not for ever. */
async function stopped(how: Stopping = {}): Promise<readonly SlotRecord[]> {
  const over = new AbortController()
  const ending = stopAndWait(engine, d, spec, how).finally(() => over.abort())
  while (!over.signal.aborted && seconds() < 3600) {
    await engine.clock.advance(100)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(over.signal.aborted).toBe(true)
  return (await ending).slots
}

describe('a machine that holds the slot and does not answer', () => {
  test('is waited for as long as it may take to save, and no longer', async () => {
    await writeSlot(d, held)
    const [end] = await stopped()
    expect(end).toMatchObject({ state: 'stopped', reason: 'stopped (ann@box)' })
    expect(wanted).toEqual([1, 0])
    expect(seconds()).toBeGreaterThanOrEqual(GRACE + RESERVE)
    expect(seconds()).toBeLessThan(GRACE + RESERVE + 10)
  })

  test('is waited for only as long as the caller can', async () => {
    await writeSlot(d, held)
    await stopped({ grace: 5, patience: 7000, brief: true })
    expect(await readControl(d)).toMatchObject({ stop: { grace: 5 } })
    expect(wanted).toEqual([1, 0])
    expect(seconds()).toBeLessThan(10)
  })
})

test('a cloud that does not answer when the machines are to end is asked again', async () => {
  await writeSlot(d, {})
  let away = 3
  const end = async (): Promise<void> => {
    if (away-- > 0) throw new RemoteError('no answer', { retryable: true })
    wanted.push(0)
  }
  d = { ...d, cloud: { ...d.cloud, end } }
  expect(await stopped()).toMatchObject([{ state: 'stopped' }])
  expect(wanted).toEqual([1, 0])
})

describe('if no machine holds a slot', () => {
  test.each([
    ['because none ever came', {}],
    ['because the last one has let go', { ...held, state: 'interrupted', released: true }],
  ] as const)('there is nothing to wait for, %s', async (_, over) => {
    await writeSlot(d, over)
    const [end] = await stopped()
    expect(end).toMatchObject({ state: 'stopped' })
    expect(wanted).toEqual([1, 0])
    expect(seconds()).toBeLessThan(5)
    expect(engine.host.lines.join('\n')).toContain('nothing to wait for')
  })
})
