/** Creating a group, stage by stage; whatever goes wrong on the way, what this run created is removed again. */

import type { Ensured, Resource } from '../../core/resource.ts'
import { settleAll } from '../../lib/settle-all.ts'
import type { Engine } from '../deployment.ts'
import { removeStages } from '../destroy/stages.ts'
import { patiently } from '../outage.ts'

/** Milliseconds before a resource is asked again whose turn has not come: it waits for another that is in the making. */
const TURN = 50

/**
 * Ensures every resource of a blueprint: stages in order, members of a stage in parallel.
 * `hold`: rejects where it is not ours to make any more.
 */
export async function apply(
  engine: Engine,
  stages: readonly (readonly Resource[])[],
  signal?: AbortSignal,
  hold: () => Promise<void> = async () => undefined,
): Promise<void> {
  const total = stages.flat().length
  const made: Resource[][] = []
  let count = 0
  try {
    for (const stage of stages) {
      const mine: Resource[] = []
      made.push(mine)
      // What is removed below must not be in the making any more.
      await settleAll(
        stage.map(async (resource) => {
          const started = engine.clock.now()
          // Whatever happens from here on; but what was there before, or is others' too, is not taken back.
          if (!resource.shared) mine.push(resource)
          const { outcome, clean } = await ensured(engine, resource, signal, hold)
          if (clean && outcome !== 'created') mine.splice(mine.indexOf(resource), 1)
          count += 1
          engine.host.info(
            `[${count}/${total}] ${resource.kind} ${resource.name}: ${outcome} (${((engine.clock.now() - started) / 1000).toFixed(1)}s)`,
          )
        }),
      )
    }
  } catch (error) {
    engine.host.info('creation failed: removing what was created')
    await removeStages(engine, made.reverse()).catch((problem: unknown) => engine.host.warn(String(problem)))
    throw error
  }
}

/** Asked until it is no longer in the making. `clean`: no try failed. One that did may have made it all the same, and the next then only found it. */
export async function ensured(
  engine: Engine,
  resource: Resource,
  signal: AbortSignal | undefined,
  hold: () => Promise<void> = async () => undefined,
): Promise<{ readonly outcome: Ensured; readonly clean: boolean }> {
  let tries = 0
  for (;;) {
    const outcome = await patiently(engine, async () => {
      await hold()
      tries += 1
      return resource.ensure()
    })
    tries -= 1
    if (outcome !== 'pending') return { outcome, clean: tries === 0 }
    await engine.clock.sleep(resource.pace ?? TURN, signal)
  }
}
