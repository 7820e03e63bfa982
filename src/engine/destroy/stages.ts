/** Removing resources, stage by stage; what cannot be removed is named. */
import { RemoteError } from '../../core/errors.ts'
import type { Removed, Resource } from '../../core/resource.ts'
import { Waited } from '../../lib/staleness.ts'
import { messageOf } from '../../lib/text.ts'
import type { Engine } from '../deployment.ts'
import { patiently } from '../outage.ts'
import { PENDING_LIMIT, PENDING_POLL } from './await-empty.ts'

/** Something is left. The deployment stays marked as being removed, so the removal can be tried again. */
export class RemovalError extends RemoteError {}

/** Removes stages in this order, and goes on after errors. Throws `RemovalError` that names everything that is left. */
export async function removeStages(
  engine: Engine,
  stages: readonly (readonly Resource[])[],
  hint = 'run the same command again',
): Promise<void> {
  const problems: string[] = []
  for (const stage of stages) {
    await Promise.all(
      stage.map(async (resource) => {
        try {
          await removeOne(engine, resource)
        } catch (error) {
          problems.push(`${resource.kind} ${resource.name}: ${messageOf(error)}`)
        }
      }),
    )
  }
  if (problems.length > 0) throw new RemovalError(`could not remove: ${problems.join('; ')}`, { hint })
}

/** Resolves when the resource is gone, or when the cloud finishes the removal by itself. Throws after ten minutes. */
export async function removeOne(engine: Engine, resource: Resource): Promise<Removed> {
  const waited = new Waited(engine.clock)
  for (;;) {
    const outcome = await patiently(engine, async () => resource.remove())
    if (outcome === 'going') engine.host.info(`${resource.kind} ${resource.name}: the cloud removes it in its own time`)
    if (outcome === 'used') engine.host.debug(`${resource.kind} ${resource.name}: stays, others use it`)
    if (outcome === 'removed') engine.host.debug(`${resource.kind} ${resource.name}: removed`)
    if (outcome !== 'pending') return outcome
    if (waited.time > PENDING_LIMIT) throw new Error('still there after 10 minutes')
    await engine.clock.sleep(resource.pace ?? PENDING_POLL)
  }
}
