/** Finds everything that can be wrong with a task before anything is created. */
import { InputError, refuse } from '../../core/errors.ts'
import { deploymentId } from '../../core/identity.ts'
import type { Place } from '../../engine/deployment.ts'
import type { OpenCloud } from '../../engine/find.ts'
import { messageOf } from '../../lib/text.ts'
import { machineRequest } from '../../task/create.ts'
import type { TaskRequest } from '../../task/request.ts'
import type { Budget } from '../../wire/budget.ts'
import { lifetimeOf } from '../../wire/lifetime.ts'
import type { StoreAccess } from '../../wire/store.ts'
import type { VerbContext } from '../shared/context.ts'
import { budgetOf, quoteOf } from '../shared/quote.ts'
import { storageFor } from '../shared/storage.ts'
import { inOrder } from './region-order.ts'

export interface Preflight extends Place {
  readonly access: StoreAccess
  readonly budget?: Budget
}

/** Checks each named region in which the task can run, starting with the best chances for machines. Reports why the others are left out. */
export async function preflight(context: VerbContext, request: TaskRequest): Promise<readonly [Preflight, ...Preflight[]]> {
  const [found] = await context.clouds()
  if (!found) throw new InputError('cloud: none is available')
  found.cloud.foresee?.(request)
  const clouds = await inOrder(context, found, request)
  const looks = await Promise.allSettled(clouds.map(async (one) => preflightOn(context, one, request)))
  const [first, ...rest] = looks.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const wrong = looks.flatMap((one, at) =>
    one.status === 'rejected' ? [{ where: clouds[at]?.cloud.region, why: one.reason as unknown }] : [],
  )
  if (!first) throw wrong[0]?.why
  for (const { where, why } of wrong) context.host.warn(`region: ${where} is left out: ${messageOf(why)}`)
  return [first, ...rest]
}

async function preflightOn(context: VerbContext, { id: cloudId, cloud }: OpenCloud, request: TaskRequest): Promise<Preflight> {
  const id = deploymentId(context.owner, request.name)
  cloud.foresee?.(request)
  await cloud.whoami()
  const access = await storageFor(context, cloud, id)
  const createdAt = context.engine.clock.date().toISOString()
  const draft = {
    id,
    name: request.name,
    incarnation: '',
    mode: 'task' as const,
    createdAt,
    origin: context.owner.origin,
    count: request.count,
    lifetime: lifetimeOf(createdAt, request),
  }
  const place = { cloudId, cloud, store: await context.access(access), id, name: request.name }
  refuse(await cloud.faults(machineRequest(draft, request, access)))
  const budget =
    request.maxCost === undefined ? undefined : budgetOf(await quoteOf(context, { cloudId, cloud }, request), request.maxCost, request.spot)
  return { ...place, access, ...(budget && { budget }) }
}
