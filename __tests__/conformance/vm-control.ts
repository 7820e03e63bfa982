/**
 * The command line in an emulated account whose machines are records, the same tests for every cloud of whole machines: how many rounds of
 * calls a command takes, that deployments do not affect each other, and that another command can remove everything that a killed command
 * leaves.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { asRealUser, realCommand } from '../lab/vm/command.ts'
import { callsOfFollowing } from '../lab/vm/followed.ts'
import { killedAtEachCall } from '../lab/vm/killed.ts'
import type { Rough, VmLab } from '../lab/vm/labs.ts'
import type { RunningLab } from '../lab/vm/running-lab.ts'
import { shareRuntime } from '../lab/vm/runtime.ts'
import type { Machine } from '../lab/vm/simulation/types.ts'
import { besideUntil, type CallSeen, changes, LATENCY, lookedOnce, rounds } from '../lab/vm/troubles.ts'
import { hurriedIn } from '../setup/hurried-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { until, untilSame } from '../setup/wait.ts'
import { type World, world } from '../setup/world.ts'
import { sampled } from '../storm/random.ts'

/** Some of these names are prefixes of others. */
const NAMES = ['run', 'run1', 'run2', 'run22']
/** The test stops one of these and destroys the other. */
const TOUCHED = ['run1', 'run2']

/** Registers the tests; called by a test file of each cloud. `lab`: the lab that its other tests use, too. */
export function controlOf(vm: VmLab, get: () => RunningLab | undefined): void {
  describe('as on every cloud', () => {
    let w: World
    let tpi: World['tpi']
    let before: readonly string[] = []
    beforeAll(async () => {
      w = await world()
      tpi = hurriedIn(w)
      await shareRuntime(w.home)
      await w.write('p/data', 'one\n')
      const lab = get()
      if (!lab) return
      before = await afterFirst(lab)
    })
    afterAll(async () => await w?.end())

    const words = (name: string, ...more: readonly string[]): string[] =>
      `task --cloud ${vm.cloud} --machine ${vm.types} --spot --name ${name} --workdir p --timeout 8h --retention 20h --detach --json`
        .split(' ')
        .concat('--script', 'cat data', ...more)
    const does = async ({ env }: RunningLab, given: string | readonly string[]): Promise<void> => {
      const { code, host } = await tpi(given, { env })
      expect([given, code, code === 0 ? '' : host.lines.join('\n')]).toEqual([given, 0, ''])
    }
    /** The account's own storage is made by its first run, and stays. Resolves to what there is once nothing else of that run is left. */
    const afterFirst = async (lab: RunningLab): Promise<readonly string[]> => {
      await does(lab, words('first'))
      await does(lab, 'destroy first --discard --json')
      // Disks and interfaces of a machine that is gone stay a moment longer.
      await until('nothing of the first machine is left', () => [...lab.world.fleet.parts.values()].every(({ goesWithIt }) => !goesWithIt))
      return await lab.inventory()
    }
    const asBefore = async (lab: RunningLab): Promise<void> =>
      untilSame('the account is as before', async () => lab.inventory(), before, 60_000)

    // Each takes some twenty seconds: there are several if kinds of runs differ in the order of their calls.
    const kinds: readonly (readonly [kind: string, more: readonly string[]])[] = [
      ['a task', []],
      ['one of several machines', ['--parallelism', '3']],
      ['one of two groups', ['--spot=prefer']],
    ]
    test.each(vm.calls.rounds.twin === undefined ? kinds.slice(0, 1) : sampled(kinds))(
      '%s is up after few rounds of calls, and a task is given back after few',
      async (_, more) => {
        const lab = get()
        if (!lab) return expect(process.env['CI']).toBeUndefined()
        const { troubles } = lab.front
        const { up: most, twin = most, gone } = vm.calls.rounds
        const limit = more.includes('--spot=prefer') ? twin : most
        const waited = (seen: readonly CallSeen[]): number => rounds(lookedOnce(seen.filter(({ call }) => vm.calls.waited.test(call))))
        /** Starts a run and gives it back: the calls until it was up, and the rounds of calls until then and until it was gone. */
        const played = async (): Promise<{ started: readonly CallSeen[]; first: number; second: number }> => {
          troubles.latency = LATENCY
          troubles.seen.length = 0
          troubles.onCall = besideUntil(vm.calls.up, vm.calls.beside)
          await does(lab, [...words('timed').filter((word) => word !== '--spot' || !more.includes('--spot=prefer')), ...more])
          troubles.onCall = undefined
          const started = troubles.seen.slice(0, troubles.seen.findIndex(({ call }) => call === vm.calls.up) + 1)
          troubles.seen.length = 0
          await does(lab, 'destroy timed --discard --json')
          const second = waited(troubles.seen)
          troubles.clear()
          await asBefore(lab)
          return { started, first: waited(started), second }
        }
        // The second group and the firewall rule of Google Cloud are removed one after the other: 12 and 7 rounds, if no machine has to be
        // waited for.
        const tooMany = ({ first, second }: { first: number; second: number }): boolean =>
          first > limit || (more.length === 0 && second > gone)
        let seen = await played()
        // A busy machine sends calls later than it could, never sooner: the smallest of several counts is the right one.
        for (let tries = 1; tries < 3 && tooMany(seen); tries++) seen = await played()
        expect(seen.started.length).toBeGreaterThan(1)
        // The tests that kill commands at each creating call have a list of these calls.
        const making = seen.started.map(({ call }) => call).filter((call) => vm.calls.waited.test(call) && changes(call))
        const known = new Set<string>([...vm.calls.stages, ...vm.calls.twin.map(([call]) => call), ...vm.calls.several, vm.calls.up])
        expect(making.filter((call) => !known.has(call))).toEqual([])
        expect(seen.first).toBeLessThanOrEqual(limit)
        if (more.length === 0) expect(seen.second).toBeLessThanOrEqual(gone)
      },
    )

    test('whoever follows a run of two groups for an hour, which prints nothing, makes no more than 400 calls', async () => {
      const lab = get()
      if (!lab) return
      expect(await callsOfFollowing(vm, lab, 3600, 'prefer')).toBeLessThanOrEqual(400)
      await asBefore(lab)
    })

    test('deployments stay apart: one that is stopped or destroyed takes nothing of another, and all of it goes by the rights that we print', async () => {
      const lab = get()
      if (!lab) return
      const { env, world: cloud } = lab
      const listed = async (): Promise<readonly string[]> =>
        ((await tpi(`list --cloud ${vm.cloud} --json`, { env })).facts as readonly { readonly name: string }[]).map(({ name }) => name)
      await lab.byRights(async () => {
        await each(NAMES, async (name) => does(lab, words(name)))
        await until('each has its machine', () => cloud.fleet.present(vm.region).length === NAMES.length)
        expect((await listed()).toSorted()).toEqual(NAMES.toSorted())
        /** Groups of all other deployments, with sizes and machines. */
        const others = (): unknown =>
          cloud
            .groups(vm.region)
            .filter(({ name }) => !TOUCHED.some((one) => name.startsWith(`tpi-${one}-`)))
            .map(({ name, sizes, machines }) => [name, { ...sizes }, machines.map(({ id }) => id)])
        const untouched = others()
        expect(untouched).toHaveLength(NAMES.length - TOUCHED.length)
        await does(lab, 'stop run1 --json')
        await does(lab, 'destroy run2 --discard --json')
        await until('one is stopped, one is gone', () => cloud.fleet.present(vm.region).length === NAMES.length - TOUCHED.length)
        expect(others()).toEqual(untouched)
        expect((await tpi(`sweep --cloud ${vm.cloud} --json`, { env })).facts).toEqual([])
        await each(
          NAMES.filter((name) => name !== 'run2'),
          async (name) => does(lab, `destroy ${name} --discard --json`),
        )
      })
      await asBefore(lab)
      expect(await listed()).toEqual([])
    })

    test('an account has the runtime of machines after its first run: a host without it, and without a registry, starts machines by the rights that we print', async () => {
      const lab = get()
      if (!lab) return
      const bare = await world()
      try {
        await bare.write('p/data', 'one\n')
        const env = { ...lab.env, npm_config_registry: 'http://127.0.0.1:1' }
        await lab.byRights(async () => {
          for (const given of [words('bare'), 'destroy bare --discard --json']) {
            const { code, host } = await hurriedIn(bare)(given, { env })
            expect([code, code === 0 ? '' : host.lines.join('\n')]).toEqual([0, ''])
          }
        })
      } finally {
        await bare.end()
      }
      await asBefore(lab)
    })

    const { rough } = vm.calls
    if (rough)
      test('throttling, failures, lost requests and lost answers do not make a start or an end fail, nor a second of anything', async () => {
        const lab = get()
        if (!lab) return
        const { front, world: cloud } = lab
        const meet = (all: readonly Rough[]): void => {
          for (const [calls, kind, times] of all) front.troubles.on(calls, { kind }, times)
        }
        meet(rough.up)
        await does(lab, words('rough'))
        await until('its machine is up', () => cloud.fleet.present(vm.region).some(({ state }) => state === 'up'))
        expect(cloud.groups(vm.region)).toMatchObject([{ sizes: { wanted: 1 } }])
        expect(front.troubles.unmet).toEqual([])
        meet(rough.gone)
        await does(lab, 'destroy rough --discard --json')
        expect(front.troubles.unmet).toEqual([])
        front.troubles.clear()
        await asBefore(lab)
      })

    test('a command that is killed at any stage of its creation starts nothing, and destroy leaves nothing at all', async () => {
      const lab = get()
      if (!lab) return
      const { env, front, world: cloud } = lab
      for (const [at, call] of vm.calls.stages.entries()) {
        const killed = await realCommand(w, words(`cut${at}`), env, (child) => {
          front.troubles.onCall = (name) => void (name === call && child.kill('SIGKILL'))
        })
        expect([call, killed.signal, killed.err]).toEqual([call, 'SIGKILL', expect.anything()])
        front.troubles.clear()
        expect([call, cloud.fleet.present(vm.region)]).toEqual([call, []])
        const after = await tpi(`destroy cut${at} --discard --json --cloud ${vm.cloud}`, { env, given: asRealUser })
        expect([call, after.code, after.facts]).toEqual([call, 0, expect.objectContaining({ destroyed: true })])
        await asBefore(lab)
      }
    })

    test('a command that is killed at any call of its creation, with a second group or without, in an account that had no run before, leaves nothing that runs past its deadline, and nothing at all after one sweep', async () => {
      // A lab of its own, whose time will go ahead.
      const own = get() && (await vm.start(undefined, 'ahead'))
      if (!own) return expect(process.env['CI']).toBeUndefined()
      const { env } = own
      try {
        const empty = await own.inventory()
        await killedAtEachCall(vm, own, async (name, ofKind, begun) => realCommand(w, ofKind(words(name)), env, begun))
        const swept = await tpi(`sweep --yes --json --cloud ${vm.cloud}`, { env, given: asRealUser })
        expect([swept.code, swept.code === 0 ? '' : swept.host.lines]).toEqual([0, ''])
        await untilSame('the account is as before', async () => own.inventory(), empty, 60_000)
        expect(await own.stored()).toEqual([])
      } finally {
        await own.stop()
      }
    })

    test('where a zone, or a type, has no room, a machine comes from another', async () => {
      const lab = get()
      if (!lab) return
      const { supply, fleet } = lab.world
      const come = async (name: string): Promise<Machine> => {
        await does(lab, words(name))
        await until('its machine is up', () => fleet.present(vm.region).some(({ state }) => state === 'up'))
        const [machine] = fleet.present(vm.region)
        await does(lab, `destroy ${name} --discard --json`)
        await asBefore(lab)
        return machine!
      }
      const first = await come('anywhere')
      const { zone } = first.place
      supply.setRoom({ zone }, 0)
      expect((await come('elsewhere')).place.zone).not.toBe(zone)
      supply.setRoom({ type: first.type }, 0)
      const last = await come('otherwise')
      expect([last.place.zone === zone, last.type]).toEqual([false, vm.types.split(',').find((type) => type !== first.type)])
      supply.setRoom({}, Infinity)
    })

    test('a gang whose one zone has no room for all of it says so, is nowhere else, and is complete once there is room', async () => {
      const lab = get()
      if (!lab) return
      const { supply, fleet } = lab.world
      const up = (): readonly Machine[] => fleet.present(vm.region).filter(({ state }) => state === 'up')
      const { zone } = vm
      supply.setRoom({}, 0)
      supply.setRoom({ zone: zone.id, type: vm.types.split(',')[0]! }, 2)
      const attached = words('gang', '--gang', '--parallelism', '3', '--region', zone.name).filter((word) => word !== '--detach')
      const host = memoryHost()
      const run = w.tpi(attached, { env: lab.env, host })
      await until('it is said', () => host.lines.some((line) => line.includes('no such machine available')), 60_000)
      await until('those for which there is room are up', () => up().length === 2)
      expect(up().map(({ place }) => place.zone)).toEqual([zone.id, zone.id])
      supply.setRoom({}, Infinity)
      await until('all of it is up', () => up().length === 3)
      expect(new Set(up().map(({ place }) => place.zone))).toEqual(new Set([zone.id]))
      await does(lab, 'destroy gang --discard --json')
      await run
      await asBefore(lab)
    })

    const prefer = (name: string, wait: string): string =>
      `task --cloud ${vm.cloud} --machine ${vm.types} --spot prefer --spot-wait ${wait} --timeout 1h --name ${name} --workdir p --detach --json --script true`

    test('a used-up quota of spot machines does not end a run if machines at full price may come; a used-up quota of both does', async () => {
      // A lab of its own, whose time will go ahead.
      const own = get() && (await vm.start(undefined, 'ahead'))
      if (!own) return expect(process.env['CI']).toBeUndefined()
      const { env, world: cloud } = own
      /** Starts a run, and waits until its command has said what it waits for. */
      const followed = async (name: string, wait: string): Promise<{ readonly run: ReturnType<typeof tpi> }> => {
        const host = memoryHost()
        const run = tpi(prefer(name, wait).replace(' --detach', ''), { env, host })
        const tried = (): boolean => host.lines.some((line) => line.includes('machines at full price are tried once spot-wait is over'))
        const ended = run.then(({ code }) => Promise.reject(new Error(`it ended with ${code}: ${host.lines.join(' | ')}`)))
        await Promise.race([until('it is said', tried, 60_000), ended])
        ended.catch(() => undefined)
        return { run }
      }
      try {
        const empty = await afterFirst(own)
        cloud.supply.setQuota(vm.region, 'spot', 0)
        const { run: dear } = await followed('dear', '2m')
        await cloud.clock.skip(4 * 60_000)
        await until('a machine at full price is up', () => cloud.fleet.present(vm.region).some(({ state }) => state === 'up'))
        expect(cloud.fleet.present(vm.region).map(({ market }) => market)).toEqual(['on-demand'])
        await does(own, 'destroy dear --discard --json')
        await dear
        cloud.supply.setQuota(vm.region, 'on-demand', 0)
        // The lab's own time is four minutes ahead by now.
        const { run: none } = await followed('none', '10m')
        await cloud.clock.skip(8 * 60_000)
        expect(await none).toMatchObject({ code: 69, facts: { outcome: 'no-capacity' } })
        await untilSame('the account is as before', async () => own.inventory(), empty, 60_000)
      } finally {
        await own.stop()
      }
    })

    test('a second group at full price belongs to its deployment: the deadline ends both, a stop wins over its start, and destroy takes both', async () => {
      // A lab of its own, whose time will go ahead: an action in the past is refused.
      const own = get() && (await vm.start(undefined, 'ahead'))
      if (!own) return expect(process.env['CI']).toBeUndefined()
      const { world: cloud } = own
      const present = (): unknown => cloud.fleet.present(vm.region).map(({ market }) => market)
      try {
        const empty = await afterFirst(own)
        const back = async (): Promise<void> => untilSame('the account is as before', async () => own.inventory(), empty, 60_000)
        cloud.supply.setRoom({ market: 'spot' }, 0)
        await does(own, prefer('stopped', '2m'))
        await does(own, 'stop stopped --json')
        await cloud.clock.skip(5 * 60_000)
        expect(present()).toEqual([])
        await does(own, 'destroy stopped --discard --json')
        await back()
        await does(own, prefer('both', '10m'))
        // The lab's own time is five minutes ahead by now.
        await cloud.clock.skip(4 * 60_000)
        expect(present()).toEqual([])
        await cloud.clock.skip(8 * 60_000)
        await until('the other group has its machine', () => cloud.fleet.present(vm.region).some(({ state }) => state === 'up'))
        expect(present()).toEqual(['on-demand'])
        expect((await tpi(`list --cloud ${vm.cloud} --json`, { env: own.env })).facts).toMatchObject([{ name: 'both' }])
        cloud.supply.setRoom({ market: 'spot' }, Infinity)
        await cloud.clock.skip(4 * 3600_000)
        await until('nothing runs', () => cloud.fleet.present(vm.region).length === 0)
        expect(cloud.groups(vm.region).map(({ sizes }) => sizes.wanted)).toEqual([0, 0])
        await does(own, 'destroy both --discard --json')
        await back()
      } finally {
        await own.stop()
      }
    })
  })
}

const each = async (of: readonly string[], act: (name: string) => Promise<void>): Promise<void> => void (await Promise.all(of.map(act)))
