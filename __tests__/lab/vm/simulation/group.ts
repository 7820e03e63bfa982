/** One group: keeps the wanted number of machines, by the rules that the vendors document. */

import { type Activity, type GroupRequest, type Machine, type Market, type Reason, Refusal, type Schedule, type Sizes } from './types.ts'
import type { World } from './world.ts'

const NOT_RUNNING = 'an instance was taken out of service in response to an EC2 health check indicating it has been terminated or stopped'

/** Names of processes that can be suspended: then the group does nothing of that kind by itself. */
export type Process = 'launch' | 'end' | 'replace' | 'balance' | 'schedule'

export class Group {
  readonly request: GroupRequest
  readonly region: string
  readonly bornAt: number
  readonly world: World
  readonly activities: Activity[] = []
  readonly schedules = new Map<string, Schedule>()
  readonly suspended = new Set<Process>()
  sizes: Sizes
  /** The group is removed as soon as its last machine is gone. */
  leaving = false
  /** Why the vendor has stopped trying. */
  gaveUp: string | undefined
  #launching = 0
  #failingSince: number | undefined
  #retry: (() => void) | undefined
  #because = ''
  /** Zones whose machines must be repaired: the next machines start only there. */
  readonly #repairs: string[] = []
  #number = 0

  constructor(world: World, region: string, request: GroupRequest) {
    this.world = world
    this.region = region
    this.request = request
    this.bornAt = world.clock.now()
    this.sizes = sane({ min: request.min, wanted: request.wanted, max: request.max })
  }

  get name(): string {
    return this.request.name
  }

  /** All machines that it still counts, including those that are ending. */
  get machines(): readonly Machine[] {
    return this.world.fleet.present(this.region).filter(({ group }) => group === this.name)
  }

  get #staying(): readonly Machine[] {
    return this.machines.filter(({ state }) => state !== 'ending')
  }

  /** Unnamed sizes stay; the wanted size is moved between new limits (UpdateAutoScalingGroup, parameters MinSize and MaxSize). */
  resize(change: Partial<Sizes>, because: string): void {
    const { min, max } = { ...this.sizes, ...change }
    const wanted = change.wanted ?? Math.min(max, Math.max(min, this.sizes.wanted))
    this.sizes = sane({ min, max, wanted })
    this.#because = because
    this.gaveUp = undefined
    this.settle()
  }

  /** The machine leaves the group, which either wants one fewer or replaces it. */
  leave(machine: Machine, how: 'smaller' | 'replace', because: string): Activity {
    if (how === 'smaller') {
      if (this.sizes.wanted <= this.sizes.min && machine.state !== 'ending')
        throw new Refusal('invalid', `the group is at its minimum size of ${this.sizes.min}`)
      if (machine.state !== 'ending') this.sizes = { ...this.sizes, wanted: this.sizes.wanted - 1 }
    }
    const activity = this.#end(machine, because)
    this.settle()
    return activity
  }

  /** One of its machines went by itself: reclaimed, powered off, or dead. */
  lost(machine: Machine): void {
    if (this.request.onLoss === 'shrink') {
      this.sizes = { ...this.sizes, wanted: Math.max(this.sizes.min, this.sizes.wanted - 1) }
      return
    }
    const { clock, times } = this.world
    clock.at(clock.now() + times.health, () => {
      machine.healthy = false
      const activity = this.#note('end', NOT_RUNNING)
      activity.machine = machine.id
      this.heard(machine)
      if (this.request.onLoss === 'repair') this.#repairs.push(machine.place.zone)
      if (!this.suspended.has('replace')) this.settle()
    })
  }

  /** A running machine that is reported unhealthy is ended and replaced. */
  unhealthy(machine: Machine, because: string): void {
    machine.healthy = false
    if (this.suspended.has('replace')) return
    this.#end(machine, because)
    this.settle()
  }

  protect(machine: Machine, request: boolean): void {
    machine.protected = request
  }

  /** Brings the number of machines to the wanted number; launches that fail are tried again later. */
  settle(): void {
    const { sizes } = this
    const staying = this.#staying.length + this.#launching
    if (staying < sizes.wanted && !this.leaving && !this.suspended.has('launch') && this.gaveUp === undefined) {
      // One after the other: each decision depends on the machines after the previous one.
      if (this.#launching === 0) this.#launch()
    }
    if (staying > sizes.wanted && !this.suspended.has('end')) {
      for (const machine of this.#victims(this.#staying.length - sizes.wanted)) this.#end(machine, this.#because)
    }
    if (this.leaving && this.machines.length === 0 && this.#launching === 0) this.world.forget(this)
  }

  /** Unprotected machines, those of the fullest zone first; no vendor promises which of them, so it is random. */
  #victims(count: number): readonly Machine[] {
    const chosen: Machine[] = []
    while (chosen.length < count) {
      const left = this.#staying.filter((machine) => !machine.protected && !chosen.includes(machine))
      const inZone = (zone: string): number => left.filter(({ place }) => place.zone === zone).length
      const most = Math.max(0, ...left.map(({ place }) => inZone(place.zone)))
      const fullest = left.filter(({ place }) => inZone(place.zone) === most)
      const one = fullest[Math.floor(this.world.random() * fullest.length)]
      if (!one) break
      chosen.push(one)
    }
    return chosen
  }

  #end(machine: Machine, because: string): Activity {
    const running = this.activities.find(({ kind, machine: id }) => kind === 'end' && id === machine.id)
    if (running) return running
    const activity = this.#note('end', because)
    activity.machine = machine.id
    this.world.fleet.end(machine, 'requested')
    return activity
  }

  #launch(): void {
    const { world, request, region } = this
    const market = this.#market()
    const activity = this.#note('launch', this.#because)
    const found = world.supply.choose(
      { region, market, places: request.places, choices: request.choices, one: this.#repairs[0] },
      this.#staying,
      (of) => world.cores(region, of),
    )
    if ('kind' in found) {
      this.#failed(activity, found)
      return
    }
    this.#launching++
    const { place, type } = found
    world.fleet
      .launch({ ...found, group: this.name, template: request.template }, request.protects ?? false)
      .then(
        (machine) => {
          this.#launching--
          this.#failingSince = undefined
          activity.machine = machine.id
          if (machine.place.zone === this.#repairs[0]) this.#repairs.shift()
          this.settle()
        },
        (error: unknown) => {
          this.#launching--
          const reason = error instanceof LaunchFailure ? error.kind : 'invalid'
          const said = error instanceof Error ? error.message : String(error)
          this.#failed(activity, { kind: reason, market, type, zone: place.zone, said })
        },
      )
      .catch((error: unknown) => world.broken(error))
  }

  #market(): Market {
    const { base, share } = this.request.onDemand
    const onDemand = this.#staying.filter(({ market }) => market === 'on-demand').length
    const above = Math.max(0, this.sizes.wanted - base)
    return onDemand < base + Math.ceil(above * share) ? 'on-demand' : 'spot'
  }

  #failed(activity: Activity, reason: Reason): void {
    const { clock, times } = this.world
    Object.assign(activity, { state: 'failed', endedAt: clock.now(), reason })
    this.#failingSince ??= clock.now()
    if (clock.now() - this.#failingSince >= times.giveUp) {
      this.gaveUp = 'launching has failed for too long'
      return
    }
    this.#retry?.()
    // The longer it has failed, the more rarely it tries: days that a test skips are no thousands of attempts.
    const pause = Math.max(times.retry, (clock.now() - this.#failingSince) / 4)
    this.#retry = clock.at(Math.min(clock.now() + pause, this.#failingSince + times.giveUp), () => {
      this.#retry = undefined
      this.settle()
    })
  }

  #note(kind: Activity['kind'], because: string): Activity {
    const at = this.world.clock.now()
    const activity: Activity = { id: `${this.name}#${++this.#number}`, group: this.name, kind, at, because, state: 'under-way' }
    this.activities.push(activity)
    return activity
  }

  /** The state that its machine reaches ends the activity about it. */
  heard(machine: Machine): void {
    const cut = machine.state === 'ending' || machine.state === 'gone' ? this.#underWay('launch', machine) : undefined
    if (cut) Object.assign(cut, { state: 'failed', endedAt: this.world.clock.now(), cut: machine.cause })
    const kind = machine.state === 'up' ? 'launch' : machine.state === 'gone' ? 'end' : undefined
    const activity = kind && this.#underWay(kind, machine)
    if (activity) Object.assign(activity, { state: 'done', endedAt: this.world.clock.now() })
    if (machine.state === 'gone' && this.leaving) this.settle()
  }

  #underWay(kind: Activity['kind'], { id }: Machine): Activity | undefined {
    return this.activities.findLast((one) => one.kind === kind && one.machine === id && one.state === 'under-way')
  }
}

/** A maker's reason why it cannot make a machine, with its kind. */
export class LaunchFailure extends Error {
  readonly kind: Reason['kind']

  constructor(kind: Reason['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

function sane(sizes: Sizes): Sizes {
  const { min, wanted, max } = sizes
  if (min < 0 || min > max) throw new Refusal('invalid', `the minimum size of ${min} does not fit below the maximum of ${max}`)
  if (wanted < min || wanted > max) throw new Refusal('invalid', `the wanted size of ${wanted} is not between ${min} and ${max}`)
  return sizes
}
