/** What a machine of a deployment costs per hour. Only reports need it: if the cloud does not answer, it stays unknown. */
import type { Deployment } from '../../engine/deployment.ts'
import { inTime } from '../../lib/clock.ts'
import type { VerbContext } from './context.ts'

/** Milliseconds: nobody waits longer for a number in a report. */
const PATIENCE = 5000

/** USD; `undefined` if it is not known. */
export async function priceOf(context: VerbContext, d: Deployment): Promise<number | undefined> {
  return priceIn(context, d)()
}

/** The same for a command that waits for something else first: it is asked for now. */
export function priceIn(context: VerbContext, d: Deployment): () => Promise<number | undefined> {
  const free = freeOf(context, d.cloudId)
  if (free !== undefined || !d.cloud.price) return async () => free
  const asked = d.cloud.price(d).catch((error: unknown) => {
    context.host.debug(`the price of its machines is not known: ${String(error)}`)
    return undefined
  })
  return async () => inTime(context.engine.clock, PATIENCE, asked)
}

/** 0 if machines cost nothing at all. */
export function freeOf(context: VerbContext, cloud: string): 0 | undefined {
  return context.billed(cloud) ? undefined : 0
}
