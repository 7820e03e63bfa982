/**
 * The store of a deployment, which must exist before the deployment has its name: mostly a bucket that all share, on some clouds a store of its
 * own.
 */
import type { CloudEvent, MachineSpec, StoreSetup, StoreStart } from '../../core/cloud.ts'
import { AuthError, CapacityError, InputError, QuotaError, RemoteError, type TpiError } from '../../core/errors.ts'
import type { Resource } from '../../core/resource.ts'
import { settleAll } from '../../lib/settle-all.ts'
import { messageOf } from '../../lib/text.ts'
import { currentKey } from '../../wire/layout.ts'
import { isStoreError } from '../../wire/store.ts'
import type { Deployment, Engine } from '../deployment.ts'
import { removeStages } from '../destroy/stages.ts'
import { mayPass, patiently } from '../outage.ts'
import { apply, ensured } from './apply.ts'

/** Milliseconds between two requests to a store that is coming up. */
const LOOK = 100
/** Milliseconds between two looks at what its cloud says about it. */
const EVENTS = 3_000
/** Milliseconds after which a store that does not answer counts as failed. */
const LIMIT = 10 * 60_000
/** Milliseconds that a store which runs may take to answer before the user is told why it does not. */
const SLOW = 20_000

export interface StoreReady {
  /** This call has made the store, for this deployment alone: nobody else can have anything in it. */
  readonly fresh: boolean
  /** Resolves once the group is made: by `make`, unless it was already started with the store (`StoreSetup.ahead`). */
  group(make: () => Promise<void>): Promise<void>
  /** Acts unless the group was started with the store, and its machines requested with it. */
  unlessBegun(act: () => Promise<void>): Promise<void>
  /** Resolves once nothing of a group that was started with the store is being made any more. Never rejects. */
  settled(): Promise<void>
  /** Removes what this call has made or started, as long as the deployment has no name: nobody else can need it. */
  readonly withdraw: (why: unknown) => Promise<void>
}

type Subject = Pick<Deployment, 'id' | 'incarnation' | 'name' | 'cloud' | 'store'>

/** Resolves when the store answers. If it fails, what it has made is removed again, except what others also use. */
export async function setUpStore(engine: Engine, d: Subject, spec: MachineSpec, signal: AbortSignal): Promise<StoreReady> {
  const setup: StoreSetup = (await patiently(engine, async () => d.cloud.storeSetup?.(spec), signal)) ?? { stages: [] }
  const made: Resource[] = []
  const failed = new AbortController()
  let begun: Promise<void> | undefined
  const withdraw = async (why: unknown): Promise<void> => {
    failed.abort(why)
    if (begun) await clearBegun(engine, d, begun)
    // What existed before belongs to somebody else. In the order in which they were made, because the first resource owns the others.
    await removeStages(
      engine,
      made.map((resource) => [resource]),
    ).catch((problem: unknown) => engine.host.warn(messageOf(problem)))
  }
  try {
    // All of a stage settles, even if one fails: nothing may still be in the making when `withdraw` removes it.
    for (const stage of setup.stages) await settleAll(stage.map(async (resource) => put(engine, resource, made, signal)))
    const fresh = madeRoot(made, setup.stages)
    if (fresh && setup.ahead) begun = setup.ahead().then(async (stages) => apply(engine, stages, failed.signal))
    // Whoever waits for the group hears of its failure (`group`).
    begun?.catch(() => undefined)
    if (setup.starting) await answering(engine, d, setup.starting, signal)
    const early = begun
    return {
      fresh,
      group: async (make) => early ?? make(),
      unlessBegun: async (act) => (early ? undefined : act()),
      settled: async () => early?.catch(() => undefined),
      withdraw,
    }
  } catch (error) {
    await withdraw(error)
    throw error
  }
}

/** Makes it, and adds it to `made`, except what others also use. Tells the user, unless that exists already. */
async function put(engine: Engine, resource: Resource, made: Resource[], signal: AbortSignal): Promise<void> {
  const { outcome } = await ensured(engine, resource, signal)
  if (outcome === 'created' && !resource.shared) made.push(resource)
  if (outcome !== 'found' || !resource.shared) engine.host.info(`${resource.kind} ${resource.name}: ${outcome}`)
}

/** Whether the very first resource, which owns all others, was made now. */
function madeRoot(made: readonly Resource[], stages: readonly (readonly Resource[])[]): boolean {
  const root = stages[0]?.[0]
  return root !== undefined && made.includes(root)
}

/** Removes a group that was started with the store, once nothing of it is in the making. What cannot be removed is only reported. */
async function clearBegun(engine: Engine, d: Subject, begun: Promise<void>): Promise<void> {
  await begun.catch(() => undefined)
  try {
    await removeStages(engine, (await patiently(engine, async () => d.cloud.leftovers(d))).reverse())
  } catch (problem) {
    engine.host.warn(messageOf(problem))
  }
}

/** Resolves when the store answers. Throws as soon as its cloud says that it never will, or after `LIMIT`. */
async function answering(engine: Engine, d: Subject, starting: StoreStart, signal: AbortSignal): Promise<void> {
  const { clock, host } = engine
  const end = clock.now() + LIMIT
  const unreached = new Unreached(starting)
  const told = new Set<string>()
  const tell = (text: string, key = text): void => {
    if (!told.has(key)) host.info(`store: ${text}`)
    told.add(key)
  }
  let looked = clock.now()
  for (;;) {
    signal.throwIfAborted()
    const runs = starting.runs()
    const due = clock.now() - looked > EVENTS
    // What the cloud knows may be out of date, so the store itself is asked now and then in any case.
    if ((runs !== false || due) && (await answers(d, (why) => runs && unreached.saw(why, clock.now())))) return
    if (due) {
      looked = clock.now()
      const events = await patiently(engine, async () => starting.events())
      for (const { text } of events) tell(text)
      const hopeless = events.findLast(({ kind, hopeless: so }) => so || kind === 'denied' || kind === 'quota')
      if (hopeless) throw faultOf(d.name, hopeless)
      const why = unreached.since(looked)
      // Once, although its words may change with each try.
      if (why !== undefined) tell(why, starting.unreached)
      if (looked > end) throw why === undefined ? faultOf(d.name, events.at(-1)) : new RemoteError(`the store of "${d.name}": ${why}`)
    }
    await clock.sleep(LOOK, signal)
  }
}

/** Why a store that runs cannot be reached: the cloud itself does not know. */
class Unreached {
  readonly #usually: string
  #first: number | undefined
  #last = ''

  constructor({ unreached }: StoreStart) {
    this.#usually = unreached
  }

  saw(why: unknown, now: number): void {
    this.#first ??= now
    this.#last = messageOf(why)
  }

  /** Why it has not answered for longer than usual; `undefined`: it may only need a moment. */
  since(now: number): string | undefined {
    if (this.#first === undefined || now - this.#first < SLOW) return undefined
    return `it runs, but does not answer: ${this.#last}; ${this.#usually}`
  }
}

async function answers({ store, id }: Pick<Deployment, 'store' | 'id'>, silent: (why: unknown) => void): Promise<boolean> {
  try {
    await (store.reach ? store.reach() : store.read(currentKey(id)))
    return true
  } catch (error) {
    // An outage may also be one of whoever lends the credentials.
    if (!mayPass(error) && !isStoreError(error, 'gone')) throw error
    silent(error)
    return false
  }
}

function faultOf(name: string, event: CloudEvent | undefined): TpiError {
  if (event?.option !== undefined) {
    const hint = '`tpi doctor` shows what there is'
    return new InputError([{ option: event.option, message: `${event.option}: ${event.text}`, hint }])
  }
  const message = `the store of "${name}" does not start: ${event?.text ?? 'no reason is given'}`
  if (event?.kind === 'denied') return new AuthError(message)
  if (event?.kind === 'quota') return new QuotaError(message)
  if (event?.kind === 'capacity') return new CapacityError(message)
  return new RemoteError(message)
}
