/** `tpi stop NAME`: records a request to stop, then waits for the orderly end: the program is signalled, saves, and the machines go. */
import { describeError } from '../core/errors.ts'
import { EXIT } from '../core/exit-codes.ts'
import { type Deployment, needSpec, readCurrent, readSpec, requestStop } from '../engine/deployment.ts'
import { destroy, REMAINS, type Remains } from '../engine/destroy/destroy.ts'
import { isRemoved, isReplaced } from '../engine/destroy/removed.ts'
import { stopAndWait } from '../engine/destroy/stop.ts'
import { beforeMove, living } from '../engine/follow/moved-run.ts'
import { going, look } from '../engine/follow/one-look.ts'
import { readStatus } from '../engine/follow/read-status.ts'
import { asRemoved, type Status } from '../engine/follow/status.ts'
import { tryToRemember } from '../engine/history.ts'
import { abandoned } from '../engine/owner/silence.ts'
import { hasCheckpoint, onResume, waysOn } from '../report/kept.ts'
import { isTerminal, isWorthKeeping } from '../wire/slot.ts'
import { unregisterAround } from './runner/unregister.ts'
import { checkedClouds } from './shared/checked-clouds.ts'
import type { VerbContext } from './shared/context.ts'
import { chosenRuns } from './shared/find-run.ts'
import { Losses } from './shared/partial-failures.ts'

export async function stop(context: VerbContext): Promise<number> {
  const { values, host } = context
  const losses = new Losses(context, values.mine ? 'several' : 'one')
  const ended: Ended[] = []
  for (const d of await chosenRuns(context, losses)) {
    const end = await losses.heed(d.name, () => stopOne(context, d))
    if (end) ended.push(end)
  }
  const facts = ended.map(({ status }) => status)
  if (values.json) host.facts(values.mine ? facts : facts[0])
  else if (values.mine && ended.length === 0 && losses.code === EXIT.ok) host.print(`nothing to stop${await checkedClouds(context)}`)
  else for (const end of ended) host.print(lineOf(end))
  return losses.end()
}

interface Ended {
  readonly status: Status
  /** It had ended before this command. */
  readonly already: boolean
  /** Another run has its name by now. */
  readonly replaced?: boolean
  /** What has the name after its creation, which was cut off, has been undone. */
  readonly remains?: Remains
}

function lineOf({ status, already, replaced, remains }: Ended): string {
  const { name, state } = status
  if (remains !== undefined && remains !== 'mark') return `${name}: ${state} before it was complete; ${REMAINS[remains]}`
  if (replaced) return `${name}: another command has replaced it, and removes it; \`tpi status ${name}\` shows the new run`
  if (state === 'destroying') return `${name}: its removal has begun, and \`tpi destroy ${name}\` completes it`
  if (already) return `${name} has ended already: ${state}; ${kept(status)}`
  if (status.outcome === 'running')
    return `${name}: asked to stop, but its machines did not confirm that they ended; \`tpi status ${name}\` shows whether they are gone, \`tpi destroy ${name} --discard\` removes them`
  return `${name}: ${state}; ${kept(status)}`
}

function kept(status: Status): string {
  const { name, mode, outcome, destroyed } = status
  if (destroyed) return 'no machine ever worked on it, and everything is given back'
  const saved = mode === 'task' && hasCheckpoint(status)
  const resuming = mode === 'runner' || outcome === 'success' ? undefined : onResume(status)
  return `its ${saved ? 'checkpoints and logs' : 'logs'} are kept: ${waysOn(name, { resuming, saved, them: 'them' })}`
}

async function stopOne(context: VerbContext, called: Deployment): Promise<Ended> {
  const { engine, signals } = context
  const moving = await beforeMove(called)
  // If its maker is gone, there is nothing to wait for.
  const cutOff = moving ? undefined : await undone(context, called)
  if (cutOff) return cutOff
  // The command that was moving it may have given that up: then the run is where it was.
  const there = moving ?? (context.values.mine ? called : await living(called))
  const known = await needSpec(there)
  const already = (await readStatus(there, known)).outcome !== 'running'
  const { d, spec, slots } = await stopAndWait(engine, there, known, { signal: signals.first })
  if (signals.first.aborted) {
    const works = slots.some(({ epoch, state }) => epoch > 0 && !isTerminal(state))
    context.host.info(`${d.name}: the request to stop it is recorded: it ${works ? 'saves its work and ' : ''}ends on its own`)
  }
  signals.first.throwIfAborted()
  if (spec.mode === 'runner') await unregisterAround(context, d, spec.runner)
  const now = await readStatus(d, spec)
  const status = (await isRemoved(d)) ? going(now) : now
  if (status.state === 'destroying' || spec.mode !== 'task' || status.outcome === 'running' || slots.some(isWorthKeeping))
    return { status, already, replaced: await isReplaced(d) }
  const end = { ...status, destroyed: true }
  await tryToRemember(engine, end)
  await destroy(engine, d, { why: 'unneeded' })
  return { status: end, already }
}

/**
 * Removes an incomplete run whose maker is gone: it has nothing worth keeping, but it may have secrets. Resolves to what became of it; `undefined`:
 * it is complete, or its maker is alive. A living maker sees the request to stop before it starts anything.
 */
async function undone(context: VerbContext, d: Deployment): Promise<Ended | undefined> {
  const { engine, values } = context
  const current = await readCurrent(d.store, d.id)
  if (current?.value.state !== 'making' || current.value.incarnation !== d.incarnation) return undefined
  const now = engine.clock.date()
  const at = now.toISOString()
  // This fails if there is no place for the request yet. Then the run is removed below, or completed, before anybody could have read it.
  await requestStop(d, { at, by: engine.actor }).catch((error: unknown) => engine.host.debug(describeError(error)))
  const judged = await abandoned(engine, d, current, values['lease-ttl'] * 1000)
  if (judged?.value.state !== 'making') return undefined
  const spec = await readSpec(d)
  const seen = spec ? await readStatus(d, spec) : { ...(await look(engine, d, context.signals.first)), deadline: at }
  const remains = await destroy(engine, d, { why: 'rollback', judged })
  if (remains === 'kept') return undefined
  const status = { ...asRemoved(seen, now, spec), destroyed: true }
  await tryToRemember(engine, status)
  return { status, already: false, remains }
}
