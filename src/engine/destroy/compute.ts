/** Machines, and everything else that a cloud has of one incarnation, except the store. */
import { describeError } from '../../core/errors.ts'
import type { Resource } from '../../core/resource.ts'
import type { Deployment, Engine } from '../deployment.ts'
import { patiently } from '../outage.ts'
import { untilEmpty } from './await-empty.ts'
import { removeOne, removeStages } from './stages.ts'

/**
 * What to do if something of a run that is being removed could not be removed. It does not say `--discard`, which would also remove the run that a
 * cut-off start was to replace. `leave`: the run is begun anew at once (`Removing.leave`), or later from what it has left on record.
 */
export const again = ({ id }: Pick<Deployment, 'id'>, leave = false): string =>
  leave ? 'the next `tpi retry` removes the rest' : `run: \`tpi destroy ${id}\``

/** The same for what is left of a run whose name belongs to another one: commands would act on that. */
export const AFTERWARDS = 'it is removed with the run that has the name now, or after an hour by `tpi sweep --yes`'

/**
 * Removes the machines and everything else in the cloud except the store. `true`: some machine, whose end nobody saw, may still be alive. `settled`:
 * all of it was made long ago, so the cloud already shows it. `hint`: what to do if something cannot be removed.
 */
export async function removeCompute(engine: Engine, d: Deployment, settled: boolean, hint: string): Promise<boolean> {
  const look = async (): Promise<Resource[][]> => patiently(engine, async () => d.cloud.leftovers(d))
  // In parallel, which saves time. Not if the cloud may not show yet what was made a moment ago.
  const beside = settled && d.cloud.steadyLeftovers?.(d) ? look() : undefined
  // Its failure is thrown below, where it is awaited.
  beside?.catch(() => undefined)
  const whole = settled ? d.cloud.wholeGroup?.(d) : undefined
  if (whole && (await endsWhole(engine, d, whole))) {
    const rest = (await (beside ?? look())).map((stage) => stage.filter((one) => !isSame(one, whole)))
    await removeStages(engine, rest.reverse(), hint)
    return false
  }
  const survivors = await emptyGroup(engine, d, hint)
  await removeStages(engine, (await ((whole ? undefined : beside) ?? look())).reverse(), hint)
  return survivors
}

/** Removes the group with its machines. `false`: it did not exist, or could not be removed, so the caller still has to watch its machines. */
async function endsWhole(engine: Engine, d: Deployment, whole: Resource): Promise<boolean> {
  try {
    const first = await patiently(engine, async () => whole.remove())
    if (first !== 'pending') return first === 'removed'
    // The group takes a while: its machines should end at once.
    await d.cloud.end(d).catch((error: unknown) => engine.host.debug(describeError(error)))
    return (await removeOne(engine, whole)) === 'removed'
  } catch (error) {
    engine.host.debug(describeError(error))
    return false
  }
}

const isSame = (one: Resource, other: Resource): boolean => one.kind === other.kind && one.name === other.name

/**
 * If that fails, for example because the store does not answer, the group is scaled to 0, so that nothing costs money any more. The group itself
 * stays, because its tags say where the store is.
 */
export async function orLower<T>(engine: Engine, d: Deployment, doing: Promise<T>): Promise<T> {
  return doing.catch(async (error: unknown) => {
    await patiently(engine, async () => d.cloud.end(d)).catch((trouble: unknown) => engine.host.debug(describeError(trouble)))
    throw error
  })
}

/** Scales to 0, and waits until no machine is left. `true`: some machine, whose end nobody saw, may still be alive. */
export async function emptyGroup(engine: Engine, d: Deployment, hint: string): Promise<boolean> {
  await patiently(engine, async () => d.cloud.end(d))
  return untilEmpty(engine, d, hint)
}
