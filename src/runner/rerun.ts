/** Jobs that were cut off: finds them, by records and by asking the forge, and has the forge run them again. */
import type { Forge } from '../core/forge.ts'
import type { Deployment, Engine } from '../engine/deployment.ts'
import { interruptedJobs } from '../wire/interrupted-jobs.ts'
import type { Origin } from '../wire/records.ts'
import { type EarlierJobs, MOST_EARLIER, MOST_LIVES, type ServedJob, type UnreportedJob } from '../wire/runner.ts'
import type { SlotRecord } from '../wire/slot.ts'
import type { RunnerSpec } from '../wire/spec.ts'
import { addSettled, readSettled, type Settled } from './settled-jobs.ts'
import { unreportedJobs } from './unreported-jobs.ts'

export interface RunnerGroup {
  readonly d: Deployment
  readonly spec: RunnerSpec
  readonly slots: readonly SlotRecord[]
  readonly forge: Forge
  /** Repositories in which its jobs can be. */
  readonly repositories: readonly string[]
}

/** What was done about the jobs of one run of the forge that were cut off. */
export interface RerunJobs {
  readonly run: string
  readonly how: string
  /** For people. */
  readonly says: string
}

/** The forge to ask, and what about. */
export interface Asked extends Pick<RunnerGroup, 'forge' | 'repositories'> {
  readonly labels: readonly string[]
  /** A runner may have had many jobs under one name. */
  readonly lasting: boolean
  /** Runs of the forge to look at first. */
  readonly runs: readonly { readonly repository: string; readonly run: string }[]
  /** How often a job may be re-run. */
  readonly most: number
}

interface RerunReport {
  readonly runs: readonly RerunJobs[]
  /** Jobs about which the forge has no final answer yet. They must not be forgotten: the next launch records them. */
  readonly left: EarlierJobs | undefined
}

/** Re-runs jobs that were cut off. If the forge has given a final answer about one, it is not asked again. */
export async function rerunCutOff(clock: Engine['clock'], group: RunnerGroup): Promise<RerunReport> {
  const { d, spec, slots, forge, repositories } = group
  const { labels, machine, relaunch } = spec.runner
  const most = Number(relaunch['retry'] ?? 0)
  const asked = { forge, repositories, labels, lasting: machine.registration !== undefined, runs: likelyRuns(spec, slots), most }
  return rerun(clock, recordedJobs(spec, slots), asked, { settled: await readSettled(d), add: async (more) => addSettled(d, more) })
}

/** The same for jobs of a launch whose own records are gone. */
export async function rerunEarlier(clock: Engine['clock'], earlier: EarlierJobs, asked: Asked): Promise<RerunReport> {
  const jobs = { cut: earlier.jobs.filter(({ interrupted }) => interrupted), served: earlier.jobs, open: earlier.unreported }
  return rerun(clock, jobs, asked)
}

/** Milliseconds between looks. Each look costs a call for every run of a busy repository. */
const PAUSES = [5000, 10_000, 15_000]

/**
 * How many jobs wait for runners. If jobs were re-run, it looks several times: GitHub's lists show a re-run late. Nothing else might start
 * runners for it later.
 */
export async function waitingJobs(
  clock: Engine['clock'],
  forge: Pick<Forge, 'waiting'>,
  { labels, repositories, runs }: Pick<Asked, 'labels' | 'repositories'> & { readonly runs: readonly RerunJobs[] },
  signal: AbortSignal,
): Promise<number> {
  for (const pause of runs.some(({ how }) => how === 'rerun') ? PAUSES : []) {
    const waiting = await forge.waiting(labels, repositories)
    if (waiting > 0) return waiting
    await clock.sleep(pause, signal)
  }
  return forge.waiting(labels, repositories)
}

/** What has no final answer yet, by the records alone, for the next launch to record. */
export async function undecidedJobs(
  clock: Engine['clock'],
  { d, spec, slots }: Pick<RunnerGroup, 'd' | 'spec' | 'slots'>,
): Promise<EarlierJobs | undefined> {
  if (Number(spec.runner.relaunch['retry'] ?? 0) === 0) return undefined
  const settled = await readSettled(d)
  const jobs = recordedJobs(spec, slots)
  const owed = [...byRun(jobs.cut)].filter(([, mine]) => !settled.said(mine)).map(([run]) => run)
  return leftOf(clock, { ...jobs, open: jobs.open.filter(({ as }) => !settled.unharmed(as)) }, new Set(owed))
}

interface RecordedJobs {
  readonly cut: readonly ServedJob[]
  readonly served: readonly ServedJob[]
  readonly open: readonly UnreportedJob[]
}

function recordedJobs({ runner }: RunnerSpec, slots: readonly SlotRecord[]): RecordedJobs {
  const before = runner.earlier?.jobs ?? []
  return {
    cut: [...before.filter(({ interrupted }) => interrupted), ...interruptedJobs(slots)],
    served: [...before, ...slots.flatMap((slot) => slot.jobs ?? [])],
    open: unreportedJobs(runner, slots),
  }
}

interface Memory {
  readonly settled: Settled
  add(more: Parameters<typeof addSettled>[1]): Promise<void>
}

async function rerun(clock: Engine['clock'], jobs: RecordedJobs, asked: Asked, memory?: Memory): Promise<RerunReport> {
  const { forge, most } = asked
  const runs: RerunJobs[] = []
  if (most === 0) {
    for (const [run] of byRun(jobs.cut))
      runs.push({ run, how: 'refused', says: `jobs that were cut off in ${run} are not re-run, because "retry" is 0` })
    return { runs, left: undefined }
  }
  const open = jobs.open.filter(({ as }) => !memory?.settled.unharmed(as))
  const { found, unharmed, certain } = await unreported(clock, open, asked)
  if (unharmed.length > 0) await memory?.add({ unharmed: unharmed.map(({ as }) => as) })
  const owed = new Set<string>()
  for (const [run, mine] of byRun([...jobs.cut, ...found])) {
    const known = memory?.settled.said(mine)
    const { how, says, final } = known ?? (await forge.rerun(mine, most, jobs.served))
    runs.push({ run, how, says })
    if (!final) owed.add(run)
    if (final && !known) await memory?.add({ jobs: mine, says })
  }
  const settled = found.some((job) => owed.has(runOf(job))) ? unharmed : certain
  return { runs, left: leftOf(clock, { ...jobs, open: open.filter((one) => !settled.includes(one)) }, owed) }
}

/** Milliseconds after which no forge runs a job again: GitHub's limit, which is the longest. Then it need not be remembered any more. */
const FORGOTTEN = 30 * 24 * 3_600_000

/** What must be remembered of these jobs. `owed`: runs of the forge in which something is still to be done. */
function leftOf(clock: Engine['clock'], { cut, served, open }: RecordedJobs, owed: ReadonlySet<string>): EarlierJobs | undefined {
  const since = clock.date().getTime() - FORGOTTEN
  const jobs = served
    .filter((job) => owed.has(runOf(job)) && Date.parse(job.start) > since)
    // The next launch has no record of the attempts, so a job that was cut off is marked as such here.
    .map((job): ServedJob => {
      const { epoch, start, end, facts } = job
      return { epoch, start, facts, ...(cut.includes(job) ? { end: end ?? start, interrupted: true } : end !== undefined && { end }) }
    })
  const unreported = open
    .map((one) => ({ ...one, away: one.away.filter(({ to }) => Date.parse(to) > since).slice(-MOST_LIVES) }))
    .filter(({ away }) => away.length > 0)
  if (jobs.length + unreported.length === 0) return undefined
  return { jobs: jobs.slice(-MOST_EARLIER), unreported: unreported.slice(-MOST_EARLIER) }
}

/** The name of the repository at its forge: without the forge's host. */
export function repositoryOf({ repository }: Origin): string | undefined {
  return repository?.split('/').slice(1).join('/')
}

/** Repositories in which its jobs can be: the one of the launch, and those whose jobs it has served. */
export function repositoriesOf(spec: RunnerSpec, slots: readonly SlotRecord[]): readonly string[] {
  const { origin } = spec
  const served = recordedJobs(spec, slots).served.flatMap(({ facts }) => facts['repository'] ?? [])
  const own = repositoryOf(origin)
  return [...new Set([...(own ? [own] : []), ...served])]
}

/** Milliseconds after which a forge knows that a job ended whose machine died: GitHub needs a quarter of an hour, GitLab an hour. */
const NOTICED = 2 * 3_600_000

interface Unreported {
  readonly found: readonly ServedJob[]
  readonly certain: readonly UnreportedJob[]
  readonly unharmed: readonly UnreportedJob[]
}

/**
 * Asks the forge about jobs that no hook has reported. `found`: jobs that were cut off. `certain`: machines about which its answer is
 * final; `unharmed`: those of them that had no such job.
 */
async function unreported(
  clock: Engine['clock'],
  open: readonly UnreportedJob[],
  { forge, labels, repositories, lasting, runs }: Asked,
): Promise<Unreported> {
  if (open.length === 0) return { found: [], unharmed: [], certain: [] }
  const away = open.flatMap((one) => one.away)
  const enrolled = [...new Map(open.map((one) => [one.enrolled.name, one.enrolled])).values()]
  const found = await forge.cutOff({ enrolled, labels, away, repositories, lasting, runs })
  const names = found.map(({ facts }) => facts['runner'])
  const noticed = clock.date().getTime() - NOTICED
  const certain = open.filter((one) => one.away.every(({ to }) => Date.parse(to) < noticed))
  // If the forge cannot say on which machine a job was, nothing can be said about any of them.
  const unharmed = names.includes(undefined) ? [] : certain.filter((one) => !names.includes(one.enrolled.name))
  return { found, unharmed, certain }
}

/** Runs of the forge that are likely to have its jobs: the one that has launched it, and those of its other jobs. */
function likelyRuns(spec: RunnerSpec, slots: readonly SlotRecord[]): Asked['runs'] {
  const { origin } = spec
  const facts = [{ repository: repositoryOf(origin), run: origin.run }, ...recordedJobs(spec, slots).served.map((job) => job.facts)]
  const runs = facts.flatMap(({ repository, run }) => (repository && run ? [{ repository, run }] : []))
  return [...new Map(runs.map((one) => [`${one.repository} ${one.run}`, one])).values()]
}

const runOf = ({ facts }: ServedJob): string => `${facts['repository'] ?? ''} ${facts['run'] ?? ''}`.trim()

function byRun(jobs: readonly ServedJob[]): Map<string, ServedJob[]> {
  const runs = new Map<string, ServedJob[]>()
  for (const job of jobs) {
    const run = runOf(job)
    runs.set(run, [...(runs.get(run) ?? []), job])
  }
  return runs
}
