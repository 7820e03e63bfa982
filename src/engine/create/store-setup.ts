/** The store of a deployment, made before it has its name: for most clouds a bucket that all share, for some a store of its own. */
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

/** Milliseconds between two looks, and until a store that does not answer counts as failed. */
const LOOK = 100
const EVENTS = 3_000
const LIMIT = 10 * 60_000
/** Milliseconds after which it is worth telling why a store does not answer that should. */
const SLOW = 20_000

export interface StoreReady {
  /** This call has made it, only for this deployment: nobody else can have anything in it. */
  readonly fresh: boolean
  /** Settles with the group: made by `make`, or already started with the store. */
  group(make: () => Promise<void>): Promise<void>
  /** Not needed if it was started ahead: its machines were requested then. */
  unlessBegun(act: () => Promise<void>): Promise<void>
  /** Nothing of it is being made any more. */
  settled(): Promise<void>
  /** Removes what this call has made or started: nobody else can need it yet. */
  readonly withdraw: (why: unknown) => Promise<void>
}

type Subject = Pick<Deployment, 'id' | 'incarnation' | 'name' | 'cloud' | 'store'>

/** Resolves when the store answers. If something goes wrong, what this call made is removed again, except what others use too. */
export async function setUpStore(engine: Engine, d: Subject, spec: MachineSpec, signal: AbortSignal): Promise<StoreReady> {
  const setup: StoreSetup = (await patiently(engine, async () => d.cloud.storeSetup?.(spec), signal)) ?? { stages: [] }
  const made: Resource[] = []
  const failed = new AbortController()
  let begun: Promise<void> | undefined
  const withdraw = async (why: unknown): Promise<void> => {
    failed.abort(why)
    if (begun) await clearBegun(engine, d, begun)
    // Only that: what existed before belongs to somebody else. The first resource that was made owns the rest.
    await removeStages(
      engine,
      made.map((resource) => [resource]),
    ).catch((problem: unknown) => engine.host.warn(messageOf(problem)))
  }
  try {
    // What is removed above must no longer be in the process of being made.
    for (const stage of setup.stages) await settleAll(stage.map(async (resource) => put(engine, resource, made, signal)))
    const fresh = madeRoot(made, setup.stages)
    if (fresh && setup.ahead) begun = setup.ahead().then(async (stages) => apply(engine, stages, failed.signal))
    // Its failure is reported to the callers that wait for it.
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

/** Something that others use too is not reported if it exists already, and is not removed. */
async function put(engine: Engine, resource: Resource, made: Resource[], signal: AbortSignal): Promise<void> {
  const { outcome } = await ensured(engine, resource, signal)
  if (outcome === 'created' && !resource.shared) made.push(resource)
  if (outcome !== 'found' || !resource.shared) engine.host.info(`${resource.kind} ${resource.name}: ${outcome}`)
}

/** The very first resource, which owns the rest. */
function madeRoot(made: readonly Resource[], stages: readonly (readonly Resource[])[]): boolean {
  const root = stages[0]?.[0]
  return root !== undefined && made.includes(root)
}

/** The group that was started ahead of a store which has not come up. */
async function clearBegun(engine: Engine, d: Subject, begun: Promise<void>): Promise<void> {
  await begun.catch(() => undefined)
  await clearGroup(engine, d).catch((problem: unknown) => engine.host.warn(messageOf(problem)))
}

/** The group that was started ahead and may not be used. */
async function clearGroup(engine: Engine, d: Subject): Promise<void> {
  await removeStages(engine, (await patiently(engine, async () => d.cloud.leftovers(d))).reverse())
}

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
    if (runs !== false && (await answers(d, (why) => runs && unreached.saw(why, clock.now())))) return
    if (clock.now() - looked > EVENTS) {
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

  /** `undefined`: it may only need a moment. */
  since(now: number): string | undefined {
    if (this.#first === undefined || now - this.#first < SLOW) return undefined
    return `it runs, but does not answer: ${this.#last}; ${this.#usually}`
  }
}

async function answers({ store, id }: Pick<Deployment, 'store' | 'id'>, silent: (why: unknown) => void): Promise<boolean> {
  try {
    await store.read(currentKey(id))
    return true
  } catch (error) {
    // Even if the source of credentials does not answer.
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
