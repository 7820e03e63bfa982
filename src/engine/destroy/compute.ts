/** Machines, and everything that a cloud has of one incarnation, but the store. */
import { describeError } from '../../core/errors.ts'
import type { Resource } from '../../core/resource.ts'
import type { Deployment, Engine } from '../deployment.ts'
import { patiently } from '../outage.ts'
import { untilEmpty } from './await-empty.ts'
import { removeOne, removeStages } from './stages.ts'

export const again = (d: Pick<Deployment, 'id'>): string => `run: \`tpi destroy ${d.id}\``

/** Compute to nothing, and everything of the cloud but the store. `true`: a machine may live that nobody saw die. `settled`: it was made long ago. */
export async function removeCompute(engine: Engine, d: Deployment, settled: boolean): Promise<boolean> {
  const look = async (): Promise<Resource[][]> => patiently(engine, async () => d.cloud.leftovers(d))
  // What was made a moment ago a cloud may not show yet: then the look comes after the waiting.
  const beside = settled && d.cloud.steadyLeftovers?.(d) ? look() : undefined
  // It is heard below.
  beside?.catch(() => undefined)
  const whole = settled ? d.cloud.wholeGroup?.(d) : undefined
  if (whole && (await endsWhole(engine, d, whole))) {
    const rest = (await (beside ?? look())).map((stage) => stage.filter((one) => !isSame(one, whole)))
    await removeStages(engine, rest.reverse(), again(d))
    return false
  }
  const survivors = await emptyGroup(engine, d)
  await removeStages(engine, (await ((whole ? undefined : beside) ?? look())).reverse(), again(d))
  return survivors
}

/** `false`: it was not there, or would not go: what its machines do is still to be seen. */
async function endsWhole(engine: Engine, d: Deployment, whole: Resource): Promise<boolean> {
  try {
    const first = await patiently(engine, async () => whole.remove())
    if (first !== 'pending') return first === 'removed'
    // Whatever holds it up, its machines go.
    await d.cloud.scale(d, 0).catch((error: unknown) => engine.host.debug(describeError(error)))
    return (await removeOne(engine, whole)) === 'removed'
  } catch (error) {
    engine.host.debug(describeError(error))
    return false
  }
}

const isSame = (one: Resource, other: Resource): boolean => one.kind === other.kind && one.name === other.name

export async function emptyGroup(engine: Engine, d: Deployment): Promise<boolean> {
  await patiently(engine, async () => d.cloud.scale(d, 0))
  return untilEmpty(engine, d)
}
