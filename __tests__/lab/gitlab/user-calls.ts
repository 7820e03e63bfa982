/** The calls of a controller, with the token of a person or project. */
import type { Answer, Asked, GitlabDouble } from './double.ts'
import { OWN } from './notes.ts'
import type { DoubleJob } from './queue.ts'
import type { DoubleRunner } from './registry.ts'

const FORBIDDEN: Answer = { status: 403, data: { message: '403 Forbidden' } }
/** In characters of a tag. */
const LONGEST = 255

export function userCall(double: GitlabDouble, asked: Asked): Answer | Promise<Answer> {
  const { method, path, query } = asked
  const scopes = double.tokens.get(String(asked.headers['private-token'] ?? ''))
  if (!scopes) return { status: 401, data: { message: '401 Unauthorized' } }
  const may = (wanted: string): boolean => scopes.includes(wanted) || scopes.includes('api')
  // Source: lib/api/metadata.rb, lib/api/api_guard.rb.
  if (path === '/metadata' && !may('read_api')) return FORBIDDEN
  if (path === '/metadata') return { status: 200, data: { version: `${double.version}.2-ee`, revision: 'abc' } }
  if (path === '/personal_access_tokens/self') return { status: 200, data: { id: 1, name: 'ci', scopes } }
  if (path === '/user') return may('read_api') ? { status: 200, data: { id: OWN, username: 'ci' } } : FORBIDDEN
  const discussed = /^\/projects\/[^/]+\/(?:(uploads)|merge_requests\/(\d+)\/notes(?:\/(\d+))?)$/.exec(path)
  if (discussed) {
    if (!may(method === 'GET' ? 'read_api' : 'api')) return FORBIDDEN
    return discussed[1] ? double.notes.upload(asked) : double.notes.answer(asked, Number(discussed[2]), discussed[3])
  }
  const [, kind, name = '', below = ''] = /^\/(projects|groups)\/([^/]+)(?:\/(.*))?$/.exec(path) ?? []
  // The scope "manage_runner" allows only what is below one runner's number. Source: lib/api/ci/runners.rb.
  if (kind !== undefined && below === 'runners') return may('read_api') ? listed(double, query) : FORBIDDEN
  const [what = '', ...rest] = below.split('/')
  if (kind === 'projects' && double.branches.knows(method, below))
    return may(method === 'GET' ? 'read_api' : 'api') ? double.branches.answer(double, asked, decodeURIComponent(name), below) : FORBIDDEN
  if (kind === 'projects' && (what === 'jobs' || what === 'pipelines')) {
    const project = decodeURIComponent(name)
    const allowed = may(method === 'GET' ? 'read_api' : 'api') && !double.without.includes(project)
    return allowed ? jobCall(double, asked, project, [what, ...rest]) : FORBIDDEN
  }
  // Rights to make and remove runners do not include reading.
  if (kind !== undefined) return may('read_api') ? place(double, kind, decodeURIComponent(name), below) : FORBIDDEN
  if (path === '/user/runners' && method === 'POST')
    return may('create_runner') ? created(double, JSON.parse(asked.body.toString('utf8')) as Body) : FORBIDDEN
  return may('manage_runner') || (method === 'GET' && may('read_api')) ? runnerCall(double, asked) : FORBIDDEN
}

type Body = Readonly<Record<string, string | number | boolean>>

function place(double: GitlabDouble, kind: string, name: string, below: string): Answer {
  const visibility = double.open ? 'public' : 'private'
  if (below === 'projects') return { status: 200, data: double.projects.map((path) => shownProject(double, path)) }
  if (kind === 'groups') return name === 'octo' ? { status: 200, data: { id: 9, visibility } } : { status: 404 }
  return { status: 200, data: { ...shownProject(double, name), visibility } }
}

function created(double: GitlabDouble, body: Body): Answer {
  const tags = String(body['tag_list'] ?? '')
    .split(',')
    .filter(Boolean)
  const invalid = (message: unknown): Answer => ({ status: 400, data: { message } })
  const [type, project, group] = [body['runner_type'], body['project_id'], body['group_id']]
  if (!((type === 'project_type' && project === 7) || (type === 'group_type' && group === 9))) return invalid('project_id is invalid')
  if (tags.length === 0 && body['run_untagged'] !== true)
    return invalid({ tags_list: ['can not be empty when runner is not allowed to pick untagged jobs'] })
  if (tags.some((tag) => tag.length > LONGEST)) return invalid({ 'tags.name': [`is too long (maximum is ${LONGEST} characters)`] })
  double.made++
  const projects = type === 'project_type' ? ['octo/hello'] : []
  const { id, token } = double.runners.make({
    description: String(body['description']),
    tags,
    untagged: body['run_untagged'] === true,
    projects,
  })
  return { status: 201, data: { id, token, token_expires_at: null } }
}

function listed({ runners }: GitlabDouble, query: URLSearchParams): Answer {
  const tags = query.get('tag_list')?.split(',') ?? []
  const wanted = [...runners.values()].filter(
    (runner) =>
      tags.every((tag) => runner.tags.includes(tag)) &&
      (query.get('status') ?? runners.status(runner)) === runners.status(runner) &&
      (query.get('paused') ?? String(runner.paused)) === String(runner.paused),
  )
  return paged(wanted, query, (runner) => runners.shown(runner))
}

function runnerCall(double: GitlabDouble, { method, path, query, body }: Asked): Answer {
  const [, id, what] = /^\/runners\/(\d+)(?:\/(managers|jobs|reset_authentication_token))?$/.exec(path) ?? []
  const { runners } = double
  const runner = runners.get(Number(id))
  if (!runner) return { status: 404, data: { message: '404 Not found' } }
  switch (`${method} ${what ?? ''}`) {
    case 'GET managers':
      // All of them, whatever page is requested. Source: lib/api/ci/runners.rb.
      return { status: 200, data: runners.machines(runner) }
    case 'GET jobs':
      if (runner.shared) return { status: 403, data: { message: '403 Forbidden - No access granted' } }
      return jobsOf(double, runner, query)
    case 'POST reset_authentication_token':
      return { status: 201, data: runners.reset(runner) }
    case 'GET ':
      return { status: 200, data: runners.detailed(runner) }
    case 'PUT ': {
      const { maintenance_note: note = runner.note, paused = runner.paused } = JSON.parse(body.toString('utf8')) as {
        maintenance_note?: string
        paused?: boolean
      }
      // As this call and the next are described in lib/api/ci/runners.rb.
      if ((note?.length ?? 0) > 1024) return { status: 400, data: { message: { maintenance_note: ['is too long'] } } }
      Object.assign(runner, { note, paused })
      return { status: 200, data: runners.detailed(runner) }
    }
    case 'DELETE ':
      if (runner.projects.length > 1)
        return { status: 403, data: { message: '403 Forbidden - Runner associated with more than one project' } }
      runners.delete(runner.id)
      return { status: 204 }
    default:
      return { status: 405 }
  }
}

function jobsOf(double: GitlabDouble, runner: DoubleRunner, query: URLSearchParams): Answer {
  const [status, system] = [query.get('status'), query.get('system_id')]
  const had = double.jobs.filter(
    (job) => job.runner === runner.id && (status ?? job.status) === job.status && (system ?? job.system) === job.system,
  )
  return paged(had.toReversed(), query, (job) => ({ ...shownJob(double, job), project: shownProject(double, job.project) }))
}

function jobCall(double: GitlabDouble, { method, query }: Asked, project: string, [what, id, action]: readonly string[]): Answer {
  const jobs = double.jobs.filter((job) => job.project === project)
  if (method === 'GET') {
    if (what === 'jobs' && id !== undefined) {
      const job = jobs.find((one) => String(one.id) === id)
      return job ? { status: 200, data: shownJob(double, job) } : { status: 404 }
    }
    // One scope, or a list of scopes.
    const wanted = [...query.getAll('scope'), ...query.getAll('scope[]')]
    const mine = jobs.filter(({ pipeline }) => what === 'jobs' || String(pipeline) === id)
    const visible = mine.filter((job) => what === 'jobs' || query.get('include_retried') === 'true' || double.latest(job) === job)
    const found = visible.filter(({ status }) => wanted.length === 0 || wanted.includes(status)).toReversed()
    return paged(found, query, (job) => shownJob(double, job))
  }
  if (method !== 'POST' || action !== 'retry') return { status: 404 }
  const named = jobs.filter((job) => String(what === 'jobs' ? job.id : job.pipeline) === id)
  const chosen = named.filter((job) => double.queue.retryable(job))
  if (chosen.length === 0) return { status: 403, data: { message: '403 Forbidden - Job is not retryable' } }
  for (const job of chosen) double.queue.again(job)
  return { status: 201, data: {} }
}

function shownProject(double: GitlabDouble, path: string): { id: number; path_with_namespace: string; default_branch: string } {
  return { id: 7 + Math.max(0, double.projects.indexOf(path)), path_with_namespace: path, default_branch: 'main' }
}

function shownJob(double: GitlabDouble, job: DoubleJob): object {
  const known = job.runner === undefined ? undefined : double.runners.get(job.runner)
  return {
    id: job.id,
    name: job.name,
    status: job.status,
    tag_list: job.tags,
    started_at: job.started,
    finished_at: job.finished,
    archived: job.archived,
    pipeline: { id: job.pipeline, project_id: 7 },
    runner: known ? { id: known.id, description: known.description } : null,
    ...(job.status === 'failed' ? { failure_reason: job.reason ?? 'unknown_failure' } : {}),
  }
}

function paged<T>(all: readonly T[], query: URLSearchParams, show: (one: T) => object): Answer {
  const size = Math.min(100, Number(query.get('per_page') ?? 20))
  const from = (Number(query.get('page') ?? 1) - 1) * size
  return { status: 200, data: all.slice(from, from + size).map(show) }
}
