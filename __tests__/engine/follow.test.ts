/** A follower, while another command makes or removes what it follows: it ends, and does not judge by outdated looks. */
import { beforeEach, expect, test } from '@jest/globals'
import type { Observation } from '../../src/core/cloud.ts'
import { RemoteError } from '../../src/core/errors.ts'
import { type Deployment, type Engine, requestStop } from '../../src/engine/deployment.ts'
import { TooLate } from '../../src/engine/destroy/removed.ts'
import { stopAndWait } from '../../src/engine/destroy/stop.ts'
import { follow, SILENT } from '../../src/engine/follow/follow.ts'
import { startHeartbeat } from '../../src/engine/owner/maker-heartbeat.ts'
import { encodeSegment } from '../../src/wire/log.ts'
import { type SlotRecord } from '../../src/wire/slot.ts'
import type { Spec } from '../../src/wire/spec.ts'
import { type FakeClock, fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { memoryStore } from '../snapshot/memory-store.ts'
import { named } from './named.ts'
import { AT, deploymentOn, heldBy, writeSlot } from './one-deployment.ts'

const TTL = 60_000
const BEAT = 15_000
const spec = {
  mode: 'task',
  count: 1,
  lifetime: { deadline: '2030-01-02T00:00:00.000Z', grace: 30, reserve: 300, retention: 600 },
  lease: { beat: BEAT, ttl: TTL, storeGrace: 1 },
} as Spec
const running = heldBy('m1')
const stopped: Observation = { phase: 'stopped', wanted: 0, machines: [], events: [] }
const up: Observation = { phase: 'up', wanted: 1, machines: [{ id: 'm1', index: 0, state: 'running' }], events: [] }

let d: Deployment
let engine: Engine & { readonly clock: FakeClock }
let seen: Observation

beforeEach(() => {
  seen = stopped
  const cloud = { observe: async () => seen, end: async () => undefined }
  d = deploymentOn(memoryStore(), cloud)
  engine = { host: memoryHost(), clock: fakeClock(AT), home: '/nowhere', actor: 'ann@box' }
})

/** Lets this much time pass, or less if `done` says so. Each step leaves time for disk operations. */
const pass = async (milliseconds: number, done = (): boolean => false): Promise<void> => {
  for (const until = engine.clock.now() + milliseconds; engine.clock.now() < until && !done(); ) {
    await engine.clock.advance(500)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

const line = async (epoch: number, seq: number, text: string): Promise<void> => {
  const bytes = encodeSegment({ v: 2, stream: 'script', at: AT, bytes: Buffer.from(text) })
  await d.store.write(d.keys.slot(0).segment(epoch, seq), bytes)
}

/** How following ended within that time, if it did. */
async function followed(most: number, during: () => Promise<void> = async () => undefined): Promise<unknown> {
  const over = new AbortController()
  let end: unknown
  const following = follow(engine, d, spec, SILENT, { signal: over.signal }).then(
    (slots) => (end ??= slots),
    (error: unknown) => (end = error),
  )
  await during()
  await pass(most, () => end !== undefined)
  end ??= 'still following'
  over.abort()
  await following
  return end
}

test.each(['destroying', undefined] as const)('it ends if the record says %s and nobody continues that', async (state) => {
  await writeSlot(d, running)
  if (state !== undefined) await named(d, state)
  expect(await followed(3 * TTL)).toBeInstanceOf(TooLate)
})

test('it ends if new machines are made that may not begin', async () => {
  seen = { ...up, machines: [{ id: 'm2', index: 0, state: 'starting' }] }
  await writeSlot(d, running)
  await named(d, 'destroying')
  expect(await followed(3 * TTL)).toBeInstanceOf(TooLate)
})

test('it ends if the creating command is gone', async () => {
  await writeSlot(d, {})
  await named(d, 'making')
  expect(await followed(3 * TTL)).toMatchObject({ message: expect.stringContaining('stopped before it was complete') })
})

test('it goes on after a night in which its computer slept, although the network went before that and comes back later', async () => {
  await writeSlot(d, running)
  await named(d)
  const nights = [0, 8 * 3_600_000, 0, 0]
  const observe = async (): Promise<Observation> => {
    const night = nights.shift()
    if (night === undefined) return up
    await engine.clock.advance(night)
    throw new RemoteError('no network', { retryable: true })
  }
  d = deploymentOn(d.store, { observe, end: async () => undefined })
  expect(await followed(8 * 3_600_000 + 15_000)).toBe('still following')
  expect(nights).toEqual([])
})

test.each(['making', 'destroying'] as const)('it waits for a command that is %s it and shows signs of life', async (state) => {
  await writeSlot(d, {})
  await named(d, state)
  const heartbeat = startHeartbeat(engine, d, state, { beat: BEAT, ttl: TTL })
  expect(await followed(5 * TTL)).toBe('still following')
  await heartbeat.stop()
})

test('it waits if a run has had no machine for long, and nobody removes it', async () => {
  seen = { ...up, machines: [] }
  await writeSlot(d, {})
  await named(d)
  expect(await followed(5 * TTL)).toBe('still following')
})

test.each([
  ['none ever held it', {}],
  ['the last one has let go', { ...running, state: 'interrupted', released: true }],
] as const)('of a run that is asked to stop, a slot is not kept for a machine that is to come: %s', async (_, slot) => {
  let ends = 0
  const end = async (): Promise<void> => {
    ends += 1
    seen = stopped
  }
  d = deploymentOn(d.store, { observe: async () => seen, end })
  seen = { ...up, machines: [] }
  await writeSlot(d, slot)
  await named(d)
  expect(await followed(TTL)).toBe('still following')
  await requestStop(d, { at: AT, by: 'fail-fast' })
  expect(await followed(3 * TTL)).toMatchObject([{ state: 'stopped' }])
  expect(ends).toBe(1)
})

test('of a run that is asked to stop, a machine that holds a slot is waited for', async () => {
  const end = async (): Promise<void> => {
    throw new Error('it is not ended')
  }
  d = deploymentOn(d.store, { observe: async () => seen, end })
  seen = up
  await writeSlot(d, running)
  await named(d)
  await requestStop(d, { at: AT, by: 'fail-fast' })
  expect(await followed(3 * TTL)).toBe('still following')
})

test.each(['making', 'destroying'] as const)(
  'a stop, while the command that was %s it is gone, ends with the slots as they are',
  async (state) => {
    await writeSlot(d, running)
    await named(d, state)
    let slots: readonly SlotRecord[] | undefined
    const stopping = stopAndWait(engine, d, spec).then((end) => (slots = end.slots))
    await pass(20 * TTL, () => slots !== undefined)
    expect(slots).toBeDefined()
    await stopping
    expect(slots).toMatchObject([{ state: 'running' }])
  },
)

test('what it saw of a group while the run was being made closes nothing once the run is open', async () => {
  await writeSlot(d, { ...running })
  await named(d, 'making')
  const end = await followed(20_000, async () => {
    await pass(500)
    seen = up
    await named(d)
  })
  expect(end).toBe('still following')
})

test('reports about a replaced machine, in order: the cloud’s notice, its last lines, then the next machine and its lines', async () => {
  const heard: string[] = []
  const watcher = {
    slot: ({ epoch, state }: SlotRecord) => void heard.push(`${state} ${epoch}`),
    log: ({ bytes }: { readonly bytes: Uint8Array }) => void heard.push(Buffer.from(bytes).toString('utf8')),
    event: (text: string) => void heard.push(text),
  }
  seen = up
  await named(d)
  await line(1, 1, 'one')
  await writeSlot(d, running)
  const over = new AbortController()
  const following = follow(engine, d, spec, watcher, { signal: over.signal })
  await pass(3000)
  const first = { epoch: 1, holder: 'm1', start: AT, end: AT, cause: 'interrupted' as const, logEnd: 2 }
  // All of this happens between two looks.
  seen = { ...up, machines: [{ id: 'm2', index: 0, state: 'running' }], events: [{ at: AT, kind: 'notice', text: 'm1 will be reclaimed' }] }
  await line(1, 2, 'two')
  await line(2, 1, 'three')
  await writeSlot(d, { ...running, epoch: 2, holder: 'm2', nonce: 'other', attempts: [first, { epoch: 2, holder: 'm2', start: AT }] })
  await pass(1000)
  await writeSlot(d, {
    ...running,
    epoch: 2,
    holder: 'm2',
    nonce: 'last',
    state: 'interrupted',
    attempts: [first, { ...first, epoch: 2, logEnd: 2 }],
  })
  await line(2, 2, 'four')
  await pass(1000)
  over.abort()
  await following
  expect(heard).toEqual(['running 1', 'one', 'm1 will be reclaimed', 'two', 'running 2', 'three', 'four', 'interrupted 2'])
})

test('the log of a slot that has ended is read to its end, and then not looked for again', async () => {
  seen = up
  await named(d)
  await writeSlot(d, { ...running, state: 'succeeded' })
  await writeSlot(d, running, 1)
  await line(1, 1, 'last words')
  const looked: string[] = []
  const [list, read] = [d.store.list.bind(d.store), d.store.read.bind(d.store)]
  d.store.list = (prefix, ...more) => (looked.push(prefix), list(prefix, ...more))
  d.store.read = async (key, ...more) => (looked.push(key), read(key, ...more))
  const [over, heard] = [new AbortController(), [] as string[]]
  const watcher = { ...SILENT, log: ({ bytes }: { bytes: Uint8Array }) => void heard.push(Buffer.from(bytes).toString()) }
  const following = follow(engine, d, { ...spec, count: 2 }, watcher, { signal: over.signal })
  await pass(5000)
  over.abort()
  await following
  const [ended, open] = [0, 1].map((slot) => looked.filter((key) => key.startsWith(d.keys.slot(slot).log)))
  expect([heard, ended]).toEqual([['last words'], [d.keys.slot(0).log, d.keys.slot(0).segment(1, 1)]])
  expect(open?.length).toBeGreaterThan(3)
})
