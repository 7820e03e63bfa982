/** The suite that every cloud must pass: it covers each sentence of `core/cloud.ts` and `core/resource.ts`. */
import { describe, expect, test as jestTest } from '@jest/globals'
import type { Cloud, DeploymentTags, Machine, MachineSpec, Observation, Reference } from '../../src/core/cloud.ts'
import type { Removed, Resource } from '../../src/core/resource.ts'
import { PATIENCE } from '../setup/patience.ts'

/** What machines of the lab do from their next start on. */
export type Play =
  /** Work until told otherwise. */
  | 'idle'
  /** Work; ask to be replaced at a notice. */
  | 'obey'
  /** Work with a script in a process of its own. */
  | 'script'
  /** End at once with this exit code. */
  | `exit ${number}`

/** A cloud with a state of its own, and access to what no user can reach. */
export interface CloudLab {
  readonly cloud: Cloud
  /** The same cloud for another controller, perhaps with an aborted signal. */
  reopen(signal?: AbortSignal): Promise<Cloud>
  spec(tags?: Partial<DeploymentTags>): MachineSpec
  play(play: Play): Promise<void>
  /** The work of an index is done: its machine leaves, as the agent does. */
  finish(index: number): Promise<void>
  /** Ends a machine as a kernel panic would. */
  kill(machine: string): Promise<void>
  /** Whether something of that machine still runs. */
  lives(machine: string): Promise<boolean>
  /** Kills the process that keeps the group going, if it is one of tpi's. */
  crash?(id: string): Promise<void>
  /** Absent: the computer's time. */
  readonly time?: LabTime
  close(): Promise<void>
}

/** The time of a lab that has its own. */
export interface LabTime {
  now(): number
  pass(milliseconds: number): Promise<void>
}

export interface CloudQuirks {
  /** Milliseconds that a test may take, from opening to closing its lab. */
  readonly patience?: number
  /** Milliseconds that a group may take for one change on a calm machine. */
  readonly change?: number
  /** A machine is a whole operating system: the cloud does not know how a program on it ended, and no log comes with its end. */
  readonly whole?: boolean
  /** A group that was ended stays ended, even if a late command starts it. */
  readonly forGood?: boolean
  /** Number of deployments at the same time, if they cost little. */
  readonly many?: number
  /** Labs do not disturb each other, and mostly wait, so they run side by side. */
  readonly sideBySide?: boolean
}

type Case = (title: string, act: (lab: CloudLab) => Promise<void>) => void

const COMPUTER: LabTime = {
  now: () => performance.now(),
  pass: async (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}

let change = 15_000
/** The time of the open lab. Labs side by side all use the computer's time. */
let time = COMPUTER
/** Milliseconds between two looks. */
const LOOK = 15

/** The state after the time that the cloud needs to report a change: a lab on the computer's time reports at once. */
async function look(cloud: Cloud, of: Reference): Promise<Observation> {
  if (time !== COMPUTER) await time.pass(cloud.settling ?? 0)
  return cloud.observe(of)
}

export function describeCloud(name: string, open: () => Promise<CloudLab>, quirks: CloudQuirks = {}): void {
  change = quirks.change ?? change
  describe(`cloud ${name}`, () => {
    const test: Case = (title, act) =>
      (quirks.sideBySide ? jestTest.concurrent : jestTest)(
        title,
        async () => {
          const lab = await open()
          time = lab.time ?? COMPUTER
          try {
            await act(lab)
          } finally {
            await lab.close()
          }
        },
        quirks.patience ?? 60_000,
      )

    describe('existence', () => {
      test('nothing there: absent, empty, and everything about it may be asked', async (lab) => {
        const { cloud } = lab
        const spec = lab.spec()
        expect((await cloud.whoami()).name).not.toBe('')
        expect(await cloud.faults(spec)).toEqual([])
        await cloud.blueprint(spec)
        expect(await look(cloud, spec.tags)).toEqual({ phase: 'absent', wanted: 0, machines: [], events: [] })
        expect(await cloud.list()).toEqual([])
        expect(await cloud.leftovers(spec.tags)).toEqual([])
        await cloud.end(spec.tags)
        await expect(cloud.start(spec)).rejects.toThrow()
        expect((await cloud.recover?.()) ?? []).toEqual([])
      })

      test('ensure makes a group of size 0, once', async (lab) => {
        const { cloud } = lab
        const spec = lab.spec()
        const made = await create(cloud, spec)
        expect(new Set(made)).toEqual(new Set(['created']))
        expect(new Set(await create(cloud, spec))).toEqual(new Set(['found']))
        expect(new Set(await create(await lab.reopen(), spec))).toEqual(new Set(['found']))
        expect(await look(cloud, spec.tags)).toMatchObject({ phase: 'stopped', wanted: 0, machines: [] })
      })

      test('list finds what was made, tags and all, and nothing else', async (lab) => {
        const one = lab.spec({ user: { team: 'a "b" c', empty: '' }, origin: { repository: 'forge.example/o/r', commit: 'c0ffee' } })
        const two = lab.spec({ id: 'tpi-two-0123456789', name: 'two' })
        await create(lab.cloud, one)
        await create(lab.cloud, two)
        const found = await (await lab.reopen()).list()
        expect(found.map((item) => item.tags).sort(byId)).toEqual([one.tags, two.tags].sort(byId))
        await destroy(lab.cloud, two.tags)
        expect((await lab.cloud.list()).map((item) => item.tags)).toEqual([one.tags])
        expect(await lab.cloud.leftovers(two.tags)).toEqual([])
      })

      test('remove twice: removed, then absent', async (lab) => {
        const spec = lab.spec()
        await create(lab.cloud, spec)
        const resources = (await lab.cloud.leftovers(spec.tags)).flat().reverse()
        expect(await removeAll(resources)).toContain('removed')
        expect(new Set(await removeAll(resources))).toEqual(new Set(['absent']))
        expect(new Set(await removeAll((await lab.cloud.blueprint(spec)).flat().reverse()))).toEqual(new Set(['absent']))
        expect(await look(lab.cloud, spec.tags)).toMatchObject({ phase: 'absent' })
      })

      test('a creation that was cut off after any stage is found, finished or removed', async (lab) => {
        const spec = lab.spec()
        const stages = (await lab.cloud.blueprint(spec)).length
        for (let done = 0; done <= stages; done += 1) {
          for (const resource of (await lab.cloud.blueprint(spec)).slice(0, done).flat()) await resource.ensure()
          await destroy(await lab.reopen(), spec.tags)
          expect(await lab.cloud.list()).toEqual([])
          expect(await lab.cloud.leftovers(spec.tags)).toEqual([])
        }
        for (const resource of (await lab.cloud.blueprint(spec)).slice(0, 1).flat()) await resource.ensure()
        await create(await lab.reopen(), spec)
        expect(await look(lab.cloud, spec.tags)).toMatchObject({ phase: 'stopped' })
      })

      test('nothing is made after an abort, and removing still works', async (lab) => {
        const spec = lab.spec()
        const reason = new Error('enough')
        const aborted = await lab.reopen(AbortSignal.abort(reason))
        await expect(create(aborted, spec)).rejects.toThrow()
        expect(await lab.cloud.list()).toEqual([])
        await create(lab.cloud, spec)
        await expect(aborted.start(spec)).rejects.toThrow()
        await aborted.end(spec.tags)
        await destroy(aborted, spec.tags)
        expect(await look(lab.cloud, spec.tags)).toMatchObject({ phase: 'absent' })
      })
    })

    describe('incarnations', () => {
      const next = { incarnation: 'bbbb000002' }

      test('each is seen, scaled, reported and removed by itself, whatever comes late for another', async (lab) => {
        const old = await started(lab, 1)
        const fresh = await started(lab, 1, next)
        const shown = (await lab.cloud.list()).map(({ tags }) => tags.incarnation)
        expect(shown.sort()).toEqual([old.tags.incarnation, fresh.tags.incarnation].sort())
        const [machine] = present(await look(lab.cloud, fresh.tags))
        // A destroyer, a follower and a creator of the earlier incarnation, which were frozen until now.
        const late = await lab.reopen()
        await late.end(old.tags)
        await until(late, old.tags, (seen) => seen.phase === 'stopped')
        await destroy(late, old.tags)
        await destroy(late, old.tags)
        expect(await look(late, old.tags)).toMatchObject({ phase: 'absent' })
        await expect(late.start(old)).rejects.toThrow()
        expect(present(await look(lab.cloud, fresh.tags)).map(({ id }) => id)).toEqual([machine!.id])
        expect(await lab.lives(machine!.id)).toBe(true)
        expect((await lab.cloud.list()).map(({ tags }) => tags.incarnation)).toEqual([fresh.tags.incarnation])
        await create(late, old)
        await destroy(lab.cloud, fresh.tags)
        expect(await look(late, old.tags)).toMatchObject({ phase: 'stopped', wanted: 0 })
      })
    })

    describe('size', () => {
      test('grows to all its machines, ends, and the processes are really gone', async (lab) => {
        const spec = await started(lab, 3)
        const of = spec.tags
        const three = present(await look(lab.cloud, of))
        expect(new Set(ids(three)).size).toBe(3)
        await lab.cloud.end(of)
        const none = await until(lab.cloud, of, (seen) => seen.phase === 'stopped')
        expect(none.wanted).toBe(0)
        for (const machine of three) expect(await lab.lives(machine.id)).toBe(false)
        if (quirks.forGood) return expect(lab.cloud.start(spec)).rejects.toThrow()
        await lab.cloud.start(spec)
        await until(lab.cloud, of, (seen) => present(seen).length === 3)
      })

      test('numbered machines bear 0 … n-1', async (lab) => {
        const spec = await started(lab, 3)
        const machines = present(await look(lab.cloud, spec.tags))
        const numbers = machines.map((machine) => machine.index)
        if (numbers[0] !== undefined) expect(new Set(numbers)).toEqual(new Set([0, 1, 2]))
        for (const machine of machines) expect(Date.parse(machine.startedAt ?? '')).not.toBeNaN()
      })

      test('the same size twice changes nothing', async (lab) => {
        const spec = await started(lab, 2)
        const before = await look(lab.cloud, spec.tags)
        await lab.cloud.start(spec)
        await (await lab.reopen()).start(spec)
        const after = await look(lab.cloud, spec.tags)
        expect(after.machines.map((machine) => machine.id)).toEqual(before.machines.map((machine) => machine.id))
      })

      test('one deployment does not touch another, whether it is scaled or removed', async (lab) => {
        const { many = 3 } = quirks
        // Names and ids with a common prefix.
        const all = await Promise.all(
          Array.from({ length: many }, async (_, at) =>
            started(lab, 1, { id: `tpi-run${at}-0123456789`, name: `run${at}`, user: { number: `${at}` } }),
          ),
        )
        const tags = all.map((spec) => spec.tags)
        expect((await lab.cloud.list()).map((found) => found.tags).sort(byId)).toEqual(tags.toSorted(byId))
        const [stopped, removed, ...others] = tags
        const machines = async (): Promise<unknown> => Promise.all(others.map(async (of) => ids(present(await look(lab.cloud, of)))))
        const before = await machines()
        await lab.cloud.end(stopped!)
        await destroy(lab.cloud, removed!)
        await until(lab.cloud, stopped!, (seen) => seen.phase === 'stopped')
        expect(await machines()).toEqual(before)
        expect((await lab.cloud.list()).map((found) => found.tags).sort(byId)).toEqual(tags.filter((of) => of !== removed).sort(byId))
        const [lives] = present(await look(lab.cloud, others[0]!))
        expect(await lab.lives(lives!.id)).toBe(true)
        await Promise.all(others.map(async (of) => destroy(lab.cloud, of)))
        expect((await lab.cloud.list()).map((found) => found.tags)).toEqual([stopped])
      })
    })

    describe('machines', () => {
      test('one that is killed is replaced, and its end is reported', async (lab) => {
        const spec = await started(lab, 2)
        const of = spec.tags
        const [victim, other] = present(await look(lab.cloud, of))
        await lab.kill(victim!.id)
        const seen = await until(lab.cloud, of, (now) => present(now).length === 2 && !ids(present(now)).includes(victim!.id))
        expect(ids(present(seen))).toContain(other!.id)
        const gone = seen.machines.find((machine) => machine.id === victim!.id)
        expect(gone?.state).toBe('gone')
        expect(gone?.index).toBe(victim!.index)
        expect(gone?.reason).toBeTruthy()
        expect(seen.events.some((event) => event.kind === 'failure')).toBe(true)
        expect(await lab.lives(victim!.id)).toBe(false)
      })

      test('one that leaves is not replaced; when all have left, the group is stopped', async (lab) => {
        const spec = await started(lab, 2)
        const of = spec.tags
        await lab.finish(1)
        const one = await until(lab.cloud, of, (seen) => present(seen).length === 1 && seen.wanted === 1)
        expect(present(one)[0]?.index ?? 0).toBe(0)
        await lab.finish(0)
        await until(lab.cloud, of, (seen) => seen.phase === 'stopped' && seen.wanted === 0)
        expect((await lab.cloud.list())[0]?.phase).toBe('stopped')
      })

      test('one that leaves as the group is scaled to 0 takes nobody along, and the size stays 0', async (lab) => {
        const spec = await started(lab, 3)
        const of = spec.tags
        await lab.finish(2)
        const two = present(await until(lab.cloud, of, (seen) => present(seen).length === 2 && seen.wanted === 2))
        await Promise.all([lab.finish(1), lab.cloud.end(of)])
        await until(lab.cloud, of, (seen) => seen.phase === 'stopped' && seen.wanted === 0)
        for (const machine of two) expect(await lab.lives(machine.id)).toBe(false)
        await lab.cloud.end(of)
        expect(await look(lab.cloud, of)).toMatchObject({ phase: 'stopped', wanted: 0 })
      })

      test('one that asks for it is replaced', async (lab) => {
        await lab.play('exit 75')
        const spec = lab.spec()
        await create(lab.cloud, spec)
        await lab.cloud.start(spec)
        await until(lab.cloud, spec.tags, (seen) => seen.machines.some((machine) => machine.state === 'gone'))
        await lab.play('idle')
        await until(lab.cloud, spec.tags, (seen) => present(seen).some((machine) => machine.state === 'running'))
      })

      test('boots that fail are tried again, ever more slowly, with their boot logs', async (lab) => {
        await lab.play('exit 3')
        const spec = lab.spec()
        await create(lab.cloud, spec)
        await lab.cloud.start(spec)
        const seen = await until(lab.cloud, spec.tags, (now) => now.machines.filter((machine) => machine.state === 'gone').length >= 3)
        for (const machine of seen.machines.slice(0, 3)) {
          if (quirks.whole) {
            expect(machine.reason).toBeTruthy()
            continue
          }
          expect(machine).toMatchObject({ state: 'gone', reason: expect.stringContaining('3') })
          expect(machine.bootLog).toContain(machine.id)
        }
        expect(seen.phase).toBe('up')
      })

      test('events come oldest first and never change their place', async (lab) => {
        const spec = await started(lab, 1)
        const before = (await look(lab.cloud, spec.tags)).events
        await lab.kill(present(await look(lab.cloud, spec.tags))[0]!.id)
        const seen = await until(lab.cloud, spec.tags, (now) => now.events.length > before.length)
        expect(seen.events.slice(0, before.length)).toEqual(before)
        const times = seen.events.map((event) => event.at)
        expect(times).toEqual(times.toSorted((a, b) => (a < b ? -1 : 1)))
      })

      test('a reclaim gives notice and then a replacement', async (lab) => {
        await lab.play('obey')
        const spec = await started(lab, 2)
        const of = spec.tags
        if (!lab.cloud.interrupt) return
        const [first, second] = present(await look(lab.cloud, of)).sort((a, b) => (a.index ?? 0) - (b.index ?? 0))
        await lab.cloud.interrupt(of, first!.id)
        const seen = await until(lab.cloud, of, (now) => present(now).length === 2 && !ids(present(now)).includes(first!.id))
        expect(ids(present(seen))).toContain(second!.id)
        expect(seen.events.some((event) => event.kind === 'notice' && event.index === first!.index)).toBe(true)
        await lab.cloud.interrupt(of, undefined)
        await until(lab.cloud, of, (now) => present(now).length === 2 && !ids(present(now)).includes(second!.id))
        await expect(lab.cloud.interrupt(of, 'nobody-7')).rejects.toThrow('nobody-7')
      })

      test('removing ends machines and their scripts first', async (lab) => {
        await lab.play('script')
        const spec = await started(lab, 2)
        const machines = present(await look(lab.cloud, spec.tags))
        await destroy(lab.cloud, spec.tags)
        for (const machine of machines) expect(await lab.lives(machine.id)).toBe(false)
        expect(await look(lab.cloud, spec.tags)).toMatchObject({ phase: 'absent' })
      })
    })

    describe('crashes of our own', () => {
      test('repairing is quiet where all is well', async (lab) => {
        const spec = await started(lab, 1)
        expect((await lab.cloud.recover?.()) ?? []).toEqual([])
        expect(present(await look(lab.cloud, spec.tags))).toHaveLength(1)
      })

      test('living machines are kept, dead ones replaced', async (lab) => {
        const spec = await started(lab, 2)
        const of = spec.tags
        if (!lab.crash || !lab.cloud.recover) return
        const [victim, other] = present(await look(lab.cloud, of))
        await lab.crash(of.id)
        await lab.kill(victim!.id)
        expect(await (await lab.reopen()).recover?.()).not.toEqual([])
        const seen = await until(lab.cloud, of, (now) => present(now).length === 2 && !ids(present(now)).includes(victim!.id))
        expect(ids(present(seen))).toContain(other!.id)
        await lab.finish(0)
        await lab.finish(1)
        await until(lab.cloud, of, (now) => now.phase === 'stopped')
      })

      test('a follower alone is enough', async (lab) => {
        const spec = await started(lab, 1)
        const of = spec.tags
        if (!lab.crash) return
        const [victim] = present(await look(lab.cloud, of))
        await lab.crash(of.id)
        await lab.kill(victim!.id)
        await until(lab.cloud, of, (now) => present(now).length === 1 && !ids(present(now)).includes(victim!.id))
      })

      test('a group that nobody keeps can be scaled to 0 and removed', async (lab) => {
        const spec = await started(lab, 1)
        if (!lab.crash) return
        const [machine] = present(await look(lab.cloud, spec.tags))
        await lab.crash(spec.tags.id)
        await lab.cloud.end(spec.tags)
        await until(lab.cloud, spec.tags, (seen) => seen.phase === 'stopped')
        expect(await lab.lives(machine!.id)).toBe(false)
        await destroy(lab.cloud, spec.tags)
      })
    })
  })
}

/** Clouds of a lab on the computer's time are faster than the vendor says. */
const turn = async ({ pace = LOOK }: Resource): Promise<void> => time.pass(time === COMPUTER ? LOOK : pace)

/** Ensures all resources, stage by stage; resolves to the outcomes. */
export async function create(cloud: Cloud, spec: MachineSpec): Promise<string[]> {
  const outcomes: string[] = []
  for (const stage of await cloud.blueprint(spec)) outcomes.push(...(await Promise.all(stage.map(ensured))))
  return outcomes
}

/** Does what the engine does: it asks again for everything that is not done yet. */
async function ensured(resource: Resource): Promise<string> {
  for (;;) {
    const outcome = await resource.ensure()
    if (outcome !== 'pending') return outcome
    await turn(resource)
  }
}

/** Does what the engine does: size 0, then leftovers in reverse. */
export async function destroy(cloud: Cloud, of: Reference): Promise<void> {
  await cloud.end(of)
  await removeAll((await cloud.leftovers(of)).reverse().flat())
}

async function removeAll(resources: readonly Resource[]): Promise<Removed[]> {
  const outcomes: Removed[] = []
  for (const resource of resources) {
    let outcome = await resource.remove()
    while (outcome === 'pending') {
      await turn(resource)
      outcome = await resource.remove()
    }
    outcomes.push(outcome)
  }
  return outcomes
}

/** A group of `count` machines, all of them running. */
export async function started(lab: CloudLab, count: number, tags: Partial<DeploymentTags> = {}): Promise<MachineSpec> {
  const spec = lab.spec({ count, ...tags })
  await create(lab.cloud, spec)
  await lab.cloud.start(spec)
  await until(lab.cloud, spec.tags, (seen) => present(seen).filter((machine) => machine.state === 'running').length === count)
  return spec
}

export function present(seen: Observation): Machine[] {
  return seen.machines.filter((machine) => machine.state !== 'gone')
}

const ids = (machines: readonly Machine[]): string[] => machines.map((machine) => machine.id)
const byId = (a: DeploymentTags, b: DeploymentTags): number => (a.id < b.id ? -1 : 1)

/** Looks until the condition holds, for at most `limit` milliseconds of a calm machine; the error has the last observation. */
export async function until(cloud: Cloud, of: Reference, so: (seen: Observation) => boolean, limit = change): Promise<Observation> {
  const end = time.now() + limit * PATIENCE
  for (;;) {
    const seen = await look(cloud, of)
    if (so(seen)) return seen
    if (time.now() > end) throw new Error(`not so after ${limit * PATIENCE} ms: ${JSON.stringify(seen, undefined, 1)}`)
    await time.pass(LOOK)
  }
}
