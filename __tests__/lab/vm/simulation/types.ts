/** The types of the simulation of groups of machines: the same for every vendor, whose front translates them. */

export type Market = 'spot' | 'on-demand'

/** A zone, and the subnet (or the like) of its machines. */
export interface Place {
  readonly zone: string
  readonly id: string
}

export interface Choice {
  readonly type: string
  /** The most that a spot machine may cost per hour. */
  readonly maxPrice?: number
  /** This choice is taken only if there is no room for one of a lower rank. */
  readonly rank?: number
}

export interface Sizes {
  readonly min: number
  readonly wanted: number
  readonly max: number
}

/**
 * What happens to the wanted size when a machine is lost: `refill` replaces it wherever there is room, `repair` replaces it in the same zone,
 * `shrink` makes the group smaller by one.
 */
export type OnLoss = 'refill' | 'repair' | 'shrink'

export interface GroupRequest extends Sizes {
  readonly name: string
  readonly places: readonly Place[]
  readonly choices: readonly Choice[]
  /** The first `base` machines are on demand, and this share of the others. */
  readonly onDemand: { readonly base: number; readonly share: number }
  readonly onLoss: OnLoss
  /** A machine that powers itself off or dies stays, switched off, billed, and still counted. */
  readonly keepsOff?: boolean
  /** New machines are protected from removal when the group shrinks. */
  readonly protects?: boolean
  /** The front's template for machines. */
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
  /** It powered itself off or died, but its group keeps it. */
  off?: boolean
  /** When its pool announced the reclaim, and when it is due. */
  notice?: { readonly at: number; readonly due: number }
  cause?: Cause
  goneAt?: number
}

/** Interface, disk or address of a machine. Parts that are not removed with it stay and cost money. */
export interface Part {
  readonly kind: 'interface' | 'disk' | 'address'
  readonly id: string
  readonly machine: string
  readonly goesWithIt: boolean
}

/** What a launch asks of the maker of machines. */
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
  /** The vendor's own sentence, if the maker had one. */
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
  /** The cause, if the launched machine ended before it was up. */
  cut?: Cause
}

export interface Schedule {
  readonly name: string
  readonly at: number
  readonly sizes: Partial<Sizes>
}

export type RefusalKind = 'exists' | 'absent' | 'invalid' | 'busy' | 'limit'

/** The control plane's refusal of a request. */
export class Refusal extends Error {
  readonly kind: RefusalKind

  constructor(kind: RefusalKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** Durations in milliseconds of the simulation's clock. */
export interface Times {
  /** From the order to a machine that boots. */
  readonly start: number
  /** Until the group sees that a machine is no longer running. */
  readonly health: number
  /** From the request to a machine that is gone. */
  readonly end: number
  /** Until interface, disk and address of a machine that is gone are removed. */
  readonly parts: number
  /** Between two tries of a failed launch. */
  readonly retry: number
  /** After failures for this long, the vendor stops trying. */
  readonly giveUp: number
  /** How late a schedule may fire. */
  readonly late: number
  /** How long a change stays invisible to reads. */
  readonly lag: number
}
