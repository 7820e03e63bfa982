/** `tpi retry`: jobs whose machine was taken away run again, and jobs that wait for runners which have left get new ones. */
import { EXIT, InputError } from '../core/errors.ts'
import type { Forge } from '../core/forge.ts'
import { type Deployment, deploymentOf, readSlots, readSpec } from '../engine/deployment.ts'
import { destroy } from '../engine/destroy.ts'
import { openSighting, pick, readCurrent, sightings } from '../engine/find.ts'
import { changeRecord } from '../engine/record.ts'
import { storedIds } from '../engine/sweep.ts'
import { forgeById } from '../forges/registry.ts'
import { plural } from '../lib/text.ts'
import type { RunnerModeWish } from '../runner/wish.ts'
import { currentKey } from '../wire/layout.ts'
import type { CurrentRecord, Registry, Relaunch } from '../wire/records.ts'
import type { ServedJob } from '../wire/runner.ts'
import { isTerminal, type SlotRecord } from '../wire/slot.ts'
import type { RunnerSpec } from '../wire/spec.ts'
import { meantAlive, type VerbContext } from './context.ts'
import { forgeOf, unregister } from './forge.ts'
import { sameHouse } from './mine.ts'
import { arrive, launch } from './runner.ts'
import { present } from './status.ts'

export interface Retried {
  readonly name: string
  readonly id: string
  /** Run → what was done about its interrupted jobs. */
  readonly runs: readonly { readonly run: string; readonly how: string; readonly says: string }[]
  /** Jobs that waited for runners which had left. */
  readonly waiting: number
  readonly relaunched: boolean
}

export async function retry(context: VerbContext): Promise<number> {
  const { values, host } = context
  const done: Retried[] = []
  const open = await unfinished(context)
  for (const { d, current } of open) done.push(...(await finish(context, d, current)))
  const others = open.length > 0 && values.name !== undefined ? [] : await candidates(context)
  for (const { d, spec } of others) if (!open.some((one) => one.d.id === d.id)) done.push(await retryOne(context, d, spec))
  if (values.json) host.facts(done)
  else if (done.length === 0) host.print('there are no runners')
  else for (const one of done) host.print(lineOf(one))
  // Something has to be asked again later: GitHub allows nothing before the end of a run.
  return done.some(({ runs }) => runs.some(({ how }) => how === 'waiting')) ? EXIT.running : EXIT.ok
}

interface Candidate {
  readonly d: Deployment
  readonly spec: RunnerSpec
}

/** The one that is named, or every group of runners of this repository. */
async function candidates(context: VerbContext): Promise<Candidate[]> {
  const { values, owner } = context
  const all = await sightings(await context.clouds())
  const named = values.name === undefined ? undefined : pick(values.name, all)
  if (values.name !== undefined && !named) await meantAlive(context)
  const chosen = named ? [named] : all.filter(({ found }) => found.tags.mode === 'runner' && sameHouse(owner, found.tags.origin))
  const read = await Promise.all(
    chosen.map(async (sighting) => {
      const d = await openSighting(sighting, context.access)
      return { d, spec: await readSpec(d) }
    }),
  )
  return read.flatMap(({ d, spec }) => (spec?.mode === 'runner' ? [{ d, spec }] : []))
}

async function retryOne(context: VerbContext, d: Deployment, spec: RunnerSpec): Promise<Retried> {
  await present(context, d)
  const slots = (await readSlots(d, spec.count)).map(({ record }) => record)
  const forge = await forgeOf(context, spec.runner)
  const runs: { run: string; how: string; says: string }[] = []
  const repositories = repositoriesOf(spec, slots)
  const away = livesTaken(slots)
  const { enrolled, labels } = spec.runner
  const known = away.length > 0 ? await forge.cutOff({ enrolled, labels, away, repositories }) : []
  const interrupted = byRun([...interruptedJobs(slots), ...known])
  for (const [run, jobs] of interrupted) runs.push({ run, ...(await forge.rerun(jobs, mostOf(spec))) })
  const over = slots.every((slot) => isTerminal(slot.state))
  const waiting = over ? await forge.waiting(labels, repositories) : 0
  if (waiting > 0) {
    const { forge: forgeId, scope, relaunch: wish } = spec.runner
    await relaunch(context, {
      d,
      facts: { since: context.engine.clock.date().toISOString(), labels, wish, repositories },
      registry: { forge: forgeId, scope },
      forge,
      waiting,
    })
  }
  return { name: d.name, id: d.id, runs, waiting, relaunched: waiting > 0 }
}

/** Where its jobs can be: that of the launch, and those whose jobs it has served. */
function repositoriesOf({ origin }: RunnerSpec, slots: readonly SlotRecord[]): readonly string[] {
  const served = slots.flatMap((slot) => slot.jobs ?? []).flatMap(({ facts }) => facts['repository'] ?? [])
  const own = origin.repository?.split('/').slice(1).join('/')
  return [...new Set([...(own ? [own] : []), ...served])]
}

function mostOf(spec: RunnerSpec): number {
  return Number(spec.runner.relaunch['retry'] ?? 0)
}

/** From start to end of each machine that was taken away. */
function livesTaken(slots: readonly SlotRecord[]): { from: string; to: string }[] {
  const taken = slots.flatMap(({ attempts }) => attempts).filter(({ cause }) => cause === 'interrupted' || cause === 'lost')
  return taken.flatMap(({ start, end }) => (end === undefined ? [] : [{ from: start, to: end }]))
}

/** A job without an end whose attempt is over was cut off, too: its machine could not say so any more. */
export function interruptedJobs(slots: readonly SlotRecord[]): ServedJob[] {
  return slots.flatMap((slot) =>
    (slot.jobs ?? []).filter((job) => {
      const living = job.epoch === slot.epoch && !isTerminal(slot.state)
      return job.interrupted || (job.end === undefined && !living)
    }),
  )
}

function byRun(jobs: readonly ServedJob[]): Map<string, ServedJob[]> {
  const runs = new Map<string, ServedJob[]>()
  for (const job of jobs) {
    const run = `${job.facts['repository'] ?? ''} ${job.facts['run'] ?? ''}`.trim()
    runs.set(run, [...(runs.get(run) ?? []), job])
  }
  return runs
}

interface Again {
  readonly d: Deployment
  readonly facts: Relaunch
  readonly registry: Registry
  readonly forge: Forge
  readonly waiting: number
}

/**
 * The same again, with the same labels: those are what the waiting jobs name. What it is made of is on record from before the first removal
 * until the new machines are on their way: whoever is killed in between has a successor.
 */
async function relaunch(context: VerbContext, { d, facts, registry, forge, waiting }: Again): Promise<void> {
  const { host, engine } = context
  const manifest = forgeById(registry.forge)
  if (!manifest) return
  host.info(`${d.name}: ${plural(waiting, 'job waits', 'jobs wait')} for runners that have left; starting them anew`)
  const wish = facts.wish as unknown as RunnerModeWish
  const access = (await context.storage()) ?? (await d.cloud.store(d.id))
  await changeRecord<CurrentRecord>(d.store, currentKey(d.id), (now) =>
    now?.incarnation === d.incarnation ? { ...now, registry, relaunch: facts } : undefined,
  )
  await unregister(context, d, registry)
  await destroy(engine, d, true)
  const { keys: _keys, incarnation: _incarnation, ...place } = d
  const again = await launch(context, { place, access, wish, manifest, forge, relaunch: facts })
  if (!again)
    throw new InputError(`name: "${d.name}" was just created by another command`, { hint: 'give the same command again to see what it is' })
  await arrive(context, again, forge, { attached: false, seconds: wish.onlineTimeout, quiet: true })
}

interface Unfinished {
  readonly d: Deployment
  readonly current: CurrentRecord
}

/** Relaunches that were cut short: in stores of clouds and in the one that was named, and where each deployment has its own. */
async function unfinished(context: VerbContext): Promise<Unfinished[]> {
  const { values, owner } = context
  const found = new Map<string, Unfinished>()
  const consider = async (d: Omit<Deployment, 'keys' | 'incarnation' | 'name'>): Promise<void> => {
    const current = (await readCurrent(d.store, d.id))?.value
    const meant = values.name === undefined ? current && sameHouse(owner, current.origin) : [d.id, current?.name].includes(values.name)
    if (current?.relaunch && meant && !found.has(d.id))
      found.set(d.id, { d: deploymentOf({ ...d, name: current.name, incarnation: current.incarnation }), current })
  }
  const clouds = await context.clouds()
  const storage = await context.storage()
  for (const { id: cloudId, cloud } of clouds) {
    const places = [...(cloud.ownStore ? [] : [await cloud.store('')]), ...(storage ? [storage] : [])]
    for (const place of places) {
      const store = await context.access(place)
      for (const id of await storedIds(store)) await consider({ cloudId, cloud, store, id })
    }
  }
  for (const sighting of await sightings(clouds.filter(({ cloud }) => cloud.ownStore))) {
    const { tags } = sighting.found
    const meant = values.name === undefined ? sameHouse(owner, tags.origin) : [tags.id, tags.name].includes(values.name)
    if (meant && tags.mode === 'runner' && sighting.cloud.ownStore?.holds(tags.store))
      await consider(await openSighting(sighting, context.access))
  }
  return [...found.values()]
}

/** Unless somebody is at it. */
async function finish(context: VerbContext, d: Deployment, { nonce, registry, relaunch: facts }: CurrentRecord): Promise<Retried[]> {
  const { engine, host } = context
  if (!registry || !facts) return []
  const { lease } = facts.wish as unknown as RunnerModeWish
  await engine.clock.sleep(lease.ttl, context.interrupts.first)
  const now = await readCurrent(d.store, d.id)
  if (now?.value.nonce !== nonce) {
    host.info(`${d.name}: another command is starting it anew`)
    return []
  }
  const forge = await forgeOf(context, registry)
  const waiting = await forge.waiting(facts.labels, facts.repositories)
  if (waiting > 0) await relaunch(context, { d, facts, registry, forge, waiting })
  else {
    await unregister(context, d, registry)
    await destroy(engine, d)
  }
  return [{ name: d.name, id: d.id, runs: [], waiting, relaunched: waiting > 0 }]
}

function lineOf({ name, runs, waiting, relaunched }: Retried): string {
  const lines = runs.map(({ says }) => `${name}: ${says}`)
  if (relaunched) lines.push(`${name}: started anew for ${plural(waiting, 'waiting job')}`)
  return lines.length > 0 ? lines.join('\n') : `${name}: nothing to do`
}
