/** Runs of workflows and their jobs, page by page. */
import type { ForgeContext } from '../../core/forge.ts'
import type { Api } from './api.ts'
import { RERUNNING } from './permissions.ts'

const PAGE = 100
/** The newest of a list that are looked at: each of them costs a call. GitHub itself lists no more than a thousand. */
export const MOST_RUNS = 300

export interface WorkflowRun {
  readonly id: number
  readonly run_attempt: number
  readonly status: string | null
  readonly conclusion: string | null
  readonly created_at: string
  readonly updated_at: string
  /** Reusable workflows that it calls. */
  readonly referenced_workflows?: readonly unknown[] | null
}

export interface Job {
  readonly id: number
  readonly name: string
  readonly run_attempt?: number
  readonly status: string
  readonly conclusion: string | null
  readonly started_at: string
  readonly completed_at: string | null
  readonly runner_name: string | null
  readonly labels: readonly string[]
  readonly steps?: readonly { readonly conclusion: string | null }[]
}

export const isRun = (run: string): boolean => /^\d+$/.test(run)

export const pathOfRun = (repository: string, run: string | number): string => `/repos/${repository}/actions/runs/${run}`

/** `only`: a query, as GitHub understands it. */
export async function runsOf(api: Api, log: ForgeContext['log'], repository: string, only: string): Promise<WorkflowRun[]> {
  const path = `/repos/${repository}/actions/runs?${only}`
  const runs: WorkflowRun[] = []
  for (let page = 1; ; page++) {
    const some = (await pageOf(api, 'list runs', path, page)) as { workflow_runs: WorkflowRun[]; total_count: number }
    runs.push(...some.workflow_runs)
    if (some.workflow_runs.length < PAGE || runs.length >= some.total_count) return runs
    if (runs.length < MOST_RUNS) continue
    log.warn(`repository ${repository} has more runs than are checked (${only}): only the ${MOST_RUNS} newest are`)
    return runs
  }
}

/** `latest`: the last execution of each job; `all`: also those of earlier attempts. */
export async function jobsOf(api: Api, path: string, which: 'latest' | 'all'): Promise<Job[]> {
  const jobs: Job[] = []
  for (let page = 1; ; page++) {
    const some = (await pageOf(api, 'list the jobs of a run', `${path}/jobs?filter=${which}`, page)) as { jobs: Job[] }
    jobs.push(...some.jobs)
    if (some.jobs.length < PAGE) return jobs
  }
}

async function pageOf(api: Api, doing: string, path: string, page: number): Promise<unknown> {
  const { data } = await api.call({ doing, method: 'GET', path: `${path}&per_page=${PAGE}&page=${page}`, needs: RERUNNING })
  return data
}
