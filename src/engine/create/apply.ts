/** Creating a group, stage by stage; whatever goes wrong on the way, what this run created is removed again. */
import type { MachineSpec } from '../../core/cloud.ts'
import type { Ensured, Resource } from '../../core/resource.ts'
import type { Deployment, Engine } from '../deployment.ts'
import { removeStages } from '../destroy/destroy.ts'
import { patiently } from '../patience.ts'

/** Milliseconds before a resource is asked again whose turn has not come: it waits for another that is in the making. */
const TURN = 50

/** Ensures every resource of the blueprint: stages in order, members of a stage in parallel. Leaves the group at size 0, unless it is `ahead`. */
export async function apply(engine: Engine, d: Deployment, spec: MachineSpec, signal?: AbortSignal): Promise<void> {
  const stages = await d.cloud.blueprint(spec)
  const total = stages.flat().length
  const made: Resource[][] = []
  let count = 0
  try {
    for (const stage of stages) {
      made.push(stage)
      const outcomes = await Promise.allSettled(
        stage.map(async (resource) => {
          const started = engine.clock.now()
          const outcome = await ensured(engine, resource, signal)
          count += 1
          engine.host.info(
            `[${count}/${total}] ${resource.kind} ${resource.name}: ${outcome} (${((engine.clock.now() - started) / 1000).toFixed(1)}s)`,
          )
        }),
      )
      // Only now: what is removed below must not be in the making any more.
      const failed = outcomes.find((outcome) => outcome.status === 'rejected')
      if (failed) throw failed.reason
    }
  } catch (error) {
    engine.host.info('creation failed: removing what was created')
    await removeStages(engine, made.reverse()).catch((problem: unknown) => engine.host.warn(String(problem)))
    throw error
  }
}

async function ensured(engine: Engine, resource: Resource, signal: AbortSignal | undefined): Promise<Ensured> {
  for (;;) {
    const outcome = await patiently(engine, async () => resource.ensure())
    if (outcome !== 'pending') return outcome
    await engine.clock.sleep(TURN, signal)
  }
}
