/** 150 runners of one launch, at each forge: each is reported when it is online, and the forge is read within its limits, page by page. */
import { describe, expect, test } from '@jest/globals'
import type { Cloud } from '../../src/core/cloud.ts'
import type { Forge } from '../../src/core/forge.ts'
import { deploymentOf } from '../../src/engine/deployment.ts'
import { untilOnline } from '../../src/runner/online.ts'
import { newSlot } from '../../src/wire/slot.ts'
import type { RunnerSpec } from '../../src/wire/spec.ts'
import { runnerRequest } from '../forges/runner-request.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { memoryStore } from '../snapshot/memory-store.ts'
import { openOn, type Stage, stages } from './stages.ts'

const COUNT = 150
const CREATED = '2030-01-01T00:00:00.000Z'
const SIGNAL = new AbortController().signal
/** Names of the machines' runners start with it. */
const PREFIX = 'tpi-r-0123456789-'

/** Counts the calls that wait for an answer. */
function attended(forge: Forge): Forge & { readonly asked: number } {
  let asked = 0
  const look: Forge['look'] = async (enrolled) => {
    asked++
    return forge.look(enrolled).finally(() => asked--)
  }
  return {
    ...forge,
    look,
    get asked() {
      return asked
    },
  }
}

/** A deployment whose machines all look present. */
function deployment() {
  const store = memoryStore()
  const cloud = { observe: async () => ({ phase: 'up', wanted: COUNT, machines: [], events: [] }) } as unknown as Cloud
  const d = deploymentOf({ cloudId: 'one', cloud, store, id: 'tpi-r-0123456789', name: 'r', incarnation: 'i' })
  const write = async (slot: number, claimed: boolean): Promise<unknown> => {
    const begun = { state: 'running', phase: 'idle', epoch: 1, claimed: 1 }
    const record = { ...newSlot(slot, `${slot}-${claimed}`, CREATED), ...(claimed ? begun : {}) }
    return store.write(d.keys.slot(slot).record, Buffer.from(JSON.stringify(record)))
  }
  return { d, write }
}

describe.each(Object.keys(stages))('at %s', (id) => {
  test(`${COUNT} machines come, one after the other: all are online, each is reported once, and the forge gets no more requests than needed`, async () => {
    const stage = (await stages[id]?.()) as Stage
    const clock = fakeClock(CREATED)
    try {
      const eager = fakeClock(CREATED, { auto: true })
      if ('limits' in stage.forge) stage.forge.now = () => Math.max(clock.now(), eager.now())
      const places = Array.from({ length: COUNT }, (_, slot) => ({ slot, k: 0, name: `${PREFIX}${slot}-0` }))
      const { enrolled } = await (await openOn(stage, { clock: eager })).enroll(runnerRequest({ places, deadline: CREATED }))
      // An hour later the forge's limits no longer count the registrations.
      await clock.advance(eager.now() + 3_600_000)
      const { d, write } = deployment()
      for (const { slot } of places) await write(slot, false)
      const host = memoryHost()
      const engine = { host, clock, home: '/nowhere', actor: 'ann@box' }
      const lifetime = { deadline: '2030-01-02T00:00:00.000Z', grace: 60, reserve: 60, retention: 60 }
      const lease = { beat: 15_000, ttl: 60_000, storeGrace: 60_000 }
      const createdAt = clock.date().toISOString()
      const spec = { count: COUNT, createdAt, lifetime, lease, runner: { enrolled } } as unknown as RunnerSpec
      const watcher = { slot: () => {}, log: () => {}, event: () => {} }
      stage.forge.seen.length = 0
      const over = new AbortController()
      const forge = attended(await openOn(stage, { clock }))
      const waiting = untilOnline(engine, d, spec, forge, watcher, { seconds: 600, signal: SIGNAL }).finally(() => over.abort())
      waiting.catch(() => undefined)
      // Five come online each second. Time moves only while no call waits for an answer.
      for (let come = 0, ticks = 0; !over.signal.aborted; ticks++) {
        if (ticks % 10 === 0)
          for (const last = Math.min(COUNT, come + 5); come < last; come++) {
            await write(come, true)
            stage.arrive(enrolled[come]?.name ?? '')
          }
        await clock.advance(100)
        for (let turn = 0; turn < 10 || forge.asked > 0; turn++) await new Promise((resolve) => setImmediate(resolve))
      }
      const { after } = await waiting
      expect([...after.keys()].toSorted((a, b) => a - b)).toEqual(places.map(({ slot }) => slot))
      // They came online within half a minute; with growing pauses between looks, the last one is seen some seconds later.
      const times = [...after.values()]
      expect([Math.min(...times) < 5, Math.max(...times) >= 29, Math.max(...times) < 60]).toEqual([true, true, true])
      const reported = host.lines.filter((line) => line.includes('is online'))
      expect(new Set(reported.map((line) => /runner (\d+) of 150/.exec(line)?.[1])).size).toBe(COUNT)
      expect(reported).toHaveLength(COUNT)
      const asked = stage.forge.seen
      process.stdout.write(`${id}: ${COUNT} online in ${Math.max(...times).toFixed(0)} s of theirs, ${asked.length} calls\n`)
      expect(asked.filter(({ status }) => status !== 200)).toEqual([])
      expect(asked.length).toBeLessThan(60)
      expect('limits' in stage.forge ? stage.forge.limits.refused : []).toEqual([])
      expect((await (await openOn(stage, { clock })).runners(PREFIX)).length).toBe(new Set(enrolled.map((one) => one.id)).size)
    } finally {
      await stage.stop()
    }
  }, 60_000)
})
