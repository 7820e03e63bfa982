/** In which of several regions a task starts, and when it moves to another one: the region has no capacity, and nothing of the task has run. */
import { type Clock, HARMLESS, type Observation } from '../../core/cloud.ts'
import { describeError } from '../../core/errors.ts'
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
import { isPassedOver } from './region-order.ts'

/** Seconds, if no option says how long. */
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
    if (!next || signals.first.aborted || !failed.has(error) || !isPassedOver(error)) throw error
    host.warn(`${messageOf(error)}: trying ${next.cloud.region}`)
    return beginIn(context, [next, ...rest], parts)
  }
}

/** Nothing has run, there is no machine, and the cloud has said for long enough that it has none. */
export class Drought {
  readonly #over = new AbortController()
  readonly #clock: Pick<Clock, 'now'>
  readonly #until: number

  constructor(clock: Pick<Clock, 'now'>, { spot }: Pick<TaskRequest, 'spot'>, wait = WAIT) {
    this.#clock = clock
    // After that, machines at full price are tried too.
    const before = spot.want === 'prefer' ? (spot.wait ?? SPOT_WAIT) : 0
    this.#until = clock.now() + (before + wait) * 1000
  }

  get over(): AbortSignal {
    return this.#over.signal
  }

  /** A used-up quota or a missing permission does not count as lack of capacity: it ends the run, and is reported as such. */
  look(slots: readonly SlotRecord[], { machines, events }: Observation): void {
    if (this.#clock.now() < this.#until || !isUntouched(slots) || machines.some(({ state }) => state !== 'gone')) return
    if (events.findLast(({ kind }) => !HARMLESS.has(kind))?.kind === 'capacity') this.#over.abort()
  }
}

/**
 * For a run that is back where it was: a machine that came while another incarnation had its name lowers the size of the group when it
 * leaves, possibly late.
 */
export class Refill {
  readonly #engine: Engine
  readonly #d: Deployment
  #done = false

  constructor(engine: Engine, d: Deployment) {
    this.#engine = engine
    this.#d = d
  }

  /** Once. */
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
  /** Where it could not be made. */
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
      const moved = await this.#to(begun, next)
      if (moved) return moved
    }
  }

  /** `undefined`: it may be tried elsewhere. */
  async #to(begun: Begun, place: Preflight): Promise<Begun | undefined> {
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
      this.#closed = !isPassedOver(error)
      return undefined
    }
  }

  /** The first region in order where it has not been yet; only the same command continues with the same request. */
  async #next({ d, spec }: Begun): Promise<Preflight | undefined> {
    if (this.#closed || this.#places.length < 2 || !isSame(d.id, spec.fingerprint, this.#request)) return undefined
    const { moved = {} } = (await currentOf(d))?.value ?? {}
    const been = new Set([regionOf(d), ...Object.values(moved), ...this.#refused])
    return this.#places.find(({ cloud }) => cloud.region !== undefined && !been.has(cloud.region))
  }
}

/** A budget counts by the prices of the region. */
function requestAt({ budget }: Preflight, request: TaskRequest): TaskRequest {
  return budget ? { ...request, budget } : request
}

/** Without the work directory: what was uploaded is copied. */
function isSame(id: string, there: Readonly<Record<string, string>>, request: TaskRequest): boolean {
  return differences(there, fingerprint(id, comparable(request))).every((name) => name === 'workdir')
}
