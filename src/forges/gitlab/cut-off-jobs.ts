/**
 * Jobs whose machine was taken away. GitLab has no hooks for jobs, so tpi has no record of them: it asks GitLab which jobs failed, when,
 * and why.
 */
import type { CutOffRequest } from '../../core/forge.ts'
import type { ServedJob } from '../../wire/runner.ts'
import { wentAway } from '../machine-life.ts'
import type { Api } from './api.ts'
import { RERUNNING } from './permissions.ts'
import { type Job, whereSomeHaveNone } from './projects.ts'
import { notItsOwn } from './reasons.ts'
import type { Ask } from './sdk.ts'

const PAGE = 100
/** Pages of failed jobs that are looked at, newest first. */
const PAGES = 10

/** Failed jobs with the tags of these runners that ran on a machine when it was taken away, and failed because of that. */
export async function cutOff(api: Api, { enrolled, labels, away, repositories }: CutOffRequest): Promise<readonly ServedJob[]> {
  const ours = new Set(enrolled.map(({ id }) => id))
  const found: ServedJob[] = []
  for (const repository of repositories) {
    for (const job of await failed(api, repository, whereSomeHaveNone(repositories))) {
      const { started_at: start, finished_at: end, tag_list: tags = [], runner, failure_reason: reason } = job
      const foreign = runner ? !ours.has(String(runner.id)) : false
      if (!start || !end || foreign || tags.length === 0 || !tags.every((tag) => labels.includes(tag))) continue
      if (!wentAway(away, start, end) || !notItsOwn(reason)) continue
      const facts = { repository, run: String(job.pipeline.id), job: String(job.id), name: job.name }
      found.push({ epoch: 0, start, end, interrupted: true, facts })
    }
  }
  return found
}

/** `accept`: statuses that mean a project whose jobs this token cannot see. */
async function failed(api: Api, repository: string, accept: readonly number[]): Promise<Job[]> {
  const jobs: Job[] = []
  for (let page = 1; page <= PAGES; page++) {
    const ask: Ask = async (gitlab) => gitlab.jobs.all(repository, { scope: 'failed', perPage: PAGE, page })
    const { data, status } = await api.call({ doing: 'list failed jobs', needs: RERUNNING, accept }, ask)
    if (status >= 300) break
    jobs.push(...(data as Job[]))
    if ((data as Job[]).length < PAGE) break
  }
  return jobs
}
