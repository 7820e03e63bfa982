/** Making the store of a deployment, in clouds where each has its own. */
import type { AgentBundle, CloudEvent, MachineSpec } from '../core/cloud.ts'
import { AuthError, CapacityError, QuotaError, RemoteError, type TpiError } from '../core/errors.ts'
import type { Resource } from '../core/resource.ts'
import { currentKey } from '../wire/layout.ts'
import { isStoreError, type StoreAccess } from '../wire/store.ts'
import type { Deployment, Engine } from './deployment.ts'
import { removeStages } from './destroy.ts'
import { patiently } from './patience.ts'

/** Milliseconds between two looks, and until a store that does not answer counts as failed. */
const LOOK = 100
const EVENTS = 2_000
const LIMIT = 10 * 60_000

export interface StoreParts {
  readonly agent: AgentBundle
  readonly storeAccess: StoreAccess
  readonly signal: AbortSignal
}

/** Resolves when the store answers. What this call made is removed again when something goes wrong. */
export async function furnishStore(
  engine: Engine,
  d: Pick<Deployment, 'id' | 'name' | 'cloud' | 'store'>,
  spec: Omit<MachineSpec, 'store' | 'agent'>,
  parts: StoreParts,
): Promise<void> {
  const own = d.cloud.ownStore
  if (!own?.holds(parts.storeAccess)) return
  const made: Resource[] = []
  try {
    for (const stage of await own.blueprint({ ...spec, agent: parts.agent.digest })) {
      await Promise.all(
        stage.map(async (resource) => {
          const outcome = await patiently(engine, async () => resource.ensure())
          if (outcome === 'created') made.push(resource)
          engine.host.info(`${resource.kind} ${resource.name}: ${outcome}`)
        }),
      )
    }
    await answering(engine, d, parts.signal)
  } catch (error) {
    // Nothing but that: what was there before belongs to somebody. The first one made owns the rest.
    await removeStages(
      engine,
      made.map((resource) => [resource]),
    ).catch((problem: unknown) => engine.host.warn(String(problem)))
    throw error
  }
}

async function answering(engine: Engine, d: Pick<Deployment, 'id' | 'name' | 'cloud' | 'store'>, signal: AbortSignal): Promise<void> {
  const end = engine.clock.now() + LIMIT
  let told = 0
  let looked = engine.clock.now()
  for (;;) {
    signal.throwIfAborted()
    if (await answers(d)) return
    if (engine.clock.now() - looked > EVENTS) {
      looked = engine.clock.now()
      const events = (await patiently(engine, async () => d.cloud.ownStore?.events(d.id))) ?? []
      for (const { text } of events.slice(told)) engine.host.info(`store: ${text}`)
      told = events.length
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
    if (isStoreError(error, 'unavailable') || isStoreError(error, 'gone')) return false
    throw error
  }
}

function faultOf(name: string, event: CloudEvent | undefined): TpiError {
  const message = `the store of "${name}" does not come up: ${event?.text ?? 'no reason is given'}`
  if (event?.kind === 'denied') return new AuthError(message)
  if (event?.kind === 'quota') return new QuotaError(message)
  if (event?.kind === 'capacity') return new CapacityError(message)
  return new RemoteError(message)
}
