/** Who may act on a deployment, and when: a call that waits at a named operation forces each interleaving. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Cloud, MachineSpec, Observation, Reference } from '../../src/core/cloud.ts'
import { AuthError, describeError, RemoteError } from '../../src/core/errors.ts'
import type { Resource } from '../../src/core/resource.ts'
import { createDeployment, type ModePart } from '../../src/engine/create/create.ts'
import { finish } from '../../src/engine/deliver/finish.ts'
import {
  type CurrentRead,
  type Deployment,
  deploymentOf,
  type Engine,
  needSpec,
  type Place,
  readCurrent,
  requestStop,
} from '../../src/engine/deployment.ts'
import { clearFormer, destroy, refuseUnlessDiscard } from '../../src/engine/destroy/destroy.ts'
import { findAbandoned } from '../../src/engine/destroy/sweep.ts'
import { openSighting, sightings } from '../../src/engine/find.ts'
import { remember } from '../../src/engine/history.ts'
import { enter, untilUnread } from '../../src/engine/owner/presence.ts'
import { abandoned } from '../../src/engine/owner/silence.ts'
import { writerMark } from '../../src/lib/temp-name.ts'
import { currentKey } from '../../src/wire/layout.ts'
import type { CurrentRecord } from '../../src/wire/records.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'
import type { CommonSpec, Spec, TaskSpec } from '../../src/wire/spec.ts'
import { type Store, StoreError } from '../../src/wire/store.ts'
import { type FakeClock, fakeClock } from '../lib/fake-clock.ts'
import { type MemoryHost, memoryHost } from '../setup/memory-host.ts'
import { tagsOf } from '../setup/tags.ts'
import { type MemoryStore, memoryStore } from '../snapshot/memory-store.ts'
import { dyingStore } from '../storm/dying.ts'
import { COMMON, TASK } from '../wire/specs.ts'

const AT = '2030-01-01T00:00:00.000Z'
const ID = 'tpi-x-0123456789'
const LEASE = { beat: 15_000, ttl: 60_000, storeGrace: 600_000 }

let folder: string
let store: Store
let engine: Engine & { readonly host: MemoryHost; readonly clock: FakeClock }
/** Wanted size of each existing group, by incarnation. */
let groups: Map<string, number>
let place: Place

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tpi-owner-'))
  // In memory: on a clock that goes on by itself, a slow disk would take hours.
  store = memoryStore()
  engine = { host: memoryHost(), clock: fakeClock(AT, { auto: true }), home: join(folder, 'home'), actor: 'ann@box' }
  groups = new Map()
  place = { cloudId: 'one', cloud: cloudOf(), store, id: ID, name: 'x' }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** `through`: called with the name of each change in the cloud. */
function cloudOf(through: (name: string) => Promise<void> = async () => undefined): Cloud {
  const group = (incarnation: string): Resource => ({
    kind: 'group',
    name: incarnation,
    async ensure() {
      await through(`ensure ${incarnation}`)
      if (groups.has(incarnation)) return 'found'
      groups.set(incarnation, 0)
      return 'created'
    },
    async remove() {
      await through(`remove ${incarnation}`)
      return groups.delete(incarnation) ? 'removed' : 'absent'
    },
  })
  const observe = async ({ incarnation }: Reference): Promise<Observation> => {
    const wanted = groups.get(incarnation)
    return { phase: wanted === undefined ? 'absent' : wanted > 0 ? 'up' : 'stopped', wanted: wanted ?? 0, machines: [], events: [] }
  }
  return {
    blueprint: async ({ tags }: { tags: Reference }) => [[group(tags.incarnation)]],
    leftovers: async ({ incarnation }: Reference) => (groups.has(incarnation) ? [[group(incarnation)]] : []),
    observe,
    list: async () => [...groups].map(([incarnation, wanted]) => ({ phase: wanted > 0 ? 'up' : 'stopped', tags: tagsIn(incarnation) })),
    store: async () => ({ url: store.url }),
    async start({ tags: { incarnation, count } }: MachineSpec) {
      await through(`start ${incarnation}`)
      if (!groups.has(incarnation)) throw new Error(`no group ${incarnation}`)
      groups.set(incarnation, count)
    },
    async end({ incarnation }: Reference) {
      await through(`end ${incarnation}`)
      if (groups.has(incarnation)) groups.set(incarnation, 0)
    },
  } as unknown as Cloud
}

const LIFETIME = { deadline: '2030-01-02T00:00:00.000Z', grace: 1, reserve: 1, retention: 3600 }
const tagsIn = (incarnation: string): object => tagsOf({ id: ID, name: 'x', incarnation, lifetime: LIFETIME, store: { url: store.url } })

type Made = { readonly d: Deployment; readonly spec: Spec }

/** `complete`: called when everything except the specification is there. */
async function made(
  former?: CurrentRead,
  complete: (d: Deployment) => Promise<void> = async () => undefined,
  at: Place = place,
  signal: AbortSignal = new AbortController().signal,
): Promise<Made | undefined> {
  const draft = ({ id, name, incarnation }: Deployment): CommonSpec =>
    ({
      ...COMMON,
      v: 2,
      id,
      name,
      incarnation,
      mode: 'task',
      createdAt: AT,
      origin: {},
      count: 1,
      lifetime: LIFETIME,
      lease: LEASE,
      agent: 'a'.repeat(64),
    }) as unknown as CommonSpec
  const making: ModePart<Spec, CommonSpec, void> = {
    draft,
    machines: (spec) => ({ tags: { ...spec, store: { url: store.url }, user: {} }, size: {}, spot: { want: 'never' } }),
    supply: async () => undefined,
    former: async () => former,
    async complete(d, spec) {
      await complete(d)
      return { spec: { ...spec, ...TASK } as unknown as Spec }
    },
  }
  const agent = { bytes: new Uint8Array(), digest: 'a'.repeat(64) }
  const parts = { origin: {}, storeAccess: { url: store.url }, agent, signal }
  return createDeployment(engine, at, parts, making)
}

const current = async (): Promise<CurrentRecord | undefined> => (await readCurrent(store, ID))?.value
const judged = async (): Promise<CurrentRead> => (await readCurrent(store, ID))!
async function write(record: Partial<CurrentRecord>): Promise<void> {
  const base = { v: 2, nonce: 'n', id: ID, name: 'x', incarnation: 'aaaa000001', createdAt: AT, origin: {}, state: 'open' }
  await store.write(currentKey(ID), Buffer.from(JSON.stringify({ ...base, ...record })))
}
async function closed({ d }: Made, over: Partial<SlotRecord> = { state: 'failed', cause: 'exit', exitCode: 1 }): Promise<void> {
  await store.write(d.keys.slot(0).record, Buffer.from(JSON.stringify({ ...newSlot(0, 'end', AT), epoch: 1, ...over })))
}
async function keysBelow(prefix: string): Promise<number> {
  let count = 0
  for await (const _ of store.list(prefix)) count += 1
  return count
}

/** Blocks a call at a named operation until it is opened. */
function gate(): { readonly reached: Promise<void>; wait(): Promise<void>; open(): void } {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  return {
    reached: reached.promise,
    async wait() {
      reached.resolve()
      await opened.promise
    },
    open: () => opened.resolve(),
  }
}

describe('a run that replaces another', () => {
  test('of several makers that read the same record one succeeds, and the former run stays until then', async () => {
    const old = (await made())!
    await closed(old)
    const record = await judged()
    let below = 0
    const rivals = await Promise.all([1, 2, 3].map(async () => made(record, async () => void (below = await keysBelow(old.d.keys.root)))))
    const [winner, ...more] = rivals.filter((one) => one !== undefined)
    expect([winner === undefined, more]).toEqual([false, []])
    expect(below).toBeGreaterThan(0)
    expect(await current()).toMatchObject({ incarnation: winner!.d.incarnation, state: 'open', former: [old.d.incarnation] })
    expect([...groups.keys()].sort()).toEqual([old.d.incarnation, winner!.d.incarnation].sort())
    await clearFormer(engine, winner!.d)
    expect(await keysBelow(old.d.keys.root)).toBe(0)
    expect([...groups]).toEqual([[winner!.d.incarnation, 1]])
    expect(await current()).not.toHaveProperty('former')
  })

  test('is not made if the record has changed since it was read', async () => {
    const old = (await made())!
    await closed(old)
    const record = await judged()
    const first = (await made(record))!
    expect(await made(record)).toBeUndefined()
    expect(await current()).toMatchObject({ incarnation: first.d.incarnation, state: 'open', former: [old.d.incarnation] })
    expect([...groups.keys()].sort()).toEqual([old.d.incarnation, first.d.incarnation].sort())
  })

  test('gives the name back, snapshots and all, when it cannot be made', async () => {
    const old = (await made())!
    await closed(old)
    const before = await keysBelow(old.d.keys.root)
    const failing = made(await judged(), async () => {
      throw new Error('no room')
    })
    await expect(failing).rejects.toThrow('no room')
    expect(await current()).toMatchObject({ incarnation: old.d.incarnation, state: 'open', createdAt: AT, ttl: LEASE.ttl })
    expect(await keysBelow(`${ID}/`)).toBe(before + 1)
    expect([...groups.keys()]).toEqual([old.d.incarnation])
    // Undoing the leftovers of a killed controller does the same.
    const killed = gate()
    const stuck = made(await judged(), async () => killed.wait())
    while ((await current())?.state !== 'making') await new Promise((resolve) => setImmediate(resolve))
    await destroy(engine, deploymentOf({ ...place, incarnation: (await current())!.incarnation }), { why: 'sweep' })
    expect(await current()).toMatchObject({ incarnation: old.d.incarnation, state: 'open' })
    expect(await keysBelow(old.d.keys.root)).toBe(before)
    killed.open()
    await expect(stuck).rejects.toThrow()
    expect(await current()).toMatchObject({ incarnation: old.d.incarnation, state: 'open' })
  })

  test('that cannot be made gives the name back, with all former runs that are not cleared yet', async () => {
    const first = (await made())!
    await closed(first)
    const second = (await made(await judged()))!
    await closed(second)
    const before = await keysBelow(first.d.keys.root)
    const failing = made(await judged(), async () => {
      throw new Error('no room')
    })
    await expect(failing).rejects.toThrow('no room')
    const both = [first, second].map(({ d }) => d.incarnation)
    expect(await current()).toMatchObject({ incarnation: both[1], state: 'open', former: [both[0]] })
    expect(Object.keys((await current())!.where!).sort()).toEqual(both.toSorted())
    expect([[...groups.keys()], await keysBelow(first.d.keys.root)]).toEqual([both, before])
    await clearFormer(engine, second.d)
    expect([[...groups.keys()], await keysBelow(first.d.keys.root)]).toEqual([[both[1]], 0])
  })

  test.each([['killed'], ['still at it']])(
    'a discard removes both, although another command has begun to undo it and is %s',
    async (how) => {
      const old = (await made())!
      await closed(old)
      const held = gate()
      const stuck = made(await judged(), async () => held.wait())
      stuck.catch(() => undefined)
      while ((await current())?.state !== 'making') await new Promise((resolve) => setImmediate(resolve))
      const b = deploymentOf({ ...place, incarnation: (await current())!.incarnation })
      const slow = gate()
      const cloud = cloudOf(async (name) => (name.startsWith('remove') ? slow.wait() : undefined))
      const undoing = destroy(engine, { ...b, cloud }, { why: 'rollback' })
      while ((await current())?.state !== 'destroying') await new Promise((resolve) => setImmediate(resolve))
      const both = destroy(engine, b, { why: 'discard' })
      if (how === 'still at it') slow.open()
      expect(await both).toBe('nothing')
      slow.open()
      await undoing.catch(() => undefined)
      expect([await current(), await keysBelow(`${ID}/`), groups.size]).toEqual([undefined, 0, 0])
      held.open()
      await stuck.catch(() => undefined)
      expect([await current(), groups.size]).toEqual([undefined, 0])
    },
  )

  test.each([
    ['making', 'rollback'],
    ['making', 'collected'],
    ['making', 'unneeded'],
    ['making', 'sweep'],
    ['destroying', 'unneeded'],
  ] as const)(
    'whatever the cause but a discard, a start that was cut off is undone, and the former run is back: %s, %s',
    async (state, why) => {
      const old = (await made())!
      await closed(old)
      const next = deploymentOf({ ...place, incarnation: 'bbbb000002' })
      const undoing = state === 'destroying' ? ({ why: 'rollback' } as const) : {}
      await write({ incarnation: next.incarnation, state, ...undoing, ttl: LEASE.ttl, former: [old.d.incarnation] })
      expect(await destroy(engine, next, { why })).toBe('former')
      expect(await current()).toMatchObject({ incarnation: old.d.incarnation, state: 'open' })
      expect(await keysBelow(old.d.keys.root)).toBeGreaterThan(0)
    },
  )

  test('a requested destroy removes the former run as well', async () => {
    const old = (await made())!
    await closed(old)
    const next = (await made(await judged()))!
    await destroy(engine, next.d, { why: 'discard' })
    expect([await current(), await keysBelow(`${ID}/`), groups.size]).toEqual([undefined, 0, 0])
  })
})

describe('a start that is undone', () => {
  test.each([
    ['no sign of life is waited for', LEASE.beat + 1000, 'complete'],
    ['nor leave to change something in its cloud', LEASE.ttl, 'blueprint'],
  ])('ends its machines at once if it is interrupted while its store is away: %s', async (_, away, at) => {
    const over = new AbortController()
    const seen: { away: boolean; interrupted?: number; scaled?: number } = { away: false }
    const cloud = cloudOf(async (name) => {
      if (name.startsWith('end')) seen.scaled ??= engine.clock.now()
    })
    const silent = dyingStore(store, {
      async through(_name, act) {
        if (seen.away) throw new StoreError('unavailable', 'no answer')
        return act()
      },
    })
    const interrupts = async (): Promise<void> => {
      seen.away = true
      await engine.clock.sleep(away)
      // By then the command is waiting for the store.
      void engine.clock.sleep(500).then(() => {
        seen.interrupted = engine.clock.now()
        over.abort(new Error('interrupted'))
      })
    }
    const blueprint: Cloud['blueprint'] = async (of) => {
      if (at === 'blueprint') await interrupts()
      return cloud.blueprint(of)
    }
    const complete = async (): Promise<void> => (at === 'complete' ? interrupts() : undefined)
    const late = made(undefined, complete, { ...place, cloud: { ...cloud, blueprint }, store: silent }, over.signal)
    await expect(late).rejects.toThrow('interrupted')
    expect(seen.scaled! - seen.interrupted!).toBeLessThan(5000)
  })

  test('leaves no secrets if its cloud refuses to remove anything', async () => {
    const d = deploymentOf({ ...place, incarnation: 'bbbb000002' })
    await write({ incarnation: d.incarnation, state: 'making', ttl: LEASE.ttl })
    for (const key of [d.keys.secrets, d.keys.once(0, 0), d.keys.spec]) await store.write(key, Buffer.from('{}'))
    const refuses = cloudOf(async (name) => {
      throw new AuthError(`you may not ${name}`)
    })
    await expect(destroy(engine, { ...d, cloud: refuses }, { why: 'rollback', judged: await judged() })).rejects.toThrow('you may not')
    expect([await keysBelow(d.keys.confidential), await keysBelow(d.keys.root)]).toEqual([0, 1])
  })

  test('keeps its secrets if it has shown a sign of life since it was judged', async () => {
    const d = deploymentOf({ ...place, incarnation: 'bbbb000002' })
    await write({ incarnation: d.incarnation, state: 'making', ttl: LEASE.ttl })
    await store.write(d.keys.secrets, Buffer.from('{}'))
    const before = await judged()
    await write({ incarnation: d.incarnation, state: 'making', ttl: LEASE.ttl, nonce: 'renewed' })
    expect(await destroy(engine, d, { why: 'rollback', judged: before })).toBe('kept')
    expect(await keysBelow(d.keys.confidential)).toBe(1)
  })
})

/** A store of the deployment's own, as on a cluster, that records its removals and can be away. */
function ownStore(d: Deployment): { readonly d: Deployment; readonly removed: string[]; away: boolean } {
  const seen = { removed: [] as string[], away: false }
  let there = true
  const pod: Resource = {
    kind: 'pod',
    name: 'store',
    ensure: async () => 'found',
    async remove() {
      there = false
      seen.removed.push('store')
      return 'removed'
    },
  }
  const own = { isOwn: () => true, remainingStore: async () => (there ? [[pod]] : []) }
  const away = dyingStore(d.store, {
    async through(_name, act) {
      if (seen.away) throw new StoreError('unavailable', 'no answer')
      return act()
    },
  })
  return Object.assign(seen, { d: { ...d, cloud: { ...d.cloud, ...own }, store: away } })
}

describe('a store of its own', () => {
  /** A run whose creation was cut off while it replaced another. */
  async function cutOff(): Promise<{ old: Deployment; next: Deployment }> {
    const { d: old } = (await made())!
    await closed({ d: old } as Made)
    groups.set('bbbb000002', 0)
    await write({ incarnation: 'bbbb000002', state: 'making', ttl: LEASE.ttl, former: [old.incarnation] })
    return { old, next: deploymentOf({ ...place, incarnation: 'bbbb000002' }) }
  }

  test.each(['rollback', 'collected'] as const)(
    'that does not answer stays, with the former run, if that was not discarded: %s',
    async (why) => {
      const { old, next } = await cutOff()
      const own = ownStore(next)
      own.away = true
      const ended = destroy(engine, own.d, { why })
      await expect(ended).rejects.toMatchObject({
        exitCode: 76,
        message: expect.stringContaining('pod store'),
        hint: expect.stringContaining(`tpi destroy ${ID} --discard`),
      })
      expect([own.removed, [...groups.keys()]]).toEqual([[], [old.incarnation]])
      own.away = false
      await destroy(engine, own.d, { why: 'rollback' })
      expect(await current()).toMatchObject({ incarnation: old.incarnation, state: 'open' })
      expect(own.removed).toEqual([])
    },
  )

  test('stays also if it stops answering only when the removal is to be recorded', async () => {
    const { next } = await cutOff()
    const own = ownStore(next)
    const mute = dyingStore(own.d.store, {
      async through(name, act) {
        own.away ||= name.startsWith('write')
        return act()
      },
    })
    await expect(destroy(engine, { ...own.d, store: mute }, { why: 'rollback' })).rejects.toThrow('its store does not answer')
    expect(own.removed).toEqual([])
  })

  test('that does not answer stays although its machines are past their deadline, until its retention has passed', async () => {
    const { d } = (await made())!
    const own = ownStore(d)
    own.away = true
    const swept = async (): ReturnType<typeof findAbandoned> =>
      findAbandoned(engine, [{ id: 'one', cloud: own.d.cloud }], async () => own.d.store, { ttl: 1000 })
    engine.clock.jump(24 * 60 * 60_000 + 10_000)
    const [early] = await swept()
    expect(early).toMatchObject({ reason: expect.stringContaining('past their deadline'), sparing: true })
    const ended = destroy(engine, own.d, { why: 'sweep', storeIsSilent: early!.sparing })
    await expect(ended).rejects.toMatchObject({ exitCode: 76, message: expect.stringContaining('pod store') })
    expect([own.removed, groups.size]).toEqual([[], 0])
    groups.set(d.incarnation, 1)
    engine.clock.jump(3600_000)
    const [late] = await swept()
    await destroy(engine, own.d, { why: 'sweep', storeIsSilent: late!.sparing })
    expect(own.removed).toEqual(['store'])
  })

  test('that does not answer is removed by a discard', async () => {
    const own = ownStore((await cutOff()).next)
    own.away = true
    await destroy(engine, own.d, { why: 'discard' })
    expect(own.removed).toEqual(['store'])
  })

  test('that does not answer goes with a run that nobody needs', async () => {
    const own = ownStore((await made())!.d)
    own.away = true
    expect(await destroy(engine, own.d, { why: 'unneeded' })).toBe('nothing')
    expect([own.removed, groups.size]).toEqual([['store'], 0])
  })

  test('that another command is just removing is no error', async () => {
    const { d } = (await made())!
    const own = ownStore(d)
    own.away = true
    const ended = destroy(engine, own.d, { why: 'collected' })
    for (const stage of (await own.d.cloud.remainingStore?.(d)) ?? []) for (const one of stage) await one.remove()
    await ended
    expect(groups.size).toBe(0)
  })

  test('stays with the restored run, also if two commands undo the same creation', async () => {
    const { old, next } = await cutOff()
    const held = gate()
    const own = ownStore(next)
    let first = true
    const slow = cloudOf(async (name) => {
      if (!first || !name.startsWith('end')) return
      first = false
      await held.wait()
    })
    const late = destroy(engine, { ...own.d, cloud: { ...own.d.cloud, end: slow.end } }, { why: 'rollback' })
    await held.reached
    await destroy(engine, own.d, { why: 'rollback' })
    expect(await current()).toMatchObject({ incarnation: old.incarnation, state: 'open' })
    held.open()
    await late
    expect(own.removed).toEqual([])
    expect(await current()).toMatchObject({ incarnation: old.incarnation, state: 'open' })
    expect(await keysBelow(old.keys.root)).toBeGreaterThan(0)
  })
})

describe('while a run replaces another, and only the other’s group is visible', () => {
  async function shown(): Promise<Deployment> {
    const [sighting] = await sightings([{ id: 'one', cloud: place.cloud }])
    return openSighting(sighting!, async () => store)
  }

  test('a discard means the run that is being made, and removes both', async () => {
    const old = (await made())!
    await closed(old)
    await write({ incarnation: 'bbbb000002', state: 'making', ttl: LEASE.ttl, former: [old.d.incarnation] })
    const d = await shown()
    expect(d.incarnation).toBe('bbbb000002')
    expect(await destroy(engine, d, { why: 'discard' })).toBe('nothing')
    expect([await current(), await keysBelow(`${ID}/`), groups.size]).toEqual([undefined, 0, 0])
  })

  test('a removal without discard takes only the creation that was cut off, and not even that if it continues meanwhile', async () => {
    const old = (await made())!
    await closed(old)
    await write({ incarnation: 'bbbb000002', state: 'making', ttl: LEASE.ttl, former: [old.d.incarnation] })
    const d = await shown()
    const how = await refuseUnlessDiscard(engine, d, false, 1000)
    await write({ incarnation: 'bbbb000002', state: 'making', ttl: LEASE.ttl, former: [old.d.incarnation], nonce: 'renewed' })
    expect([await destroy(engine, d, how), (await current())?.state]).toEqual(['kept', 'making'])
    expect(await destroy(engine, d, await refuseUnlessDiscard(engine, d, false, 1000))).toBe('former')
    expect(await current()).toMatchObject({ incarnation: old.d.incarnation, state: 'open' })
    expect(await keysBelow(old.d.keys.root)).toBeGreaterThan(0)
  })

  test('a run that was delivered meanwhile stays if the next one starts from it, and is not reported as removed', async () => {
    const old = (await made())!
    const presence = await enter(engine, old.d, { ttl: LEASE.ttl })
    await closed(old, { state: 'succeeded', exitCode: 0 })
    await write({ incarnation: 'bbbb000002', state: 'making', ttl: LEASE.ttl, former: [old.d.incarnation] })
    const slot = { ...newSlot(0, 'n', AT), state: 'succeeded' as const }
    const end = await finish(engine, old.d, old.spec, [slot], presence)
    expect(end).toMatchObject({ status: { collected: true, destroyed: false }, keptUntil: undefined })
    expect(await keysBelow(old.d.keys.root)).toBeGreaterThan(0)
  })

  test('a removal reports what is left', async () => {
    const old = (await made())!
    await closed(old)
    await write({ incarnation: 'bbbb000002', state: 'making', ttl: LEASE.ttl, former: [old.d.incarnation] })
    expect(await destroy(engine, old.d, { why: 'discard' })).toBe('kept')
    expect(await destroy(engine, deploymentOf({ ...place, incarnation: 'bbbb000002' }), { why: 'rollback' })).toBe('former')
    expect(await destroy(engine, deploymentOf({ ...place, incarnation: 'bbbb000002' }), { why: 'discard' })).toBe('another')
    expect(await current()).toMatchObject({ incarnation: old.d.incarnation, state: 'open' })
    expect(await destroy(engine, old.d, { why: 'discard' })).toBe('nothing')
  })

  test('a sweep judges the current run by its own time, not by the visible one', async () => {
    const old = (await made())!
    const next = deploymentOf({ ...place, incarnation: 'bbbb000002' })
    const later = '2030-01-09T00:00:00.000Z'
    const spec = { ...old.spec, incarnation: next.incarnation, createdAt: later, lifetime: { ...LIFETIME, deadline: later } }
    await store.init(next.keys.root)
    await store.write(next.keys.spec, Buffer.from(JSON.stringify(spec)))
    await closed({ d: next } as Made, { state: 'failed', cause: 'exit', exitCode: 1, at: later })
    await write({ incarnation: next.incarnation, state: 'open', createdAt: later })
    engine.clock.jump(8 * 24 * 60 * 60_000)
    const found = await findAbandoned(engine, [{ id: 'one', cloud: place.cloud }], async () => store, { ttl: 1000 })
    expect(found).toMatchObject([{ orphan: true, d: { incarnation: old.d.incarnation } }])
  })
})

describe('a command that was frozen', () => {
  test('while it made something changes nothing in a cloud once another may have taken over', async () => {
    const held = gate()
    const asked: string[] = []
    place = { ...place, cloud: cloudOf(async (name) => void asked.push(name)) }
    const late = made(undefined, async () => held.wait())
    await held.reached
    const mine = (await current())!.incarnation
    // Another command has waited in vain for a sign of life, and has taken over.
    await destroy(engine, deploymentOf({ ...place, incarnation: mine }), { why: 'rollback' })
    const next = (await made())!
    await engine.clock.sleep(10 * LEASE.ttl)
    held.open()
    await expect(late).rejects.toThrow('was taken over while this command stood still')
    expect(asked.filter((name) => name.startsWith('start'))).toEqual([`start ${next.d.incarnation}`])
    expect(await current()).toMatchObject({ incarnation: next.d.incarnation, state: 'open' })
    expect([...groups]).toEqual([[next.d.incarnation, 1]])
    expect(await keysBelow(next.d.keys.root)).toBeGreaterThan(0)
  })

  test('while it made something, and finds its place in the store gone, says that the run was removed', async () => {
    const held = gate()
    const late = made(undefined, async () => held.wait())
    await held.reached
    const mine = (await current())!.incarnation
    await destroy(engine, deploymentOf({ ...place, incarnation: mine }), { why: 'rollback' })
    // Some stores accept nothing for an incarnation that was cleared.
    const memory = store as MemoryStore
    memory.fault = (call, key) => {
      if (call === 'write' && key.startsWith(`${ID}/${mine}/`)) throw new StoreError('gone', `could not write "${key}"`)
    }
    held.open()
    const failed = await late.catch((error: unknown) => describeError(error))
    expect(failed).toBe('run "x" was removed while it was being created (see what became of it: `tpi status x`)')
  })

  test('just before it opened its run does not open one that another command is making since', async () => {
    const held = gate()
    const slow: Store = {
      ...store,
      async write(key, body, ...more) {
        if (key === currentKey(ID) && Buffer.from(body).includes('"open"')) await held.wait()
        return store.write(key, body, ...more)
      },
    }
    const late = made(undefined, undefined, { ...place, store: slow })
    await held.reached
    const mine = (await current())!.incarnation
    await destroy(engine, deploymentOf({ ...place, incarnation: mine }), { why: 'rollback' })
    const still = gate()
    const next = made(undefined, async () => still.wait())
    await still.reached
    held.open()
    await expect(late).rejects.toThrow('was removed while it was being created')
    expect((await current())!.state).toBe('making')
    still.open()
    const { d } = (await next)!
    expect(await current()).toMatchObject({ incarnation: d.incarnation, state: 'open' })
  })

  test('between two tries of starting its machines starts none once another may have taken over', async () => {
    const others = engine
    // Its own clock is moved by hand and stands still while it is frozen, so that its patience is not over.
    const clock = fakeClock(AT)
    engine = { ...engine, clock }
    const held = gate()
    const tries: string[] = []
    const cloud = cloudOf(async (name) => {
      if (!name.startsWith('start')) return
      tries.push(name)
      if (tries.length > 1) return
      await held.wait()
      throw new RemoteError('throttled', { retryable: true })
    })
    const ended = new AbortController()
    const late = made(undefined, undefined, { ...place, cloud }).finally(() => ended.abort())
    const reported = expect(late).rejects.toThrow('was taken over while this command stood still')
    await held.reached
    const mine = (await current())!.incarnation
    await destroy(others, deploymentOf({ ...place, incarnation: mine }), { why: 'rollback' })
    await clock.advance(LEASE.ttl)
    held.open()
    while (!ended.signal.aborted) {
      await new Promise((resolve) => setImmediate(resolve))
      await clock.advance(1000)
    }
    await reported
    expect(tries).toEqual([`start ${mine}`])
  })

  test('while it removed something removes nothing of the next run', async () => {
    const old = (await made())!
    const held = gate()
    const slow = { ...place, cloud: cloudOf(async (name) => (name.startsWith('end') ? held.wait() : undefined)) }
    const late = destroy(engine, deploymentOf({ ...slow, incarnation: old.d.incarnation }), { why: 'discard' })
    await held.reached
    await destroy(engine, old.d, { why: 'discard' })
    const next = (await made())!
    held.open()
    await late
    expect(await current()).toMatchObject({ incarnation: next.d.incarnation, state: 'open' })
    expect([...groups]).toEqual([[next.d.incarnation, 1]])
    expect(await keysBelow(next.d.keys.root)).toBeGreaterThan(0)
  })

  test('once it had seen its run end takes no machine from the run that now has the name, and delivers nothing', async () => {
    const old = (await made())!
    await closed(old, { state: 'succeeded', exitCode: 0 })
    const presence = await enter(engine, old.d, LEASE)
    await destroy(engine, old.d, { why: 'discard' })
    const next = (await made())!
    const seen: SlotRecord = { ...newSlot(0, 'n', AT), state: 'succeeded' }
    await expect(finish(engine, old.d, old.spec, [seen], presence)).rejects.toMatchObject({ exitCode: 76 })
    expect(await current()).toMatchObject({ incarnation: next.d.incarnation, state: 'open' })
    expect([...groups]).toEqual([[next.d.incarnation, 1]])
  })

  test('does not remove a record that was written since it looked', async () => {
    const old = (await made())!
    const held = gate()
    const slow = dyingStore(store, {
      async through(name, act) {
        if (name === `remove ${currentKey(ID)}`) await held.wait()
        return act()
      },
    })
    const late = destroy(engine, { ...old.d, store: slow }, { why: 'discard' })
    await held.reached
    await destroy(engine, old.d, { why: 'discard' })
    const next = (await made())!
    held.open()
    await late
    expect(await current()).toMatchObject({ incarnation: next.d.incarnation })
  })

  test('counts as dead at once if its host knows that its process is', async () => {
    const dead = writerMark().replace(/-\d+\./, '-4194303.')
    await write({ state: 'making', ttl: 600_000, process: dead })
    const began = engine.clock.now()
    expect(await abandoned(engine, place, await judged(), 60_000)).toEqual(await judged())
    expect(engine.clock.now() - began).toBeLessThan(1000)
    await write({ state: 'making', ttl: 600_000, process: writerMark() })
    expect(await abandoned(engine, place, await judged(), 60_000)).toEqual(await judged())
    expect(engine.clock.now() - began).toBeGreaterThanOrEqual(600_000)
  })
})

describe('readers', () => {
  const delivering = async (one: Made): Promise<TaskSpec> => {
    await closed(one, { state: 'succeeded', exitCode: 0 })
    return one.spec as TaskSpec
  }

  test('of a run that is delivered are waited for; a later one withdraws and is told where the results went', async () => {
    const one = (await made())!
    const spec = await delivering(one)
    // Time moves only when the test says so.
    const clock = fakeClock(AT)
    engine = { ...engine, clock }
    const reader = await enter(engine, one.d, LEASE)
    const collector = await enter(engine, one.d, LEASE)
    const over = new AbortController()
    const ending = finish(engine, one.d, spec, [{ ...newSlot(0, 'n', AT), state: 'succeeded' }], collector).finally(() => over.abort())
    while ((await current())?.state !== 'destroying') await new Promise((resolve) => setImmediate(resolve))
    expect(await current()).toMatchObject({ why: 'collected', by: 'ann@box' })
    await remember(engine.home, {
      id: ID,
      name: 'x',
      cloud: 'one',
      mode: 'task',
      state: 'succeeded',
      outcome: 'success',
      exitCode: 0,
      createdAt: AT,
      deadline: AT,
      endedAt: AT,
      collected: true,
      destroyed: true,
      delivered: { at: AT, by: 'ann@box', to: '/home/ann/out' },
      origin: {},
      store: store.url,
      slots: [],
    })
    await expect(enter(engine, one.d, LEASE)).rejects.toMatchObject({ exitCode: 76, message: expect.stringContaining('ann@box') })
    expect([over.signal.aborted, await keysBelow(one.d.keys.spec)]).toEqual([false, 1])
    await reader.leave()
    while (!over.signal.aborted) {
      await clock.advance(100)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await ending
    expect([await current(), groups.size]).toEqual([undefined, 0])
  })

  test('wait for a store that is out of reach for a moment', async () => {
    const one = (await made())!
    let left = 20
    const away = dyingStore(store, {
      through: async (name, act) => {
        if (name.includes('/controllers/') && left-- > 0) throw new StoreError('unavailable', 'no answer')
        return act()
      },
    })
    const reader = await enter(engine, { ...one.d, store: away }, LEASE)
    expect([left < 0, await keysBelow(one.d.keys.controllers)]).toEqual([true, 1])
    expect(engine.host.lines.filter((line) => line.includes('trying again for a while'))).toHaveLength(1)
    await reader.leave()
  })

  test('that come when everything is gone are told where the results went, while the name is still taken and after that', async () => {
    const one = (await made())!
    const spec = { ...(await delivering(one)), output: ['result'] }
    const held = gate()
    const slow = dyingStore(store, {
      through: async (name, act) => {
        if (name === `remove ${currentKey(ID)}`) await held.wait()
        return act()
      },
    })
    const to = join(folder, 'out')
    const presence = await enter(engine, one.d, LEASE)
    const ended = finish(engine, { ...one.d, store: slow }, spec, [{ ...newSlot(0, 'n', AT), state: 'succeeded' }], presence, {
      to,
      here: folder,
    })
    await held.reached
    const late = { exitCode: 76, message: expect.stringContaining(`to ${to}`), hint: 'nothing is lost: they are there' }
    await expect(enter(engine, one.d, LEASE)).rejects.toMatchObject(late)
    held.open()
    await ended
    const memory = store as MemoryStore
    memory.fault = (call, key) => {
      if (call === 'write' && key.startsWith(one.d.keys.root)) throw new StoreError('gone', `could not write "${key}"`)
    }
    await expect(enter(engine, one.d, LEASE)).rejects.toMatchObject(late)
  })

  test('are not waited for by a discard', async () => {
    const one = (await made())!
    const reader = await enter(engine, one.d, LEASE)
    // Its heartbeats go on as long as it is there.
    await destroy(engine, one.d, { why: 'discard' })
    expect(await current()).toBeUndefined()
    await reader.leave().catch(() => undefined)
  })

  test('a delivery whose run was removed meanwhile is an error, not a success without files', async () => {
    const one = (await made())!
    const spec = await delivering(one)
    const presence = await enter(engine, one.d, LEASE)
    await destroy(engine, one.d, { why: 'discard' })
    const ended = finish(engine, one.d, spec, [{ ...newSlot(0, 'n', AT), state: 'succeeded' }], presence)
    await expect(ended).rejects.toMatchObject({ exitCode: 76, message: expect.stringContaining('given back by another command') })
    // Its heartbeats go on as long as it is there.
    await presence.leave().catch(() => undefined)
  })
})

describe('signs of life', () => {
  const TTL = LEASE.ttl
  let clock: FakeClock
  beforeEach(() => {
    clock = fakeClock(AT)
    engine = { ...engine, clock }
  })
  /** In steps, so that everything that becomes due in between is finished before the next step. */
  async function pass(time: number): Promise<void> {
    for (let left = time; left > 0; left -= 5000) {
      await clock.advance(Math.min(left, 5000))
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  /** Whether the promise has settled. */
  function waiting(what: Promise<unknown>): { over: boolean } {
    const seen = { over: false }
    what.finally(() => (seen.over = true)).catch(() => undefined)
    return seen
  }
  /** Another command that waits while the run is being made or removed. */
  const watched = async (): Promise<{ over: boolean }> => waiting(abandoned(engine, place, await judged(), TTL))
  /** A command that is held up still sends heartbeats; once it goes on and has failed, nothing is left of its run. */
  async function watchedUntilGone(held: ReturnType<typeof gate>, failed: Promise<unknown>): Promise<void> {
    await held.reached
    const other = await watched()
    await pass(10 * TTL)
    expect([other.over, (await current())?.state]).toEqual([false, 'making'])
    held.open()
    await pass(1000)
    await failed
    await pass(1000)
    expect([other.over, await current(), groups.size]).toEqual([true, undefined, 0])
  }

  test('come from a reader as long as it reads, and it is waited for; a killed one is waited for during one TTL', async () => {
    const { d } = (await made())!
    const reader = await enter(engine, d, LEASE)
    const others = waiting(untilUnread(engine, d, TTL))
    await pass(10 * TTL)
    expect(others.over).toBe(false)
    const died = store as MemoryStore
    died.fault = (call, key) => {
      if (call === 'write' && key.startsWith(d.keys.controllers)) throw new StoreError('unavailable', 'it is dead')
    }
    await pass(TTL / 2)
    expect(others.over).toBe(false)
    await pass(TTL)
    expect(others.over).toBe(true)
    await reader.leave()
  })

  test('come from a reader of a run that has ended also while another replaces it, and it is removed once it was read', async () => {
    const old = (await made())!
    await closed(old, { state: 'failed', exitCode: 3 })
    const next = (await made(await judged()))!
    const reader = await enter(engine, old.d, LEASE)
    const clearing = waiting(clearFormer(engine, next.d))
    await pass(10 * TTL)
    expect([clearing.over, await keysBelow(old.d.keys.spec)]).toEqual([false, 1])
    await reader.leave()
    await pass(1000)
    expect([clearing.over, await keysBelow(old.d.keys.root)]).toEqual([true, 0])
    expect(await current()).toMatchObject({ incarnation: next.d.incarnation, state: 'open' })
  })

  test('come from the maker of a deployment, however long its cloud takes', async () => {
    const held = gate()
    const making = made(undefined, async () => held.wait())
    await held.reached
    const other = await watched()
    // No other command may destroy it before it is complete; afterwards it runs.
    const d = deploymentOf({ ...place, incarnation: (await current())!.incarnation })
    const refused = refuseUnlessDiscard(engine, d, false, 1000)
    const destroyer = waiting(refused)
    await pass(10 * TTL)
    expect([other.over, destroyer.over]).toEqual([false, false])
    held.open()
    expect(await making).toBeDefined()
    await pass(1000)
    expect([other.over, destroyer.over]).toEqual([true, true])
    await expect(refused).rejects.toMatchObject({ exitCode: 64, message: expect.stringContaining('still running') })
    expect(await current()).toMatchObject({ state: 'open' })
  })

  test('come from a maker that undoes its own start, too, while leftovers of others are still being removed', async () => {
    groups.set('5747261790', 0)
    await store.write(`${ID}/5747261790/slots/0/slot.json`, Buffer.from('{}'))
    const held = gate()
    place = { ...place, cloud: cloudOf(async (name) => (name === 'remove 5747261790' ? held.wait() : undefined)) }
    const making = made(undefined, async () => {
      throw new Error('no room')
    })
    const failed = expect(making).rejects.toThrow('no room')
    await watchedUntilGone(held, failed)
  })

  test('come from an interrupted maker, as long as it removes what it has made', async () => {
    groups.set('5747261790', 0)
    await store.write(`${ID}/5747261790/slots/0/slot.json`, Buffer.from('{}'))
    const held = gate()
    place = { ...place, cloud: cloudOf(async (name) => (name === 'remove 5747261790' ? held.wait() : undefined)) }
    const stop = new AbortController()
    const interrupted = async (): Promise<void> => stop.abort(new Error('SIGTERM'))
    const failed = expect(made(undefined, interrupted, place, stop.signal)).rejects.toThrow('SIGTERM')
    await watchedUntilGone(held, failed)
  })

  test('do not come from a reader that has left, however long its last heartbeat was under way', async () => {
    const { d } = (await made())!
    const reader = await enter(engine, d, LEASE)
    const held = gate()
    const slow = store as MemoryStore
    slow.fault = async (call, key) => {
      if (call === 'write' && key.startsWith(d.keys.controllers)) await held.wait()
    }
    await pass(TTL / 2)
    await held.reached
    const leaving = reader.leave()
    await pass(1000)
    held.open()
    await leaving
    await pass(1000)
    expect(await keysBelow(d.keys.controllers)).toBe(0)
  })

  test('come from a command that removes a run, however long its cloud takes', async () => {
    const { d } = (await made())!
    const held = gate()
    const slow = { ...d, cloud: cloudOf(async (name) => (name.startsWith('remove') ? held.wait() : undefined)) }
    const removing = destroy(engine, slow, { why: 'discard' })
    await pass(1000)
    await held.reached
    const other = await watched()
    await pass(10 * TTL)
    expect([other.over, (await current())?.state]).toEqual([false, 'destroying'])
    held.open()
    await pass(1000)
    expect(await removing).toBe('nothing')
    await pass(1000)
    expect([other.over, await current()]).toEqual([true, undefined])
  })
})

describe('a run that is being made', () => {
  test.each(['rollback', 'sweep'] as const)(
    'and was taken for dead continues if it is complete, or shows signs of life, before the %s begins',
    async (why) => {
      const held = gate()
      const making = made(undefined, async () => held.wait())
      await held.reached
      const d = deploymentOf({ ...place, incarnation: (await current())!.incarnation })
      const dead = await judged()
      await write({ ...dead.value, nonce: 'renewed' })
      await destroy(engine, d, { why, judged: dead })
      expect(await current()).toMatchObject({ incarnation: d.incarnation, state: 'making' })
      const again = await judged()
      held.open()
      expect(await making).toBeDefined()
      await destroy(engine, d, { why, judged: again })
      expect(await current()).toMatchObject({ incarnation: d.incarnation, state: 'open' })
      expect([...groups]).toEqual([[d.incarnation, 1]])
      expect(await keysBelow(d.keys.spec)).toBe(1)
    },
  )

  test('has no specification yet: no message suggests to discard it, nor the run that it replaces', async () => {
    const d = deploymentOf({ ...place, incarnation: 'aaaa000001' })
    await write({ state: 'making', ttl: 1000 })
    await expect(needSpec(d)).rejects.toMatchObject({
      exitCode: 76,
      message: 'run "x" is being created, and not complete yet',
      hint: expect.not.stringContaining('--discard'),
    })
    await write({ state: 'open' })
    await expect(needSpec(d)).rejects.toMatchObject({ hint: `run: \`tpi destroy ${ID} --discard\`` })
  })

  test('has none any more if another command removes it, or has replaced it: no message suggests to discard that', async () => {
    const d = deploymentOf({ ...place, incarnation: 'aaaa000001' })
    const removed = { exitCode: 76, message: 'run "x" is gone: another command removed it' }
    await expect(needSpec(d)).rejects.toMatchObject({ ...removed, hint: expect.not.stringContaining('--discard') })
    await write({ state: 'destroying' })
    await expect(needSpec(d)).rejects.toMatchObject({ ...removed, hint: 'if that command was killed, `tpi destroy x` does the rest' })
    await write({ incarnation: 'bbbb000002' })
    await expect(needSpec(d)).rejects.toMatchObject({ ...removed, hint: undefined })
  })

  test('notices a stop request that came before it was complete', async () => {
    const held = gate()
    const asked: string[] = []
    place = { ...place, cloud: cloudOf(async (name) => void asked.push(name)) }
    const making = made(undefined, async () => held.wait())
    await held.reached
    await requestStop(deploymentOf({ ...place, incarnation: (await current())!.incarnation }), { at: AT, by: 'stop' })
    held.open()
    const one = (await making)!
    expect([...groups]).toEqual([[one.d.incarnation, 0]])
    expect(asked).not.toContain(`start ${one.d.incarnation}`)
  })

  test('is reported with the record that was judged, so that a sweep removes nothing else', async () => {
    await write({ state: 'making', ttl: 1000 })
    const dead = await judged()
    const found = await findAbandoned(engine, [{ id: 'one', cloud: place.cloud }], async () => store, { ttl: 1000 })
    expect(found).toMatchObject([{ d: { id: ID }, judged: { value: dead.value } }])
    await destroy(engine, found[0]!.d, { why: 'sweep', judged: found[0]!.judged })
    expect(await current()).toBeUndefined()
  })

  test('a record that says so for ever, with signs of life, does not hold up a discard', async () => {
    await write({ state: 'making', ttl: 1e12 })
    const forged = dyingStore(store, {
      async through(name, act) {
        if (name === `read ${currentKey(ID)}`) await write({ state: 'making', ttl: 1e12, nonce: String(engine.clock.now()) })
        return act()
      },
    })
    const began = engine.clock.now()
    await refuseUnlessDiscard(engine, deploymentOf({ ...place, store: forged, incarnation: 'aaaa000001' }), true, 60_000)
    expect(engine.clock.now() - began).toBeLessThan(70_000)
  })

  test('starts no machine if a stop was requested meanwhile', async () => {
    const asked: string[] = []
    const cloud = cloudOf(async (name) => void asked.push(name))
    const racing = dyingStore(store, {
      async through(name, act) {
        const result = await act()
        if (name.endsWith('spec.json') && name.startsWith('write'))
          await requestStop(deploymentOf({ ...place, incarnation: (await current())!.incarnation }), { at: AT, by: 'stop' })
        return result
      },
    })
    const one = (await made(undefined, undefined, { ...place, cloud, store: racing }))!
    expect([...groups]).toEqual([[one.d.incarnation, 0]])
    expect(asked).not.toContain(`start ${one.d.incarnation}`)
    expect(await current()).toMatchObject({ state: 'open' })
  })
})

test('machines that name the same storage by another path belong to the existing run', async () => {
  const old = (await made())!
  await closed(old)
  const other = { ...tagsIn(old.d.incarnation), store: { url: 'memory://by/another/path' } }
  const cloud = { ...place.cloud, list: async () => [{ phase: 'up', tags: other }] } as unknown as Cloud
  expect(await made(await judged(), undefined, { ...place, cloud })).toBeDefined()
})

describe('an incarnation that no record names', () => {
  /** A running group, and an object in the store, as a controller that was frozen until now leaves them. */
  async function orphan(incarnation: string): Promise<void> {
    groups.set(incarnation, 2)
    await store.init(`${ID}/${incarnation}/`)
    await store.write(`${ID}/${incarnation}/slots/0/slot.json`, Buffer.from('{}'))
  }

  test('is removed by the next creation, which continues', async () => {
    await orphan('5747261790')
    const one = (await made())!
    expect([...groups]).toEqual([[one.d.incarnation, 1]])
    expect(await keysBelow(`${ID}/5747261790/`)).toBe(0)
    expect(await keysBelow(one.d.keys.spec)).toBe(1)
  })

  test('is removed by a removal', async () => {
    const one = (await made())!
    await orphan('5747261790')
    await destroy(engine, one.d, { why: 'discard' })
    expect([groups.size, await keysBelow(ID)]).toEqual([0, 0])
  })

  test('of which only files are left is removed by the next creation, and by a removal', async () => {
    const left = `${ID}/5747261790/slots/0/slot.json`
    await store.write(left, Buffer.from('{}'))
    const one = (await made())!
    expect(await keysBelow(left)).toBe(0)
    await store.write(left, Buffer.from('{}'))
    await destroy(engine, one.d, { why: 'discard' })
    expect(await keysBelow(ID)).toBe(0)
  })

  test('is found by a sweep, which removes nothing else', async () => {
    const one = (await made())!
    await orphan('5747261790')
    const access = async (): Promise<Store> => store
    const found = await findAbandoned(engine, [{ id: 'one', cloud: place.cloud }], access, { ttl: 1000 })
    expect(found).toMatchObject([{ orphan: true, reason: expect.stringContaining('5747261790'), d: { id: ID, incarnation: '5747261790' } }])
    await destroy(engine, found[0]!.d, { why: 'sweep' })
    expect([...groups]).toEqual([[one.d.incarnation, 1]])
    expect(await keysBelow(`${ID}/5747261790/`)).toBe(0)
    expect(await findAbandoned(engine, [{ id: 'one', cloud: place.cloud }], access, { ttl: 1000 })).toEqual([])
    expect(await current()).toMatchObject({ incarnation: one.d.incarnation, state: 'open' })
  })

  test('that was replaced is found if the command that should have cleared it was killed long ago', async () => {
    const old = (await made())!
    await closed(old)
    const next = (await made(await judged()))!
    const access = async (): Promise<Store> => store
    const sweep = async (): ReturnType<typeof findAbandoned> =>
      findAbandoned(engine, [{ id: 'one', cloud: place.cloud }], access, { ttl: 1000 })
    expect(await sweep()).toEqual([])
    engine.clock.jump(2 * 60 * 60_000)
    const found = await sweep()
    expect(found).toMatchObject([{ orphan: true, d: { incarnation: old.d.incarnation } }])
    await destroy(engine, found[0]!.d, { why: 'sweep' })
    expect([...groups.keys()]).toEqual([next.d.incarnation])
    expect(await current()).not.toHaveProperty('former')
  })
})

test('removing a run whose records are elsewhere leaves the own store of another run of the same name', async () => {
  let asked = 0
  const own = { isOwn: ({ url }: { readonly url: string }) => url.startsWith('http:'), remainingStore: async () => (asked++, []) }
  const cloud = { ...cloudOf(), ...own } as unknown as Cloud
  const { d } = (await made(undefined, undefined, { ...place, cloud }))!
  expect(await destroy(engine, d, { why: 'discard' })).toBe('nothing')
  expect([...groups.keys(), asked]).toEqual([0])
})
