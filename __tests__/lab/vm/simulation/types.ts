/** What the simulation of groups of machines knows: the same for every vendor, whose front puts it into its own words. */

export type Market = 'spot' | 'on-demand'

/** A zone, and what machines in it are attached to (a subnet). */
export interface Place {
  readonly zone: string
  readonly id: string
}

export interface Choice {
  readonly type: string
  /** Of spot machines, per hour. */
  readonly maxPrice?: number
  /** As long as there is room for one of a lower rank, this one is not taken. */
  readonly rank?: number
}

export interface Sizes {
  readonly min: number
  readonly wanted: number
  readonly max: number
}

/**
 * What becomes of the wanted size when a machine is lost: `refill` another takes its place wherever there is room, `repair` one in the same zone,
 * `shrink` the group is one smaller.
 */
export type OnLoss = 'refill' | 'repair' | 'shrink'

export interface GroupRequest extends Sizes {
  readonly name: string
  readonly places: readonly Place[]
  readonly choices: readonly Choice[]
  /** The first `base` machines are on demand, and this share of those above. */
  readonly onDemand: { readonly base: number; readonly share: number }
  readonly onLoss: OnLoss
  /** A machine that powers itself off or whose system dies stays, off and paid for, and counts as before. */
  readonly keepsOff?: boolean
  /** New machines are protected from being chosen when the group shrinks. */
  readonly protects?: boolean
  /** What the front makes machines from. */
  readonly template: unknown
}

export type MachineState = 'starting' | 'up' | 'ending' | 'gone'

/** Why a machine ends: its group or a person asked for it, its spot pool took it back, it powered itself off, or it died. */
export type Cause = 'requested' | 'reclaimed' | 'powered-off' | 'died'

export interface Machine {
  readonly id: string
  readonly region: string
  readonly place: Place
  readonly type: string
  readonly market: Market
  readonly maxPrice?: number
  readonly bornAt: number
  /** The group that counts it; a detached machine has none. */
  group: string | undefined
  state: MachineState
  healthy: boolean
  protected: boolean
  /** It powered itself off or died, and its group keeps it. */
  off?: boolean
  /** When the pool said that it takes it back, and for when. */
  notice?: { readonly at: number; readonly due: number }
  cause?: Cause
  goneAt?: number
}

/** Interface, disk or address of a machine. What does not go with it stays and costs money. */
export interface Part {
  readonly kind: 'interface' | 'disk' | 'address'
  readonly id: string
  readonly machine: string
  readonly goesWithIt: boolean
}

/** What a launch asks of whoever makes machines. */
export interface Order {
  readonly region: string
  readonly group: string
  readonly place: Place
  readonly type: string
  readonly market: Market
  readonly maxPrice?: number
  readonly template: unknown
}

export interface Made {
  readonly id: string
  readonly parts: readonly Omit<Part, 'machine'>[]
}

/** The vendor's own record of machines (for AWS: moto's EC2). */
export interface Maker {
  make(order: Order): Promise<Made>
  /** The machine's state or group has changed. */
  changed?(machine: Machine): void
}

export type ReasonKind = 'capacity' | 'quota' | 'price' | 'denied' | 'invalid'

/** Why a machine could not be created. */
export interface Reason {
  readonly kind: ReasonKind
  readonly market: Market
  readonly type: string
  readonly zone: string
  /** The vendor's own sentence, where whoever makes machines had one. */
  readonly said?: string
}

export interface Activity {
  readonly id: string
  readonly group: string
  readonly kind: 'launch' | 'end'
  readonly at: number
  readonly because: string
  machine?: string
  state: 'under-way' | 'done' | 'failed'
  endedAt?: number
  reason?: Reason
  /** Of a launch whose machine ended before it was up: why that did. */
  cut?: Cause
}

export interface Schedule {
  readonly name: string
  readonly at: number
  readonly sizes: Partial<Sizes>
}

export type RefusalKind = 'exists' | 'absent' | 'invalid' | 'busy' | 'limit'

/** What the control plane answers instead of doing it. */
export class Refusal extends Error {
  readonly kind: RefusalKind

  constructor(kind: RefusalKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** How long things take, in milliseconds of the simulation's clock. */
export interface Times {
  /** From the order to a machine that boots. */
  readonly start: number
  /** Until the group sees that a machine is no longer running. */
  readonly health: number
  /** From the request to a machine that is gone. */
  readonly end: number
  /** Until interface, disk and address of a machine that is gone are gone too. */
  readonly parts: number
  /** Between two tries to make what could not be created. */
  readonly retry: number
  /** Only failures for so long: the vendor stops trying. */
  readonly giveUp: number
  /** How late a schedule may fire. */
  readonly late: number
  /** How long a change stays invisible to questions. */
  readonly lag: number
}
