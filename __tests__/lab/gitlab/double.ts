/** A forge that behaves as GitLab is documented to: runner objects, their machines, a queue of jobs by tag, traces. It serves the runner program, too. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export interface DoubleRunner {
  readonly id: number
  readonly token: string
  readonly description: string
  readonly tags: readonly string[]
  readonly untagged: boolean
  note: string | null
  /** By system id. */
  readonly managers: Set<string>
}

export interface DoubleJob {
  readonly id: number
  readonly name: string
  /** Its path. */
  readonly project: string
  readonly pipeline: number
  readonly tags: readonly string[]
  readonly script: string
  status: 'pending' | 'running' | 'success' | 'failed'
  reason: string | undefined
  trace: string
  runner: number | undefined
  started: string | null
  finished: string | null
}

export class GitlabDouble {
  readonly runners = new Map<number, DoubleRunner>()
  readonly jobs: DoubleJob[] = []
  readonly seen: { readonly method: string; readonly path: string; readonly status: number }[] = []
  readonly tokens = new Map<string, readonly string[]>([
    ['good', ['create_runner', 'manage_runner', 'read_api']],
    ['api', ['api']],
    ['reader', ['read_api']],
  ])
  #away = false
  /** Everything that a controller asks goes through it. */
  gate: <T>(call: string, act: () => Promise<T>, token: string) => Promise<T> = async (_, act) => act()
  /** This many calls to create a runner take effect, but their answers are lost on the way. */
  losing = 0
  /** Everybody can read the project. */
  open = false
  /** What the server is: it decides what it understands of a runner's words. */
  version: 17 | 19 = 19
  /** Of the group `octo`; the first one is 7. */
  readonly projects: string[] = ['octo/hello']
  /** Of them, such as have no pipelines. */
  readonly without: string[] = []
  /** Runner objects ever made. */
  made = 0
  /** This many answers of 502 come first. */
  failing = 0
  url = ''
  #next = 10
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  readonly #program = program()

  /** At an address of this host that its runners can reach. */
  async start(host = '127.0.0.1'): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, host, resolve))
    this.url = `http://${host}:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  /** Nobody gets an answer while it is: neither controllers nor runners. */
  set away(away: boolean) {
    this.#away = away
    if (away) this.#server.closeAllConnections()
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** A job of a pipeline of its own, or of one that is named. */
  push(tags: readonly string[], script: string, of: Partial<Pick<DoubleJob, 'name' | 'pipeline' | 'project'>> = {}): DoubleJob {
    const id = this.#next++
    const { name = `job-${id}`, pipeline = this.#next++, project = 'octo/hello' } = of
    const times = { started: null, finished: null }
    const job: DoubleJob = {
      id,
      name,
      project,
      pipeline,
      tags,
      script,
      status: 'pending',
      reason: undefined,
      trace: '',
      runner: undefined,
      ...times,
    }
    this.jobs.push(job)
    return job
  }

  /** The server's view of the end of a job. */
  end(job: DoubleJob, status: 'success' | 'failed', reason?: string): void {
    Object.assign(job, { status, reason, finished: new Date().toISOString() })
  }

  /** The last job of that name in its pipeline. */
  latest(job: DoubleJob): DoubleJob {
    return this.jobs.findLast(({ name, pipeline }) => name === job.name && pipeline === job.pipeline) ?? job
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#away) return void request.socket.destroy()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url)
    const method = request.method ?? 'GET'
    const folder = /^\/downloads\/(latest|v19\.1\.0)\//.exec(pathname)?.[0]
    if (pathname.startsWith('/downloads/') && folder === undefined) return void response.writeHead(403).end()
    if (folder !== undefined && pathname === `${folder}release.sha256`) {
      const digest = createHash('sha256').update(this.#program).digest('hex')
      const names = ['linux-amd64', 'linux-arm64', 'darwin-arm64', 'darwin-amd64']
      return void response.end(names.map((name) => `${digest} *binaries/gitlab-runner-${name}\n`).join(''))
    }
    if (folder !== undefined) return void response.end(this.#program)
    const text = Buffer.concat(chunks).toString('utf8')
    const path = pathname.replace(/^\/api\/v4/, '')
    const token = String(request.headers['private-token'] ?? '')
    const act = async (): Promise<{ status: number; data?: unknown }> => this.#answer(method, path, text, token, searchParams)
    const byRunner = token === ''
    const answer = this.failing-- > 0 ? { status: 502 } : await (byRunner ? act() : this.gate(`${method} ${path}`, act, token))
    this.seen.push({ method, path, status: answer.status })
    if (path === '/user/runners' && this.losing > 0) {
      this.losing--
      return void request.socket.destroy()
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end('data' in answer ? JSON.stringify(answer.data) : '')
  }

  #answer(method: string, path: string, text: string, token: string, query: URLSearchParams): { status: number; data?: unknown } {
    const byRunner =
      /^\/(?:runners\/verify|jobs\/request|jobs\/\d+(?:\/trace)?)$/.test(path) || (path === '/runners' && method === 'DELETE')
    if (byRunner) return this.#program4(method, path, text)
    const scopes = this.tokens.get(token)
    if (!scopes) return { status: 401, data: { message: '401 Unauthorized' } }
    if (path === '/metadata') return { status: 200, data: { version: `${this.version}.4.2-ee`, revision: 'abc' } }
    if (path === '/personal_access_tokens/self') return { status: 200, data: { id: 1, name: 'ci', scopes } }
    const [, kind, name] = /^\/(projects|groups)\/([^/]+?)(?:\/projects)?$/.exec(path) ?? []
    if (kind !== undefined) {
      // Rights to make and remove runners are none to read.
      if (!may(scopes, 'read_api')) return { status: 403, data: { error: 'insufficient_scope' } }
      const visibility = this.open ? 'public' : 'private'
      if (path.endsWith('/projects')) return { status: 200, data: this.projects.map((project) => this.#shownProject(project)) }
      if (kind === 'groups') return name === 'octo' ? { status: 200, data: { id: 9, visibility } } : { status: 404 }
      return { status: 200, data: { ...this.#shownProject(decodeURIComponent(name ?? '')), visibility } }
    }
    const [, project, call] = /^\/projects\/([^/]+)\/((?:jobs|pipelines)(?:\/.*)?)$/.exec(path) ?? []
    if (call !== undefined) return this.#jobCall(method, decodeURIComponent(project ?? ''), call, scopes, query)
    if (path === '/user/runners' && method === 'POST')
      return this.#create(JSON.parse(text) as Record<string, string | number | boolean>, scopes)
    if (!may(scopes, 'manage_runner')) return { status: 403, data: { message: '403 Forbidden' } }
    if (/^\/(?:projects|groups)\/[^/]+\/runners$/.test(path))
      return {
        status: 200,
        data: this.#listed(query),
      }
    const [, id, what] = /^\/runners\/(\d+)(?:\/(managers|jobs))?$/.exec(path) ?? []
    const runner = this.runners.get(Number(id))
    if (!runner) return { status: 404, data: { message: '404 Not found' } }
    if (what === 'managers')
      return {
        status: 200,
        data: [...runner.managers].map((system) => ({
          id: 1,
          system_id: system,
          status: 'online',
          contacted_at: new Date().toISOString(),
        })),
      }
    if (what === 'jobs') {
      const had = this.jobs.filter((job) => job.runner === runner.id && job.status === query.get('status'))
      return { status: 200, data: had.map((job) => ({ ...(this.#shownJob(job) as object), project: this.#shownProject(job.project) })) }
    }
    if (method === 'GET') return { status: 200, data: { ...shown(runner), maintenance_note: runner.note } }
    if (method === 'PUT') {
      runner.note = (JSON.parse(text) as { maintenance_note?: string }).maintenance_note ?? runner.note
      return { status: 200, data: shown(runner) }
    }
    if (method !== 'DELETE') return { status: 405 }
    this.runners.delete(runner.id)
    return { status: 204 }
  }

  #shownProject(path: string): { id: number; path_with_namespace: string } {
    return { id: 7 + Math.max(0, this.projects.indexOf(path)), path_with_namespace: path }
  }

  #jobCall(
    method: string,
    project: string,
    call: string,
    scopes: readonly string[],
    query: URLSearchParams,
  ): { status: number; data?: unknown } {
    const refused = { status: 403, data: { message: '403 Forbidden' } }
    if (!may(scopes, method === 'GET' ? 'read_api' : 'api') || this.without.includes(project)) return refused
    const jobs = this.jobs.filter((job) => job.project === project)
    const [what = '', id, action] = call.split('/')
    if (method === 'GET') {
      // A word, or a list of words.
      const wanted = [...query.getAll('scope'), ...query.getAll('scope[]')]
      const mine = jobs.filter(({ pipeline }) => what === 'jobs' || String(pipeline) === id)
      const visible = mine.filter((job) => what === 'jobs' || query.get('include_retried') === 'true' || this.latest(job) === job)
      const found = visible.filter(({ status }) => wanted.length === 0 || wanted.includes(status)).toReversed()
      const size = Math.min(100, Number(query.get('per_page') ?? 20))
      const from = (Number(query.get('page') ?? 1) - 1) * size
      return { status: 200, data: found.slice(from, from + size).map((job) => this.#shownJob(job)) }
    }
    if (method !== 'POST' || action !== 'retry') return { status: 404 }
    const failed = jobs.filter((job) => job.status === 'failed' && this.latest(job) === job)
    const chosen = failed.filter((job) => String(what === 'jobs' ? job.id : job.pipeline) === id)
    if (chosen.length === 0) return refused
    for (const { tags, script, name, pipeline } of chosen) this.push(tags, script, { name, pipeline, project })
    return { status: 201, data: {} }
  }

  #shownJob({ id, name, status, reason, tags, started, finished, pipeline, runner }: DoubleJob): unknown {
    const known = runner === undefined ? undefined : this.runners.get(runner)
    return {
      id,
      name,
      status,
      tag_list: tags,
      started_at: started,
      finished_at: finished,
      pipeline: { id: pipeline, project_id: 7 },
      runner: known ? { id: known.id, description: known.description } : null,
      ...(status === 'failed' ? { failure_reason: reason ?? 'unknown_failure' } : {}),
    }
  }

  /** Without the notes: those come with one runner at a time. */
  #listed(query: URLSearchParams): unknown[] {
    const tags = query.get('tag_list')?.split(',') ?? []
    const size = Math.min(100, Number(query.get('per_page') ?? 20))
    const from = (Number(query.get('page') ?? 1) - 1) * size
    return [...this.runners.values()]
      .filter((runner) => tags.every((tag) => runner.tags.includes(tag)))
      .map(shown)
      .filter(({ status }) => query.get('status') === null || status === query.get('status'))
      .slice(from, from + size)
  }

  #create(body: Readonly<Record<string, string | number | boolean>>, scopes: readonly string[]): { status: number; data: unknown } {
    if (!may(scopes, 'create_runner')) return { status: 403, data: { message: '403 Forbidden' } }
    const tags = String(body['tag_list'] ?? '')
      .split(',')
      .filter(Boolean)
    const [type, owner] = [body['runner_type'], body['project_id'] ?? body['group_id']]
    if (!((type === 'project_type' && owner === 7) || (type === 'group_type' && owner === 9)))
      return { status: 400, data: { message: 'project_id is invalid' } }
    if (tags.length === 0 && body['run_untagged'] !== true)
      return { status: 400, data: { message: { tags_list: ['can not be empty when runner is not allowed to pick untagged jobs'] } } }
    this.made++
    const id = this.#next++
    this.runners.set(id, {
      id,
      token: `glrt-${id}-${'x'.repeat(60)}`,
      description: String(body['description']),
      tags,
      untagged: body['run_untagged'] === true,
      managers: new Set(),
      note: null,
    })
    return { status: 201, data: { id, token: this.runners.get(id)?.token, token_expires_at: null } }
  }

  /** What the runner itself calls. */
  #program4(method: string, path: string, text: string): { status: number; data?: unknown } {
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, string>)
    const runner = [...this.runners.values()].find(({ token }) => token === body['token'])
    if (path === '/runners/verify') {
      runner?.managers.add(body['system_id'] ?? '')
      return { status: runner ? 200 : 403 }
    }
    if (path === '/runners' && method === 'DELETE') {
      if (!runner) return { status: 403 }
      this.runners.delete(runner.id)
      return { status: 204 }
    }
    if (path === '/jobs/request') return this.#request(runner)
    const job = this.jobs.find(({ id }) => path.startsWith(`/jobs/${id}`))
    if (!job) return { status: 404 }
    if (path.endsWith('/trace')) job.trace += body['text'] ?? ''
    else {
      const reason = this.version < 19 && body['failure_reason'] === 'runner_interrupted' ? 'unknown_failure' : body['failure_reason']
      this.end(job, body['state'] === 'success' ? 'success' : 'failed', reason)
    }
    return { status: 200 }
  }

  #request(runner: DoubleRunner | undefined): { status: number; data?: unknown } {
    if (!runner) return { status: 403 }
    const job = this.jobs.find(
      ({ status, tags }) => status === 'pending' && (tags.length === 0 ? runner.untagged : tags.every((tag) => runner.tags.includes(tag))),
    )
    if (!job) return { status: 204 }
    Object.assign(job, { status: 'running', runner: runner.id, started: new Date().toISOString() })
    return { status: 201, data: { id: job.id, script: job.script } }
  }
}

/** One file that a shell starts, and that is a program for Node: in a pod there is none but the one that we bring. */
function program(): Buffer {
  const nodes = ['/tpi/node', process.execPath].map((node) => `[ -x '${node}' ] && exec '${node}' "$0" "$@"`)
  const text = readFileSync(join(import.meta.dirname, 'program/gitlab-runner.cjs'), 'utf8')
  return Buffer.from(`#!/bin/sh\n':' //; ${nodes.join('; ')}\n${text}`)
}

function may(scopes: readonly string[], wanted: string): boolean {
  return scopes.includes(wanted) || scopes.includes('api')
}

function shown({ id, description, managers }: DoubleRunner): { id: number; description: string; status: string } {
  return { id, description, status: managers.size > 0 ? 'online' : 'never_contacted' }
}
