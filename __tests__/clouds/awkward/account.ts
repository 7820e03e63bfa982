/** What the vendor of the awkward cloud has, as its API shows it: late, with a token that is valid for an hour, and not always. */
import type { Clock, CloudEvent, Machine, Observation, Reference } from '../../../src/core/cloud.ts'
import { RemoteError } from '../../../src/core/errors.ts'
import { settled, virtualClock } from '../../lab/vm/simulation/clock.ts'
import type { Group } from '../../lab/vm/simulation/group.ts'
import type { Activity } from '../../lab/vm/simulation/types.ts'
import { World } from '../../lab/vm/simulation/world.ts'

export const REGIONS = ['east-1', 'west-1'] as const
/** Milliseconds. */
export const LAG = 12_000
const HOUR = 3_600_000

export interface Made {
  readonly region: string
  readonly tags: Readonly<Record<string, string>>
  readonly since: number
  going?: number
  group?: Group
}

export class Throttled extends RemoteError {}

/** The account at the vendor. Every reader sees it late, and with a token that is valid for an hour. */
export class Account {
  readonly clock = virtualClock(Date.parse('2030-01-01T00:00:00Z'), atRest)
  readonly world: World
  readonly groups = new Map<string, Made>()
  /** Region of every group that ever existed, by name. */
  readonly #regions = new Map<string, string>()
  /** Networks that all deployments share. */
  readonly networks = new Set<string>()
  /** Regions that do not answer. */
  readonly away = new Set<string>()
  /** USD that a machine costs per hour; the market moves it. */
  price = 1
  calls = 0
  tokens = 0
  throttled = 0
  /** Whether groups are made with a dead-man's switch; on some clouds it does not reach every machine. */
  switches = true
  /** How many times a group was scaled up again. */
  resumed = 0
  /** Until when each token is valid, by number. */
  readonly #until = new Map<string, number>()
  readonly #past = new Map<string, { readonly at: number; readonly seen: Observation }[]>()
  #random = 7

  constructor() {
    this.world = new World({ clock: this.clock, random: () => this.random(), times: { start: 40_000, health: 60_000, retry: 60_000 } })
    this.world.listen(({ group }) => group !== undefined && this.note(group))
  }

  /** In [0, 1), the same in every run (Park and Miller). */
  random(): number {
    this.#random = (this.#random * 48_271) % 2_147_483_647
    return this.#random / 2_147_483_647
  }

  lend(): { credentials: { token: string }; until: string } {
    const token = String(++this.tokens)
    const until = this.clock.now() + HOUR
    this.#until.set(token, until)
    return { credentials: { token }, until: new Date(until).toISOString() }
  }

  /** A group exists, or is still being removed. */
  isUsed(region: string): boolean {
    return [...this.groups.values()].some((made) => made.region === region)
  }

  /** One call of the API: one in nine is throttled. */
  async call<T>(region: string, token: string | undefined, act: () => T): Promise<T> {
    this.calls += 1
    if (this.clock.now() >= (this.#until.get(token ?? '') ?? 0)) throw new Error('ExpiredToken')
    if (this.away.has(region)) throw new RemoteError(`${region} does not answer`, { retryable: true })
    if (this.calls % 9 === 0) {
      this.throttled += 1
      throw new Throttled('Throttling: rate exceeded', { retryable: true })
    }
    return act()
  }

  madeIn(name: string): string | undefined {
    return this.#regions.get(name)
  }

  /** Records the state of a group, which holds from now on. */
  note(name: string): void {
    const region = this.groups.get(name)?.region
    if (region !== undefined) this.#regions.set(name, region)
    const past = this.#past.get(name) ?? []
    past.push({ at: this.clock.now(), seen: this.#exactly(name) })
    this.#past.set(name, past)
  }

  /** The group as one replica has it; some are exact, the others late. */
  seen(name: string): Observation {
    const at = this.clock.now() - (this.random() < 0.3 ? 0 : LAG)
    return this.#past.get(name)?.findLast((one) => one.at <= at)?.seen ?? NOTHING
  }

  #exactly(name: string): Observation {
    const made = this.groups.get(name)
    const group = made?.group
    if (!group) return NOTHING
    const machines = [...this.world.fleet.machines.values()].filter(({ id }) => id.startsWith(`${name}-`)).map(machineOf)
    const events = group.activities.map(eventOf)
    const wanted = group.sizes.wanted
    const empty = wanted === 0 && machines.every(({ state }) => state === 'gone')
    return { phase: empty ? 'stopped' : 'up', wanted, machines, events }
  }
}

/** Waits for file operations of this host, which take no time in the simulation. */
async function atRest(): Promise<void> {
  do await settled()
  while (process.getActiveResourcesInfo().some((one) => one.startsWith('FSReq')))
}

/** The clock of a controller. */
export function clockOf({ clock }: Pick<Account, 'clock'>): Clock {
  return {
    now: () => clock.now(),
    date: () => new Date(clock.now()),
    sleep: async (time, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted()
        const undo = clock.at(clock.now() + time, () => (signal?.removeEventListener('abort', abort), resolve()))
        const abort = () => (undo(), reject(signal?.reason as Error))
        signal?.addEventListener('abort', abort, { once: true })
      }),
  }
}

export const NOTHING: Observation = { phase: 'absent', wanted: 0, machines: [], events: [] }
const STATES = { starting: 'starting', up: 'running', ending: 'leaving', gone: 'gone' } as const

function machineOf({ id, state, bornAt, cause }: { id: string; state: keyof typeof STATES; bornAt: number; cause?: string }): Machine {
  const startedAt = new Date(bornAt).toISOString()
  return { id, state: STATES[state], startedAt, ...(cause && { reason: cause, bootLog: `console of ${id}: ${cause}` }) }
}

function eventOf({ id, kind, at, because, reason }: Activity): CloudEvent {
  const date = new Date(at).toISOString()
  if (reason?.kind === 'capacity' || reason?.kind === 'quota')
    return { at: date, kind: reason.kind, text: `${id}: ${reason.kind} is missing` }
  return { at: date, kind: because.includes('health check') ? 'failure' : 'info', text: `${id} ${kind}: ${because}` }
}

export const nameOf = ({ id, incarnation }: Reference): string => `${id}-${incarnation}`
