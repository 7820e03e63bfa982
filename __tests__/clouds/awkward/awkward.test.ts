/** The real engine on the awkward cloud: creation, following, scaling, losses, interrupts, destroying and sweeping, through hours of its time. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Cloud, DeploymentTags } from '../../../src/core/cloud.ts'
import { createDeployment, type ModePart } from '../../../src/engine/create/create.ts'
import {
  type CurrentRead,
  type Deployment,
  type Engine,
  machineOf,
  readControl,
  readCurrent,
  readSlots,
  recorded,
} from '../../../src/engine/deployment.ts'
import { clearFormer, destroy } from '../../../src/engine/destroy/destroy.ts'
import { findAbandoned } from '../../../src/engine/destroy/sweep.ts'
import { follow, SILENT } from '../../../src/engine/follow/follow.ts'
import { patiently } from '../../../src/engine/outage.ts'
import { exec } from '../../../src/verbs/exec.ts'
import { interrupt } from '../../../src/verbs/interrupt.ts'
import type { VerbContext } from '../../../src/verbs/shared/context.ts'
import { never } from '../../../src/verbs/shared/signals.ts'
import type { SlotRecord } from '../../../src/wire/slot.ts'
import type { Spec, TaskSpec } from '../../../src/wire/spec.ts'
import { type MemoryHost, memoryHost } from '../../setup/memory-host.ts'
import { type MemoryStore, memoryStore } from '../../snapshot/memory-store.ts'
import { COMMON, TASK } from '../../wire/specs.ts'
import { Account, clockOf, LAG, nameOf, REGIONS } from './account.ts'
import { awkwardCloud } from './cloud.ts'
import { inhabit, leave, type Work } from './machine.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let home: string
let account: Account
let cloud: Cloud
let store: MemoryStore
let host: MemoryHost
let engine: Engine
let work: Work
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'tpi-awkward-'))
  account = new Account()
  cloud = awkwardCloud(account)
  store = memoryStore()
  host = memoryHost()
  engine = { host, clock: clockOf(account), home, actor: 'ann@box' }
  work = { takes: 10 * MINUTE }
})
afterEach(async () => {
  account.world.stop()
  await rm(home, { recursive: true })
})

/** Lets the cloud's time pass until the promise settles. */
async function passing<T>(doing: Promise<T>, step = 2000): Promise<T> {
  const state = { over: false }
  const done = doing.finally(() => (state.over = true))
  done.catch(() => undefined)
  while (!state.over) await account.clock.skip(step)
  return done
}

function specOf({ id, incarnation, name }: Deployment, count: number, budget?: TaskSpec['budget']): TaskSpec {
  return {
    ...COMMON,
    ...TASK,
    v: 2,
    id,
    incarnation,
    name,
    mode: 'task',
    createdAt: engine.clock.date().toISOString(),
    origin: {},
    count,
    ...(budget && { budget }),
    lifetime: { deadline: new Date(account.clock.now() + 48 * HOUR).toISOString(), grace: 30, reserve: 30, retention: 3600 },
    lease: { beat: 15_000, ttl: 60_000, storeGrace: 600_000 },
    retry: { maxAttempts: 5, retries: 0, retryOn: [] },
    checkpoint: { interval: 10, globs: [] },
  }
}

async function started(
  count: number,
  request: {
    readonly id?: string
    readonly region?: string
    readonly tags?: Record<string, string>
    readonly budget?: TaskSpec['budget']
    /** The record of a run that it replaces. */
    readonly former?: CurrentRead | undefined
    readonly at?: MemoryStore
    /** The account as its controller sees it. */
    readonly from?: Cloud
  } = {},
): Promise<{ d: Deployment; spec: Spec }> {
  const { id = 'tpi-awk-0123456789', region, budget, former, at = store } = request
  const { from = region ? awkwardCloud(account, region) : cloud } = request
  let made: TaskSpec | undefined
  const making = {
    draft: (d: Deployment) => (made = specOf(d, count, budget)),
    machines: (draft: TaskSpec) => {
      const { lifetime, origin, createdAt, mode, name, incarnation } = draft
      const tags: DeploymentTags = { id, name, incarnation, mode, createdAt, origin, count, lifetime, store: { url: at.url }, user: {} }
      return { tags, size: {}, spot: { want: 'never' } }
    },
    former: async () => former,
    supply: async () => undefined,
    complete: async () => {
      inhabit(account, at, made!, () => work)
      return { spec: made! }
    },
  } as unknown as ModePart<Spec, TaskSpec, void>
  const agent = { bytes: new Uint8Array(), digest: 'a'.repeat(64) }
  const parts = { origin: {}, storeAccess: { url: at.url }, agent, signal: new AbortController().signal }
  const done = await passing(createDeployment(engine, { cloudId: 'awkward', cloud: from, store: at, id, name: 'awk' }, parts, making))
  return done!
}

const followed = async ({ d, spec }: { d: Deployment; spec: Spec }, poll = 5000, watcher = SILENT): Promise<readonly SlotRecord[]> =>
  passing(follow(engine, d, spec, watcher, { signal: new AbortController().signal, poll }))

/** Everything is removed: machines, disks, groups, records, and the shared network with the last of them. */
async function givenBack(d: Deployment): Promise<void> {
  await passing(destroy(engine, d, { why: 'discard' }))
  await account.clock.skip(5 * MINUTE)
  expect(account.world.inventory()).toEqual([])
  expect([...account.groups.keys()]).toEqual([])
  expect([...store.objects.keys()].filter((key) => key.includes(d.incarnation))).toEqual([])
}

test('a run of three slots ends in success, through lag, throttling and changes that take minutes, and leaves nothing', async () => {
  const run = await started(3)
  expect(account.clock.now() - Date.parse('2030-01-01T00:00:00Z')).toBeGreaterThan(3 * MINUTE)
  expect((await followed(run)).map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'succeeded'])
  expect(account.throttled).toBeGreaterThan(0)
  await givenBack(run.d)
  expect([...account.networks]).toEqual([])
})

test('a follow of a day uses more than twenty tokens of an hour, and looks as seldom as the cloud asks', async () => {
  work = { takes: 24 * HOUR }
  const run = await started(1)
  const before = account.calls
  expect((await followed(run, 2 * MINUTE)).map(({ state }) => state)).toEqual(['succeeded'])
  expect(account.tokens).toBeGreaterThan(24)
  expect(account.calls - before).toBeLessThan((24 * HOUR) / MINUTE)
  await givenBack(run.d)
})

test('looks right after the start close nothing, and no event is reported twice by replicas that disagree', async () => {
  const run = await started(3)
  const reported: string[] = []
  const watcher = { ...SILENT, event: (text: string, kind: string) => kind === 'info' && reported.push(text) }
  const states = (await followed(run, 1000, watcher)).map(({ state }) => state)
  expect(states).toEqual(['succeeded', 'succeeded', 'succeeded'])
  expect(new Set(reported).size).toBe(reported.length)
  await givenBack(run.d)
})

test.each([
  ['at the price of the start', 1, 5],
  ['at one that has doubled since', 2, 2.5],
])('a run is stopped once its budget is used up, %s, and says so; its saved files stay', async (_, price, hours) => {
  work = { takes: 24 * HOUR }
  const run = await started(2, { budget: { most: 10, hour: 1 } })
  account.price = price
  const begun = account.clock.now()
  const reported: string[] = []
  const slots = await followed(run, MINUTE, { ...SILENT, event: (text: string) => void reported.push(text) })
  const took = (account.clock.now() - begun) / HOUR
  expect(took).toBeGreaterThan(hours - 0.1)
  expect(took).toBeLessThan(hours + 0.2)
  expect(slots.map(({ state, reason }) => [state, reason])).toEqual([
    ['stopped', 'stopped (max-cost of 10 USD)'],
    ['stopped', 'stopped (max-cost of 10 USD)'],
  ])
  expect(reported.filter((text) => text.startsWith('the budget'))).toHaveLength(1)
  await givenBack(run.d)
})

test('a machine that dies is replaced, late, and its slot goes on with the next attempt', async () => {
  work = { takes: 20 * MINUTE }
  const run = await started(2)
  const following = followed(run)
  await account.clock.skip(5 * MINUTE)
  const [slot] = await readSlots(run.d, 2)
  const victim = slot!.record.holder!
  account.world.lose(account.world.machine(victim)!, 'died')
  const slots = await following
  expect(slots.map(({ state }) => state)).toEqual(['succeeded', 'succeeded'])
  expect(slots[0]!.attempts.map(({ holder }) => holder === victim)).toEqual([true, false])
  await givenBack(run.d)
})

test('an image that never boots ends the run after three boots for each slot, with the boot log', async () => {
  work = { takes: MINUTE, broken: true }
  const run = await started(2)
  const slots = await followed(run)
  expect(slots.map(({ cause }) => cause)).toEqual(['no-start', 'no-start'])
  expect(slots[0]!.reason).toMatch(/6 in a row; died\); its boot log ends: console of tpi-awk/)
  await givenBack(run.d)
})

test('the machine of a slot is found through the slot’s record', async () => {
  const run = await started(2)
  await account.clock.skip(5 * MINUTE)
  for (const slot of await readSlots(run.d, 2)) {
    const found = await passing(patiently(engine, async () => machineOf(run.d, slot)))
    expect(found).toBe(slot.record.holder)
    expect(account.world.machine(found)).toMatchObject({ state: 'up' })
  }
  await followed(run)
  await givenBack(run.d)
})

/** The client of a command, which repeats throttled calls. */
const patient = (): Cloud => awkwardCloud(account, REGIONS[0], { pause: async (milliseconds) => engine.clock.sleep(milliseconds) })

/** Lists its machines in reverse, so that no slot's machine is at the index of the slot. */
function shuffled(): Cloud {
  const straight = patient()
  const observe: Cloud['observe'] = async (of) => {
    const seen = await straight.observe(of)
    return { ...seen, machines: seen.machines.toReversed() }
  }
  return { ...straight, observe }
}

/** The context that a command passes to a verb. */
function contextOf(run: { d: Deployment }, words: readonly string[], slot: number, seen: Cloud = patient()): VerbContext {
  return {
    engine,
    host,
    values: { name: run.d.id, slot, 'lease-ttl': 60 },
    parsed: { command: words },
    signals: never(),
    clouds: async () => [{ id: 'awkward', cloud: seen }],
    access: async () => store,
    storage: async () => undefined,
  } as unknown as VerbContext
}

test('an interrupt of one slot reaches the machine that holds it: by name if the cloud gives notice, otherwise through the store', async () => {
  const run = await started(2)
  await account.clock.skip(5 * MINUTE)
  const [one, two] = await readSlots(run.d, 2)
  const given: (string | undefined)[] = []
  const notices: Cloud = { ...shuffled(), interrupt: async (_, machine) => void given.push(machine) }
  for (const slot of [one!, two!]) await passing(interrupt(contextOf(run, [], slot.record.index, notices)))
  expect(given).toEqual([one!.record.holder, two!.record.holder])
  expect(given[0]).not.toBe(given[1])
  await passing(interrupt(contextOf(run, [], 1)))
  expect((await readControl(run.d))?.interrupts).toEqual([expect.objectContaining({ slot: 1 })])
  await followed(run)
  await givenBack(run.d)
})

test('a command beside one slot goes to the machine that holds it, and to the next one after a loss', async () => {
  const run = await started(2)
  await account.clock.skip(5 * MINUTE)
  const asked = async (slot: number): Promise<readonly unknown[]> => {
    const seen: unknown[] = []
    const reaches: Cloud = { ...shuffled(), exec: async (_, machine, argv) => (seen.push(machine, argv), 7) }
    expect(await passing(exec(contextOf(run, ['ls', '-l'], slot, reaches)))).toBe(7)
    return seen
  }
  const holders = (await readSlots(run.d, 2)).map(({ record }) => record.holder)
  expect([await asked(0), await asked(1)]).toEqual(holders.map((holder) => [holder, ['ls', '-l']]))
  // A request through the store names slot and machine.
  const passed = exec(contextOf(run, ['ls'], 1))
  const answered = async (): Promise<void> => {
    const [request] = (await readControl(run.d))?.execs ?? []
    if (!request) return
    expect(request).toMatchObject({ slot: 1, machine: holders[1] })
    await store.write(run.d.keys.answer(request.id), Buffer.from(JSON.stringify({ v: 2, out: 'aGk=', err: '', code: 0 })))
  }
  const state = { over: false }
  void passed.finally(() => (state.over = true)).catch(() => undefined)
  while (!state.over) {
    await answered()
    await account.clock.skip(1000)
  }
  expect([await passed, host.scriptText()]).toEqual([0, 'hi'])
  account.world.lose(account.world.machine(holders[1]!)!, 'died')
  const following = followed(run)
  await account.clock.skip(4 * MINUTE)
  const now = (await readSlots(run.d, 2))[1]!.record.holder
  expect([now === holders[1], (await asked(1))[0]]).toEqual([false, now])
  await following
  await givenBack(run.d)
})

test('leaving is idempotent, and safe beside a command that scales to 0 at the same moment', async () => {
  const run = await started(3)
  await account.clock.skip(5 * MINUTE)
  const name = nameOf(run.d)
  const group = account.groups.get(name)!.group!
  const [one, two, three] = group.machines
  for (let time = 0; time < 3; time++) leave(account, one!.id, 'done')
  expect(group.sizes.wanted).toBe(2)
  for (let time = 0; time < 3; time++) leave(account, two!.id, 'replace')
  expect(group.sizes.wanted).toBe(2)
  const scaled = patiently(engine, async () => cloud.end(run.d))
  leave(account, three!.id, 'done')
  await passing(scaled)
  leave(account, three!.id, 'done')
  expect(group.sizes.wanted).toBe(0)
  for (const { id } of group.machines) leave(account, id, 'replace')
  await account.clock.skip(5 * MINUTE)
  expect([group.sizes.wanted, group.machines.length]).toEqual([0, 0])
  await givenBack(run.d)
})

test('two deployments share a network, which is removed with the last; a rollback leaves it, too', async () => {
  const one = await started(1)
  const two = await started(1, { id: 'tpi-two-0123456789' })
  await passing(destroy(engine, one.d, { why: 'discard' }))
  expect([...account.networks]).toEqual([REGIONS[0]])
  await givenBack(two.d)
  expect([...account.networks]).toEqual([])
})

test('what is in another region is listed and swept too; a region that is away is reported, and does not hide the others', async () => {
  const far = await started(1, { region: REGIONS[1] })
  await started(1, { id: 'tpi-two-0123456789' })
  await account.clock.skip(LAG)
  const listed = async (lost: (where: string) => void) =>
    (await passing(patiently(engine, async () => cloud.list(lost)))).map(({ tags }) => tags.id)
  const lost: string[] = []
  account.away.add(REGIONS[0])
  while (!(await listed((where) => lost.push(where))).includes(far.d.id));
  expect(lost).toContain(REGIONS[0])
  account.away.clear()
  // Both are past their retention, and nobody has fetched their results.
  await account.clock.skip(60 * HOUR)
  const access = async () => store
  const swept = async () => passing(findAbandoned(engine, [{ id: 'awkward', cloud }], access, { ttl: 60_000 }))
  for (let round = 0; round < 5; round++) for (const { d } of await swept()) await passing(destroy(engine, d, { why: 'discard' }))
  await account.clock.skip(5 * MINUTE)
  expect(account.world.inventory()).toEqual([])
  expect([...account.networks, ...account.groups.keys()]).toEqual([])
})

/** The groups that are left, each with its region. */
const inRegions = (): readonly string[] => [...account.groups].map(([name, { region }]) => `${region} ${name}`)

test('a run that is replaced in another region is removed where it is, also after an outage there', async () => {
  const old = await started(1)
  await followed(old)
  const next = await started(1, { region: REGIONS[1], former: await readCurrent(store, old.d.id) })
  expect(inRegions()).toEqual([`${REGIONS[0]} ${nameOf(old.d)}`, `${REGIONS[1]} ${nameOf(next.d)}`])
  account.away.add(REGIONS[0])
  await expect(passing(clearFormer(engine, next.d), 60_000)).rejects.toThrow(`${REGIONS[0]} does not answer`)
  account.away.clear()
  await passing(clearFormer(engine, next.d))
  expect(inRegions()).toEqual([`${REGIONS[1]} ${nameOf(next.d)}`])
  expect((await readCurrent(store, old.d.id))?.value).toMatchObject({
    where: { [next.d.incarnation]: { cloud: 'awkward', region: REGIONS[1] } },
  })
  await followed(next)
  await givenBack(next.d)
})

/** A store of another region. */
const elsewhere = (): MemoryStore => ({ ...memoryStore(), url: 'memory://west' })
const living = (): readonly string[] =>
  [...account.groups].filter(([, { group }]) => (group?.machines.length ?? 0) > 0).map(([name]) => name)

test('no run is started beside one of the same name whose records are in another store; that one is not affected', async () => {
  const run = await started(2)
  await account.clock.skip(5 * MINUTE)
  const at = elsewhere()
  await expect(started(1, { region: REGIONS[1], at })).rejects.toMatchObject({
    message: 'name: "awk" is already running on awkward, with its records in memory://',
    hint: expect.stringContaining('tpi stop awk --cloud awkward --storage memory://'),
  })
  expect([at.objects.size, living()]).toEqual([0, [nameOf(run.d)]])
  expect((await followed(run)).map(({ state, epoch }) => [state, epoch])).toEqual([
    ['succeeded', 1],
    ['succeeded', 1],
  ])
  await account.clock.skip(5 * MINUTE)
  // A run that has ended keeps its results, but does not block the name.
  const next = await started(1, { region: REGIONS[1], at })
  expect(inRegions()).toEqual([`${REGIONS[0]} ${nameOf(run.d)}`, `${REGIONS[1]} ${nameOf(next.d)}`])
})

test('of two runs of one name with a store each, neither a sweep nor the removal of one touches the other', async () => {
  work = { takes: 3 * HOUR }
  const one = await started(1)
  const at = elsewhere()
  // This controller sees no other region.
  const from = { ...awkwardCloud(account, REGIONS[1]), list: async () => [] }
  const two = await started(1, { region: REGIONS[1], at, from })
  await account.clock.skip(2 * HOUR)
  const both = [nameOf(one.d), nameOf(two.d)]
  expect(living()).toEqual(both)
  const access = async ({ url }: { readonly url: string }): Promise<MemoryStore> => (url === at.url ? at : store)
  expect(await passing(findAbandoned(engine, [{ id: 'awkward', cloud }], access, { ttl: 60_000 }))).toEqual([])
  await passing(destroy(engine, { ...two.d, cloud }, { why: 'discard' }))
  expect([...account.groups.keys()]).toEqual([nameOf(one.d)])
  expect((await followed(one)).map(({ state, epoch }) => [state, epoch])).toEqual([['succeeded', 1]])
})

test('a sweep from another region removes what a creation left that was killed before its group was visible', async () => {
  const making = started(1, { region: REGIONS[1] })
  while (account.groups.size === 0) await account.clock.skip(1000)
  // Killed: neither the vendor nor the store ever sees the rest of the creation.
  const left = { groups: new Map(account.groups), objects: new Map(store.objects) }
  await making
  account.world.stop()
  account = new Account()
  for (const [name, { region, tags }] of left.groups) account.groups.set(name, { region, tags, since: account.clock.now() })
  store.objects.clear()
  for (const [key, object] of left.objects) store.objects.set(key, object)
  cloud = awkwardCloud(account)
  engine = { ...engine, clock: clockOf(account) }
  expect(inRegions()).toEqual([expect.stringContaining(REGIONS[1])])
  await account.clock.skip(2 * HOUR)
  const swept = async () => passing(findAbandoned(engine, [{ id: 'awkward', cloud }], async () => store, { ttl: 60_000 }))
  for (const { d, judged } of await swept()) await passing(destroy(engine, d, { why: 'sweep', judged }))
  await account.clock.skip(5 * MINUTE)
  expect(inRegions()).toEqual([])
})

test('a run that the record places in another cloud is neither swept from here nor taken over', async () => {
  const run = await started(1)
  const elsewhere = { id: 'other', cloud: awkwardCloud(account) }
  account.groups.clear()
  await account.clock.skip(60 * HOUR)
  expect(await passing(findAbandoned(engine, [elsewhere], async () => store, { ttl: 60_000 }))).toEqual([])
  const current = (await readCurrent(store, run.d.id))!.value
  const place = { cloudId: 'other', cloud: elsewhere.cloud, store, id: run.d.id, name: 'awk' }
  expect(() => recorded(place, current)).toThrow('run "awk" is on cloud awkward, and this command is for other')
  // Older records do not have `where`.
  expect(recorded(place, { ...current, where: undefined } as never).region).toBeUndefined()
})

test('more tags than a group may have are a fault that says how many', async () => {
  const tags = { ...({} as DeploymentTags), id: 'x', user: { note: 'n'.repeat(20_000) } }
  const [fault] = await cloud.faults({ tags, size: {}, spot: { want: 'never' } })
  expect(fault).toMatchObject({ option: 'tag', message: expect.stringMatching(/take \d+ of the 50 that a group may have, each of 256/) })
})
