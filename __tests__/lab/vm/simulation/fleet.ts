/** Machines and their parts, from the order to the removal of the last interface; groups decide, and this carries it out. */
import type { CloudClock } from './clock.ts'
import type { Supply } from './market.ts'
import type { Cause, Machine, Made, Maker, Order, Part, Times } from './types.ts'

export class Fleet {
  readonly machines = new Map<string, Machine>()
  readonly parts = new Map<string, Part>()
  readonly #clock: CloudClock
  readonly #times: () => Times
  readonly #supply: Supply
  readonly #maker: Maker
  readonly #changed: (machine: Machine) => void
  #number = 0

  constructor(clock: CloudClock, times: () => Times, supply: Supply, maker: Maker | undefined, changed: (machine: Machine) => void) {
    this.#clock = clock
    this.#times = times
    this.#supply = supply
    this.#maker = maker ?? { make: (order) => Promise.resolve(this.#record(order)) }
    this.#changed = changed
  }

  /** The room is taken before the machine is made, and given back if that fails. */
  async launch(order: Order, protects: boolean): Promise<Machine> {
    const pool = { ...order, zone: order.place.zone }
    this.#supply.take(pool)
    let made: Made
    try {
      made = await this.#maker.make(order)
    } catch (error) {
      this.#supply.giveBack(pool)
      throw error
    }
    const { region, place, type, market, maxPrice, group } = order
    const machine: Machine = {
      id: made.id,
      region,
      place,
      type,
      market,
      ...(maxPrice !== undefined && { maxPrice }),
      group,
      state: 'starting',
      healthy: true,
      protected: protects,
      bornAt: this.#clock.now(),
    }
    this.machines.set(machine.id, machine)
    for (const part of made.parts) this.parts.set(part.id, { ...part, machine: machine.id })
    this.#tell(machine)
    this.#clock.at(this.#clock.now() + this.#times().start, () => {
      if (machine.state !== 'starting') return
      machine.state = 'up'
      this.#tell(machine)
    })
    return machine
  }

  /** Idempotent: a machine that is ending keeps its first cause. `after`: milliseconds until it is gone. */
  end(machine: Machine, cause: Cause, after = this.#times().end): void {
    if (machine.state === 'ending' || machine.state === 'gone') return
    machine.state = 'ending'
    machine.cause = cause
    this.#tell(machine)
    this.#clock.at(this.#clock.now() + after, () => {
      machine.state = 'gone'
      machine.goneAt = this.#clock.now()
      // A reclaimed machine's room belongs to somebody else now.
      if (machine.cause !== 'reclaimed') this.#supply.giveBack({ ...machine, zone: machine.place.zone })
      this.#tell(machine)
      this.#clock.at(this.#clock.now() + this.#times().parts, () => this.#clear(machine))
    })
  }

  /** Machines of the region that are not gone. */
  present(region: string): readonly Machine[] {
    return [...this.machines.values()].filter((machine) => machine.region === region && machine.state !== 'gone')
  }

  #clear({ id }: Machine): void {
    for (const part of this.parts.values()) if (part.machine === id && part.goesWithIt) this.parts.delete(part.id)
  }

  #tell(machine: Machine): void {
    this.#maker.changed?.(machine)
    this.#changed(machine)
  }

  #record({ group }: Order): Made {
    const id = `${group}-${++this.#number}`
    const kinds = ['interface', 'disk', 'address'] as const
    return { id, parts: kinds.map((kind) => ({ kind, id: `${id}-${kind}`, goesWithIt: true })) }
  }
}
