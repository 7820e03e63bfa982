/** Removes one run: its registrations, too, and with a word in the history. */
import { type Deployment, readSpec, requestStop, slotRecords } from '../../engine/deployment.ts'
import { destroy, type Remains } from '../../engine/destroy/destroy.ts'
import type { Removing } from '../../engine/destroy/removing.ts'
import { isMove } from '../../engine/follow/moved-run.ts'
import { readStatus } from '../../engine/follow/read-status.ts'
import { asRemoved } from '../../engine/follow/status.ts'
import { tryToRemember } from '../../engine/history.ts'
import type { Spec } from '../../wire/spec.ts'
import { unregisterAround, unregisterUnfinished } from '../runner/unregister.ts'
import type { VerbContext } from './context.ts'
import { keepLog } from './run-log.ts'

/** Seconds for a runner to tell its forge that its job is cut off (it needs one or two): otherwise the job looks alive there for minutes. */
const TELLING = 5

/** Records a stop request, so that the end of the run does not look like a loss. If that fails, the machines are removed all the same. */
async function stopForGood({ engine }: VerbContext, d: Deployment, { mode }: Pick<Spec, 'mode'>): Promise<void> {
  const grace = mode === 'runner' ? TELLING : 0
  await requestStop(d, { at: engine.clock.date().toISOString(), by: engine.actor, grace }).catch((error: unknown) =>
    engine.host.debug(String(error)),
  )
}

/** Whether its group says that it is a task, which no forge knows. Asked if the store does not say. */
async function isTask({ id, cloud }: Deployment): Promise<boolean> {
  const found = await cloud.list().catch(() => [])
  return found.some(({ tags }) => tags.id === id && tags.mode === 'task')
}

/** Removes one run. Its last status and its log go into the history, as far as they can still be read. */
export async function destroyOne(
  context: VerbContext,
  d: Deployment,
  how: Removing,
): Promise<{ readonly fact: unknown; readonly remains: Remains }> {
  const judged = 'judged' in how ? how.judged : undefined
  const after: { remains: Remains } = { remains: 'nothing' }
  const spec = await readSpec(d).catch(() => undefined)
  const last = spec && (await readStatus(d, spec).catch(() => undefined))
  if (!spec && !(await isTask(d))) await unregisterUnfinished(context, d)
  // Undoing a move is not the end of the run, which waits where it was.
  const moves = judged !== undefined && isMove(judged.value)
  const status = moves ? undefined : last?.outcome === 'running' ? asRemoved(last, context.engine.clock.date(), spec) : last
  const end = async (): Promise<void> => {
    // First, because commands that follow the run end with what the history says.
    if (status) await tryToRemember(context.engine, status)
    // Not if a controller was judged to be dead: it may be alive after all, and only marking the record decides.
    if (spec && last?.outcome === 'running' && !judged) await stopForGood(context, d, spec)
    if (spec) await keepLog(context.engine, d, spec, await slotRecords(d, spec.count).catch(() => []))
    after.remains = await destroy(context.engine, d, how)
  }
  await (spec?.mode === 'runner' ? unregisterAround(context, d, spec.runner, end) : end())
  const { remains } = after
  const destroyed = remains !== 'kept' && !(moves && remains === 'former')
  if (!status) return { fact: { id: d.id, name: d.name, destroyed }, remains }
  const fact = { ...(destroyed || !last ? status : last), destroyed }
  await tryToRemember(context.engine, fact)
  return { fact, remains }
}
