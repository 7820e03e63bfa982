/** Re-runs jobs whose machine was taken away, and finds jobs that wait for runners. */
import type { Rerun } from '../../core/forge.ts'
import { listed } from '../../lib/text.ts'
import type { ServedJob } from '../../wire/runner.ts'
import type { Api } from './api.ts'
import { RERUNNING } from './permissions.ts'
import { type Job, whereSomeHaveNone } from './projects.ts'
import type { Ask } from './sdk.ts'

/** `jobs`: of one pipeline. Nothing is done twice: a job that was re-run has a successor of the same name, and is not the latest any more. */
export async function rerun(api: Api, jobs: readonly ServedJob[], most: number): Promise<Rerun> {
  const { repository = '', run = '' } = jobs[0]?.facts ?? {}
  const request = { pipelineId: Number(run), includeRetried: true }
  const purpose = { doing: 'list the jobs of a pipeline', needs: RERUNNING }
  const all = (await api.list(purpose, async (gitlab, page) => gitlab.jobs.all(repository, { ...request, ...page }))) as Job[]
  const latest = new Map<string, Job>()
  for (const job of all) if (job.id > (latest.get(job.name)?.id ?? 0)) latest.set(job.name, job)
  const last = ({ facts }: ServedJob): Job | undefined => latest.get(facts['name'] ?? '')
  const open = jobs.filter((job) => String(last(job)?.id) === job.facts['job'])
  if (open.length === 0) return never(`what was cut off in pipeline ${run} was already run again`)
  const broken = [...latest.values()].filter(({ status }) => status === 'failed' || status === 'canceled')
  // Whatever its record says: a job that has succeeded does not run again.
  const failed = open.filter((job) => broken.some(({ id }) => id === last(job)?.id))
  if (failed.length === 0) return never(`pipeline ${run}: the job did not fail`)
  const young = failed.filter((job) => last(job)?.archived !== true)
  if (young.length === 0) return never(`pipeline ${run}: GitLab has archived its jobs, and never runs them again`)
  const times = (name: string | undefined): number => all.filter((job) => job.name === name).length - 1
  const due = young.filter(({ facts }) => times(facts['name']) < most)
  if (due.length === 0) return never(`pipeline ${run}: its jobs were run again as often as "retry" allows`)
  return send(api, { repository, run }, due, due.length > 1 && due.length === broken.length)
}

/** A refusal for good: each execution of a job has its own id, so the answer stays the same. */
function never(says: string): Rerun {
  return { how: 'refused', says, final: true }
}

interface Pipeline {
  readonly repository: string
  readonly run: string
}

/** `whole`: nothing else of the pipeline failed, so one call re-runs all. */
async function send(api: Api, { repository, run }: Pipeline, due: readonly ServedJob[], whole: boolean): Promise<Rerun> {
  const one =
    (job: string): Ask =>
    async (gitlab) =>
      gitlab.jobs.retry(repository, Number(job))
  const calls: readonly (readonly [string, Ask])[] = whole
    ? [[run, async (gitlab) => gitlab.pipelines.retry(repository, Number(run))]]
    : due.map(({ facts: { job = '' } }) => [job, one(job)])
  const says: string[] = []
  for (const [id, ask] of calls) {
    const { status } = await api.call({ doing: `run jobs of pipeline ${run} again`, accept: [403] }, ask)
    if (status === 403 && says.length > 0) break
    if (status === 403) return { how: 'refused', says: `GitLab refuses to run jobs of pipeline ${run} again; it takes ${RERUNNING}` }
    says.push(id)
  }
  const which = says.length === 1 ? `job ${says.join()} runs` : `jobs ${listed(says, 'and')} run`
  return { how: 'rerun', says: `pipeline ${run}: ${whole ? 'its failed jobs run' : which} again` }
}

/** Number of pending jobs that name the unique tag of these runners, or only other tags of theirs that no other runner has. */
export async function waiting(
  api: Api,
  labels: readonly string[],
  repositories: readonly string[],
  served: (tags: readonly string[]) => Promise<boolean>,
): Promise<number> {
  let count = 0
  for (const repository of repositories) {
    const purpose = { doing: 'list waiting jobs', needs: RERUNNING, accept: whereSomeHaveNone(repositories) }
    const pending = await api.list(purpose, async (gitlab, page) => gitlab.jobs.all(repository, { scope: 'pending', ...page }))
    for (const { tag_list: tags = [] } of pending as Job[]) {
      if (tags.length === 0 || !tags.every((tag) => labels.includes(tag))) continue
      if (tags.includes(labels[0] ?? '') || !(await served(tags))) count++
    }
  }
  return count
}
