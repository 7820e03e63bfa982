/** `tpi retry`: jobs whose machine was taken away run again, and jobs that wait for runners which have left get new ones. */
import { EXIT, TpiError } from '../core/errors.ts'
import { type Deployment, readSlots, readSpec } from '../engine/deployment.ts'
import { openSighting, pick, sightings } from '../engine/find.ts'
import { changeRecord } from '../engine/record.ts'
import { plural } from '../lib/text.ts'
import { repositoryOf } from '../runner/kept.ts'
import { interruptedJobs, livesTaken } from '../wire/cut-off.ts'
import { currentKey } from '../wire/layout.ts'
import type { CurrentRecord } from '../wire/records.ts'
import type { ServedJob } from '../wire/runner.ts'
import { isTerminal, type SlotRecord } from '../wire/slot.ts'
import type { RunnerSpec } from '../wire/spec.ts'
import { meantAlive, type VerbContext } from './context.ts'
import { forgeOf } from './forge.ts'
import { leftRunners, startLeft } from './left-runners.ts'
import { lookedAt } from './looked-at.ts'
import { sameHouse } from './mine.ts'
import { finish, relaunch, unfinished } from './relaunch.ts'
import type { Retried } from './retried.ts'
import { present } from './status.ts'

export async function retry(context: VerbContext): Promise<number> {
  const { values, host, interrupts } = context
  const done: Retried[] = []
  const codes: number[] = []
  /** One that fails is told, and the others are looked after all the same. */
  const heed = async ({ name, id }: Pick<Deployment, 'name' | 'id'>, act: () => Promise<readonly Retried[]>): Promise<void> => {
    try {
      done.push(...(await act()))
    } catch (error) {
      if (interrupts.first.aborted || values.name !== undefined) throw error
      const says = error instanceof Error ? error.message : String(error)
      host.error(`${name}: ${says}`)
      done.push({ name, id, runs: [], waiting: 0, relaunched: false, error: says })
      codes.push(error instanceof TpiError ? error.exitCode : EXIT.remote)
    }
  }
  const open = await unfinished(context)
  for (const { d, current } of open) await heed(d, async () => finish(context, d, current))
  const left = await leftRunners(context)
  const others = open.length > 0 && values.name !== undefined ? [] : await candidates(context, left.length > 0)
  for (const { d, spec } of others)
    if (!open.some((one) => one.d.id === d.id)) await heed(d, async () => [await retryOne(context, d, spec)])
  const seen = [...open, ...others].map(({ d }) => d.id)
  for (const one of left) if (!seen.includes(one.place.id)) await heed(one.place, async () => [await startLeft(context, one)])
  if (values.json) host.facts(done)
  else if (done.length === 0) host.print(`there are no runners${await lookedAt(context)}`)
  else for (const one of done) host.print(lineOf(one))
  const [first] = codes
  if (first !== undefined) return first
  // Something has to be asked again later: GitHub allows nothing before the end of a run.
  return done.some(({ runs }) => runs.some(({ how }) => how === 'waiting')) ? EXIT.running : EXIT.ok
}

interface Candidate {
  readonly d: Deployment
  readonly spec: RunnerSpec
}

/** The one that is named, or every group of runners of this repository. */
async function candidates(context: VerbContext, left: boolean): Promise<Candidate[]> {
  const { values, owner } = context
  const all = await sightings(await context.clouds())
  const named = values.name === undefined ? undefined : pick(values.name, all)
  if (values.name !== undefined && !named) {
    if (left) return []
    await meantAlive(context)
  }
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
  let owed = false
  const repositories = repositoriesOf(spec, slots)
  const away = livesTaken(slots)
  const { enrolled, labels } = spec.runner
  const known = away.length > 0 ? await forge.cutOff({ enrolled, labels, away, repositories }) : []
  const interrupted = byRun([...interruptedJobs(slots), ...known])
  for (const [run, jobs] of interrupted) {
    const { how, says, denied } = await forge.rerun(jobs, mostOf(spec))
    runs.push({ run, how, says })
    // What was sent may have been the first of several: only the next call knows that nothing is left.
    owed ||= how !== 'refused' || denied === true
  }
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
  } else if (over && away.length + interrupted.size > 0 && !owed) await letGo(d)
  return { name: d.name, id: d.id, runs, waiting, relaunched: waiting > 0 }
}

/** Nobody is owed anything any more: a store of its own need not be kept for that, and ends itself. */
async function letGo(d: Deployment): Promise<void> {
  if (!d.cloud.ownStore?.holds({ url: d.store.url })) return
  await changeRecord<CurrentRecord>(d.store, currentKey(d.id), (now) =>
    now?.incarnation === d.incarnation && !now.settled ? { ...now, settled: true } : undefined,
  )
}

/** Where its jobs can be: that of the launch, and those whose jobs it has served. */
function repositoriesOf({ origin }: RunnerSpec, slots: readonly SlotRecord[]): readonly string[] {
  const served = slots.flatMap((slot) => slot.jobs ?? []).flatMap(({ facts }) => facts['repository'] ?? [])
  const own = repositoryOf(origin)
  return [...new Set([...(own ? [own] : []), ...served])]
}

function mostOf(spec: RunnerSpec): number {
  return Number(spec.runner.relaunch['retry'] ?? 0)
}

function byRun(jobs: readonly ServedJob[]): Map<string, ServedJob[]> {
  const runs = new Map<string, ServedJob[]>()
  for (const job of jobs) {
    const run = `${job.facts['repository'] ?? ''} ${job.facts['run'] ?? ''}`.trim()
    runs.set(run, [...(runs.get(run) ?? []), job])
  }
  return runs
}

function lineOf({ name, runs, waiting, relaunched, error }: Retried): string {
  if (error !== undefined) return `${name}: not all was done: ${error}`
  const lines = runs.map(({ says }) => `${name}: ${says}`)
  if (relaunched) lines.push(`${name}: started anew for ${plural(waiting, 'waiting job')}`)
  return lines.length > 0 ? lines.join('\n') : `${name}: nothing to do`
}
