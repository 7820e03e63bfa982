/**
 * Jobs that were cut off before tpi had a record of them: while they were set up, or with a machine that was gone before it had saved what their hook
 * said. GitHub knows which runner had which job, most runners serve one job only, and tpi's records say which machines were taken away.
 */
import type { CutOffRequest, ForgeContext } from '../../core/forge.ts'
import type { ServedJob } from '../../wire/runner.ts'
import { SLACK, wentAway } from '../machine-life.ts'
import type { Api } from './api.ts'
import { type Job, jobsOf, pathOfRun, runsOf, type WorkflowRun } from './runs.ts'

/** Milliseconds that a job may wait for a runner: https://docs.github.com/en/actions/reference/limits (self-hosted, job queue time). */
const QUEUED = 24 * 3_600_000
/** The only conclusions of a run in which a job was cut off. */
const ENDS: readonly unknown[] = ['failure', 'cancelled']

/** Looks at likely runs first. Others of that time are looked at only as long as some runner has no job. */
export async function cutOff(api: Api, log: ForgeContext['log'], request: CutOffRequest): Promise<readonly ServedJob[]> {
  const open = new Set(request.enrolled.map(({ name }) => name))
  const found: ServedJob[] = []
  const seen = new Set<string>()
  const look = async (repository: string, run: string | number): Promise<void> => {
    const path = pathOfRun(repository, run)
    if (open.size === 0 || seen.has(path)) return
    seen.add(path)
    const jobs = await jobsOf(api, path, 'all')
    const cut = jobs.filter((job) => open.has(job.runner_name ?? '') && wasCutOff(job, jobs, request))
    found.push(...cut.map((job) => recordOf(job, repository, run)))
    if (!request.lasting) for (const { runner_name: name } of jobs) if (name !== null) open.delete(name)
  }
  for (const { repository, run } of request.runs ?? []) await look(repository, run)
  for (const repository of request.repositories) {
    if (open.size === 0) break
    for (const { id } of await runsThen(api, log, repository, request)) await look(repository, id)
  }
  return found
}

/** Runs that can have had a job on one of the machines. */
async function runsThen(api: Api, log: ForgeContext['log'], repository: string, { away }: CutOffRequest): Promise<readonly WorkflowRun[]> {
  const from = Math.min(...away.map((life) => Date.parse(life.from)))
  const to = Math.max(...away.map((life) => Date.parse(life.to))) + SLACK
  const created = `${new Date(from - QUEUED).toISOString()}..${new Date(to).toISOString()}`
  const runs = await runsOf(api, log, repository, `created=${encodeURIComponent(created)}`)
  const begun = ({ status, run_attempt: attempt }: WorkflowRun): boolean => status === 'in_progress' || attempt > 1
  return runs.filter((run) =>
    run.status === 'completed' ? ENDS.includes(run.conclusion) && Date.parse(run.updated_at) >= from : begun(run),
  )
}

/**
 * A job was cut off if it ended with its machine, or has not ended yet, and none of its steps failed: in a job that fails by itself, a step does. If
 * other jobs were cancelled, too, somebody has cancelled it, or its matrix has.
 */
function wasCutOff(job: Job, all: readonly Job[], { enrolled, away }: CutOffRequest): boolean {
  const { conclusion, status, started_at: start, completed_at: end, steps = [] } = job
  if (!wentAway(away, start, end ?? undefined)) return false
  if (steps.some((step) => step.conclusion === 'failure' || step.conclusion === 'timed_out')) return false
  if (status !== 'completed') return true
  const names = new Set(enrolled.map(({ name }) => name))
  const others = all.filter((one) => one.run_attempt === job.run_attempt && !names.has(one.runner_name ?? ''))
  return conclusion === 'failure' || (conclusion === 'cancelled' && !others.some((one) => one.conclusion === 'cancelled'))
}

function recordOf(
  { name, run_attempt: attempt = 1, runner_name: runner, ...job }: Job,
  repository: string,
  run: string | number,
): ServedJob {
  const end = job.completed_at === null ? {} : { end: job.completed_at }
  const facts = { repository, run: String(run), attempt: String(attempt), job: name, runner: runner ?? '' }
  return { epoch: 0, start: job.started_at, ...end, interrupted: true, facts }
}
