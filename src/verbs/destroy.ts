/** `tpi destroy NAME`: everything given back. */
import { RemoteError } from '../core/errors.ts'
import { EXIT } from '../core/exit-codes.ts'
import { type Deployment, readSpec, requestStop, slotRecords } from '../engine/deployment.ts'
import { destroy as destroyAll, REMAINS, type Remains, type Removing, refuseUnlessDiscard } from '../engine/destroy/destroy.ts'
import { afterMove, isMove } from '../engine/follow/moved-run.ts'
import { readStatus } from '../engine/follow/read-status.ts'
import { asRemoved } from '../engine/follow/status.ts'
import { tryToRemember } from '../engine/history.ts'
import { patiently } from '../engine/outage.ts'
import type { Spec } from '../wire/spec.ts'
import { forgetGone } from './runner/gone-runners.ts'
import { unregisterAround, unregisterUnfinished } from './runner/unregister.ts'
import { checkedClouds } from './shared/checked-clouds.ts'
import type { VerbContext } from './shared/context.ts'
import { chosenRuns, meant, nameOf } from './shared/find-run.ts'
import { Losses } from './shared/partial-failures.ts'
import { keepLog } from './shared/run-log.ts'
import { present } from './status.ts'

export async function destroy(context: VerbContext): Promise<number> {
  const { values, host } = context
  const losses = new Losses(context, values.mine ? 'several' : 'one')
  if (!values.mine && (await forgetGone(context))) {
    if (values.json) host.facts({ name: nameOf(context), destroyed: true })
    else host.print(`${nameOf(context)}: its runners had left; what was kept of them is removed`)
    return EXIT.ok
  }
  // Waits for a cloud that is out of reach, as everything below does: an outage must not decide what is removed.
  const found = values.mine
    ? undefined
    : await patiently(context.engine, async () => meant(context, nameOf(context)), context.signals.first)
  if (found && 'gone' in found) {
    if (values.json) host.facts({ ...found.gone, destroyed: true })
    else host.print(`${found.gone.name}: was already given back; its record and log stay in the history`)
    return EXIT.ok
  }
  const facts: unknown[] = []
  for (const called of found ? [found.alive] : await chosenRuns(context, losses))
    await losses.heed(called.name, async () => {
      // A run that is waiting to move is still needed.
      const d = values.discard ? called : await afterMove(context.engine, called, values['lease-ttl'] * 1000)
      // Closes slots that have lost their machines: otherwise the run would count as still running, and be refused.
      if (!values.discard) await present(context, d)
      const how = await refuseUnlessDiscard(context.engine, d, values.discard, values['lease-ttl'] * 1000)
      const { fact, remains } = await destroyOne(context, d, how)
      if (remains === 'kept') throw new RemoteError(`${d.name}: ${REMAINS.kept}`)
      facts.push(fact)
      if (!values.json) host.print(`${d.name}: ${remains === 'nothing' || remains === 'mark' ? 'everything given back' : REMAINS[remains]}`)
    })
  if (values.json) host.facts(values.mine ? facts : facts[0])
  else if (values.mine && facts.length === 0 && losses.code === EXIT.ok) host.print(`nothing to destroy${await checkedClouds(context)}`)
  return losses.end()
}

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
  how: Removing = {},
): Promise<{ readonly fact: unknown; readonly remains: Remains }> {
  const after: { remains: Remains } = { remains: 'nothing' }
  const spec = await readSpec(d).catch(() => undefined)
  const last = spec && (await readStatus(d, spec).catch(() => undefined))
  if (!spec && !(await isTask(d))) await unregisterUnfinished(context, d)
  // Undoing a move is not the end of the run, which waits where it was.
  const moves = how.judged !== undefined && isMove(how.judged.value)
  const status = moves ? undefined : last?.outcome === 'running' ? asRemoved(last, context.engine.clock.date(), spec) : last
  const end = async (): Promise<void> => {
    // First, because commands that follow the run end with what the history says.
    if (status) await tryToRemember(context.engine, status)
    // Not if a controller was judged to be dead: it may be alive after all, and only marking the record decides.
    if (spec && last?.outcome === 'running' && !how.judged) await stopForGood(context, d, spec)
    if (spec) await keepLog(context.engine, d, spec, await slotRecords(d, spec.count).catch(() => []))
    after.remains = await destroyAll(context.engine, d, how)
  }
  await (spec?.mode === 'runner' ? unregisterAround(context, d, spec.runner, end) : end())
  const { remains } = after
  const destroyed = remains !== 'kept' && !(moves && remains === 'former')
  if (!status) return { fact: { id: d.id, name: d.name, destroyed }, remains }
  const fact = { ...(destroyed || !last ? status : last), destroyed }
  await tryToRemember(context.engine, fact)
  return { fact, remains }
}
