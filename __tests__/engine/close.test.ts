import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Cloud, Machine, Observation } from '../../src/core/cloud.ts'
import { type Deployment, type Engine, readSlots, requestStop, type SlotRead } from '../../src/engine/deployment.ts'
import { closeAbandoned, closeSlot, SlotWatch, slotEndOf } from '../../src/engine/follow/close.ts'
import { refuseToStart } from '../../src/engine/follow/no-start.ts'
import { closeEnded, look } from '../../src/engine/follow/one-look.ts'
import { overlay } from '../../src/engine/follow/read-only-store.ts'
import { releaseDead } from '../../src/engine/follow/release.ts'
import { openStore } from '../../src/stores/registry.ts'
import { currentKey } from '../../src/wire/layout.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'
import type { Spec } from '../../src/wire/spec.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { scratch } from '../setup/scratch.ts'
import { COMMON, TASK } from '../wire/specs.ts'
import { named } from './named.ts'
import { AT, deploymentOn, heldBy, writeSlot } from './one-deployment.ts'

const TTL = 60_000
const spec = { lifetime: { deadline: '2030-01-01T01:00:00.000Z' }, lease: { beat: 15_000, ttl: TTL, storeGrace: 1 } } as Spec

let folder: string
let d: Deployment
beforeEach(async () => {
  folder = scratch('tpi-close-')
  const store = await openStore({ url: `dir://${folder}` })
  d = deploymentOn(store)
  await store.init(d.keys.root)
  await named(d)
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

describe('a slot without machines', () => {
  const lost = { state: 'failed', cause: 'lost', reason: 'machine lost' } as const

  test.each(['making', 'destroying', undefined] as const)('stays open while its record says %s, because nobody can tell', async (state) => {
    const [slot] = await stored({})
    await (state === undefined ? d.store.remove([currentKey(d.id)]) : named(d, state))
    expect(await closeSlot(d, spec, slot!, lost, AT)).toBe(false)
    expect((await readSlots(d, 1))[0]?.record.state).toBe('waiting')
  })

  test('is reported as lost by a command that only looks, and nothing is written', async () => {
    await stored({})
    const cloud = { observe: async () => group({ phase: 'stopped', wanted: 0 }) } as unknown as Cloud
    const engine = { clock: fakeClock(AT), host: memoryHost() } as unknown as Engine
    const there = { ...d, cloud }
    const [seen] = await closeEnded(engine, { ...there, store: overlay(d.store) }, { ...spec, count: 1 })
    expect(seen?.record).toMatchObject({ state: 'failed', cause: 'lost' })
    expect((await readSlots(d, 1))[0]?.record).toMatchObject({ state: 'waiting', nonce: 'n' })
    expect((await closeEnded(engine, there, { ...spec, count: 1 }))[0]?.record.state).toBe('failed')
    expect((await readSlots(d, 1))[0]?.record.state).toBe('failed')
  })
})

test('a run that ends while the cloud is asked is shown as it has ended', async () => {
  const of = { v: 2, id: d.id, name: d.name, incarnation: d.incarnation, createdAt: AT, origin: {}, count: 1 }
  const far = { ...COMMON.lifetime, deadline: '2030-01-01T01:00:00.000Z' }
  await d.store.write(d.keys.spec, Buffer.from(JSON.stringify({ ...COMMON, ...of, lifetime: far, mode: 'task', ...TASK })))
  await writeSlot(d, heldBy('m1'))
  const observe = async (): Promise<Observation> => {
    await writeSlot(d, { ...heldBy('m1'), state: 'succeeded', exitCode: 0 })
    return group({ phase: 'up', wanted: 1 })
  }
  const engine = { clock: fakeClock(AT), host: memoryHost() } as unknown as Engine
  expect(await look(engine, { ...d, cloud: { observe } as unknown as Cloud })).toMatchObject({ outcome: 'success', exitCode: 0 })
})

async function stored(over: Partial<SlotRecord>): Promise<readonly SlotRead[]> {
  await writeSlot(d, over)
  return readSlots(d, 1)
}

const group = (over: Partial<Observation>): Observation => ({ phase: 'up', wanted: 1, machines: [], events: [], ...over })
const machine = (id: string, state: Machine['state'], more: Partial<Machine> = {}): Machine => ({ id, index: 0, state, ...more })
const running = heldBy('m1')
const saving = { phase: 'saving', transfer: { done: 1, total: 2, since: AT } } as const

describe('how an open slot without machines ends', () => {
  test('with the last one, the secrets are removed', async () => {
    const two = { ...spec, mode: 'task', count: 2 } as Spec
    await d.store.write(d.keys.secrets, Buffer.from('{}'))
    await stored(running)
    await writeSlot(d, running, 1)
    const closeOne = async (at: number): Promise<boolean> => {
      const slot = (await readSlots(d, 2))[at]
      return slot !== undefined && closeSlot(d, two, slot, { state: 'failed', cause: 'lost', reason: '' }, AT)
    }
    expect([await closeOne(0), await d.store.read(d.keys.secrets)]).toEqual([true, expect.anything()])
    expect([await closeOne(1), await d.store.read(d.keys.secrets)]).toEqual([true, undefined])
  })

  test.each([
    ['single use, none taken', {}, 0, []],
    ['single use, the second one taken', {}, 2, ['0-0']],
    ['one that is good for many, taken', { reusable: true }, 3, []],
    ['one that a runner registers itself with, taken', { registration: {} }, 3, []],
  ] as const)('with its slot, the credentials of a runner are removed: %s', async (_name, machine, claimed, left) => {
    const runner = { ...spec, mode: 'runner', count: 1, runner: { supply: 3, machine } } as unknown as Spec
    // In reality the first one was removed when its job was seen. Here it shows which ones are removed.
    for (const key of [0, 1, 2].map((k) => d.keys.once(0, k)).concat(d.keys.once(1, 0))) await d.store.write(key, Buffer.from('x'))
    const [slot] = await stored({ ...running, claimed })
    expect(slot && (await closeSlot(d, runner, slot, { state: 'failed', cause: 'lost', reason: '' }, AT))).toBe(true)
    const there: string[] = []
    for await (const { key } of d.store.list(`${d.keys.root}secrets/`)) there.push(key.replace(/^.*\//, ''))
    expect(there).toEqual([...left, '1-0'])
  })

  test('as requested, past the deadline as timed out, otherwise as lost', () => {
    const before = new Date(AT)
    expect(slotEndOf(spec, { by: 'ann' }, new Date('2031-01-01'))).toMatchObject({ state: 'stopped', reason: 'stopped (ann)' })
    expect(slotEndOf(spec, { by: 'fail-fast' }, before)).toMatchObject({ state: 'stopped', cause: 'sibling' })
    expect(slotEndOf(spec, undefined, new Date(spec.lifetime.deadline))).toMatchObject({ state: 'timed-out' })
    expect(slotEndOf(spec, undefined, before)).toMatchObject({
      state: 'failed',
      cause: 'lost',
      reason: expect.stringMatching(/replace it$/),
    })
    expect(slotEndOf(spec, undefined, before, 'the group says so')).toMatchObject({
      reason: expect.stringMatching(/replace it: the group says so$/),
    })
  })

  test('is written once, by takeover: the old holder is fenced, and nobody overwrites it', async () => {
    const slots = await stored({ ...running, ...saving })
    const clock = fakeClock(AT)
    await requestStop(d, { at: AT, by: 'ann' })
    const gone = group({ phase: 'stopped', wanted: 0 })
    expect(await closeAbandoned(d, spec, slots, gone, new SlotWatch(), clock)).toBe(1)
    const [closed] = await readSlots(d, 1)
    expect(closed?.record).toMatchObject({ state: 'stopped', epoch: 2, attempts: [{ end: AT, cause: 'stopped' }] })
    for (const ofHolder of ['holder', 'phase', 'transfer']) expect(closed?.record).not.toHaveProperty(ofHolder)
    // The same verdict by another controller that had read the slot before.
    expect(await closeAbandoned(d, spec, slots, gone, new SlotWatch(), clock)).toBe(0)
    if (closed) expect(await closeSlot(d, spec, closed, { state: 'failed', cause: 'lost', reason: '' }, AT)).toBe(false)
    expect((await readSlots(d, 1))[0]).toEqual(closed)
  })

  test('its log ends there: what a machine that is not quite dead adds later does not count', async () => {
    const slots = await stored(running)
    const keys = d.keys.slot(0)
    for (const seq of [1, 2]) await d.store.write(keys.segment(1, seq), Buffer.from('{}\n'))
    expect(await closeAbandoned(d, spec, slots, group({ phase: 'stopped', wanted: 0 }), new SlotWatch(), fakeClock(AT))).toBe(1)
    expect((await readSlots(d, 1))[0]?.record.attempts).toMatchObject([{ logEnd: 2 }])
  })

  test('its attempt ended with the last sign of life, not when a controller looked again', async () => {
    const slots = await stored({ ...running, at: '2030-01-01T00:30:00.000Z' })
    const dayLater = fakeClock('2030-01-02T00:00:00.000Z')
    expect(await closeAbandoned(d, spec, slots, group({ phase: 'stopped', wanted: 0 }), new SlotWatch(), dayLater)).toBe(1)
    const [closed] = await readSlots(d, 1)
    expect(closed?.record).toMatchObject({ state: 'timed-out', attempts: [{ start: AT, end: '2030-01-01T00:30:15.000Z' }] })
  })
})

describe('a slot is given up', () => {
  const slot = { ...newSlot(0, 'n', AT), ...running }

  test('never while the group wants machines, however long it is silent', () => {
    const silence = new SlotWatch()
    expect(silence.abandoned(slot, spec, group({}), 0)).toBe(false)
    expect(silence.abandoned(slot, spec, group({}), 100 * TTL)).toBe(false)
  })

  test('at once when the group is empty, or knows that the holder is dead and starts no other', () => {
    expect(new SlotWatch().abandoned(slot, spec, group({ phase: 'stopped', wanted: 0 }), 0)).toBe(true)
    expect(new SlotWatch().abandoned(slot, spec, group({ wanted: 0, machines: [machine('m1', 'gone')] }), 0)).toBe(true)
  })

  test('otherwise after one TTL of silence by the controller’s clock; a heartbeat starts it again', () => {
    const silence = new SlotWatch()
    const unknown = group({ wanted: 0, machines: [machine('other', 'gone')] })
    expect(silence.abandoned(slot, spec, unknown, 0)).toBe(false)
    expect(silence.abandoned({ ...slot, nonce: 'beat' }, spec, unknown, TTL)).toBe(false)
    expect(silence.abandoned({ ...slot, nonce: 'beat' }, spec, unknown, 2 * TTL - 1)).toBe(false)
    expect(silence.abandoned({ ...slot, nonce: 'beat' }, spec, unknown, 2 * TTL)).toBe(true)
  })
})

describe('slots of a group that cannot be seen from here', () => {
  const unseen = group({ phase: 'absent', wanted: 0 })
  const held = { ...newSlot(0, 'n', AT), ...running }
  const twoSlots = async (second: Partial<SlotRecord>): Promise<readonly SlotRead[]> => {
    await stored(running)
    await writeSlot(d, second, 1)
    return readSlots(d, 2)
  }

  test('are given up after one TTL of silence, those that wait for a machine after ten', () => {
    const silence = new SlotWatch()
    for (const [slot, patience] of [
      [held, TTL],
      [{ ...held, index: 1, released: true }, 10 * TTL],
      [newSlot(2, 'n', AT), 10 * TTL],
    ] as const) {
      expect(silence.abandoned(slot, spec, unseen, 0)).toBe(false)
      expect(silence.abandoned(slot, spec, unseen, patience - 1)).toBe(false)
      expect(silence.abandoned(slot, spec, unseen, patience)).toBe(true)
    }
  })

  test('all stay open as long as one of them shows a sign of life', async () => {
    const clock = fakeClock(AT)
    const silence = new SlotWatch()
    expect(await closeAbandoned(d, spec, await twoSlots({ ...running, index: 1 }), unseen, silence, clock)).toBe(0)
    await clock.advance(TTL)
    expect(await closeAbandoned(d, spec, await twoSlots({ ...running, index: 1, nonce: 'beat' }), unseen, silence, clock)).toBe(0)
    await clock.advance(TTL)
    expect(await closeAbandoned(d, spec, await readSlots(d, 2), unseen, silence, clock)).toBe(2)
  })

  test('a single look first waits for heartbeats', async () => {
    const clock = fakeClock(AT, { auto: true })
    const said: string[] = []
    const cloud = { observe: async () => unseen, whoami: async () => ({ name: 'ann@box' }) } as unknown as Cloud
    const engine = { clock, host: { info: (text: string) => said.push(text) } } as unknown as Engine
    const there = { ...d, cloud }
    await stored(running)
    let beats = 0
    const read = d.store.read.bind(d.store)
    // Heartbeats arrive while it listens.
    const store = Object.assign(Object.create(d.store) as Deployment['store'], {
      read: async (key: string) => {
        if (key === d.keys.slot(0).record && ++beats === 5) await stored({ ...running, nonce: 'beat' })
        return read(key)
      },
    })
    expect((await closeEnded(engine, { ...there, store }, { ...spec, count: 1 }))[0]?.record.state).toBe('running')
    expect(said).toEqual([expect.stringMatching(/cannot be seen from here \(ann@box\)/)])
    expect(clock.now()).toBeLessThan(TTL)
    expect((await closeEnded(engine, there, { ...spec, count: 1 }))[0]?.record).toMatchObject({ state: 'failed', cause: 'lost' })
  })
})

describe('machines that do not start', () => {
  const boot = (id: string, second: number): Machine =>
    machine(id, 'gone', { startedAt: `2030-01-01T00:00:0${second}.000Z`, reason: 'exit code 1', bootLog: `log of ${id}` })
  const refused = async (over: Partial<SlotRecord>, machines: readonly Machine[]): Promise<number> =>
    refuseToStart(d, spec, await stored(over), group({ machines }), { at: AT, late: false })

  test('three in a row close the slot, with the end of the last boot log', async () => {
    expect(await refused({}, [boot('c', 3), boot('a', 1), boot('b', 2)])).toBe(1)
    const [slot] = await readSlots(d, 1)
    expect(slot?.record).toMatchObject({
      state: 'failed',
      cause: 'no-start',
      reason: expect.stringMatching(/machine does not start.*exit code 1.*log of c/),
    })
  })

  test('two do not, nor three if one took the slot, is still there, or belongs to another slot', async () => {
    expect(await refused({}, [boot('a', 1), boot('b', 2)])).toBe(0)
    expect(
      await refused({ ...running, attempts: [{ epoch: 1, holder: 'b', start: AT }] }, [boot('a', 1), boot('b', 2), boot('c', 3)]),
    ).toBe(0)
    expect(await refused({}, [boot('a', 1), boot('b', 2), { ...boot('c', 3), state: 'starting' }])).toBe(0)
    expect(await refused({}, [boot('a', 1), boot('b', 2), { ...boot('c', 3), index: 1 }])).toBe(0)
  })

  const stuck = machine('new', 'starting', { startedAt: '2030-01-01T00:00:01.000Z', stuck: 'no image', stuckFor: 40_000 })

  test.each([
    ['hangs', [stuck]],
    ['fails again and again', [boot('a', 1), boot('b', 2), boot('c', 3)]],
  ])('a slot stays with a machine that is saving, though its replacement %s', async (_, replacements) => {
    const holder = machine('m1', 'leaving', { startedAt: AT })
    expect(await refused({ ...running, ...saving }, [holder, ...replacements])).toBe(0)
  })

  test.each([
    ['that nobody has worked on is closed soon', {}, 40_000, 1],
    ['that was worked on waits', { ...running, state: 'interrupted', released: true }, 599_000, 0],
    ['that was worked on is closed in the end', { ...running, state: 'interrupted', released: true }, 600_000, 1],
  ] as const)('if its machine hangs, a slot %s', async (_, slot, stuckFor, closed) => {
    const holder = machine('m1', 'gone', { startedAt: AT })
    expect(await refused(slot, [holder, { ...stuck, stuckFor }])).toBe(closed)
  })
})

describe('at the deadline', () => {
  const late = { at: AT, late: true }
  const ended = async (over: Partial<SlotRecord>, seen: Partial<Observation> = {}): Promise<SlotRecord> => {
    await refuseToStart(d, spec, await stored(over), group(seen), late)
    return (await readSlots(d, 1))[0]!.record
  }

  test('a slot that no machine holds is closed, whatever may still come', async () => {
    const timedOut = { state: 'timed-out', cause: 'timed-out', reason: `deadline ${spec.lifetime.deadline}` }
    expect(await ended({})).toMatchObject(timedOut)
    expect(await ended({ ...running, state: 'interrupted', released: true })).toMatchObject(timedOut)
    expect(await ended({}, { machines: [machine('m1', 'starting')] })).toMatchObject(timedOut)
  })

  test('a slot that a machine holds is closed by that machine', async () => {
    expect(await ended(running)).toMatchObject({ state: 'running', epoch: 1 })
  })

  test('a reason for the missing machine, and a stop request, take precedence', async () => {
    const events = [{ at: AT, kind: 'capacity', text: 'no node fits' }] as const
    expect(await ended({}, { events })).toMatchObject({
      state: 'failed',
      cause: 'no-capacity',
      reason: expect.stringContaining('no node fits'),
    })
    await requestStop(d, { at: AT, by: 'ann' })
    expect(await ended({}, { events })).toMatchObject({ state: 'stopped' })
  })
})

describe('a slot whose holder is known to be dead', () => {
  const retry = { maxAttempts: 5, retries: 0, retryOn: [] }
  const rules: Spec = { ...spec, retry }
  const at = { now: 0, at: AT }
  const judged = async (seen: Observation, given: Spec = rules, record: Partial<SlotRecord> = running): Promise<SlotRecord> => {
    await releaseDead(d, given, await stored(record), seen, new SlotWatch(), at)
    return (await readSlots(d, 1))[0]!.record
  }

  test('is released at once, and the group’s account of the end is kept with the attempt', async () => {
    const now = await judged(
      group({ machines: [machine('m1', 'gone', { reason: 'evicted: the node was short of memory' }), machine('m2', 'starting')] }),
      rules,
      { ...running, ...saving },
    )
    expect(now).toMatchObject({
      state: 'running',
      epoch: 1,
      released: true,
      // Its hours end here, whoever takes over, and whenever.
      attempts: [{ reason: expect.stringContaining('short of memory'), lastSign: AT }],
    })
    expect(now.attempts[0]).not.toHaveProperty('end')
    // What a dead machine was doing is no longer done.
    for (const ofHolder of ['phase', 'transfer']) expect(now).not.toHaveProperty(ofHolder)
  })

  test('is left alone while the holder lives, leaves, or cannot be seen', async () => {
    for (const machines of [[machine('m1', 'running')], [machine('m1', 'leaving'), machine('m2', 'starting')], [machine('m2', 'running')]])
      expect(await judged(group({ machines }))).not.toHaveProperty('released')
    expect(await judged(group({ machines: [machine('m1', 'gone')] }), rules, { ...running, state: 'failed' })).not.toHaveProperty(
      'released',
    )
  })

  test('is released if a replacement would wait for a silence that has already passed here', async () => {
    const slots = await stored(running)
    const silence = new SlotWatch()
    const seen = group({ machines: [machine('m1', 'leaving'), machine('m2', 'starting')] })
    expect(await releaseDead(d, rules, slots, seen, silence, at)).toBe(0)
    expect(await releaseDead(d, rules, slots, seen, silence, { now: TTL, at: AT })).toBe(1)
  })

  test('fails when the whole machine ran out of memory, unless a retry is allowed', async () => {
    const seen = group({ machines: [machine('m1', 'gone', { cause: 'out-of-memory', reason: 'out of memory (limit 64 MB)' })] })
    expect(await judged(seen)).toMatchObject({
      state: 'failed',
      cause: 'out-of-memory',
      exitCode: 137,
      reason: 'out of memory (limit 64 MB)',
    })
    const patient = { ...rules, retry: { ...retry, retries: 1, retryOn: ['oom'] } }
    expect(await judged(seen, patient)).toMatchObject({ released: true, retried: 1 })
    expect(await judged(seen, patient, { ...running, retried: 1 })).toMatchObject({ state: 'failed' })
  })

  test('fails when the machine has used up its disk, even if the machine took that for a reclaim', async () => {
    const seen = group({ machines: [machine('m1', 'gone', { cause: 'disk-full', reason: 'it has used up its disk' })] })
    const failed = { state: 'failed', cause: 'disk-full', reason: 'it has used up its disk' }
    expect(await judged(seen)).toMatchObject(failed)
    const attempts = [{ epoch: 1, holder: 'm1', start: AT, end: AT, cause: 'interrupted', announced: true }] as const
    expect(await judged(seen, rules, { state: 'interrupted', epoch: 1, released: true, attempts })).toMatchObject(failed)
    const next = [...attempts, { epoch: 2, holder: 'm2', start: AT }]
    const both = group({ machines: [...seen.machines, machine('m2', 'running')] })
    expect(await judged(both, rules, { state: 'running', epoch: 2, holder: 'm2', attempts: next })).toMatchObject({ state: 'running' })
  })

  test.each([
    ['a job may have filled it: the next machine serves the next jobs', { cause: 'interrupted', saved: true }, 'interrupted'],
    ['a job has filled it, as its machine has recorded', { cause: 'disk-full' }, 'interrupted'],
    ['it had not come as far as a job', { cause: 'interrupted' }, 'failed'],
  ] as const)('a runner whose machine has used up its disk: %s', async (_, end, state) => {
    const seen = group({ machines: [machine('m1', 'gone', { cause: 'disk-full', reason: 'it has used up its disk' })] })
    const attempts = [{ epoch: 1, holder: 'm1', start: AT, end: AT, ...end }] as const
    const spec = { ...rules, mode: 'runner' } as unknown as typeof rules
    expect(await judged(seen, spec, { state: 'interrupted', epoch: 1, released: true, attempts })).toMatchObject({ state })
  })
})
