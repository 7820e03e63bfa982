/** Creating what a blueprint names, stage by stage. If anything goes wrong, what was created is removed again. */

import type { Ensured, Resource } from '../../core/resource.ts'
import { settleAll } from '../../lib/settle-all.ts'
import { messageOf } from '../../lib/text.ts'
import type { Engine } from '../deployment.ts'
import { removeStages } from '../destroy/stages.ts'
import { patiently } from '../outage.ts'

/** Milliseconds before a resource whose turn has not come yet is tried again, if it does not say (`Resource.pace`). */
const TURN = 50

/**
 * Ensures every resource of a blueprint: stages in order, members of a stage in parallel. `hold` is called before each try, and rejects if another
 * controller may have taken over.
 */
export async function apply(
  engine: Engine,
  stages: readonly (readonly Resource[])[],
  signal?: AbortSignal,
  hold: () => Promise<void> = async () => undefined,
): Promise<void> {
  const total = stages.flat().length
  const made: Set<Resource>[] = []
  let count = 0
  try {
    for (const stage of stages) {
      const mine = new Set<Resource>()
      made.push(mine)
      // All of them settle, even if one fails: nothing may still be in the making when it is removed below.
      await settleAll(
        stage.map(async (resource) => {
          const started = engine.clock.now()
          // Before the first try, because even one that fails may have made the resource. Taken off again if it existed before.
          if (!resource.shared) mine.add(resource)
          const { outcome, clean } = await ensured(engine, resource, signal, hold)
          if (clean && outcome !== 'created') mine.delete(resource)
          count += 1
          engine.host.info(
            `[${count}/${total}] ${resource.kind} ${resource.name}: ${outcome} (${((engine.clock.now() - started) / 1000).toFixed(1)}s)`,
          )
        }),
      )
    }
  } catch (error) {
    engine.host.info('creation failed: removing what was created')
    const newestFirst = made.reverse().map((stage) => [...stage])
    await removeStages(engine, newestFirst).catch((problem: unknown) => engine.host.warn(messageOf(problem)))
    throw error
  }
}

/**
 * Ensures one resource; repeated until it is no longer `pending`. `clean`: no try failed. A try that fails may still have made the resource, and
 * the next one then only finds it.
 */
export async function ensured(
  engine: Engine,
  resource: Resource,
  signal: AbortSignal | undefined,
  hold: () => Promise<void> = async () => undefined,
): Promise<{ readonly outcome: Ensured; readonly clean: boolean }> {
  let clean = true
  const ensure = async (): Promise<Ensured> => {
    try {
      return await resource.ensure()
    } catch (error) {
      clean = false
      throw error
    }
  }
  for (;;) {
    const outcome = await patiently(engine, async () => hold().then(ensure))
    if (outcome !== 'pending') return { outcome, clean }
    await engine.clock.sleep(resource.pace ?? TURN, signal)
  }
}
