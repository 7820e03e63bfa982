/** Re-runs jobs that were cut off, with a single call, and finds jobs that wait for runners. */
import type { ForgeContext, Rerun } from '../../core/forge.ts'
import { plural, printable } from '../../lib/text.ts'
import type { ServedJob } from '../../wire/runner.ts'
import { reasonOf } from '../errors.ts'
import type { Api } from './api.ts'
import { among } from './executions.ts'
import { RERUNNING } from './permissions.ts'
import { isRun, type Job, jobsOf, pathOfRun, runsOf, type WorkflowRun } from './runs.ts'
import { serves, type Target } from './target.ts'

/** How often GitHub re-runs a run. */
const MOST_ATTEMPTS = 50
/**
 * Milliseconds after its first attempt for which GitHub can re-run a run.
 * https://docs.github.com/en/actions/how-tos/manage-workflow-runs/re-run-workflows-and-jobs
 */
const LONGEST = 30 * 24 * 3_600_000

/**
 * `jobs`: of one run, in any of its attempts. A job is re-run only if its last execution is one of them, so nothing is done twice: a job that runs
 * again is another execution. `served`: other jobs on record for their runners.
 */
export async function rerun(
  api: Api,
  target: Target,
  jobs: readonly ServedJob[],
  { most, served }: { readonly most: number; readonly served: readonly ServedJob[] },
): Promise<Rerun> {
  const [first] = jobs
  const { repository, run } = first?.facts ?? {}
  if (!repository || !run || !isRun(run)) return { how: 'refused', says: 'the run that it belonged to is not known' }
  if (!serves(target, repository))
    return never(
      `according to their record, run ${run} belongs to "${printable(repository)}", which runners of ${target.kind} ${target.name} do not serve`,
    )
  const path = pathOfRun(repository, run)
  const { data, status } = await api.call({ doing: `look at run ${run}`, method: 'GET', path, accept: [404], needs: RERUNNING })
  if (status === 404) return { how: 'refused', says: `run ${run} of ${repository} is gone, or not visible to this token` }
  const now = data as WorkflowRun
  const anew = now.run_attempt > Math.max(...jobs.map(({ facts }) => Number(facts['attempt'] ?? Infinity)))
  // Checked before the limits, so that a job that was re-run already is not reported as one that may not be re-run.
  const begun = anew ? await stillFailed(api, path, jobs, served) : undefined
  if (begun?.listed === 0) return early(run)
  if (begun?.ours.length === 0) return never(`run ${run} was already re-run (attempt ${now.run_attempt})`)
  const no = notNow(run, now, most)
  if (no) return no
  const { failed, ours, listed } = begun ?? (await stillFailed(api, path, jobs, served))
  if (listed === 0) return early(run)
  if (ours.length === 0) return never(`the interruption did not make the job fail: run ${run} has nothing to re-run`)
  const all = failed.every((job) => ours.includes(job) || cancelledFor(ours, job, now))
  return send(api, path, run, all ? undefined : ours)
}

/**
 * Whether a job was cancelled because one of `ours` failed: by default, that cancels the other jobs of its matrix. If somebody had cancelled the run,
 * that would be the conclusion of the run, too.
 */
function cancelledFor(ours: readonly Job[], { conclusion, completed_at: end }: Job, run: WorkflowRun): boolean {
  if (conclusion !== 'cancelled' || run.conclusion !== 'failure') return false
  return ours.some((one) => one.conclusion === 'failure' && Date.parse(one.completed_at ?? '') <= Date.parse(end ?? ''))
}

function notNow(run: string, { run_attempt: attempt, status }: WorkflowRun, most: number): Rerun | undefined {
  if (attempt > most) return never(`run ${run} was re-run ${plural(attempt - 1, 'time')}, as often as "retry" allows`)
  if (attempt > MOST_ATTEMPTS) return never(`run ${run} was re-run ${MOST_ATTEMPTS} times, as often as GitHub allows`)
  return status === 'completed' ? undefined : early(run)
}

function early(run: string): Rerun {
  return {
    how: 'waiting',
    says: `run ${run} has not ended yet, and GitHub re-runs nothing before it ends: run "tpi retry" after that`,
  }
}

function never(says: string): Rerun {
  return { how: 'refused', says, final: true }
}

/**
 * Jobs whose last execution failed (`failed`), and those of them that are in `jobs` (`ours`). `listed`: the number of all jobs; if it is 0, GitHub
 * has begun a re-run, but made no job yet.
 */
async function stillFailed(
  api: Api,
  path: string,
  jobs: readonly ServedJob[],
  served: readonly ServedJob[],
): Promise<{ readonly failed: readonly Job[]; readonly ours: readonly Job[]; readonly listed: number }> {
  const names = new Set(jobs.map((job) => job.facts['runner']))
  const latest = await jobsOf(api, path, 'latest')
  const failed = latest.filter(({ conclusion }) => conclusion === 'failure' || conclusion === 'cancelled' || conclusion === 'timed_out')
  if (!failed.some(({ runner_name: name }) => name !== null && names.has(name))) return { failed, ours: [], listed: latest.length }
  return { failed, ours: failed.filter(among(await jobsOf(api, path, 'all'), jobs, served)), listed: latest.length }
}

/** `only`: the jobs to re-run, if others failed by themselves; absent: all that failed. */
async function send(api: Api, path: string, run: string, only: readonly Job[] | undefined): Promise<Rerun> {
  const [one] = only ?? []
  const url = one ? `${path.replace(/\/runs\/.*/, '')}/jobs/${one.id}/rerun` : `${path}/rerun-failed-jobs`
  const answer = await api.call({ doing: `run jobs of run ${run} again`, method: 'POST', path: url, needs: RERUNNING, accept: [403] })
  if (answer.status === 403)
    return refused(api, path, run, { what: one ? `job ${one.id}` : 'the failed jobs', alone: one !== undefined, said: reasonOf(answer) })
  const others = (only?.length ?? 1) - 1
  return {
    how: 'rerun',
    says: `run ${run}: ${one ? `job ${one.id} runs` : 'its failed jobs run'} again${others > 0 ? `; ${others} more have to wait for its end` : ''}`,
  }
}

/** Status 403 means a run that is running again, one that GitHub never re-runs, or a token without the right: the run tells which. */
async function refused(
  api: Api,
  path: string,
  run: string,
  { what, alone, said }: { readonly what: string; readonly alone: boolean; readonly said: string },
): Promise<Rerun> {
  const { data, headers } = await api.call({ doing: `look at run ${run}`, method: 'GET', path, needs: RERUNNING })
  const { status, created_at: created, referenced_workflows: reused = [] } = data as WorkflowRun
  if (status !== 'completed') return early(run)
  const refuses = `GitHub refuses to run ${what} of run ${run} again`
  const now = Date.parse(String(headers['date']))
  if (now - Date.parse(created) > LONGEST) return never(`${refuses}: it is older than 30 days`)
  if (alone && (reused?.length ?? 0) > 0)
    return never(`${refuses}: it cannot run a single job of a reusable workflow; "Re-run failed jobs" there runs all that failed`)
  return { how: 'refused', says: `${refuses} (${said}); the token needs ${RERUNNING}` }
}

/** Number of waiting jobs that name the unique label of these runners, and no label that they do not have. */
export async function waiting(api: Api, log: ForgeContext['log'], repository: string, labels: readonly string[]): Promise<number> {
  const [unique = ''] = labels
  const ours = new Set(labels.map((label) => label.toLowerCase()))
  const ids = new Set<number>()
  for (const status of ['queued', 'in_progress']) for (const { id } of await runsOf(api, log, repository, `status=${status}`)) ids.add(id)
  let count = 0
  for (const id of ids) {
    const jobs = await jobsOf(api, pathOfRun(repository, id), 'latest')
    count += jobs.filter(
      (job) => job.status === 'queued' && job.labels.includes(unique) && job.labels.every((label) => ours.has(label.toLowerCase())),
    ).length
  }
  return count
}
