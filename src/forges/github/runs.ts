/** Runs of workflows and their jobs, page by page. */
import type { ForgeContext } from '../../core/forge.ts'
import type { Api } from './api.ts'
import { RERUNNING } from './permissions.ts'

/** How many runs are looked at, newest first: each costs a call. GitHub itself lists a thousand at most. */
const MOST_RUNS = 300

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

/** `only`: a query of GitHub's API. */
export async function runsOf(api: Api, log: ForgeContext['log'], repository: string, only: string): Promise<WorkflowRun[]> {
  const runs: WorkflowRun[] = []
  let total = 0
  const pages = api.pages({ doing: 'list runs', needs: RERUNNING }, `/repos/${repository}/actions/runs?${only}`, (data) => {
    const { workflow_runs: some, total_count: count } = data as { workflow_runs: WorkflowRun[]; total_count: number }
    total = count
    return some
  })
  for await (const some of pages) {
    runs.push(...some)
    if (runs.length >= total) break
    if (runs.length < MOST_RUNS) continue
    log.warn(`repository ${repository} has more runs than are checked (${only}): only the ${MOST_RUNS} newest are`)
    break
  }
  return runs
}

/** `latest`: the last execution of each job; `all`: executions in earlier attempts, too. */
export async function jobsOf(api: Api, path: string, which: 'latest' | 'all'): Promise<Job[]> {
  return api.list({ doing: 'list the jobs of a run', needs: RERUNNING }, `${path}/jobs?filter=${which}`, 'jobs')
}
