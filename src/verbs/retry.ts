/** `tpi retry`: re-runs jobs whose machine was taken away, and starts runners again that jobs are waiting for. */
import { describeError } from '../core/errors.ts'
import { EXIT } from '../core/exit-codes.ts'
import type { Forge } from '../core/forge.ts'
import { changeRecord } from '../engine/change-record.ts'
import { type Deployment, ownsStore, readSlots, readSpec } from '../engine/deployment.ts'
import { openSighting, pick, sightings } from '../engine/find.ts'
import { plural } from '../lib/text.ts'
import { repositoryOf } from '../runner/tombstone.ts'
import { unreportedJobs } from '../runner/unreported-jobs.ts'
import { interruptedJobs } from '../wire/interrupted-jobs.ts'
import { currentKey } from '../wire/layout.ts'
import { CURRENT } from '../wire/records.ts'
import type { ServedJob } from '../wire/runner.ts'
import { isTerminal, type SlotRecord } from '../wire/slot.ts'
import type { RunnerSpec } from '../wire/spec.ts'
import { goneRunners, startGone } from './runner/gone-runners.ts'
import { forgeOf } from './runner/recorded-forge.ts'
import { finishRelaunch, relaunch, unfinishedRelaunches } from './runner/relaunch.ts'
import type { Retried } from './runner/retried.ts'
import { addSettled, readSettled, type Settled } from './runner/settled-jobs.ts'
import { checkedClouds } from './shared/checked-clouds.ts'
import type { VerbContext } from './shared/context.ts'
import { meantAlive } from './shared/find-run.ts'
import { sameHouse } from './shared/ownership.ts'
import { Losses } from './shared/partial-failures.ts'
import { KilledStarts, undoCutOff } from './shared/undo-killed-start.ts'
import { present } from './status.ts'

export async function retry(context: VerbContext): Promise<number> {
  const { values, host, signals } = context
  const done: Retried[] = []
  // A deployment that cannot be read may not be the one that was named.
  const losses = new Losses(context, true)
  /** A failure is reported, and the others are handled anyway. */
  const heed: Heed = async ({ name, id }, act) => {
    try {
      done.push(...(await act()))
    } catch (error) {
      if (signals.first.aborted || values.name !== undefined) throw error
      losses.tell(name, error)
      done.push({ name, id, runs: [], waiting: 0, alive: 0, relaunched: false, error: host.words(describeError(error)) })
    }
  }
  const unfinished = new Map((await unfinishedRelaunches(context, losses)).map((one) => [one.d.id, one]))
  for (const { d, current } of unfinished.values())
    await heed(d, async () => {
      const outcome = await finishRelaunch(context, d, current)
      if (!outcome) unfinished.delete(d.id)
      return outcome ?? []
    })
  const gone = await goneRunners(context)
  const killed = new KilledStarts(context)
  const others = unfinished.size > 0 && values.name !== undefined ? [] : await candidates(context, heed, killed, gone.length > 0)
  for (const { d, spec } of others) if (!unfinished.has(d.id)) await heed(d, async () => [await retryOne(context, d, spec)])
  const seen = [...unfinished.keys(), ...others.map(({ d }) => d.id)]
  for (const one of gone) if (!seen.includes(one.place.id)) await heed(one.place, async () => [await startGone(context, one)])
  if (values.json) host.facts(done)
  else if (done.length === 0) host.print(`there are no runners${await checkedClouds(context)}`)
  else for (const one of done) host.print(lineOf(one))
  await killed.undo()
  if (losses.code !== EXIT.ok) return losses.code
  // Something must be tried again later: GitHub allows nothing before the end of a workflow run.
  return done.some(({ runs }) => runs.some(({ how }) => how === 'waiting')) ? EXIT.running : EXIT.ok
}

interface Candidate {
  readonly d: Deployment
  readonly spec: RunnerSpec
}

type Heed = (which: Pick<Deployment, 'name' | 'id'>, act: () => Promise<readonly Retried[]>) => Promise<void>

/** The named one, or every group of runners of this repository. */
async function candidates(context: VerbContext, heed: Heed, killed: KilledStarts, gone: boolean): Promise<Candidate[]> {
  const { values, owner } = context
  const all = await sightings(await context.clouds())
  const named = values.name === undefined ? undefined : await pick(values.name, all, async () => context.storage())
  // Without a group it may still be on record; only that one is meant.
  if (values.name !== undefined && !named) return gone ? [] : undone(context, await meantAlive(context))
  const chosen = named ? [named] : all.filter(({ found }) => found.tags.mode === 'runner' && sameHouse(owner, found.tags.origin))
  const read = await Promise.all(
    chosen.map(async (sighting) => {
      let found: readonly Candidate[] = []
      await heed(sighting.found.tags, async () => {
        const d = await openSighting(sighting, context.access)
        if (named) found = await undone(context, d)
        else if (!(await killed.isStart(d, sighting))) found = await runnersOnly(d)
        return []
      })
      return found
    }),
  )
  return read.flat()
}

async function undone(context: VerbContext, d: Deployment): Promise<Candidate[]> {
  await undoCutOff(context, d)
  return runnersOnly(d)
}

async function runnersOnly(d: Deployment): Promise<Candidate[]> {
  const spec = await readSpec(d)
  return spec?.mode === 'runner' ? [{ d, spec }] : []
}

async function retryOne(context: VerbContext, d: Deployment, spec: RunnerSpec): Promise<Retried> {
  await present(context, d)
  const slots = (await readSlots(d, spec.count)).map(({ record }) => record)
  const { forge: forgeId, scope, labels, relaunch: request } = spec.runner
  const forge = await forgeOf(context, d, { forge: forgeId, scope, again: { labels, request } })
  const repositories = repositoriesOf(spec, slots)
  const { runs, owed } = await again(context, { d, spec, slots, forge, repositories })
  const alive = slots.filter((slot) => !isTerminal(slot.state)).length
  const waiting = alive === 0 ? await forge.waiting(labels, repositories) : 0
  if (waiting > 0) {
    await relaunch(context, {
      d,
      facts: { since: context.engine.clock.date().toISOString(), labels, request, repositories },
      registry: { forge: forgeId, scope },
      forge,
      waiting,
    })
  } else if (alive === 0 && !owed) await letGo(d)
  return { name: d.name, id: d.id, runs, waiting, alive, relaunched: waiting > 0 }
}

/** No job is waiting for anything any more, so a store of its own does not have to be kept, and ends itself. */
async function letGo(d: Deployment): Promise<void> {
  if (!ownsStore(d)) return
  await changeRecord(CURRENT, d.store, currentKey(d.id), (now) =>
    now?.incarnation === d.incarnation && !now.settled ? { ...now, settled: true } : undefined,
  )
}

/** Repositories in which its jobs can be: that of the launch, and those whose jobs it has served. */
function repositoriesOf({ origin }: RunnerSpec, slots: readonly SlotRecord[]): readonly string[] {
  const served = slots.flatMap((slot) => slot.jobs ?? []).flatMap(({ facts }) => facts['repository'] ?? [])
  const own = repositoryOf(origin)
  return [...new Set([...(own ? [own] : []), ...served])]
}

interface Group extends Candidate {
  readonly slots: readonly SlotRecord[]
  readonly forge: Forge
  readonly repositories: readonly string[]
}

/** Re-runs jobs that were cut off. If the forge has given a final answer about one, it is not asked again. `owed`: there may be more to do. */
async function again(context: VerbContext, group: Group): Promise<{ readonly runs: Retried['runs']; readonly owed: boolean }> {
  const { d, spec, slots, forge } = group
  const most = mostOf(spec)
  const settled = await readSettled(d)
  const jobs = [...interruptedJobs(slots), ...(most > 0 ? await unreported(context, group, settled) : [])]
  const served = slots.flatMap((slot) => slot.jobs ?? [])
  const runs: { run: string; how: string; says: string }[] = []
  let owed = most > 0 && unreportedJobs(spec.runner, slots).some(({ as }) => !settled.unharmed(as))
  for (const [run, mine] of byRun(jobs)) {
    if (most === 0) {
      runs.push({ run, how: 'refused', says: `jobs that were cut off in ${run} are not re-run, because "retry" is 0` })
      continue
    }
    const known = settled.said(mine)
    const { how, says, final } = known ?? (await forge.rerun(mine, most, served))
    runs.push({ run, how, says })
    owed ||= !final
    if (final && !known) await addSettled(d, { jobs: mine, says })
  }
  return { runs, owed }
}

/** Milliseconds after which a forge knows how a job ended whose machine died without notice: GitHub takes a quarter of an hour, GitLab an hour. */
const NOTICED = 2 * 3_600_000

/** Jobs that no hook has reported, according to the forge. */
async function unreported(
  { engine }: VerbContext,
  { d, spec, slots, forge, repositories }: Group,
  settled: Settled,
): Promise<readonly ServedJob[]> {
  const open = unreportedJobs(spec.runner, slots).filter(({ as }) => !settled.unharmed(as))
  if (open.length === 0) return []
  const away = open.flatMap((one) => one.away)
  const enrolled = [...new Set(open.map((one) => one.enrolled))]
  const { labels, machine } = spec.runner
  const lasting = machine.registration !== undefined
  const found = await forge.cutOff({ enrolled, labels, away, repositories, lasting, runs: likelyRuns(spec, slots) })
  const names = found.map(({ facts }) => facts['runner'])
  const last = Math.max(...away.map(({ to }) => Date.parse(to)))
  // Not if the forge cannot say which registration a job had.
  if (engine.clock.date().getTime() - last > NOTICED && !names.includes(undefined))
    await addSettled(d, { unharmed: open.filter((one) => !names.includes(one.enrolled.name)).map(({ as }) => as) })
  return found
}

/** The runs of its other jobs, and the one that has launched it. */
function likelyRuns({ origin }: RunnerSpec, slots: readonly SlotRecord[]): readonly { repository: string; run: string }[] {
  const facts = [{ repository: repositoryOf(origin), run: origin.run }, ...slots.flatMap(({ jobs = [] }) => jobs.map((job) => job.facts))]
  const runs = facts.flatMap(({ repository, run }) => (repository && run ? [{ repository, run }] : []))
  return [...new Map(runs.map((one) => [`${one.repository} ${one.run}`, one])).values()]
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

function lineOf({ name, runs, waiting, alive, relaunched, error }: Retried): string {
  if (error !== undefined) return `${name}: not everything could be done: ${error}`
  const lines = runs.map(({ says }) => `${name}: ${says}`)
  if (relaunched) lines.push(`${name}: started again for ${plural(waiting, 'waiting job')}`)
  const there = `${plural(alive, 'runner is', 'runners are')} there, at work or waiting for jobs`
  const nothing = `nothing to do: no job of it was cut off, and ${alive > 0 ? there : 'none waits for it'}`
  return lines.length > 0 ? lines.join('\n') : `${name}: ${nothing}`
}
