/**
 * An account of a cloud in memory, with groups of machines in several regions. Vendor-neutral: a front translates it to a vendor's protocol
 * and words.
 * The rules are primarily those of Auto Scaling groups, because they come from their documentation:
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-health-checks.html (a machine that is not running is replaced),
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-termination-policies.html (which one ends),
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-scheduled-scaling.html (schedules: late, once, never in the past,
 * never two at one time).
 */
import { type CloudClock, realClock } from './clock.ts'
import { Fleet } from './fleet.ts'
import { Group } from './group.ts'
import { Supply } from './market.ts'
import { type GroupRequest, type Machine, type Maker, type Market, Refusal, type Schedule, type Times } from './types.ts'

/**
 * Approximate times of the real services; tests on a real clock divide them. Only two are documented, both for Auto Scaling: `giveUp`
 * (https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-suspend-resume-processes.html, administrative suspension) and `late`, on the page about
 * schedules. The others are estimates.
 */
export const VENDOR_TIMES: Times = {
  start: 20_000,
  health: 30_000,
  end: 40_000,
  parts: 20_000,
  retry: 60_000,
  giveUp: 24 * 3600_000,
  late: 120_000,
  lag: 0,
}

export const QUICK_TIMES: Times = { start: 50, health: 100, end: 100, parts: 100, retry: 500, giveUp: 60_000, late: 50, lag: 0 }
/** What differs from `QUICK_TIMES` for machines that really boot. */
export const BRISK: Partial<Times> = { end: 1000, health: 500, parts: 500 }

/** Of a group: https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-account-limits.html */
const MAX_SCHEDULES = 125

export interface WorldSettings {
  readonly clock?: CloudClock
  readonly times?: Partial<Times>
  /** Processors of a type, for quotas and prices. */
  readonly cores?: (type: string) => number
  readonly maker?: Maker
  /** Below 1: decides which of several machines ends, and how late schedules are. */
  readonly random?: () => number
}

export type Listener = (machine: Machine) => void

export class World {
  readonly clock: CloudClock
  readonly supply: Supply
  readonly fleet: Fleet
  readonly random: () => number
  times: Times
  readonly #groups = new Map<string, Group>()
  readonly #listeners = new Set<Listener>()
  #broken: unknown

  constructor({ clock = realClock(), times, cores = () => 2, maker, random = Math.random }: WorldSettings = {}) {
    this.clock = clock
    this.times = { ...VENDOR_TIMES, ...times }
    this.random = random
    this.supply = new Supply(cores)
    this.fleet = new Fleet(
      clock,
      () => this.times,
      this.supply,
      maker,
      (machine) => this.#changed(machine),
    )
  }

  /** Called at every change of a machine: state, notice. */
  listen(listener: Listener): void {
    this.#listeners.add(listener)
  }

  create(region: string, request: GroupRequest, because: string): Group {
    if (this.#groups.has(key(region, request.name))) throw new Refusal('exists', `there is a group ${request.name} already`)
    const group = new Group(this, region, request)
    this.#groups.set(key(region, request.name), group)
    group.resize({}, because)
    return group
  }

  /** `settled`: as reads see it, which is some time after its creation (`times.lag`). */
  find(region: string, name: string, settled = false): Group | undefined {
    const group = this.#groups.get(key(region, name))
    return group && (!settled || this.clock.now() - group.bornAt >= this.times.lag) ? group : undefined
  }

  groups(region: string): readonly Group[] {
    return [...this.#groups.values()].filter((group) => group.region === region && this.clock.now() - group.bornAt >= this.times.lag)
  }

  /** Refused while it has machines, unless they are removed too; then it is gone after the last of them. */
  remove(group: Group, force: boolean): void {
    if (!force && group.machines.length > 0) throw new Refusal('busy', `${group.name} still has machines`)
    group.leaving = true
    group.schedules.clear()
    for (const machine of group.machines) machine.protected = false
    group.sizes = { min: 0, wanted: 0, max: 0 }
    group.settle()
  }

  forget(group: Group): void {
    this.#groups.delete(key(group.region, group.name))
  }

  /** Replaces a schedule of the same name. It fires once, up to `times.late` late, and is then forgotten. */
  schedule(group: Group, schedule: Schedule): void {
    if (schedule.at <= this.clock.now()) throw new Refusal('invalid', 'the start time is in the past')
    const others = [...group.schedules.values()].filter(({ name }) => name !== schedule.name)
    if (others.some(({ at }) => at === schedule.at)) throw new Refusal('exists', 'another schedule of the group has this start time')
    if (others.length >= MAX_SCHEDULES) throw new Refusal('limit', `a group has at most ${MAX_SCHEDULES} schedules`)
    group.schedules.set(schedule.name, schedule)
    this.clock.at(schedule.at + this.random() * this.times.late, () => this.#fire(group, schedule))
  }

  #fire(group: Group, schedule: Schedule): void {
    if (group.schedules.get(schedule.name) !== schedule) return
    group.schedules.delete(schedule.name)
    if (group.suspended.has('schedule')) return
    try {
      group.resize(schedule.sizes, `executing scheduled action ${schedule.name}`)
    } catch (error) {
      // A request that no longer fits the group's limits does nothing.
      if (!(error instanceof Refusal)) throw error
    }
  }

  machine(id: string): Machine | undefined {
    return this.fleet.machines.get(id)
  }

  groupOf(machine: Machine): Group | undefined {
    return machine.group === undefined ? undefined : this.#groups.get(key(machine.region, machine.group))
  }

  /** Removes it from its group; it keeps running. */
  detach(machine: Machine, smaller: boolean): void {
    const group = this.groupOf(machine)
    if (!group) throw new Refusal('invalid', `${machine.id} is in no group`)
    if (smaller) group.sizes = { ...group.sizes, wanted: Math.max(group.sizes.min, group.sizes.wanted - 1) }
    machine.group = undefined
    group.settle()
  }

  /** The pool reclaims it: now, or after a notice that the machine can see. */
  reclaim(machine: Machine, noticeMs: number): void {
    if (noticeMs <= 0) return this.lose(machine, 'reclaimed')
    const at = this.clock.now()
    machine.notice = { at, due: at + noticeMs }
    this.#changed(machine)
    this.clock.at(machine.notice.due, () => this.lose(machine, 'reclaimed'))
  }

  /** It ended without a request of its group. */
  lose(machine: Machine, cause: 'reclaimed' | 'powered-off' | 'died'): void {
    if (machine.state === 'ending' || machine.state === 'gone') return
    const group = this.groupOf(machine)
    if (cause !== 'reclaimed' && group?.request.keepsOff) {
      if (machine.off) return
      machine.off = true
      return this.#changed(machine)
    }
    this.fleet.end(machine, cause)
    group?.lost(machine)
  }

  /** Ended by a request outside its group: the group sees a machine that is not running. */
  terminate(machine: Machine): void {
    if (machine.state === 'ending' || machine.state === 'gone') return
    this.fleet.end(machine, 'requested')
    this.groupOf(machine)?.lost(machine)
  }

  /** Spot machines of the pool whose owners would pay less are reclaimed at once. */
  setSpotPrice(region: string, zone: string, type: string, perHour: number): void {
    this.supply.setPrice({ region, zone, type, market: 'spot' }, perHour)
    for (const machine of this.fleet.present(region)) {
      if (machine.market === 'spot' && machine.place.zone === zone && machine.type === type && (machine.maxPrice ?? Infinity) < perHour)
        this.lose(machine, 'reclaimed')
    }
  }

  /** Processors in use, as quotas count them. */
  cores(region: string, market: Market): number {
    const present = this.fleet.present(region).filter((machine) => machine.market === market)
    return present.reduce((sum, { type }) => sum + this.supply.cores(type), 0)
  }

  /** Everything that exists and costs money or blocks something, one line each. */
  inventory(): readonly string[] {
    const groups = [...this.#groups.values()]
    return [
      ...groups.map(({ region, name }) => `group ${region}/${name}`),
      ...groups.flatMap(({ region, name, schedules }) => [...schedules.keys()].map((one) => `schedule ${region}/${name}/${one}`)),
      ...[...this.fleet.machines.values()].filter(({ state }) => state !== 'gone').map(({ region, id }) => `machine ${region}/${id}`),
      ...[...this.fleet.parts.values()].map(({ kind, id, machine }) => `${kind} ${id} of ${machine}`),
    ].toSorted()
  }

  /** An error inside the simulation must fail the test: nothing may hide it. */
  broken(error: unknown): void {
    this.#broken ??= error
  }

  stop(): void {
    this.clock.stop()
    if (this.#broken !== undefined) throw this.#broken
  }

  #changed(machine: Machine): void {
    for (const listener of this.#listeners) listener(machine)
    this.groupOf(machine)?.heard(machine)
  }
}

function key(region: string, name: string): string {
  return `${region}/${name}`
}
