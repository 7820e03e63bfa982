/** The order in which the given regions are tried: as given, or those with the best chances for spot machines first. */
import type { Cloud } from '../../core/cloud.ts'
import type { OpenCloud } from '../../engine/find.ts'
import { messageOf } from '../../lib/text.ts'
import type { TaskRequest } from '../../task/request.ts'
import type { VerbContext } from '../shared/context.ts'

/** One cloud for each named region, starting with the one in which a task will most likely get its machines. */
export async function inOrder({ host }: VerbContext, { id, cloud }: OpenCloud, request: TaskRequest): Promise<readonly OpenCloud[]> {
  const { regions = [] } = cloud
  if (regions.length < 2 || !cloud.inRegion) return [{ id, cloud }]
  const order = request.spot.want === 'never' ? regions : await likeliest(cloud, request, host)
  if (order.join() !== regions.join()) host.info(`regions in this order, by their spot placement scores: ${order.join(', ')}`)
  return order.map((region) => ({ id, cloud: region === cloud.region ? cloud : (cloud.inRegion?.(region) ?? cloud) }))
}

async function likeliest(cloud: Cloud, request: TaskRequest, host: VerbContext['host']): Promise<readonly string[]> {
  const { regions = [] } = cloud
  const asked = cloud.likeliest?.(request).catch((error: unknown) => {
    host.debug(`the region with the best chances is not known: ${messageOf(error)}`)
    return regions
  })
  return (await asked) ?? regions
}
