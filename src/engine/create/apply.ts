/** Creating a group, stage by stage; whatever goes wrong on the way, what this run created is removed again. */

import type { Ensured, Resource } from '../../core/resource.ts'
import { settleAll } from '../../lib/settle-all.ts'
import { messageOf } from '../../lib/text.ts'
import type { Engine } from '../deployment.ts'
import { removeStages } from '../destroy/stages.ts'
import { patiently } from '../outage.ts'

/** Milliseconds before a resource that has to wait for another one is tried again. */
const TURN = 50

/**
 * Ensures every resource of a blueprint: stages in order, members of a stage in parallel.
 * `hold`: rejects if another controller may have taken over.
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
          // Noted whatever happens from here on. What existed before, or is used by others too, is not removed.
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
    await removeStages(engine, made.reverse()).catch((problem: unknown) => engine.host.warn(messageOf(problem)))
    throw error
  }
}

/**
 * Repeated until it is no longer `pending`. `clean`: no try failed. A failed try may still have made the resource, so that the next one
 * only found it.
 */
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
