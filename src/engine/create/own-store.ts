/** Making the store of a deployment, in clouds where each has its own. */
import type { AgentBundle, CloudEvent, MachineSpec } from '../../core/cloud.ts'
import { AuthError, CapacityError, InputError, QuotaError, RemoteError, type TpiError } from '../../core/errors.ts'
import type { Resource } from '../../core/resource.ts'
import { toTheEnd } from '../../lib/to-the-end.ts'
import { currentKey } from '../../wire/layout.ts'
import { isStoreError, type StoreAccess } from '../../wire/store.ts'
import type { Deployment, Engine } from '../deployment.ts'
import { removeStages } from '../destroy/destroy.ts'
import { mayPass, patiently } from '../retry.ts'

/** Milliseconds between two looks, and until a store that does not answer counts as failed. */
const LOOK = 100
const EVENTS = 3_000
const LIMIT = 10 * 60_000

export interface StoreParts {
  readonly agent: AgentBundle
  readonly storeAccess: StoreAccess
  readonly signal: AbortSignal
}

export interface Furnished {
  /** This call has made it: nobody else can have anything in it. */
  readonly fresh: boolean
  /** Settles with what was begun ahead, where it was. */
  readonly ahead?: Promise<void>
  /** Takes back what this call has made, and what was begun ahead: nobody can have come to need it. */
  readonly withdraw: (why: unknown) => Promise<void>
}

/**
 * Resolves when the store answers. What this call made is removed again when something goes wrong. `ahead` is for the time until then: it is
 * called where this call has made the store, so that nobody else can have anything of this deployment.
 */
export async function furnishStore(
  engine: Engine,
  d: Pick<Deployment, 'id' | 'incarnation' | 'name' | 'cloud' | 'store'>,
  spec: Omit<MachineSpec, 'store' | 'agent'>,
  parts: StoreParts,
  ahead?: (signal: AbortSignal) => Promise<void>,
): Promise<Furnished> {
  const own = d.cloud.ownStore
  if (!own?.holds(parts.storeAccess)) return { fresh: false, async withdraw() {} }
  const made: Resource[] = []
  const failed = new AbortController()
  let begun: Promise<void> | undefined
  const withdraw = async (why: unknown): Promise<void> => {
    failed.abort(why)
    if (begun) await clearBegun(engine, d, begun)
    // Nothing but that: what was there before belongs to somebody. The first one made owns the rest.
    await removeStages(
      engine,
      made.map((resource) => [resource]),
    ).catch((problem: unknown) => engine.host.warn(String(problem)))
  }
  try {
    const stages = await own.blueprint({ ...spec, agent: parts.agent.digest })
    for (const stage of stages) {
      // What is removed below must not be in the making any more.
      await toTheEnd(
        stage.map(async (resource) => {
          const outcome = await patiently(engine, async () => resource.ensure())
          if (outcome === 'created') made.push(resource)
          engine.host.info(`${resource.kind} ${resource.name}: ${outcome}`)
        }),
      )
    }
    const fresh = madeRoot(made, stages)
    if (fresh) begun = ahead?.(failed.signal)
    // Whoever waits for it hears of it.
    begun?.catch(() => undefined)
    await answering(engine, d, parts.signal)
    return { fresh, ...(begun ? { ahead: begun } : {}), withdraw }
  } catch (error) {
    await withdraw(error)
    throw error
  }
}

/** The first of all, which owns the rest. */
function madeRoot(made: readonly Resource[], stages: readonly (readonly Resource[])[]): boolean {
  const root = stages[0]?.[0]
  return root !== undefined && made.includes(root)
}

/** What was begun ahead of a store that has not come up. */
async function clearBegun(engine: Engine, d: Pick<Deployment, 'id' | 'incarnation' | 'cloud'>, begun: Promise<void>): Promise<void> {
  await begun.catch(() => undefined)
  await clearGroup(engine, d).catch((problem: unknown) => engine.host.warn(String(problem)))
}

/** The group that was begun ahead and may not be used. */
async function clearGroup(engine: Engine, d: Pick<Deployment, 'id' | 'incarnation' | 'cloud'>): Promise<void> {
  await removeStages(engine, (await patiently(engine, async () => d.cloud.leftovers(d))).reverse())
}

async function answering(
  engine: Engine,
  d: Pick<Deployment, 'id' | 'incarnation' | 'name' | 'cloud' | 'store'>,
  signal: AbortSignal,
): Promise<void> {
  const end = engine.clock.now() + LIMIT
  let shown = 0
  let looked = engine.clock.now()
  for (;;) {
    signal.throwIfAborted()
    if (d.cloud.ownStore?.mayAnswer?.(d) !== false && (await answers(d))) return
    if (engine.clock.now() - looked > EVENTS) {
      looked = engine.clock.now()
      const events = (await patiently(engine, async () => d.cloud.ownStore?.events(d))) ?? []
      for (const { text } of events.slice(shown)) engine.host.info(`store: ${text}`)
      shown = events.length
      const hopeless = events.findLast(({ kind, hopeless: so }) => so || kind === 'denied' || kind === 'quota')
      if (hopeless) throw faultOf(d.name, hopeless)
      if (looked > end) throw faultOf(d.name, events.at(-1))
    }
    await engine.clock.sleep(LOOK, signal)
  }
}

async function answers({ store, id }: Pick<Deployment, 'store' | 'id'>): Promise<boolean> {
  try {
    await store.read(currentKey(id))
    return true
  } catch (error) {
    // Also where what is asked for credentials does not answer.
    if (mayPass(error) || isStoreError(error, 'gone')) return false
    throw error
  }
}

function faultOf(name: string, event: CloudEvent | undefined): TpiError {
  if (event?.option !== undefined) {
    const hint = 'tpi doctor shows what there is'
    return new InputError([{ option: event.option, message: `${event.option}: ${event.text}`, hint }])
  }
  const message = `the store of "${name}" does not start: ${event?.text ?? 'no reason is given'}`
  if (event?.kind === 'denied') return new AuthError(message)
  if (event?.kind === 'quota') return new QuotaError(message)
  if (event?.kind === 'capacity') return new CapacityError(message)
  return new RemoteError(message)
}
