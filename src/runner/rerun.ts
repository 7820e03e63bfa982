/** Jobs that were cut off: which ones there are, according to records and forge, and which of them run again. */
import type { Forge } from '../core/forge.ts'
import type { Deployment, Engine } from '../engine/deployment.ts'
import { interruptedJobs } from '../wire/interrupted-jobs.ts'
import type { ServedJob } from '../wire/runner.ts'
import type { SlotRecord } from '../wire/slot.ts'
import type { RunnerSpec } from '../wire/spec.ts'
import { addSettled, readSettled, type Settled } from './settled-jobs.ts'
import { repositoryOf } from './tombstone.ts'
import { unreportedJobs } from './unreported-jobs.ts'

export interface RunnerGroup {
  readonly d: Deployment
  readonly spec: RunnerSpec
  readonly slots: readonly SlotRecord[]
  readonly forge: Forge
  /** In which its jobs can be. */
  readonly repositories: readonly string[]
}

/** What was done about the interrupted jobs of a run of the forge. */
export interface RerunJobs {
  readonly run: string
  readonly how: string
  readonly says: string
}

/** Re-runs jobs that were cut off. If the forge has given a final answer about one, it is not asked again. `owed`: there may be more to do. */
export async function rerunCutOff(
  clock: Engine['clock'],
  group: RunnerGroup,
): Promise<{ readonly runs: readonly RerunJobs[]; readonly owed: boolean }> {
  const { d, spec, slots, forge } = group
  const most = Number(spec.runner.relaunch['retry'] ?? 0)
  const settled = await readSettled(d)
  const jobs = [...interruptedJobs(slots), ...(most > 0 ? await unreported(clock, group, settled) : [])]
  const served = slots.flatMap((slot) => slot.jobs ?? [])
  const runs: RerunJobs[] = []
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

/** Repositories in which its jobs can be: that of the launch, and those whose jobs it has served. */
export function repositoriesOf({ origin }: RunnerSpec, slots: readonly SlotRecord[]): readonly string[] {
  const served = slots.flatMap((slot) => slot.jobs ?? []).flatMap(({ facts }) => facts['repository'] ?? [])
  const own = repositoryOf(origin)
  return [...new Set([...(own ? [own] : []), ...served])]
}

/** Milliseconds after which a forge knows how a job ended whose machine died without notice: GitHub takes a quarter of an hour, GitLab an hour. */
const NOTICED = 2 * 3_600_000

/** Jobs that no hook has reported, according to the forge. */
async function unreported(
  clock: Engine['clock'],
  { d, spec, slots, forge, repositories }: RunnerGroup,
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
  if (clock.date().getTime() - last > NOTICED && !names.includes(undefined))
    await addSettled(d, { unharmed: open.filter((one) => !names.includes(one.enrolled.name)).map(({ as }) => as) })
  return found
}

/** The runs of its other jobs, and the one that has launched it. */
function likelyRuns({ origin }: RunnerSpec, slots: readonly SlotRecord[]): readonly { repository: string; run: string }[] {
  const facts = [{ repository: repositoryOf(origin), run: origin.run }, ...slots.flatMap(({ jobs = [] }) => jobs.map((job) => job.facts))]
  const runs = facts.flatMap(({ repository, run }) => (repository && run ? [{ repository, run }] : []))
  return [...new Map(runs.map((one) => [`${one.repository} ${one.run}`, one])).values()]
}

function byRun(jobs: readonly ServedJob[]): Map<string, ServedJob[]> {
  const runs = new Map<string, ServedJob[]>()
  for (const job of jobs) {
    const run = `${job.facts['repository'] ?? ''} ${job.facts['run'] ?? ''}`.trim()
    runs.set(run, [...(runs.get(run) ?? []), job])
  }
  return runs
}
