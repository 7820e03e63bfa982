/** What is left to do if the command itself was killed: the post step of a workflow. */
import { describeError } from '../core/errors.ts'
import { EXIT } from '../core/exit-codes.ts'
import { type Deployment, type Engine, readCurrent, readSpec, recorded, requestStop } from '../engine/deployment.ts'
import { destroy, REMAINS } from '../engine/destroy/destroy.ts'
import { type Stopped, stopAndWait, untilClosed } from '../engine/destroy/stop.ts'
import { openSighting, pick, sightings } from '../engine/find.ts'
import { endUnheld } from '../engine/follow/close.ts'
import { beforeMove, endBehind, resolveMove } from '../engine/follow/moved-run.ts'
import { readStatus } from '../engine/follow/read-status.ts'
import { asRemoved } from '../engine/follow/status.ts'
import { tryToRemember } from '../engine/history.ts'
import type { CurrentRecord, StopRequest } from '../wire/records.ts'
import { hasSaved, isTerminal } from '../wire/slot.ts'
import type { RunnerSpec, Spec } from '../wire/spec.ts'
import { isAtWork, stayWords } from './runner/at-work.ts'
import { HURRIED, unregisterAround, unregisterUnfinished } from './runner/unregister.ts'
import type { VerbContext } from './shared/context.ts'
import { keptWords } from './shared/fleeting-host.ts'
import { storageFor } from './shared/storage.ts'

export interface Traces {
  readonly id: string
  /** ISO: when the killed command began. */
  readonly since: string
  /** What it had found or made; absent = killed before it knew. */
  readonly begun: 'created' | 'attached' | undefined
  /** ISO: when the run was made that it had found or made. */
  readonly made?: string | undefined
}

/** Seconds the program gets: the CI host forces the end of everything some minutes after a cancellation. */
const GRACE = 10
/** Milliseconds to wait for its last snapshot. */
const WATCH = 60_000
/** Milliseconds to wait for its machines to end. */
const GOING = 60_000

/**
 * Removes what the killed command had created. If the command had only attached to a run, records a request to stop that. Leaves alone what others
 * made. May be run again.
 */
export async function after(context: VerbContext, traces: Traces): Promise<number> {
  const { host } = context
  const d = await whatIsThere(context, traces.id)
  if (!d) return EXIT.ok
  const judged = await readCurrent(d.store, d.id)
  const current = judged?.value
  const spec = await readSpec(d)
  if (traces.begun === undefined && !madeHere(context, current, traces)) return EXIT.ok
  // Later steps of the job may take so long that somebody has started the run anew since.
  if (traces.made !== undefined && current !== undefined && current.createdAt !== traces.made) return EXIT.ok
  const moving = await beforeMove(d)
  if (moving) return (await hasSettled(context, moving)) ? after(context, traces) : EXIT.ok
  if (traces.begun === 'attached') return attachedTo(context, d, spec)
  if (spec?.mode === 'runner') return giveRunnersBack(context, d, spec)
  if (!spec || (current && current.state !== 'open')) {
    if (context.parsed.verb === 'runner') await unregisterUnfinished(context, d)
    const remains = await host.section('Clean up', () => destroy(context.engine, d, { why: 'rollback', judged }))
    host.info(`${d.name}: its creation was cut short; ${REMAINS[remains === 'mark' ? 'nothing' : remains]}`)
    return EXIT.ok
  }
  if (context.values['on-cancel'] === 'detach') {
    host.info(`${d.name} goes on: \`tpi collect ${d.name}\` fetches its results, \`tpi stop ${d.name}\` ends it`)
    return EXIT.ok
  }
  return host.section('Clean up', () => endTask(context, d, spec))
}

/** The deployment, found by the tags of its group or, if the command was killed before there was one, by its record in the store. */
async function whatIsThere(context: VerbContext, id: string): Promise<Deployment | undefined> {
  const open = await context.clouds()
  const sighting = await pick(id, await sightings(open), async () => context.storage())
  if (sighting) return openSighting(sighting, context.access)
  const [chosen] = open
  if (!chosen) return undefined
  const store = await context.access(await storageFor(context, chosen.cloud, id))
  const current = await readCurrent(store, id)
  return current && recorded({ cloudId: chosen.id, cloud: chosen.cloud, store, id, name: current.value.name }, current.value)
}

/** Waits until a move to another region, which may have been cut off, has ended or is undone. `false`: nothing of the run exists then. */
async function hasSettled({ engine, values }: VerbContext, d: Deployment): Promise<boolean> {
  if (values['on-cancel'] !== 'detach') await requestStop(d, stopRequest(engine))
  return (await resolveMove(engine, d, { ttl: values['lease-ttl'] * 1000, undo: true })) !== undefined
}

const stopRequest = (engine: Engine): StopRequest => ({ at: engine.clock.date().toISOString(), by: engine.actor, grace: GRACE })

/** Runners that were never announced: nobody waits for them. */
async function giveRunnersBack(context: VerbContext, d: Deployment, spec: RunnerSpec): Promise<number> {
  const { host, engine } = context
  if (await isAtWork(context, d, spec).catch(() => false)) {
    host.warn(stayWords(d, spec))
    return EXIT.ok
  }
  await host.section('Clean up', async () =>
    unregisterAround(context, d, spec.runner, async () => destroy(engine, d, { why: 'unneeded' }), HURRIED),
  )
  host.info(`${d.name}: its start was cut short; everything is given back`)
  return EXIT.ok
}

/** Whether the same step of the same CI run has made it since the killed command began: then only that command can have made it. */
function madeHere({ owner }: VerbContext, current: CurrentRecord | undefined, { since }: Traces): boolean {
  const { run, step } = owner.origin
  return current !== undefined && current.createdAt >= since && current.origin.run === run && current.origin.step === step
}

async function attachedTo(context: VerbContext, d: Deployment, spec: Spec | undefined): Promise<number> {
  // Runners that existed before may be serving jobs of others.
  if (!spec || spec.mode === 'runner' || context.values['on-cancel'] === 'detach') return EXIT.ok
  if ((await readStatus(d, spec)).outcome !== 'running') return EXIT.ok
  await requestStop(d, stopRequest(context.engine))
  await endWaiting(context, d, spec)
  context.host.info(`${d.name} existed before this step: the request to stop it is recorded, and it ends on its own`)
  return EXIT.ok
}

/** If no machine works on it, there is nothing to wait for, and perhaps nobody is left to close its slots. */
async function endWaiting({ engine, host }: VerbContext, d: Deployment, spec: Spec): Promise<void> {
  try {
    if (await endUnheld(d, spec)) await untilClosed(engine, d, spec)
  } catch (error) {
    host.warn(`${d.name}: ${describeError(error)}`)
  }
}

/** Stops a task, has it save its work, and removes its machines. What it has saved is kept until its retention is over. */
async function endTask(context: VerbContext, found: Deployment, known: Spec): Promise<number> {
  const { engine, host } = context
  const { d, spec, slots } = await ended(engine, found, known)
  const status = await readStatus(d, spec)
  const saved = slots.some(hasSaved)
  const end = !saved && status.outcome === 'running' ? asRemoved(status, engine.clock.date(), spec) : status
  await tryToRemember(engine, { ...end, destroyed: !saved })
  if (!slots.every((slot) => isTerminal(slot.state))) host.warn(`${d.name}: some machines did not confirm that they ended`)
  if (!saved) {
    await destroy(engine, d, { why: 'unneeded' })
    host.info(`${d.name}: stopped before anything was saved; everything is given back`)
    return EXIT.ok
  }
  await untilNobody(context, d)
  host.info(`${d.name}: ${status.state}; its machines are gone, ${keptWords(context, status, spec.lifetime.retention)}`)
  return EXIT.ok
}

async function ended(engine: Engine, d: Deployment, spec: Spec): Promise<Stopped> {
  if ((await readStatus(d, spec)).outcome === 'running') return stopAndWait(engine, d, spec, { grace: GRACE, patience: WATCH })
  await Promise.all([d.cloud.end(d), endBehind(engine, d)])
  return { d, spec, slots: await untilClosed(engine, d, spec) }
}

/** Waits until the machines are gone. If that takes too long, a warning says so. */
async function untilNobody({ engine, host }: VerbContext, d: Deployment): Promise<void> {
  const until = engine.clock.now() + GOING
  for (;;) {
    const { phase } = await d.cloud.observe(d)
    if (phase !== 'up') return
    if (engine.clock.now() >= until)
      return host.warn(
        `${d.name}: its machines are still shutting down; the cloud ends them at the deadline at the latest, and \`tpi sweep --yes\` then removes what is left`,
      )
    await engine.clock.sleep(500)
  }
}
