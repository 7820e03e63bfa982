/** Groups whose machines are not numbered: everything about a slot goes by the machine that its record names. */
import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Cloud, Machine, Observation } from '../../src/core/cloud.ts'
import { type Deployment, machineOf, readSlots, type SlotRead } from '../../src/engine/deployment.ts'
import { SlotWatch } from '../../src/engine/follow/close.ts'
import { refuseToStart } from '../../src/engine/follow/no-start.ts'
import { releaseDead } from '../../src/engine/follow/release.ts'
import { statusOf } from '../../src/engine/follow/status.ts'
import { openStore } from '../../src/stores/registry.ts'
import { type SlotRecord } from '../../src/wire/slot.ts'
import type { Spec } from '../../src/wire/spec.ts'
import { scratch } from '../setup/scratch.ts'
import { named } from './named.ts'
import { AT, deploymentOn, heldBy, writeSlot } from './one-deployment.ts'

const TTL = 60_000
const retry = { maxAttempts: 5, retries: 0, retryOn: [] }
const spec = {
  lifetime: { deadline: '2030-01-01T01:00:00.000Z' },
  lease: { beat: 15_000, ttl: TTL, storeGrace: 1 },
  retry,
} as unknown as Spec

let folder: string
let d: Deployment
beforeEach(async () => {
  folder = scratch('tpi-unnumbered-')
  const store = await openStore({ url: `dir://${folder}` })
  d = deploymentOn(store)
  await store.init(d.keys.root)
  await named(d)
})
afterEach(async () => rm(folder, { recursive: true }))

async function stored(...slots: readonly Partial<SlotRecord>[]): Promise<readonly SlotRead[]> {
  for (const [index, over] of slots.entries()) await writeSlot(d, over, index)
  return readSlots(d, slots.length)
}

const machine = (id: string, state: Machine['state'], second = 0, more: Partial<Machine> = {}): Machine => ({
  id,
  state,
  startedAt: new Date(Date.parse(AT) + second * 1000).toISOString(),
  ...more,
})
const gone = (id: string, second: number): Machine => machine(id, 'gone', second, { reason: 'exit code 1', bootLog: `log of ${id}` })
const group = (machines: readonly Machine[]): Observation => ({ phase: 'up', wanted: 1, machines, events: [] })

describe('machines that do not start', () => {
  const closed = async (slots: readonly Partial<SlotRecord>[], machines: readonly Machine[]): Promise<number> =>
    refuseToStart(d, spec, await stored(...slots), group(machines), { at: AT, late: false })

  test('three in a row close the one slot that waits, with the boot log of the last, even while a fourth boots', async () => {
    expect(await closed([{}], [gone('c', 3), gone('a', 1), machine('d', 'starting', 4), gone('b', 2)])).toBe(1)
    const [slot] = await readSlots(d, 1)
    const reason = expect.stringMatching(/machine does not start \(3 in a row; exit code 1\); its boot log ends: log of c/)
    expect(slot?.record).toMatchObject({ state: 'failed', cause: 'no-start', reason })
  })

  test('if more slots wait it takes three for each; slots that are held stay', async () => {
    const nine = Array.from({ length: 6 }, (_, at) => gone(`g${at}`, at + 1))
    const slots = [heldBy('h'), {}, {}]
    const holder = machine('h', 'running', 0)
    expect(await closed(slots, [holder, ...nine.slice(0, 5)])).toBe(0)
    expect(await closed(slots, [holder, ...nine])).toBe(2)
    expect((await readSlots(d, 3)).map(({ record }) => record.state)).toEqual(['running', 'failed', 'failed'])
  })

  test('a machine that took any slot meanwhile restarts the count', async () => {
    const ended: Partial<SlotRecord> = { ...heldBy('b'), state: 'succeeded' }
    expect(await closed([ended, {}], [gone('a', 1), gone('b', 2), gone('c', 3), gone('e', 5)])).toBe(0)
    expect(await closed([ended, {}], [gone('a', 1), gone('b', 2), gone('c', 3), gone('e', 5), gone('f', 6)])).toBe(1)
  })

  test.each([
    ['by its holder', [{ epoch: 1, holder: 'h', start: AT, end: '2030-01-01T00:00:10.000Z' }]],
    ['for its holder', [{ epoch: 1, holder: 'h', start: AT }]],
  ])('machines that came while it was held, and left, do not count against a slot that was released %s', async (_, attempts) => {
    const slot: Partial<SlotRecord> = { ...heldBy('h'), attempts, state: 'interrupted', released: true, at: '2030-01-01T00:00:10.000Z' }
    const left = [1, 2, 3, 4].map((second) => gone(`g${second}`, second))
    const holder = gone('h', 0)
    expect(await closed([slot], [holder, ...left])).toBe(0)
    expect(await closed([slot], [holder, ...left, gone('a', 11), gone('b', 12)])).toBe(0)
    expect(await closed([slot], [holder, ...left, gone('a', 11), gone('b', 12), gone('c', 13)])).toBe(1)
  })

  test('a hundred slots do not need three hundred failures', async () => {
    const many = Array.from({ length: 30 }, (_, at) => gone(`g${at}`, at + 1))
    expect(
      await closed(
        Array.from({ length: 100 }, () => ({})),
        many,
      ),
    ).toBe(100)
  })

  test('a machine that is stuck closes the waiting slots, unless another may still come', async () => {
    const stuck = machine('s', 'starting', 1, { stuck: 'the image does not exist' })
    expect(await closed([heldBy('h'), {}], [machine('h', 'running'), stuck, machine('t', 'starting', 2)])).toBe(0)
    expect(await closed([heldBy('h'), {}], [machine('h', 'running'), stuck])).toBe(1)
    expect((await readSlots(d, 2))[1]?.record.reason).toBe('machine does not start: the image does not exist')
  })

  test.each([
    ['of a gang is closed: its machines only wait for it', true, [heldBy('h'), {}], [machine('h', 'running')], 1],
    ['of a gang may yet be taken by a machine that boots', true, [heldBy('h'), {}], [machine('h', 'running'), machine('b', 'starting')], 0],
    ['of a gang may be next, as long as the last machine has come since', true, [heldBy('h'), {}], [machine('h', 'running', 120)], 0],
    ['may get the room of another that ends', false, [heldBy('h'), {}], [machine('h', 'running')], 0],
    ['may get the room of another that has just ended', false, [{ ...heldBy('h'), state: 'succeeded' }, {}], [gone('h', 0)], 0],
    ['is closed if there is no machine at all', false, [{}], [], 1],
  ] as const)('where the quota is used up, a slot %s', async (_, gang, slots, machines, expected) => {
    const events = [{ at: '2030-01-01T00:01:00.000Z', kind: 'quota', text: 'the quota is used up' }] as const
    const seen = { ...group(machines), events }
    expect(await refuseToStart(d, { ...spec, gang }, await stored(...slots), seen, { at: AT, late: false })).toBe(expected)
    const states = (await readSlots(d, slots.length)).map(({ record }) => record.state)
    expect(states.filter((state) => state === 'failed')).toHaveLength(expected)
  })

  test('where machines are forbidden, the end of another makes no room', async () => {
    const events = [{ at: '2030-01-01T00:01:00.000Z', kind: 'denied', text: 'a policy forbids it' }] as const
    const slots = await stored({ ...heldBy('h'), state: 'succeeded' }, {})
    expect(await refuseToStart(d, spec, slots, { ...group([gone('h', 0)]), events }, { at: AT, late: false })).toBe(1)
  })

  test('so does one that has run for long in silence, unless its group replaces it', async () => {
    const mute = (state: Machine['state']): Machine => machine('m', state, 1, { stuck: 'it hangs' })
    expect(await closed([{}], [mute('leaving')])).toBe(0)
    expect(await closed([{}], [mute('running')])).toBe(1)
    expect((await readSlots(d, 1))[0]?.record.reason).toBe('machine does not start: it hangs')
  })

  test.each([
    ['before', 0, 1],
    ['after', 1, 0],
  ])(
    'a machine that is stuck closes the waiting slots, though it came %s the one that holds the other slot',
    async (_, stuckAt, holderAt) => {
      const machines = [machine('s', 'running', stuckAt, { stuck: 'it hangs' }), machine('h', 'running', holderAt)]
      expect(await closed([heldBy('h'), {}], machines)).toBe(1)
      expect((await readSlots(d, 2))[1]?.record).toMatchObject({ state: 'failed', cause: 'no-start' })
    },
  )

  test('if a cloud has no boot log, the last event of the last machine is reported', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id, at) => machine(id, 'gone', at, { reason: 'it went', said: `console of ${id}` }))
    expect(await closed([{}], [a!, b!, c!])).toBe(1)
    expect((await readSlots(d, 1))[0]?.record.reason).toBe('machine does not start (3 in a row; it went); console of c')
  })
})

describe('a slot whose holder is gone', () => {
  const released = async (machines: readonly Machine[], now = 0, silence = new SlotWatch()): Promise<boolean> => {
    await releaseDead(d, spec, await stored(heldBy('m1'), heldBy('m2')), group(machines), silence, { now, at: AT })
    return (await readSlots(d, 2))[0]?.record.released === true
  }

  test('is released by the name of the machine', async () => {
    expect(await released([machine('m2', 'running')])).toBe(false)
    expect(await released([machine('m1', 'gone'), machine('m2', 'running')])).toBe(true)
  })

  test('that went silent is released for a machine that holds nothing, and for no other', async () => {
    for (const [machines, so] of [
      [[machine('m1', 'leaving'), machine('m2', 'running')], false],
      [[machine('m1', 'leaving'), machine('m2', 'running'), machine('m3', 'running')], true],
    ] as const) {
      const silence = new SlotWatch()
      expect(await released(machines, 0, silence)).toBe(false)
      expect(await released(machines, TTL, silence)).toBe(so)
    }
  })
})

test('the machine of a slot is the one that its record names; if machines are numbered, also the one that will take it', async () => {
  const at = (machines: readonly Machine[]): Deployment => ({ ...d, cloud: { observe: async () => group(machines) } as unknown as Cloud })
  const [one, two] = await stored(heldBy('m1'), {})
  expect(await machineOf(at([machine('m0', 'running'), machine('m1', 'running')]), one!)).toBe('m1')
  await expect(machineOf(at([machine('m0', 'running')]), one!)).rejects.toThrow('slot 0 of a has no machine')
  await expect(machineOf(at([gone('m1', 0)]), one!)).rejects.toThrow('slot 0 of a has no machine')
  expect(await machineOf(at([machine('a-1', 'starting', 0, { index: 1 }), machine('m1', 'running', 0, { index: 0 })]), two!)).toBe('a-1')
})

test('the status names for each slot the machine of its record: the one that holds it, otherwise the last one that did', async () => {
  const between: Partial<SlotRecord> = {
    state: 'interrupted',
    epoch: 2,
    attempts: ['m5', 'm9'].map((holder, at) => ({ epoch: at + 1, holder, start: AT })),
  }
  const again: Partial<SlotRecord> = {
    ...heldBy('m2'),
    epoch: 2,
    attempts: [...heldBy('m7').attempts, { epoch: 2, holder: 'm2', start: AT }],
  }
  const records = (await stored(again, between, {}, heldBy('m0'))).map(({ record }) => record)
  const { slots } = statusOf({ cloud: 'x', spec, store: '', slots: records })
  expect(slots.map(({ index, attempt, machine: name }) => [index, attempt, name])).toEqual([
    [0, 2, 'm2'],
    [1, 2, 'm9'],
    [2, 0, null],
    [3, 1, 'm0'],
  ])
})
