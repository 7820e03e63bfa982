/** A forge that behaves as GitHub is documented: runners, just-in-time registrations, a queue of jobs, runs and re-runs, limits and failures. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { closed, listening } from '../../setup/listening.ts'
import { Apps } from './apps.ts'
import { Broker, type BrokerAnswer, newClient } from './broker.ts'
import { Comments } from './comments.ts'
import { contractOf } from './contract.ts'
import { Limits } from './limits.ts'
import { Pushes } from './pushes.ts'
import { type RegistrationRequest, Registrations } from './registrations.ts'
import { fullRepository, release } from './shapes.ts'
import { annotationsOf, fits, labelsOf, paged, shown, shownJob, shownRun, statusOf } from './shown.ts'
import { packTestRunner } from './test-runner.ts'

export interface DoubleRunner {
  readonly id: number
  readonly name: string
  labels: readonly string[]
  readonly group?: number
  /** The secret by which its program identifies itself. */
  key: string
  /** Its name where tokens are issued. */
  readonly client: string
  /** The whole just-in-time configuration, as given to whoever registered it. */
  config?: string
  /** Registered by its machine, for any number of jobs. */
  readonly lasting?: true
  online: boolean
  job: DoubleJob | undefined
  /** When its program was last heard from, or when it was made. */
  seen?: number
  /** When it was made, by the clock of the limits. */
  readonly made?: number
  /** Its program has been started. */
  begun?: boolean
  /** It is offline only because its program was not heard from: it comes back with its next call. */
  silent?: boolean
}

/** A step of a job, as last reported by its runner. */
export interface DoubleStep {
  readonly name: string
  readonly status: 'in_progress' | 'completed'
  readonly conclusion: 'success' | 'failure' | 'cancelled' | null
}

export interface DoubleJob {
  readonly id: number
  readonly run: DoubleRun
  readonly name: string
  readonly labels: readonly string[]
  readonly script: string
  readonly attempt: number
  status: 'queued' | 'in_progress' | 'completed'
  conclusion: 'success' | 'failure' | 'cancelled' | null
  runner: DoubleRunner | undefined
  /** Name of its runner, kept after the runner is gone. */
  runnerName: string | null
  readonly created: Date
  started: Date | undefined
  ended: Date | undefined
  steps: readonly DoubleStep[]
  /** Set while the job is offered to a runner that has not acknowledged it. */
  offered: NodeJS.Timeout | undefined
  annotation: string | undefined
  /** The log that a person reads. */
  log: string
  /** When its runner last renewed the job, by the double's clock. */
  heard?: number
}

export interface DoubleRun {
  readonly id: number
  readonly repository: string
  /** The pushed branch. */
  readonly branch: string
  created: Date
  /** Its jobs are in a workflow that it calls. */
  reusable: boolean
  /** Somebody has cancelled its last attempt. */
  cancelled: boolean
  attempt: number
  /** The last execution of each job. */
  jobs: DoubleJob[]
  /** Earlier executions. */
  past: readonly DoubleJob[]
}

export interface Fault {
  readonly method?: string
  readonly path: RegExp
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** The call takes effect, but its answer is lost. */
  readonly lost?: boolean
  times: number
}

/** A runner that waits for its next job. */
interface Poll {
  readonly runner: DoubleRunner
  readonly answer: (job: DoubleJob) => void
  /** Called when the runner no longer exists. */
  readonly end: () => void
}

export interface Seen {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly at: number
}

/**
 * Milliseconds after which a runner that asks for work and gets none is told to ask again: fifty seconds
 * (https://docs.github.com/en/actions/concepts/runners/communicating-with-self-hosted-runners), less than the sixty that
 * src/Runner.Common/RunnerServer.cs of actions/runner gives the connection.
 */
const EMPTY_POLL = 50_000
/** Milliseconds without contact after which a runner for any number of jobs is removed: 14 days, says the same page. */
const FORGOTTEN = 14 * 24 * 3_600_000
/**
 * The same for a runner for a single job that has had none: more than a day without contact, says that page. Here the day begins when the
 * runner is made, so one that was in contact and lost its machine goes earlier than at GitHub.
 */
const UNUSED = 24 * 3_600_000

export class GithubDouble {
  readonly runners = new Map<number, DoubleRunner>()
  readonly runs = new Map<number, DoubleRun>()
  readonly faults: Fault[] = []
  readonly seen: Seen[] = []
  readonly limits = new Limits()
  /** The clock of the limits, in milliseconds. */
  now: () => number = Date.now
  /** Runner groups of an organization or enterprise: number → name. */
  readonly groups = new Map([[1, 'Default']])
  /** Groups whose runners also serve public repositories. */
  readonly publicGroups = new Set<number>()
  /** Groups that serve only these repositories of the organization, by their names. */
  readonly selectedGroups = new Map<number, readonly string[]>()
  /** Groups that serve only these workflows. */
  readonly workflowGroups = new Map<number, readonly string[]>()
  /** Groups for GitHub-hosted machines. */
  readonly hosted = new Set<number>()
  /** Which repositories of an organization may have runners of their own. */
  policy: { readonly enabled: 'all' | 'none' | 'selected'; readonly selected?: readonly string[]; readonly secret?: boolean } = {
    enabled: 'all',
  }
  /** Token → its permissions. */
  readonly tokens = new Map<string, readonly ('runners' | 'actions' | 'comments' | 'contents')[]>([
    ['good', ['runners', 'actions', 'comments', 'contents']],
    ['reader', []],
    ['actions', ['actions']],
  ])
  readonly apps = new Apps()
  readonly comments = new Comments()
  readonly pushes = new Pushes()
  readonly registrations = new Registrations()
  readonly #broker = new Broker()
  /** How many milliseconds a silent session is kept. */
  session = 1500
  #away = false
  /** How many requests came while it was away. */
  unanswered = 0
  /** Wraps every call of a controller. */
  gate: <T>(call: string, act: () => Promise<T>, token: string) => Promise<T> = async (_, act) => act()
  /** Whether the repositories are public. */
  open = false
  /** Version of the runner program → its release date; the last one is offered. */
  readonly releases = new Map([
    ['2.330.0', new Date('2026-02-01')],
    ['2.336.0', new Date('2026-08-01')],
  ])
  /** Milliseconds for which a runner still looks busy after its job. */
  lag = 0
  /** Milliseconds until a job that was offered, but not acknowledged, is queued again. */
  requeue = 60_000
  /**
   * Milliseconds without contact from its runner after which a job fails: the runner renews its lock every minute
   * (src/Runner.Listener/JobDispatcher.cs, RenewJobRequestAsync), and the lock lasts ten, as a recorded log says ("job is valid till"):
   * https://github.com/actions/runner/issues/3448
   */
  lock = 600_000
  /**
   * How many of the next jobs are gone when they are acknowledged, for example because they were cancelled. Source: src/Runner.Listener/Runner.cs
   * (AcknowledgeMessageAsync).
   */
  vanishing = 0
  /** Milliseconds until lists show a new runner, or no longer show a removed one; a read by number is always up to date. */
  listing = 0
  readonly #listed: { readonly runner: DoubleRunner; readonly from: number; until: number }[] = []
  url = ''
  #next = 100
  readonly #polls = new Set<Poll>()
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  /** What violates GitHub's description, from either side. */
  readonly breaches: string[] = []
  #packed: ReturnType<typeof packTestRunner> | undefined
  /** How often the runner program was downloaded, and whether downloads fail. */
  downloads = 0
  withheld = false
  /** Credentials that were ever given to runners. */
  readonly secrets: string[] = []
  /** SHA-256 in the downloads list, if it is to be wrong. */
  claimedDigest: string | undefined

  /** Listens at an address of this host that its runners can reach. `expose`: resolves to the URL at which others reach that port. */
  async start(host = '127.0.0.1', expose?: (port: number) => Promise<string>): Promise<this> {
    const port = await listening(this.#server, host)
    this.url = expose ? await expose(port) : `http://${host}:${port}`
    return this
  }

  /** Packed when it is asked for, because that starts a program, and few tests need it. */
  get #archive(): ReturnType<typeof packTestRunner> {
    return (this.#packed ??= packTestRunner(this.url))
  }

  /** While it is away, neither controllers nor runners get an answer. */
  set away(away: boolean) {
    this.#away = away
    if (away) this.#server.closeAllConnections()
  }

  async stop(): Promise<void> {
    for (const run of this.runs.values()) for (const job of run.jobs) clearTimeout(job.offered)
    await closed(this.#server)
  }

  /** Calls of the forge's API, without those of the runner program. */
  calls(method?: string, path?: RegExp): Seen[] {
    return this.seen.filter((one) => (method === undefined || one.method === method) && (path?.test(one.path) ?? true))
  }

  /** Adds a run whose jobs are queued at once. */
  push(
    jobs: readonly { readonly labels: readonly string[]; readonly script: string; readonly name?: string }[],
    repository = 'octo/hello',
    branch = 'main',
  ): DoubleRun {
    const run: DoubleRun = {
      id: this.#next++,
      repository,
      branch,
      created: new Date(),
      reusable: false,
      cancelled: false,
      attempt: 1,
      jobs: [],
      past: [],
    }
    run.jobs = jobs.map((job, at) => this.#job(run, job.name ?? `job-${at}`, job.labels, job.script))
    this.runs.set(run.id, run)
    this.#assign()
    return run
  }

  #job(run: DoubleRun, name: string, labels: readonly string[], script: string): DoubleJob {
    return {
      id: this.#next++,
      run,
      name,
      labels,
      script,
      attempt: run.attempt,
      status: 'queued',
      conclusion: null,
      runner: undefined,
      runnerName: null,
      created: new Date(),
      started: undefined,
      ended: undefined,
      steps: [],
      offered: undefined,
      annotation: undefined,
      log: '',
    }
  }

  /** How many runners wait for an answer. */
  get asking(): number {
    return this.#polls.size
  }

  get queued(): DoubleJob[] {
    return [...this.runs.values()].flatMap((run) => run.jobs).filter((job) => job.status === 'queued')
  }

  #assign(): void {
    for (const job of this.queued) {
      if (job.runner) continue
      const poll = [...this.#polls].find(
        ({ runner }) => runner.job === undefined && job.labels.every((label) => runner.labels.includes(label)),
      )
      if (!poll) continue
      this.#polls.delete(poll)
      job.runner = poll.runner
      poll.runner.job = job
      job.offered = setTimeout(() => {
        poll.runner.job = undefined
        job.runner = undefined
        this.#assign()
      }, this.requeue)
      poll.answer(job)
    }
  }

  #download(response: ServerResponse): void {
    this.downloads++
    if (this.withheld) response.writeHead(404).end()
    else response.end(this.#archive.bytes)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#away) {
      this.unanswered += 1
      return void request.socket.destroy()
    }
    this.#tidy()
    // The paths of an Enterprise Server, or of github.com.
    const { pathname, searchParams } = new URL((request.url ?? '/').replace(/^\/api\/v3\//, '/'), this.url)
    const method = request.method ?? 'GET'
    const service = pathname.startsWith('/_runner/')
    if (pathname === '/download/runner.tar.gz') return this.#download(response)
    if (!service) {
      this.limits.begin()
      response.once('close', () => this.limits.end())
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    if (service) return this.#program(method, pathname, text, request, response)
    const fault = this.faults.find((one) => one.times > 0 && (one.method ?? method) === method && one.path.test(pathname))
    if (fault) fault.times--
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    const refusal = this.limits.admit(tokenIn(request.headers.authorization), method, pathname, this.now())
    const refused = refusal ?? (fault?.lost ? undefined : fault)
    const answer =
      refused !== undefined
        ? { status: refused.status, data: { message: randomText() }, headers: refused.headers }
        : await this.gate(
            `${method} ${pathname}`,
            async () => this.#answer(method, pathname, searchParams, body, request.headers.authorization ?? ''),
            tokenIn(request.headers.authorization),
          )
    const { status, data } = answer
    // GitHub keeps logs on another server.
    if (!pathname.startsWith('/_log/'))
      this.breaches.push(...contractOf(pathname).check({ method, path: pathname, query: searchParams, body, status, answer: data }))
    this.seen.push({ method, path: pathname, status: answer.status, at: Date.now() })
    if (fault?.lost) return void request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8', ...answer.headers })
    response.end(answer.data === undefined ? '' : typeof answer.data === 'string' ? answer.data : JSON.stringify(answer.data))
  }

  #answer(
    method: string,
    path: string,
    query: URLSearchParams,
    body: unknown,
    authorization: string,
  ): { status: number; data?: unknown; headers?: Readonly<Record<string, string>> | undefined } {
    const asApp = this.apps.answer(method, path, body, authorization, this.url)
    if (asApp) return asApp
    const token = tokenIn(authorization)
    const may = this.tokens.get(token) ?? this.apps.rights(token, path)
    const message = { message: randomText() }
    if (!may) return { status: 401, data: message }
    if (/\/issues\/(?:\d+\/comments|comments\/\d+)$/.test(path))
      return this.comments.answer(method, path, query, body, may.includes('comments'), this.url)
    const below = /^\/repos\/([^/]+\/[^/]+)\/git\/(.*)$/.exec(path)
    if (below) {
      const [, repository = '', what = ''] = below
      if (!may.includes('contents')) return { status: 403, data: message }
      return this.pushes.answer(method, what, body, (branch, jobs) => void this.push(jobs, repository, branch))
    }
    const noted = /\/check-runs\/(\d+)\/annotations$/.exec(path)?.[1]
    if (noted !== undefined) return { status: 200, data: annotationsOf(this.#jobBy(noted)) }
    if (path.startsWith('/_log/')) return { status: 200, data: this.#jobBy(path.split('/').at(-1) ?? '')?.log ?? '' }
    const scope = /^(\/repos\/[^/]+\/[^/]+|\/orgs\/[^/]+|\/enterprises\/[^/]+)\/actions\/(.*)$/.exec(path)
    const rest = scope?.[2] ?? ''
    if (/^\/repos\/[^/]+\/[^/]+$/.test(path)) return { status: 200, data: fullRepository(this.url, this.open) }
    if (path.startsWith('/repos/actions/runner/releases/tags/v')) return this.#release(path.split('/v').at(-1) ?? '')
    if (rest === 'runner-groups' && path.startsWith('/repos/')) return { status: 404, data: message }
    if (rest.startsWith('permissions/self-hosted-runners')) return this.#policyCall(rest, query, may.includes('runners'))
    if (rest.startsWith('runner')) {
      const allowed = may.includes('runners') && (method !== 'POST' || this.#allows(scope?.[1] ?? ''))
      return allowed ? this.#runnerCall(method, rest, query, body, scope?.[1] ?? '') : { status: 403, data: message }
    }
    if (rest.startsWith('runs') || rest.startsWith('jobs'))
      return this.#runCall(method, rest, query, may.includes('actions'), scope?.[1] ?? '')
    return { status: 404, data: message }
  }

  #runnerCall(method: string, rest: string, query: URLSearchParams, body: unknown, scope: string): { status: number; data?: unknown } {
    const message = { message: randomText() }
    if (rest === 'runners/registration-token' && method === 'POST') return { status: 201, data: this.registrations.mint(scope) }
    if (rest === 'runners/downloads') return { status: 200, data: this.#downloads() }
    if (rest === 'runners/generate-jitconfig' && method === 'POST')
      return this.#register(body as { name: string; labels: string[]; runner_group_id: number })
    if (rest === 'runners' && method === 'GET') return { status: 200, data: this.#page(query) }
    if (rest === 'runner-groups' && method === 'GET') return { status: 200, data: this.#groups(query.get('visible_to_repository')) }
    const [, id, labels, label] = /^runners\/(\d+)(\/labels(?:\/(.+))?)?$/.exec(rest) ?? []
    const runner = id === undefined ? undefined : this.runners.get(Number(id))
    if (!runner) return { status: 404, data: message }
    if (labels !== undefined) {
      if (label !== undefined && !runner.labels.includes(label)) return { status: 404, data: message }
      if (method === 'POST') runner.labels = [...runner.labels, ...(body as { labels: string[] }).labels]
      if (method === 'DELETE') runner.labels = runner.labels.filter((one) => one !== label)
      return { status: 200, data: { total_count: runner.labels.length, labels: labelsOf(runner) } }
    }
    if (method === 'GET') return { status: 200, data: shown(runner) }
    if (method !== 'DELETE') return { status: 404, data: message }
    // As others have met it: https://github.com/ubicloud/ubicloud/pull/1678
    if (runner.job) return { status: 422, data: { ...message, documentation_url: this.url } }
    this.#forget(runner)
    return { status: 204 }
  }

  #allows(scope: string): boolean {
    const { enabled, selected = [] } = this.policy
    return !scope.startsWith('/repos/') || enabled === 'all' || (enabled === 'selected' && selected.includes(scope.slice('/repos/'.length)))
  }

  #policyCall(rest: string, query: URLSearchParams, may: boolean): { status: number; data?: unknown } {
    const { enabled, selected = [], secret } = this.policy
    if (!may || secret === true) return { status: 403, data: { message: randomText() } }
    if (!rest.endsWith('/repositories')) return { status: 200, data: { enabled_repositories: enabled } }
    const repositories = paged(selected, query).map((name) => ({ ...fullRepository(this.url, this.open), full_name: name }))
    return { status: 200, data: { total_count: selected.length, repositories } }
  }

  /** Source: "List self-hosted runner groups for an organization" of GitHub's documentation. */
  #groups(visibleTo: string | null): unknown {
    const runners_url = `${this.url}/orgs/octo/actions/runner-groups`
    const serves = (id: number): boolean => visibleTo === null || (this.selectedGroups.get(id)?.includes(visibleTo) ?? true)
    const all = [...this.groups]
      .filter(([id]) => serves(id))
      .map(([id, name]) => ({
        id,
        name,
        default: id === 1,
        runners_url: `${runners_url}/${id}/runners`,
        allows_public_repositories: this.publicGroups.has(id),
        visibility: this.selectedGroups.has(id) ? 'selected' : 'all',
        inherited: false,
        restricted_to_workflows: this.workflowGroups.has(id),
        ...(this.workflowGroups.has(id) && { selected_workflows: this.workflowGroups.get(id) }),
      }))
    return { total_count: all.length, runner_groups: all }
  }

  #release(version: string): { status: number; data: unknown } {
    const at = this.releases.get(version)
    if (!at) return { status: 404, data: { message: randomText() } }
    const file = { name: `actions-runner-linux-x64-${version}.tar.gz`, digest: `sha256:${this.#archive.digest}` }
    return { status: 200, data: release(this.url, version, file, at) }
  }

  #downloads(): unknown {
    const one = (os: string, architecture: string) => ({
      os,
      architecture,
      download_url: `${this.url}/download/runner.tar.gz`,
      filename: `actions-runner-${os}-${architecture}-${[...this.releases.keys()].at(-1)}.tar.gz`,
      sha256_checksum: this.claimedDigest ?? this.#archive.digest,
    })
    return [one('linux', 'x64'), one('linux', 'arm64'), one('osx', 'arm64'), one('osx', 'x64')]
  }

  #register({ name, labels, runner_group_id: group }: { name: string; labels: string[]; runner_group_id: number }): {
    status: number
    data: unknown
  } {
    const message = { message: randomText() }
    if (!name || !Array.isArray(labels) || labels.length === 0 || name.length > 64)
      return { status: 422, data: { ...message, documentation_url: '', errors: [] } }
    // As recorded for the group of GitHub-hosted machines, and for a number that no group has:
    // https://docs.rs/runner-manager-github/0.4.5/runner_manager_github/jit/
    if (this.hosted.has(group)) return { status: 403, data: message }
    if (!this.groups.has(group)) return { status: 404, data: message }
    if ([...this.runners.values()].some((runner) => runner.name === name)) return { status: 409, data: message }
    const runner = this.#enlist({ name, labels, group })
    return { status: 201, data: { runner: shown(runner), encoded_jit_config: runner.config } }
  }

  #enlist(params: Pick<DoubleRunner, 'name' | 'labels' | 'group' | 'lasting'>): DoubleRunner {
    const runner: DoubleRunner = {
      ...params,
      id: this.#next++,
      key: newKey(),
      client: newClient(),
      online: false,
      job: undefined,
      seen: Date.now(),
      made: this.now(),
    }
    if (!runner.lasting) runner.config = this.#broker.configuration(runner, this.url)
    this.runners.set(runner.id, runner)
    this.secrets.push(runner.config ?? runner.key)
    this.#listed.push({ runner, from: Date.now() + this.listing, until: Number.POSITIVE_INFINITY })
    return runner
  }

  /**
   * The registration that `config.sh` requests. 404 for a token that is not valid (any more):
   * https://github.com/actions/runner/issues/1748
   */
  signUp(params: RegistrationRequest): { status: number; data?: unknown } {
    if (this.registrations.away-- > 0) return { status: 503 }
    if (!this.registrations.admits(params)) return { status: 404 }
    const group = [...this.groups].find(([, name]) => name === (params.group ?? 'Default'))?.[0]
    if (group === undefined) return { status: 400 }
    const there = [...this.runners.values()].find(({ name }) => name === params.name)
    if (there && !params.replace) return { status: 409 }
    if (!there) {
      const runner = this.#enlist({ name: params.name, labels: params.labels, group, lasting: true })
      return { status: 200, data: this.#broker.files(runner, this.url) }
    }
    // The same runner, but on another machine from now on.
    this.#offline(there)
    Object.assign(there, { labels: params.labels, key: newKey(), silent: false, seen: Date.now() })
    return { status: 200, data: this.#broker.files(there, this.url) }
  }

  /** Whether its session is in use: a runner can have only one. */
  #lives(runner: DoubleRunner): boolean {
    const heard = runner.job !== undefined || [...this.#polls].some((poll) => poll.runner === runner)
    return runner.online && (heard || Date.now() - (runner.seen ?? 0) < this.session)
  }

  /** Ends jobs and removes runners that have been silent for too long. */
  #tidy(): void {
    for (const job of [...this.runs.values()].flatMap((run) => run.jobs))
      if (job.status === 'in_progress' && Date.now() - (job.heard ?? Date.now()) > this.lock)
        this.end(job, 'failure', 'The self-hosted runner lost communication with the server.')
    for (const runner of this.runners.values()) {
      if (runner.online && !this.#lives(runner)) {
        this.#offline(runner)
        runner.silent = true
      }
      const old = runner.lasting
        ? this.now() - (runner.seen ?? 0) > FORGOTTEN
        : runner.made !== undefined && this.now() - runner.made > UNUSED
      if (!runner.online && runner.job === undefined && old) this.#forget(runner)
    }
  }

  #page(query: URLSearchParams): unknown {
    const name = query.get('name')
    const all = this.#inList().filter((runner) => name === null || runner.name === name)
    return { total_count: all.length, runners: paged(all, query).map(shown) }
  }

  /** How many runners a list shows. */
  get listed(): number {
    return this.#inList().length
  }

  #inList(): DoubleRunner[] {
    const now = Date.now()
    const early = new Set(this.#listed.filter(({ from }) => now < from).map(({ runner }) => runner.id))
    const late = this.#listed.filter(({ runner, from, until }) => !this.runners.has(runner.id) && now >= from && now < until)
    return [...[...this.runners.values()].filter(({ id }) => !early.has(id)), ...late.map(({ runner }) => runner)]
  }

  #jobBy(id: string): DoubleJob | undefined {
    return [...this.runs.values()].flatMap((run) => [...run.past, ...run.jobs]).find((job) => String(job.id) === id)
  }

  #runCall(
    method: string,
    rest: string,
    query: URLSearchParams,
    may: boolean,
    scope: string,
  ): { status: number; data?: unknown; headers?: Readonly<Record<string, string>> } {
    const message = { message: randomText() }
    const mine = [...this.runs.values()].filter((run) => `/repos/${run.repository}` === scope)
    if (rest === 'runs') {
      const found = mine.filter((run) => fits(run, query)).toSorted((a, b) => b.id - a.id)
      return { status: 200, data: { total_count: found.length, workflow_runs: paged(found, query).map((run) => shownRun(run, this.url)) } }
    }
    const [, runId, what = ''] = /^runs\/(\d+)(?:\/(jobs|rerun-failed-jobs|cancel))?$/.exec(rest) ?? []
    const run = mine.find((one) => String(one.id) === runId)
    if (run && what === '' && method === 'GET') return { status: 200, data: shownRun(run, this.url) }
    if (run && what === 'jobs') {
      const jobs = query.get('filter') === 'all' ? [...run.past, ...run.jobs] : run.jobs
      return { status: 200, data: { total_count: jobs.length, jobs: paged(jobs, query).map((job) => shownJob(job, this.url)) } }
    }
    if (run && what === '' && method === 'DELETE') return { status: this.runs.delete(run.id) ? 204 : 404 }
    if (run && what === 'cancel') {
      // GitHub's description of its API has 202, and 409, which the double does not answer (actions/cancel-workflow-run in @octokit/openapi).
      run.cancelled = statusOf(run) !== 'completed'
      for (const job of run.jobs) if (job.status !== 'completed') this.end(job, 'cancelled')
      return { status: 202, data: {} }
    }
    const logged = /^jobs\/(\d+)\/logs$/.exec(rest)?.[1]
    if (logged !== undefined) return { status: 302, headers: { location: `${this.url}/_log/${logged}` } }
    const jobId = /^jobs\/(\d+)\/rerun$/.exec(rest)?.[1]
    const target = run ?? mine.find((one) => one.jobs.some((job) => String(job.id) === jobId))
    if (!target || method !== 'POST') return { status: 404, data: message }
    if (!may) return { status: 403, data: message }
    // Thirty days: https://docs.github.com/actions/managing-workflow-runs/re-running-workflows-and-jobs, 50 re-runs:
    // https://github.blog/changelog/2026-04-10-actions-workflows-are-limited-to-50-reruns. The status 403 beyond those is assumed: that page
    // only says that there will be a failed check suite with an annotation.
    const old = this.now() - target.created.getTime() > 30 * 24 * 3_600_000
    // No page of GitHub was found that refuses a single job of a reusable workflow. "Behavior of reusable workflows when re-running jobs" of
    // https://docs.github.com/en/actions/reference/workflows-and-actions/reusing-workflow-configurations says which commit such a re-run takes;
    // GitHub had disabled it only for a time, in March 2022: https://github.com/actions/runner/issues/432.
    const alone = jobId !== undefined && target.reusable
    if (statusOf(target) !== 'completed' || target.attempt > 50 || old || alone) return { status: 403, data: message }
    this.#rerun(target, jobId)
    return { status: 201, data: {} }
  }

  #rerun(run: DoubleRun, jobId: string | undefined): void {
    run.attempt++
    run.cancelled = false
    const again = (job: DoubleJob): boolean => (jobId === undefined ? job.conclusion !== 'success' : String(job.id) === jobId)
    run.past = [...run.past, ...run.jobs.filter(again)]
    run.jobs = run.jobs.map((job) => (again(job) ? this.#job(run, job.name, job.labels, job.script) : job))
    this.#assign()
  }

  /** The calls between the runner program and the service: GitHub's are not published, so these are made up. */
  async #program(method: string, path: string, text: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = (status: number, value: unknown = {}): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const [, , what, id = '', action] = path.split('/')
    if (what === 'sessions' && method === 'POST' && id === '') {
      const { key } = JSON.parse(text) as { key: string }
      const runner = [...this.runners.values()].find((one) => one.key === key)
      if (!runner) return json(404)
      // A runner for a single job stays valid until it has had that job, however often its program starts: GitHub's own wrapper restarts it
      // (src/Misc/layoutroot/run-helper.sh.template), and so does actions-runner-controller (ephemeralrunner_controller.go).
      if (this.#lives(runner)) return json(409)
      Object.assign(runner, { online: true, begun: true, silent: false, seen: Date.now() })
      return json(200, { id: runner.id, name: runner.name, lasting: runner.lasting === true })
    }
    if (what === 'registrations' && method === 'POST') {
      const { status, data } = this.signUp(JSON.parse(text) as RegistrationRequest)
      if (status === 200) this.registrations.done()
      return this.#away ? undefined : json(status, data)
    }
    if (what === 'token' || what === 'broker') {
      const { status, data } = this.#brokerCall(method, id, text, request.headers.authorization ?? '')
      return json(status, data)
    }
    if (what === 'jobs') return this.#jobCall(Number(id), action ?? '', text, json)
    const runner = this.runners.get(Number(id))
    if (!runner) return json(404)
    if (method === 'DELETE') {
      this.#offline(runner)
      runner.silent = false
      return json(200)
    }
    const poll: Poll = { runner, answer: (job) => json(200, { id: job.id }), end: () => json(404) }
    this.#polls.add(poll)
    runner.seen = Date.now()
    if (runner.silent) Object.assign(runner, { online: true, silent: false })
    request.socket.once('close', () => {
      if (this.#polls.delete(poll)) runner.seen = Date.now()
    })
    this.#assign()
    setTimeout(() => this.#polls.delete(poll) && json(202), EMPTY_POLL).unref()
  }

  /**
   * A job that was offered to a runner stays offered after the end of its session, until it has gone without acknowledgement for too long: the
   * program itself ends its session with a job that it has only been offered (src/Runner.Listener/Runner.cs).
   */
  #brokerCall(method: string, what: string, text: string, authorization: string): BrokerAnswer {
    if (what === '' && method === 'POST') return this.#broker.token(text, this.runners.values(), this.url)
    const client = this.#broker.client(authorization)
    const runner = [...this.runners.values()].find((one) => one.client === client)
    if (!runner) return { status: 401 }
    if (what !== 'session' || method !== 'DELETE') return { status: 404 }
    this.#offline(runner)
    runner.silent = false
    return { status: 200 }
  }

  #jobCall(id: number, action: string, text: string, json: (status: number, value?: unknown) => void): void {
    const job = [...this.runs.values()].flatMap((run) => run.jobs).find((one) => one.id === id)
    if (!job?.runner) return json(409)
    if (action === 'acquire' && this.vanishing > 0) {
      this.vanishing--
      clearTimeout(job.offered)
      const { runner } = job
      Object.assign(job, { runner: undefined, status: 'completed', conclusion: 'cancelled', ended: new Date() })
      Object.assign(runner, { job: undefined })
      return json(404)
    }
    if (action === 'acquire') {
      clearTimeout(job.offered)
      job.status = 'in_progress'
      job.runnerName = job.runner.name
      job.started = new Date()
      job.heard = Date.now()
      return json(200, { script: job.script, name: job.name, run: job.run.id, attempt: job.run.attempt, repository: job.run.repository })
    }
    if (action === 'renew') {
      job.heard = Date.now()
      return json(200)
    }
    const { conclusion, annotation, steps, log } = JSON.parse(text) as Pick<DoubleJob, 'conclusion' | 'annotation'> &
      Partial<Pick<DoubleJob, 'steps' | 'log'>>
    job.steps = steps ?? job.steps
    job.log = log ?? job.log
    if (action === 'steps') return json(200)
    this.end(job, conclusion ?? 'failure', annotation)
    json(200)
  }

  /** Ends a job as the service sees it; a runner for a single job is removed with it. */
  end(job: DoubleJob, conclusion: NonNullable<DoubleJob['conclusion']>, annotation?: string): void {
    job.status = 'completed'
    job.conclusion = conclusion
    job.ended = new Date()
    job.annotation = annotation
    const { runner } = job
    job.runner = undefined
    if (!runner) return
    runner.seen = Date.now()
    if (runner.lasting) {
      runner.job = undefined
      return
    }
    if (this.lag > 0) setTimeout(() => this.#forget(runner), this.lag).unref()
    else this.#forget(runner)
  }

  #offline(runner: DoubleRunner): void {
    runner.online = false
    for (const poll of this.#polls) if (poll.runner === runner) this.#polls.delete(poll)
  }

  #forget(runner: DoubleRunner): void {
    for (const poll of this.#polls) if (poll.runner === runner) poll.end()
    this.#offline(runner)
    this.runners.delete(runner.id)
    for (const one of this.#listed) if (one.runner === runner) one.until = Date.now() + this.listing
  }
}

function newKey(): string {
  return randomBytes(128).toString('base64')
}

function tokenIn(authorization = ''): string {
  return authorization.replace(/^(?:Bearer|token) /, '')
}

/** GitHub's messages changed more than once, so nothing may depend on them. */
function randomText(): string {
  return `words that change with every release (${Math.random().toString(36).slice(2)})`
}
