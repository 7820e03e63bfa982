/** Interrupted jobs once more, by the one call that suffices; and jobs that nobody can serve any more. */
import type { Rerun } from '../../core/forge.ts'
import type { ServedJob } from '../../wire/runner.ts'
import { reasonOf } from '../patience.ts'
import type { Api } from './api.ts'
import { RERUNNING } from './rights.ts'

/** GitHub's own limit of re-runs per run. */
const MOST_ATTEMPTS = 50
const PAGE = 100

interface Run {
  readonly status: string
  readonly run_attempt: number
}

interface Job {
  readonly id: number
  readonly status: string
  readonly conclusion: string | null
  readonly runner_name: string | null
  readonly labels: readonly string[]
}

/**
 * `jobs` are of one run, of any of its attempts: what counts is whether the last execution of a job ran on one of these runners, each of
 * which is registered under a name of its own. So it does nothing twice: a job that runs anew has another runner, or none yet.
 */
export async function rerun(api: Api, jobs: readonly ServedJob[], most: number): Promise<Rerun> {
  const [first] = jobs
  const { repository, run } = first?.facts ?? {}
  if (!repository || !run) return { how: 'refused', says: 'nothing is known of the run that it belonged to' }
  const path = `/repos/${repository}/actions/runs/${run}`
  const { data, status } = await api.call({ doing: `look at run ${run}`, method: 'GET', path, accept: [404], needs: RERUNNING })
  if (status === 404) return { how: 'refused', denied: true, says: `run ${run} of ${repository} is gone, or out of sight of this token` }
  const now = data as Run
  const anew = now.run_attempt > Math.max(...jobs.map(({ facts }) => Number(facts['attempt'] ?? Infinity)))
  // Before the limits: of what was done already, it is not said that it is not allowed.
  const early = anew ? await stillFailed(api, path, jobs) : undefined
  if (early?.ours.length === 0) return { how: 'refused', says: `run ${run} was already run again (attempt ${now.run_attempt})` }
  const no = notNow(run, now, most)
  if (no) return no
  const { failed, ours } = early ?? (await stillFailed(api, path, jobs))
  if (ours.length === 0) return { how: 'refused', says: `the job did not fail for it: run ${run} has nothing to run again` }
  return send(api, path, run, ours.length === failed.length ? undefined : ours)
}

function notNow(run: string, { run_attempt: attempt, status }: Run, most: number): Rerun | undefined {
  if (attempt > most) return { how: 'refused', says: `run ${run} was run again ${attempt - 1} times, as often as "retry" allows` }
  if (attempt > MOST_ATTEMPTS) return { how: 'refused', says: `run ${run} was run again ${MOST_ATTEMPTS} times, as often as GitHub allows` }
  if (status === 'completed') return undefined
  return { how: 'waiting', says: `run ${run} is still going: GitHub runs nothing again before its end` }
}

/** Jobs whose last execution failed, and those of them that were on the runners of `jobs`. */
async function stillFailed(
  api: Api,
  path: string,
  jobs: readonly ServedJob[],
): Promise<{ readonly failed: readonly Job[]; readonly ours: readonly Job[] }> {
  const names = new Set(jobs.map((job) => job.facts['runner']))
  const failed = (await latest(api, path)).filter(
    ({ conclusion }) => conclusion === 'failure' || conclusion === 'cancelled' || conclusion === 'timed_out',
  )
  return { failed, ours: failed.filter(({ runner_name: name }) => name !== null && names.has(name)) }
}

/** `only`: jobs among others that failed by themselves, which stay as they are. */
async function send(api: Api, path: string, run: string, only: readonly Job[] | undefined): Promise<Rerun> {
  const [one] = only ?? []
  const url = one ? `${path.replace(/\/runs\/.*/, '')}/jobs/${one.id}/rerun` : `${path}/rerun-failed-jobs`
  const answer = await api.call({ doing: `run jobs of run ${run} again`, method: 'POST', path: url, needs: RERUNNING, accept: [403] })
  if (answer.status === 403)
    return {
      how: 'refused',
      denied: true,
      says: `GitHub refuses to run ${one ? `job ${one.id}` : 'the failed jobs'} of run ${run} again: ${reasonOf(answer)}`,
    }
  const others = (only?.length ?? 1) - 1
  return {
    how: 'rerun',
    says: `run ${run}: ${one ? `job ${one.id} runs` : 'its failed jobs run'} again${others > 0 ? `; ${others} more have to wait for its end` : ''}`,
  }
}

async function latest(api: Api, path: string): Promise<Job[]> {
  const jobs: Job[] = []
  for (let page = 1; ; page++) {
    const { data } = await api.call({
      doing: 'list the jobs of a run',
      method: 'GET',
      path: `${path}/jobs?filter=latest&per_page=${PAGE}&page=${page}`,
      needs: RERUNNING,
    })
    const some = (data as { jobs: Job[] }).jobs
    jobs.push(...some)
    if (some.length < PAGE) return jobs
  }
}

/** Jobs of queued and running runs that name our unique label, and no other that these runners would lack: new ones could not serve those either. */
export async function waiting(api: Api, repository: string, labels: readonly string[]): Promise<number> {
  const [unique = ''] = labels
  const ours = new Set(labels.map((label) => label.toLowerCase()))
  const runs: { id: number }[] = []
  for (const status of ['queued', 'in_progress']) {
    const { data } = await api.call({
      doing: 'list runs',
      method: 'GET',
      path: `/repos/${repository}/actions/runs?status=${status}&per_page=${PAGE}`,
      needs: RERUNNING,
    })
    runs.push(...(data as { workflow_runs: { id: number }[] }).workflow_runs)
  }
  let count = 0
  for (const { id } of runs) {
    const jobs = await latest(api, `/repos/${repository}/actions/runs/${id}`)
    count += jobs.filter(
      (job) => job.status === 'queued' && job.labels.includes(unique) && job.labels.every((label) => ours.has(label.toLowerCase())),
    ).length
  }
  return count
}
