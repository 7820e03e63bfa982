/** In which of several regions a task starts, and when it moves to another one: the region has no capacity, and nothing of the task has run. */
import { type Clock, HARMLESS, type Observation } from '../../core/cloud.ts'
import { AuthError, describeError, QuotaError } from '../../core/errors.ts'
import { differences, fingerprint } from '../../engine/create/fingerprint.ts'
import type { Deployment, Engine } from '../../engine/deployment.ts'
import { currentOf } from '../../engine/owner/silence.ts'
import { raiseAgain } from '../../engine/raise-unless-stopped.ts'
import { messageOf } from '../../lib/text.ts'
import { type Begin, type Begun, begin } from '../../task/begin.ts'
import { isUntouched, move, regionOf, Stays } from '../../task/move.ts'
import { comparable, type TaskRequest } from '../../task/request.ts'
import { SPOT_WAIT } from '../../wire/machine-side.ts'
import { isTerminal, type SlotRecord } from '../../wire/slot.ts'
import type { VerbContext } from '../shared/context.ts'
import type { Preflight } from './preflight.ts'

/** Seconds without capacity before a task moves, if `region-wait` does not say how long. */
const WAIT = 600

/** Creates it in the first region in which it can be made. */
export async function beginIn(
  context: VerbContext,
  [place, ...others]: readonly [Preflight, ...Preflight[]],
  parts: Omit<Begin, 'storeAccess'>,
): Promise<Begun> {
  const { host, engine, signals } = context
  const request = requestAt(place, parts.request)
  const failed = new Set<unknown>()
  const unmade = (why: unknown): unknown => failed.add(why)
  try {
    return await host.section(`Create (${place.cloudId})`, () =>
      begin(engine, place, { ...parts, request, storeAccess: place.access, unmade }),
    )
  } catch (error) {
    const [next, ...rest] = others
    if (!next || signals.first.aborted || !failed.has(error) || !mayWorkElsewhere(error)) throw error
    host.warn(`${messageOf(error)}: trying ${next.cloud.region}`)
    return beginIn(context, [next, ...rest], parts)
  }
}

/** A quota or a missing permission is for the user to change. After any other failure, the next region is tried. */
function mayWorkElsewhere(error: unknown): boolean {
  return !(error instanceof QuotaError || error instanceof AuthError)
}

/** Notices that a region has no capacity: the cloud has said so for long enough, there is no machine, and nothing has run. */
export class Drought {
  readonly #over = new AbortController()
  readonly #clock: Pick<Clock, 'now'>
  readonly #until: number

  constructor(clock: Pick<Clock, 'now'>, { spot }: Pick<TaskRequest, 'spot'>, wait = WAIT) {
    this.#clock = clock
    // Machines at full price are only tried after this time.
    const before = spot.want === 'prefer' ? (spot.wait ?? SPOT_WAIT) : 0
    this.#until = clock.now() + (before + wait) * 1000
  }

  /** Aborts when the task should move. */
  get over(): AbortSignal {
    return this.#over.signal
  }

  /** A used-up quota or a missing permission does not count as lack of capacity: it ends the run, and is reported as such. */
  look(slots: readonly SlotRecord[], { machines, events }: Observation): void {
    if (this.#clock.now() < this.#until || !isUntouched(slots) || machines.some(({ state }) => state !== 'gone')) return
    // The latest one: an event that is said again keeps its place among the others, and gets a later time.
    const [latest] = events.filter(({ kind }) => !HARMLESS.has(kind)).toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
    if (latest?.kind === 'capacity') this.#over.abort()
  }
}

/**
 * Restores the size of the group of a run that was to move but stays. If a machine came while another incarnation had the run's name, it leaves
 * again, perhaps late, and lowers that size.
 */
export class Refill {
  readonly #engine: Engine
  readonly #d: Deployment
  #done = false

  constructor(engine: Engine, d: Deployment) {
    this.#engine = engine
    this.#d = d
  }

  /** Acts once at most. */
  look(slots: readonly SlotRecord[], { wanted }: Observation): void {
    if (this.#done || !isUntouched(slots) || wanted >= slots.filter(({ state }) => !isTerminal(state)).length) return
    this.#done = true
    void raiseAgain(this.#engine, this.#d).catch((error: unknown) => this.#engine.host.warn(`${this.#d.name}: ${describeError(error)}`))
  }
}

/** Where a task may move, as long as this command follows it. */
export class Regions {
  readonly #context: VerbContext
  readonly #request: TaskRequest
  readonly #places: readonly Preflight[]
  /** Regions in which it could not be made. */
  readonly #refused = new Set<string>()
  /** It must not move any more. */
  #closed = false

  /** `places`: those in which it can run, in their order. */
  constructor(context: VerbContext, request: TaskRequest, places: readonly Preflight[]) {
    this.#context = context
    this.#request = request
    this.#places = places
  }

  /** Starts to watch for a lack of capacity; `undefined`: there is no other region left. */
  async watch(begun: Begun): Promise<Drought | undefined> {
    const { engine, values } = this.#context
    const next = await this.#next(begun)
    const { 'region-wait': wait } = values as { readonly 'region-wait'?: number }
    return next && new Drought(engine.clock, this.#request, wait)
  }

  /** Resolves to the run in the region where it goes on: another one, or this one. */
  async moveOn(begun: Begun): Promise<Begun> {
    for (;;) {
      const next = await this.#next(begun)
      if (!next) return { ...begun, back: true }
      const moved = await this.#moveTo(begun, next)
      if (moved) return moved
    }
  }

  /** `undefined`: it may be tried in the next region. */
  async #moveTo(begun: Begun, place: Preflight): Promise<Begun | undefined> {
    const { host, engine, signals } = this.#context
    const [here, there] = [regionOf(begun.d), place.cloud.region ?? '']
    host.warn(`no machine was available in ${here}: moving to ${there}`)
    const request = requestAt(place, this.#request)
    try {
      const parts = { request, storeAccess: place.access, agent: await this.#context.agent(), signal: signals.first }
      const made = await host.section(`Go on in ${there}`, async () => move(engine, begun, place.cloud, parts))
      // Another command was faster: followers find out where it is.
      return made ? { ...made, attached: begun.attached, moved: true } : { ...begun, back: true }
    } catch (error) {
      if (signals.first.aborted) return begun
      host.warn(`${begun.d.name} keeps waiting in ${here}: ${describeError(error)}`)
      if (error instanceof Stays) return { ...begun, back: true }
      this.#refused.add(there)
      this.#closed = !mayWorkElsewhere(error)
      return undefined
    }
  }

  /** The next region in which it has not been. None if this command's request differs from that of the run, which must not change by a move. */
  async #next({ d, spec }: Begun): Promise<Preflight | undefined> {
    if (this.#closed || this.#places.length < 2 || !isSame(d.id, spec.fingerprint, this.#request)) return undefined
    const { moved = {} } = (await currentOf(d))?.value ?? {}
    const been = new Set([regionOf(d), ...Object.values(moved), ...this.#refused])
    return this.#places.find(({ cloud }) => cloud.region !== undefined && !been.has(cloud.region))
  }
}

/** The request with the budget of that region, which counts by the prices there. */
function requestAt({ budget }: Preflight, request: TaskRequest): TaskRequest {
  return budget ? { ...request, budget } : request
}

/** Whether the run was started by the same request. The work directory does not matter: a move copies what was uploaded. */
function isSame(id: string, there: Readonly<Record<string, string>>, request: TaskRequest): boolean {
  return differences(there, fingerprint(id, comparable(request))).every((name) => name === 'workdir')
}
