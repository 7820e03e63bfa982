/** The calls of a runner program, with the token of its runner or of its job, and their statuses. Source: lib/api/ci/runner.rb of GitLab. */
import type { IncomingHttpHeaders } from 'node:http'
import { crc32 } from 'node:zlib'
import type { Answer, Asked, GitlabDouble } from './double.ts'
import { type DoubleJob, reasonsOf } from './queue.ts'
import type { DoubleRunner } from './registry.ts'

const FORBIDDEN: Answer = { status: 403, data: { message: '403 Forbidden' } }
const PATHS =
  /^\/(?:runners\/(?:verify|reset_authentication_token|router\/discovery|managers)|jobs\/request|jobs\/\d+(?:\/(?:trace|artifacts))?)$/

export function byRunner({ method, path }: Asked): boolean {
  return PATHS.test(path) || (path === '/runners' && method === 'DELETE')
}

export function runnerCall(double: GitlabDouble, asked: Asked): Answer {
  const { path, method } = asked
  const [, id, what = ''] = /^\/jobs\/(\d+)(?:\/(.*))?$/.exec(path) ?? []
  if (id !== undefined) return jobCall(double, asked, Number(id), what)
  if (path === '/runners/router/discovery') {
    const known = double.runners.holder(asked.headers['runner-token'])
    // The Job Router is behind a feature flag, which is off.
    return known && method === 'GET' ? { status: 501 } : FORBIDDEN
  }
  const body = json(asked.body)
  const runner = double.runners.holder(body['token'])
  if (!runner) return FORBIDDEN
  const system = text(body['system_id'])
  switch (`${method} ${path}`) {
    case 'POST /runners/verify':
      // Source: lib/api/ci/helpers/runner.rb.
      double.runners.contact(runner, system === '' ? '<legacy>' : system)
      return { status: 200, data: { id: runner.id, token: runner.token, token_expires_at: null } }
    case 'POST /runners/reset_authentication_token':
      return { status: 201, data: double.runners.reset(runner) }
    case 'DELETE /runners/managers':
      if (system === '') return { status: 400, data: { error: 'system_id is missing' } }
      return runner.managers.delete(system) ? { status: 204 } : { status: 404, data: { message: '404 Not found' } }
    case 'DELETE /runners':
      double.runners.delete(runner.id)
      return { status: 204 }
    case 'POST /jobs/request':
      return request(double, runner, system, body)
    default:
      return { status: 405 }
  }
}

function request(double: GitlabDouble, runner: DoubleRunner, system: string, body: Readonly<Record<string, unknown>>): Answer {
  if (system === '') double.breaches.push('a runner asks for jobs and does not say which machine it is')
  double.runners.contact(runner, system, text((body['info'] as Record<string, unknown> | undefined)?.['version']))
  const job = runner.paused ? undefined : double.queue.take(runner, system)
  if (!job) return { status: 204, headers: { 'x-gitlab-last-update': 'abc' } }
  return {
    status: 201,
    data: {
      id: job.id,
      token: job.token,
      job_info: { id: job.id, name: job.name, project_name: job.project },
      variables: [
        { key: 'CI_JOB_ID', value: String(job.id), public: true },
        { key: 'CI_PIPELINE_ID', value: String(job.pipeline), public: true },
      ],
      steps: [{ name: 'script', script: job.script.split('\n'), timeout: 3600, when: 'on_success', allow_failure: false }],
      artifacts: job.keeps.length > 0 ? [{ name: '', paths: job.keeps, when: 'on_success' }] : [],
      features: { trace_sections: true, failure_reasons: reasonsOf(double.version) },
    },
  }
}

function jobCall(double: GitlabDouble, asked: Asked, id: number, what: string): Answer {
  const { method, headers } = asked
  const update = method === 'PUT' && what === '' ? json(asked.body) : {}
  const job = double.jobs.find((one) => one.id === id)
  if (job?.token !== (headers['job-token'] ?? update['token'])) return FORBIDDEN
  if (job === undefined) return FORBIDDEN
  const state = { 'job-status': job.status }
  if (method === 'GET' && what === 'artifacts') return job.artifacts.size > 0 ? { status: 200, data: [...job.artifacts] } : { status: 404 }
  if (job.status !== 'running') return { status: 403, headers: state, data: { message: '403 Forbidden - Job is not running' } }
  double.queue.heard(job)
  if (method === 'PUT' && what === '') return updated(double, job, update)
  if (method === 'PATCH' && what === 'trace') return traced(job, asked.body, headers)
  if (method === 'POST' && what === 'artifacts') return kept(job, asked.body, headers)
  return { status: 405 }
}

/**
 * The end of a job is accepted at the first report, and takes effect at the second: until then the trace is being stored. Source:
 * app/services/ci/update_build_state_service.rb.
 */
function updated(double: GitlabDouble, job: DoubleJob, body: Readonly<Record<string, unknown>>): Answer {
  const state = text(body['state'])
  if (state === 'running') return { status: 200, headers: { 'job-status': job.status } }
  if (state !== 'success' && state !== 'failed') return { status: 400, data: { error: 'state does not have a valid value' } }
  const { checksum, bytesize } = (body['output'] ?? {}) as Record<string, unknown>
  const whole = Buffer.from(job.trace)
  if (bytesize !== whole.length || checksum !== `crc32:${crc32(whole).toString(16).padStart(8, '0')}`)
    double.breaches.push(`job ${job.id}: its trace is not the one that its runner has sent`)
  if (!double.putAway.delete(job.id)) {
    double.putAway.add(job.id)
    return { status: 202, headers: { 'x-gitlab-trace-update-interval': '0' } }
  }
  const reason = text(body['failure_reason'])
  if (state === 'failed' && !reasonsOf(double.version).includes(reason))
    return { status: 400, data: { error: 'failure_reason is invalid' } }
  double.queue.end(job, state, state === 'failed' ? reason : undefined)
  return { status: 200, headers: { 'job-status': job.status } }
}

/** Appends only at the end of the trace, and says where that is. Source: app/services/ci/append_build_trace_service.rb. */
function traced(job: DoubleJob, body: Buffer, headers: IncomingHttpHeaders): Answer {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(text(headers['content-range'])) ?? []
  if (from === undefined) return { status: 400, data: { message: '400 Missing header Content-Range' } }
  const size = Buffer.byteLength(job.trace)
  const range = (end: number): Record<string, string> => ({ range: `0-${end}`, 'job-status': job.status })
  if (Number(from) !== size || Number(to) !== size + body.length - 1) return { status: 416, headers: range(size) }
  job.trace += body.toString('utf8')
  return { status: 202, headers: { ...range(size + body.length), 'x-gitlab-trace-update-interval': '3' } }
}

/** Takes one file from a form. */
function kept(job: DoubleJob, body: Buffer, headers: IncomingHttpHeaders): Answer {
  const [, boundary] = /^multipart\/form-data; boundary=(.+)$/.exec(text(headers['content-type'])) ?? []
  const part = boundary === undefined ? undefined : body.toString('utf8').split(`--${boundary}`)[1]
  const [, name, content] = /name="file"; filename="([^"]+)"[\s\S]*?\r\n\r\n([\s\S]*)\r\n$/.exec(part ?? '') ?? []
  if (name === undefined) return { status: 400, data: { error: 'file is missing' } }
  job.artifacts.set(name, content ?? '')
  return { status: 201 }
}

function json(body: Buffer): Record<string, unknown> {
  return body.length === 0 ? {} : (JSON.parse(body.toString('utf8')) as Record<string, unknown>)
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
