/** Tests the simulation of groups by itself, on a virtual clock: every front and every test of a cloud depends on it. */
import { expect, test } from '@jest/globals'
import { virtualClock } from './clock.ts'
import { LaunchFailure } from './group.ts'
import { type GroupRequest, type Machine, type Order, Refusal } from './types.ts'
import { VENDOR_TIMES, World, type WorldSettings } from './world.ts'

const REGION = 'north-1'
const PLACES = ['a', 'b', 'c'].map((letter) => ({ zone: `${REGION}${letter}`, id: `subnet-${letter}` }))
const MINUTE = 60_000

function request(change: Partial<GroupRequest> = {}): GroupRequest {
  return {
    name: 'tpi-x',
    min: 0,
    wanted: 0,
    max: 3,
    places: PLACES,
    choices: [{ type: 'big' }, { type: 'bigger' }],
    onDemand: { base: 0, share: 0 },
    onLoss: 'refill',
    template: {},
    ...change,
  }
}

const world = (settings: WorldSettings = {}): World => new World({ clock: virtualClock(), random: () => 0.5, ...settings })
const up = (machines: readonly Machine[]): readonly Machine[] => machines.filter(({ state }) => state === 'up')
const refused = (kind: string) => expect.objectContaining({ kind })

test('a group fills over its zones, shrinks to nothing, and leaves no interface, disk or address', async () => {
  const w = world()
  const group = w.create(REGION, request(), 'made')
  const before = w.inventory()
  group.resize({ wanted: 3 }, 'a user')
  await w.clock.skip(VENDOR_TIMES.start / 2)
  expect(group.machines.map(({ state }) => state)).toEqual(['starting', 'starting', 'starting'])
  await w.clock.skip(VENDOR_TIMES.start)
  expect(new Set(up(group.machines).map(({ place }) => place.zone)).size).toBe(3)
  expect(w.inventory().filter((line) => /^(interface|disk|address) /.test(line))).toHaveLength(9)
  group.resize({ min: 0, wanted: 0, max: 0 }, 'a user')
  expect(group.machines.map(({ state }) => state)).toEqual(['ending', 'ending', 'ending'])
  await w.clock.skip(VENDOR_TIMES.end)
  expect(group.machines).toEqual([])
  expect(w.inventory()).toContain('disk tpi-x-1-disk of tpi-x-1')
  await w.clock.skip(VENDOR_TIMES.parts)
  expect(w.inventory()).toEqual(before)
  expect(group.activities.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    ...Array(3).fill('launch done'),
    ...Array(3).fill('end done'),
  ])
})

test('leaving lowers the wanted size and is not undone; a machine that is lost is replaced, or the group is smaller, or only its zone is asked', async () => {
  for (const [onLoss, left] of [
    ['refill', 2],
    ['repair', 2],
    ['shrink', 1],
  ] as const) {
    const w = world()
    const group = w.create(REGION, request({ wanted: 3, onLoss }), 'made')
    await w.clock.skip(MINUTE)
    const [first, second] = up(group.machines)
    group.leave(first!, 'smaller', 'it is done')
    await w.clock.skip(MINUTE)
    expect([group.sizes.wanted, group.machines.length]).toEqual([2, 2])
    w.supply.setRoom({ zone: second!.place.zone }, 0)
    w.reclaim(second!, 0)
    await w.clock.skip(VENDOR_TIMES.end + VENDOR_TIMES.health + VENDOR_TIMES.start)
    expect(group.sizes.wanted).toBe(left)
    expect(up(group.machines)).toHaveLength(onLoss === 'repair' ? 1 : left)
    if (onLoss === 'repair') expect(group.activities.at(-1)).toMatchObject({ state: 'failed', reason: { kind: 'capacity' } })
  }
})

test('a schedule fires once, late at most by what the vendor says, and the past, equal times and too many are refused', async () => {
  const w = world({ random: () => 0.99 })
  const group = w.create(REGION, request({ wanted: 2 }), 'made')
  const at = w.clock.now() + 10 * MINUTE
  expect(() => w.schedule(group, { name: 'old', at: w.clock.now(), sizes: {} })).toThrow(refused('invalid'))
  w.schedule(group, { name: 'deadline', at, sizes: { min: 0, wanted: 0, max: 0 } })
  expect(() => w.schedule(group, { name: 'other', at, sizes: {} })).toThrow(refused('exists'))
  w.schedule(group, { name: 'deadline', at, sizes: { min: 0, wanted: 0, max: 0 } })
  for (let number = 1; number < 125; number++) w.schedule(group, { name: `${number}`, at: at + number * MINUTE * 60, sizes: { wanted: 0 } })
  expect(() => w.schedule(group, { name: '126', at: at - 1, sizes: {} })).toThrow(refused('limit'))
  await w.clock.skip(10 * MINUTE)
  expect(up(group.machines)).toHaveLength(2)
  await w.clock.skip(VENDOR_TIMES.late + VENDOR_TIMES.end)
  expect(group.machines).toEqual([])
  expect(group.schedules.has('deadline')).toBe(false)
})

test('a schedule of the wanted size alone is bound by the limits of that moment: nothing rises after a stop', async () => {
  const w = world()
  const group = w.create(REGION, request(), 'made')
  w.schedule(group, { name: 'arm', at: w.clock.now() + MINUTE, sizes: { wanted: 3 } })
  group.resize({ min: 0, wanted: 0, max: 0 }, 'stop')
  await w.clock.skip(10 * MINUTE)
  expect([group.sizes, group.machines]).toEqual([{ min: 0, wanted: 0, max: 0 }, []])
})

test('no room here is room elsewhere; no room anywhere is a reason, tried again, and given up after a day', async () => {
  const w = world()
  w.supply.setRoom({}, 0)
  w.supply.setRoom({ zone: 'north-1c', type: 'bigger', market: 'spot' }, 1)
  const group = w.create(REGION, request({ wanted: 2 }), 'made')
  await w.clock.skip(MINUTE)
  expect(up(group.machines)).toMatchObject([{ type: 'bigger', place: { zone: 'north-1c' } }])
  expect(group.activities.at(-1)).toMatchObject({ state: 'failed', reason: { kind: 'capacity', market: 'spot' } })
  w.supply.setRoom({ zone: 'north-1a' }, 1)
  await w.clock.skip(2 * MINUTE)
  expect(up(group.machines)).toHaveLength(2)
  w.supply.setRoom({}, 0)
  group.resize({ wanted: 3 }, 'more')
  await w.clock.skip(25 * 3600_000)
  const tries = group.activities.length
  expect(group.gaveUp).toBeDefined()
  await w.clock.skip(3600_000)
  expect(group.activities).toHaveLength(tries)
})

test('quota, price and a machine that nobody may make do not fall through, and say what they are', async () => {
  const w = world({ cores: () => 4 })
  w.supply.setQuota(REGION, 'spot', 7)
  const group = w.create(REGION, request({ wanted: 2 }), 'made')
  await w.clock.skip(MINUTE)
  expect(up(group.machines)).toHaveLength(1)
  expect(group.activities.at(-1)?.reason).toMatchObject({ kind: 'quota', market: 'spot' })
  const dear = w.create(
    'south-1',
    request({ wanted: 1, places: [{ zone: 'south-1a', id: 's' }], choices: [{ type: 'big', maxPrice: 0.01 }] }),
    'made',
  )
  await w.clock.skip(MINUTE)
  expect(dear.activities.at(-1)?.reason).toMatchObject({ kind: 'price' })
  const maker = { make: () => Promise.reject(new LaunchFailure('denied', 'not you')) }
  const other = world({ maker })
  const refusedGroup = other.create(REGION, request({ wanted: 1 }), 'made')
  await other.clock.skip(MINUTE / 2)
  expect(refusedGroup.activities).toMatchObject([{ state: 'failed', reason: { kind: 'denied', said: 'not you' } }])
  expect(other.inventory()).toEqual(['group north-1/tpi-x'])
})

test('a rising price takes what would pay less, a notice comes before it, and room that a pool took back stays gone', async () => {
  const w = world()
  w.supply.setRoom({ market: 'spot' }, 1)
  const group = w.create(REGION, request({ wanted: 1, choices: [{ type: 'big', maxPrice: 1 }], places: PLACES.slice(0, 1) }), 'made')
  await w.clock.skip(MINUTE)
  const [machine] = up(group.machines)
  const seen: string[] = []
  w.listen(({ state, notice }) => seen.push(`${state}${notice ? ' noticed' : ''}`))
  w.reclaim(machine!, 2 * MINUTE)
  await w.clock.skip(MINUTE)
  expect([machine!.state, seen]).toEqual(['up', ['up noticed']])
  await w.clock.skip(MINUTE + 1)
  expect(machine).toMatchObject({ state: 'ending', cause: 'reclaimed' })
  await w.clock.skip(5 * MINUTE)
  expect(up(group.machines)).toEqual([])
  w.supply.setRoom({ market: 'spot' }, 1)
  await w.clock.skip(5 * MINUTE)
  expect(up(group.machines)).toHaveLength(1)
  w.setSpotPrice(REGION, 'north-1a', 'big', 2)
  await w.clock.skip(5 * MINUTE)
  expect(up(group.machines)).toEqual([])
  expect(group.activities.at(-1)?.reason).toMatchObject({ kind: 'price' })
})

test('protection outlives a shrinking group, which is why nobody may use it; removal takes all', async () => {
  const w = world()
  const group = w.create(REGION, request({ wanted: 2, protects: true }), 'made')
  await w.clock.skip(MINUTE)
  group.resize({ min: 0, wanted: 0, max: 0 }, 'deadline')
  await w.clock.skip(10 * MINUTE)
  expect(up(group.machines)).toHaveLength(2)
  expect(() => w.remove(group, false)).toThrow(refused('busy'))
  w.remove(group, true)
  await w.clock.skip(MINUTE * 3)
  expect(w.inventory()).toEqual([])
})

test('suspended kinds are left alone; regions and names are apart; what is detached goes on', async () => {
  const w = world()
  const group = w.create(REGION, request({ wanted: 1 }), 'made')
  const far = w.create('south-1', request({ wanted: 1, places: [{ zone: 'south-1a', id: 's' }] }), 'made')
  expect(() => w.create(REGION, request(), 'again')).toThrow(refused('exists'))
  await w.clock.skip(MINUTE)
  expect([group.machines.length, far.machines.length]).toEqual([1, 1])
  group.suspended.add('launch')
  w.lose(group.machines[0]!, 'died')
  await w.clock.skip(5 * MINUTE)
  expect([up(group.machines).length, up(far.machines).length]).toEqual([0, 1])
  const [kept] = far.machines
  w.detach(kept!, true)
  w.remove(far, false)
  await w.clock.skip(5 * MINUTE)
  expect(w.inventory()).toContain(`machine south-1/${kept!.id}`)
  expect(kept!.state).toBe('up')
})

test('sizes that contradict each other are refused; limits move the wanted size', () => {
  const w = world()
  const group = w.create(REGION, request({ wanted: 2 }), 'made')
  expect(() => group.resize({ wanted: 4 }, 'more')).toThrow(Refusal)
  expect(() => group.resize({ min: 5 }, 'more')).toThrow(Refusal)
  expect(() => w.create(REGION, request({ name: 'big', wanted: 5 }), 'made')).toThrow(Refusal)
  group.resize({ max: 1 }, 'less')
  expect(group.sizes).toEqual({ min: 0, wanted: 1, max: 1 })
  group.resize({ min: 1 }, 'at least')
  expect(() => group.leave(group.machines[0] ?? ({ state: 'up' } as Machine), 'smaller', 'done')).toThrow(refused('invalid'))
})

test('on demand first, then spot; what is new is seen late where the vendor is late', async () => {
  const orders: Order[] = []
  const make = (order: Order) => {
    orders.push(order)
    return Promise.resolve({ id: `i-${orders.length}`, parts: [] })
  }
  const w = world({ maker: { make }, times: { lag: MINUTE } })
  w.create(REGION, request({ wanted: 3, onDemand: { base: 1, share: 0 } }), 'made')
  expect([w.find(REGION, 'tpi-x', true), w.groups(REGION)]).toEqual([undefined, []])
  await w.clock.skip(MINUTE)
  expect(w.groups(REGION)).toHaveLength(1)
  expect(orders.map(({ market }) => market)).toEqual(['on-demand', 'spot', 'spot'])
})
