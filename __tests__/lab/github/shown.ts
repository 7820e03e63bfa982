/** How the double shows runners, runs and jobs in GitHub's format. */
import type { DoubleJob, DoubleRun, DoubleRunner } from './double.ts'
import { template } from './shapes.ts'

/** One page of a list. */
export function paged<T>(all: readonly T[], query: URLSearchParams): readonly T[] {
  const size = Math.min(100, Number(query.get('per_page') ?? 30))
  const from = (Number(query.get('page') ?? 1) - 1) * size
  return all.slice(from, from + size)
}

export function statusOf(run: DoubleRun): string {
  if (run.jobs.every((job) => job.status === 'completed')) return 'completed'
  return run.jobs.every((job) => job.status === 'queued') ? 'queued' : 'in_progress'
}

export function shown({ id, name, labels, online, job, lasting, group }: DoubleRunner): unknown {
  return {
    id,
    name,
    os: 'linux',
    status: online ? 'online' : 'offline',
    busy: job !== undefined,
    labels: labelsOf({ labels }),
    runner_group_id: group ?? 1,
    ephemeral: !lasting,
  }
}

export function labelsOf({ labels }: Pick<DoubleRunner, 'labels'>): unknown[] {
  return labels.map((label, at) => ({ id: at + 1, name: label, type: 'custom' }))
}

/**
 * GitHub shows a run as failed if one of its jobs has failed and its matrix has cancelled others for that. Assumed: one that somebody has
 * cancelled is shown as cancelled, whatever has failed before.
 */
function conclusionOf(run: DoubleRun): DoubleJob['conclusion'] {
  if (statusOf(run) !== 'completed') return null
  if (run.cancelled) return 'cancelled'
  const ends = run.jobs.map(({ conclusion }) => conclusion)
  return (['failure', 'cancelled'] as const).find((end) => ends.includes(end)) ?? 'success'
}

/** Whether a list with this query includes the run: `status` is a status or a conclusion, `created` a range of dates. */
export function fits(run: DoubleRun, query: URLSearchParams): boolean {
  const status = query.get('status')
  if ((query.get('branch') ?? run.branch) !== run.branch) return false
  if (status !== null && status !== statusOf(run) && status !== conclusionOf(run)) return false
  const [from = '', to = ''] = query.get('created')?.split('..') ?? []
  const at = run.created.getTime()
  return from === '' || (at >= Date.parse(from) && at <= Date.parse(to))
}

export function shownRun(run: DoubleRun, url: string): unknown {
  const times = [...run.past, ...run.jobs].flatMap(({ created, started, ended }) => [created, started ?? created, ended ?? created])
  return {
    ...template('run', url),
    id: run.id,
    run_attempt: run.attempt,
    head_branch: run.branch,
    status: statusOf(run),
    conclusion: conclusionOf(run),
    referenced_workflows: run.reusable ? [{ path: 'octo/hello/.github/workflows/train.yml', sha: 'a'.repeat(40) }] : [],
    created_at: run.created.toISOString(),
    updated_at: new Date(Math.max(...times.map((at) => at.getTime()))).toISOString(),
  }
}

export function shownJob(job: DoubleJob, url: string): unknown {
  return {
    ...template('job', url),
    id: job.id,
    run_id: job.run.id,
    run_attempt: job.attempt,
    name: job.name,
    status: job.status,
    conclusion: job.conclusion,
    labels: job.labels,
    runner_id: job.runner?.id ?? null,
    runner_name: job.runnerName,
    runner_group_id: null,
    runner_group_name: null,
    created_at: job.created.toISOString(),
    // For a job that has not started yet, the time at which it was made.
    started_at: (job.started ?? job.created).toISOString(),
    completed_at: job.ended?.toISOString() ?? null,
    steps: job.steps.map((step, at) => ({ ...step, number: at + 1 })),
  }
}

/** Annotations of a job; a check run and its job have the same number. */
export function annotationsOf(job: DoubleJob | undefined): unknown[] {
  if (job?.annotation === undefined) return []
  const place = { path: '.github', blob_href: '', start_line: 1, end_line: 1, start_column: null, end_column: null }
  return [{ ...place, annotation_level: 'failure', title: null, message: job.annotation, raw_details: null }]
}
