/** `tpi destroy NAME`: everything given back. */
import { RemoteError } from '../core/errors.ts'
import { EXIT } from '../core/exit-codes.ts'
import { type Deployment, readSlots, readSpec, requestStop } from '../engine/deployment.ts'
import { destroy as destroyAll, REMAINS, type Remains, type Removing, refuseUnlessDiscard } from '../engine/destroy/destroy.ts'
import { afterMove, isMove } from '../engine/follow/moved-run.ts'
import { readStatus } from '../engine/follow/read-status.ts'
import { asStopped } from '../engine/follow/status.ts'
import { remember } from '../engine/history.ts'
import { patiently } from '../engine/outage.ts'
import type { Spec } from '../wire/spec.ts'
import { forgetGone } from './runner/gone-runners.ts'
import { unregisterAround, unregisterUnfinished } from './runner/unregister.ts'
import type { VerbContext } from './shared/context.ts'
import { meant, nameOf } from './shared/find-run.ts'
import { Losses } from './shared/partial-failures.ts'
import { keepLog } from './shared/run-log.ts'
import { present } from './status.ts'
import { chosen } from './stop.ts'

export async function destroy(context: VerbContext): Promise<number> {
  const { values, host } = context
  const losses = new Losses(context, values.mine)
  if (!values.mine && (await forgetGone(context))) {
    if (values.json) host.facts({ name: nameOf(context), destroyed: true })
    else host.print(`${nameOf(context)}: its runners had left; what was kept of them is removed`)
    return EXIT.ok
  }
  // Like everything below: what is removed must not depend on the minute in which a cloud is asked.
  const found = values.mine
    ? undefined
    : await patiently(context.engine, async () => meant(context, nameOf(context)), context.signals.first)
  if (found && 'gone' in found) {
    if (values.json) host.facts({ ...found.gone, destroyed: true })
    else host.print(`${found.gone.name}: was already given back; its record and log stay in the history`)
    return EXIT.ok
  }
  const facts: unknown[] = []
  for (const called of found ? [found.alive] : await chosen(context, losses))
    await losses.heed(called.name, async () => {
      // A run that is waiting to move is still needed.
      const d = values.discard ? called : await afterMove(context.engine, called, values['lease-ttl'] * 1000)
      // A run that nobody works on any more is not "still running".
      if (!values.discard) await present(context, d)
      const how = await refuseUnlessDiscard(context.engine, d, values.discard, values['lease-ttl'] * 1000)
      const { fact, remains } = await destroyOne(context, d, how)
      if (remains === 'kept') throw new RemoteError(`${d.name}: ${REMAINS.kept}`)
      facts.push(fact)
      if (!values.json) host.print(`${d.name}: ${remains === 'nothing' || remains === 'mark' ? 'everything given back' : REMAINS[remains]}`)
    })
  if (values.json) host.facts(values.mine ? facts : facts[0])
  return losses.code
}

/** Seconds for a runner to tell its forge that its job is cut off (it needs one or two): otherwise the job looks alive there for minutes. */
const TELLING = 5

/** Records a stop, so that its end does not look like a loss. If the store takes no request, the machines are removed anyway. */
async function stopForGood({ engine }: VerbContext, d: Deployment, { mode }: Pick<Spec, 'mode'>): Promise<void> {
  const grace = mode === 'runner' ? TELLING : 0
  await requestStop(d, { at: engine.clock.date().toISOString(), by: engine.actor, grace }).catch((error: unknown) =>
    engine.host.debug(String(error)),
  )
}

/** Whether it is a task, according to its group, if the store does not say: then no forge knows it. */
async function isTask({ id, cloud }: Deployment): Promise<boolean> {
  const found = await cloud.list().catch(() => [])
  return found.some(({ tags }) => tags.id === id && tags.mode === 'task')
}

/** Keeps the last status in the history, whatever can still be read of it. */
export async function destroyOne(
  context: VerbContext,
  d: Deployment,
  how: Removing = {},
): Promise<{ readonly fact: unknown; readonly remains: Remains }> {
  const after: { remains: Remains } = { remains: 'nothing' }
  const spec = await readSpec(d).catch(() => undefined)
  const last = spec && (await readStatus(d, spec).catch(() => undefined))
  if (!spec && !(await isTask(d))) await unregisterUnfinished(context, d)
  // As long as the run that is being moved waits where it was, this is not its end.
  const moves = how.judged !== undefined && isMove(how.judged.value)
  const status = moves ? undefined : last?.outcome === 'running' ? asStopped(last) : last
  const end = async (): Promise<void> => {
    // First of all, because its followers end with what is recorded.
    if (status) await remember(context.engine.home, status)
    // A controller that counted as dead may be alive after all: only marking the record decides.
    if (spec && last?.outcome === 'running' && !how.judged) await stopForGood(context, d, spec)
    if (spec)
      await keepLog(
        context.engine,
        d,
        spec,
        (await readSlots(d, spec.count).catch(() => [])).map(({ record }) => record),
      )
    after.remains = await destroyAll(context.engine, d, how)
  }
  await (spec?.mode === 'runner' ? unregisterAround(context, d, spec.runner, end) : end())
  const { remains } = after
  const destroyed = remains !== 'kept' && !(moves && remains === 'former')
  if (!status) return { fact: { id: d.id, name: d.name, destroyed }, remains }
  const fact = { ...(destroyed || !last ? status : last), destroyed }
  await remember(context.engine.home, fact)
  return { fact, remains }
}
