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

/** Failed jobs of a project after which no further page is asked for; the newest come first. */
const ENOUGH = 999

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
  const purpose = { doing: 'list failed jobs', needs: RERUNNING, accept }
  const jobs = await api.list(purpose, async (gitlab, page) => gitlab.jobs.all(repository, { scope: 'failed', ...page }), ENOUGH)
  return jobs as Job[]
}
