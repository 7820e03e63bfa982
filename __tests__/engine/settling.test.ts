/** Clouds whose answers lag: no single look ends anything, and a group that was never up does not count as ended. */
import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Observation } from '../../src/core/cloud.ts'
import { type Deployment, type Engine, readSlots, requestStop } from '../../src/engine/deployment.ts'
import { closeAbandoned, SlotWatch } from '../../src/engine/follow/close.ts'
import { closeEnded } from '../../src/engine/follow/one-look.ts'
import { openStore } from '../../src/stores/registry.ts'
import type { Spec } from '../../src/wire/spec.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { scratch } from '../setup/scratch.ts'
import { named } from './named.ts'
import { AT, deploymentOn, heldBy, writeSlot } from './one-deployment.ts'

const TTL = 60_000
const SETTLING = 15_000
const spec = { count: 1, lifetime: { deadline: '2030-01-01T09:00:00.000Z' }, lease: { beat: 15_000, ttl: TTL, storeGrace: 1 } } as Spec
const running = heldBy('m1')
const stopped: Observation = { phase: 'stopped', wanted: 0, machines: [], events: [] }
const up: Observation = { ...stopped, phase: 'up', wanted: 1 }

let folder: string
let d: Deployment
let answers: Observation[]
const cloud = { settling: SETTLING, observe: async () => answers.shift() ?? stopped }
beforeEach(async () => {
  folder = scratch('tpi-settling-')
  const store = await openStore({ url: `dir://${folder}` })
  d = deploymentOn(store, cloud)
  await store.init(d.keys.root)
  await named(d)
  answers = []
})
afterEach(async () => rm(folder, { recursive: true }))

/** Looks repeatedly; resolves to the milliseconds after which the slot was closed, if it was. */
async function closedAfter(
  looks: number,
  look: (round: number) => Observation | Promise<Observation>,
  each = 5000,
): Promise<number | undefined> {
  const clock = fakeClock(AT)
  const silence = new SlotWatch(SETTLING)
  for (let round = 0; round < looks; round++) {
    const seen = await look(round)
    silence.saw(seen, clock.now())
    if ((await closeAbandoned(d, spec, await readSlots(d, 1), seen, silence, clock)) > 0) return clock.now()
    await clock.advance(each)
  }
  return undefined
}

test('a held slot is closed after agreeing looks over the time that the cloud declares', async () => {
  await writeSlot(d, running)
  expect(await closedAfter(10, () => stopped)).toBe(SETTLING)
})

test('one look that says otherwise starts the time again', async () => {
  await writeSlot(d, running)
  expect(await closedAfter(10, (round) => (round === 2 ? up : stopped))).toBe(15_000 + SETTLING)
})

test('several reads of one look count as one look', async () => {
  await writeSlot(d, running)
  const clock = fakeClock(AT)
  const silence = new SlotWatch(SETTLING)
  silence.saw(stopped, clock.now())
  for (let round = 0; round < 10; round++) {
    expect(await closeAbandoned(d, spec, await readSlots(d, 1), stopped, silence, clock)).toBe(0)
    await clock.advance(5000)
  }
})

test('a heartbeat meanwhile proves the looks wrong', async () => {
  await writeSlot(d, running)
  let beats = 0
  const look = async (): Promise<Observation> => {
    await writeSlot(d, { ...running, nonce: `beat-${++beats}` })
    return stopped
  }
  expect(await closedAfter(20, look)).toBeUndefined()
})

test('a group that was never up is over only after ten TTLs of looking empty, unless a stop was requested', async () => {
  await writeSlot(d, {})
  expect(await closedAfter(120, () => stopped)).toBeUndefined()
  expect(await closedAfter(200, () => stopped)).toBe(10 * TTL)
  await writeSlot(d, {})
  expect(await closedAfter(10, (round) => (round === 0 ? up : stopped))).toBe(5000 + SETTLING)
  await writeSlot(d, {})
  await requestStop(d, { at: AT, by: 'ann' })
  expect(await closedAfter(10, () => stopped)).toBe(SETTLING)
  expect((await readSlots(d, 1))[0]?.record).toMatchObject({ state: 'stopped' })
})

test('a command that looks only once looks again after that time, and believes the second look', async () => {
  const clock = fakeClock(AT, { auto: true })
  const engine: Engine = { host: memoryHost(), clock, home: '/nowhere', actor: 'ann@box' }
  await writeSlot(d, running)
  answers = [stopped, up]
  expect((await closeEnded(engine, d, spec))[0]?.record.state).toBe('running')
  expect(clock.now()).toBe(SETTLING)
  expect((await closeEnded(engine, d, spec))[0]?.record).toMatchObject({ state: 'failed', cause: 'lost' })
})
