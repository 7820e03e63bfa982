/** What is left to do if the command itself was killed: the post step of a workflow. */
import { EXIT } from '../core/exit-codes.ts'
import { type Deployment, type Engine, readSpec, recorded, requestStop } from '../engine/deployment.ts'
import { destroy, REMAINS } from '../engine/destroy/destroy.ts'
import { type Stopped, stopAndWait, untilClosed } from '../engine/destroy/stop.ts'
import { openSighting, pick, readCurrent, sightings } from '../engine/find.ts'
import { beforeMove, endBehind, resolveMove } from '../engine/follow/moved-run.ts'
import { readStatus } from '../engine/follow/read-status.ts'
import { remember } from '../engine/history.ts'
import type { CurrentRecord, StopRequest } from '../wire/records.ts'
import { hasSaved, isTerminal } from '../wire/slot.ts'
import type { RunnerSpec, Spec } from '../wire/spec.ts'
import { unregisterAround, unregisterUnfinished } from './runner/unregister.ts'
import type { VerbContext } from './shared/context.ts'
import { keptWords } from './shared/fleeting-host.ts'
import { storageFor } from './shared/storage.ts'

export interface Traces {
  readonly id: string
  /** ISO: when the killed command began. */
  readonly since: string
  /** What it had found or made; absent = killed before it knew. */
  readonly begun: 'created' | 'attached' | undefined
}

/** Seconds the program gets: the CI host forces the end of everything some minutes after a cancellation. */
const GRACE = 10
/** Milliseconds to wait for its last snapshot. */
const WATCH = 60_000
/** Milliseconds to wait for its machines to end. */
const GOING = 60_000

/** Idempotent. Removes what the command created, records a stop where it had only attached, and leaves alone what others made. */
export async function after(context: VerbContext, traces: Traces): Promise<number> {
  const { host } = context
  const d = await remains(context, traces.id)
  if (!d) return EXIT.ok
  const judged = await readCurrent(d.store, d.id)
  const current = judged?.value
  const spec = await readSpec(d)
  if (traces.begun === undefined && !madeHere(context, current, traces)) return EXIT.ok
  const moving = await beforeMove(d)
  if (moving) return (await hasSettled(context, moving)) ? after(context, traces) : EXIT.ok
  if (traces.begun === 'attached') return attachedTo(context, d, spec)
  if (spec?.mode === 'runner') return give(context, d, spec)
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
  return host.section('Clean up', () => wind(context, d, spec))
}

/** What can be found: a group by its tags, or only the name in the store, if it was killed before there was a group. */
async function remains(context: VerbContext, id: string): Promise<Deployment | undefined> {
  const open = await context.clouds()
  const sighting = await pick(id, await sightings(open), async () => context.storage())
  if (sighting) return openSighting(sighting, context.access)
  const [chosen] = open
  if (!chosen) return undefined
  const store = await context.access(await storageFor(context, chosen.cloud, id))
  const current = await readCurrent(store, id)
  return current && recorded({ cloudId: chosen.id, cloud: chosen.cloud, store, id, name: current.value.name }, current.value)
}

/** It was killed, or others are working on it (moving the run to another region): whether anything of it exists then. */
async function hasSettled({ engine, values }: VerbContext, d: Deployment): Promise<boolean> {
  if (values['on-cancel'] !== 'detach') await requestStop(d, stopRequest(engine))
  return (await resolveMove(engine, d, { ttl: values['lease-ttl'] * 1000, undo: true })) !== undefined
}

const stopRequest = (engine: Engine): StopRequest => ({ at: engine.clock.date().toISOString(), by: engine.actor, grace: GRACE })

/** Runners that were never announced: nobody waits for them. */
async function give(context: VerbContext, d: Deployment, spec: RunnerSpec): Promise<number> {
  const { host, engine } = context
  await host.section('Clean up', async () => unregisterAround(context, d, spec.runner, async () => destroy(engine, d)))
  host.info(`${d.name}: its start was cut short; everything is given back`)
  return EXIT.ok
}

/** Whether it was made by the same step of the same run, since the killed command began: no other controller can have made that. */
function madeHere({ owner }: VerbContext, current: CurrentRecord | undefined, { since }: Traces): boolean {
  const { run, step } = owner.origin
  return current !== undefined && current.createdAt >= since && current.origin.run === run && current.origin.step === step
}

async function attachedTo(context: VerbContext, d: Deployment, spec: Spec | undefined): Promise<number> {
  // Runners that were there before serve jobs of others.
  if (!spec || spec.mode === 'runner' || context.values['on-cancel'] === 'detach') return EXIT.ok
  if ((await readStatus(d, spec)).outcome !== 'running') return EXIT.ok
  await requestStop(d, stopRequest(context.engine))
  context.host.info(`${d.name} existed before this step: the request to stop it is recorded, and it ends on its own`)
  return EXIT.ok
}

/** Stops it, saves what there is, removes compute. What it has saved is kept until its retention is over. */
async function wind(context: VerbContext, found: Deployment, known: Spec): Promise<number> {
  const { engine, host } = context
  const { d, spec, slots } = await ended(engine, found, known)
  const status = await readStatus(d, spec)
  const saved = slots.some(hasSaved)
  await remember(engine.home, { ...status, destroyed: !saved })
  if (!slots.every((slot) => isTerminal(slot.state))) host.warn(`${d.name}: some machines did not confirm that they ended`)
  if (!saved) {
    await destroy(engine, d)
    host.info(`${d.name}: stopped before anything was saved; everything is given back`)
    return EXIT.ok
  }
  await untilNobody(context, d)
  host.info(`${d.name}: ${status.state}; its machines are gone, ${keptWords(context, status, spec.lifetime.retention)}`)
  return EXIT.ok
}

async function ended(engine: Engine, d: Deployment, spec: Spec): Promise<Stopped> {
  if ((await readStatus(d, spec)).outcome === 'running') return stopAndWait(engine, d, spec, { grace: GRACE, patience: WATCH })
  await Promise.all([d.cloud.scale(d, 0), endBehind(engine, d)])
  return { d, spec, slots: await untilClosed(engine, d, spec) }
}

/** A group that is being removed may need a moment; if there are still machines afterwards, a warning says so. */
async function untilNobody({ engine, host }: VerbContext, d: Deployment): Promise<void> {
  const until = engine.clock.now() + GOING
  for (;;) {
    const { phase } = await d.cloud.observe(d)
    if (phase !== 'up') return
    if (engine.clock.now() >= until)
      return host.warn(`${d.name}: its machines are still shutting down; run \`tpi sweep\` later to see whether they are gone`)
    await engine.clock.sleep(500)
  }
}
