/** In which regions a task may run: where machines are likeliest first, and in the next one where there are none before anything has run. */
import type { Cloud, Observation } from '../../core/cloud.ts'
import { deploymentId } from '../../core/identity.ts'
import { fingerprint } from '../../engine/create/fingerprint.ts'
import { readSpec, recorded } from '../../engine/deployment.ts'
import { destroy } from '../../engine/destroy/destroy.ts'
import { currentOf } from '../../engine/owner/silence.ts'
import { messageOf } from '../../lib/text.ts'
import type { Begun } from '../../task/begin.ts'
import { comparable } from '../../task/request.ts'
import type { SlotRecord } from '../../wire/slot.ts'
import type { VerbContext } from '../shared/context.ts'
import { taskRequest } from './request.ts'

/** Seconds, where nobody says how long. */
const WAIT = 600

/** The command once for each region, in their order: just one where no others are named, or where it runs already. */
export async function regionsOf(context: VerbContext): Promise<readonly VerbContext[]> {
  const { 'other-regions': others } = context.values as { readonly 'other-regions'?: readonly string[] }
  const [first] = others?.length ? await context.clouds() : []
  if (!first?.cloud.region || !others) return [context]
  const given = [...new Set([context.values.region ?? first.cloud.region, ...others])]
  const there = await running(context, given)
  if (there) return [there]
  const { spot } = context.values
  const regions = spot === 'false' ? given : await likeliest(context, first.cloud, given)
  if (regions.join() !== given.join()) context.host.info(`regions in this order: ${regions.join(', ')}`)
  // At the full price only where there is no other region any more.
  return Promise.all(
    regions.map(async (region, at) => context.inRegion({ region, ...(spot === 'prefer' && at < regions.length - 1 && { spot: 'true' }) })),
  )
}

async function likeliest(context: VerbContext, cloud: Cloud, regions: readonly string[]): Promise<readonly string[]> {
  return (
    (await cloud.likeliest?.(taskRequest(context), regions).catch((error: unknown) => {
      context.host.debug(`where machines are likeliest is not known: ${messageOf(error)}`)
      return undefined
    })) ?? regions
  )
}

/** The command for the region in which it was begun before, as it was begun there. */
async function running(context: VerbContext, regions: readonly string[]): Promise<VerbContext | undefined> {
  const { name } = taskRequest(context)
  const id = deploymentId(context.owner, name)
  for (const region of regions) {
    const there = await context.inRegion({ region })
    const [found] = await there.clouds()
    if (!found) continue
    const { id: cloudId, cloud } = found
    const store = await context.access((await context.storage()) ?? (await cloud.store(id)))
    const current = await currentOf({ cloud, store, id })
    if (!current) continue
    const d = recorded({ cloudId, cloud, store, id, name }, current.value)
    const before = (await readSpec(d).catch(() => undefined))?.fingerprint['spot']
    const cheaper = await context.inRegion({ region: d.region ?? region, spot: 'true' })
    const { spot } = fingerprint(id, comparable(taskRequest(cheaper)))
    return before === spot ? cheaper : context.inRegion({ region: d.region ?? region })
  }
  return undefined
}

/** Nothing has run, no machine is there, and the cloud has said for long enough that it has none to give. */
export class Drought {
  readonly #over = new AbortController()
  readonly #until: number
  readonly #now: () => number

  constructor({ values, engine: { clock } }: VerbContext) {
    const { 'region-wait': wait = WAIT } = values as { readonly 'region-wait'?: number }
    this.#now = () => clock.now()
    this.#until = clock.now() + wait * 1000
  }

  get over(): AbortSignal {
    return this.#over.signal
  }

  look(slots: readonly SlotRecord[], { machines, events }: Observation): void {
    if (this.#now() < this.#until || slots.some(({ epoch }) => epoch > 0) || machines.some(({ state }) => state !== 'gone')) return
    if (events.some(({ kind }) => kind === 'capacity')) this.#over.abort()
  }
}

/** Given back here, to be begun in that one. */
export async function moveOn({ engine, host }: VerbContext, { d, spec }: Begun, next: VerbContext): Promise<void> {
  host.warn(`no machine was to be had in ${d.region ?? d.cloud.region}: going on in ${next.values.region}`)
  await destroy(engine, d, { why: 'discard', lease: spec.lease })
}
