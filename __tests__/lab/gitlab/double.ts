/**
 * A forge that behaves as GitLab is documented: runner objects, their machines and which of them are in contact, a queue of jobs by tag, traces,
 * artifacts. It also serves the runner program. Left out, because neither tpi nor a runner that runs one job after the other uses it: registration
 * with the older tokens, instance runners, cancelled and manual jobs, long polling for a job, the Job Router (off, as by default), services, caches,
 * terminals, artifacts sent in any other way than one form. A job runs as soon as it is handed out. Where the feature flag
 * `allow_runner_job_acknowledgement` is on, GitLab leaves it pending until its runner accepts it
 * (doc/development/cicd/two_phase_job_commit.md); the real runner offers that (network/gitlab.go of gitlab-runner, TwoPhaseJobCommit).
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { closed, listening } from '../../setup/listening.ts'
import { Branches } from './branches.ts'
import { Notes } from './notes.ts'
import { type DoubleJob, Queue } from './queue.ts'
import { type DoubleRunner, Registry, type Wanted } from './registry.ts'
import { byRunner, runnerCall } from './runner-calls.ts'
import { userCall } from './user-calls.ts'

export type { DoubleJob, DoubleRunner }

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Answer {
  readonly status: number
  readonly data?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Fault {
  readonly method?: string
  readonly path: RegExp
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly data?: unknown
  /** The call takes effect, but its answer is lost. */
  readonly lost?: boolean
  /** The call never arrives, and nobody answers. */
  readonly cut?: boolean
  times: number
}

export class GitlabDouble {
  readonly tokens = new Map<string, readonly string[]>([
    ['good', ['create_runner', 'manage_runner', 'read_api']],
    ['api', ['api']],
    ['reader', ['read_api']],
  ])
  #next = 10
  /** Milliseconds by which its clock is ahead of this host's: moved far enough, contacts become old. */
  ahead = 0
  readonly #now = (): number => Date.now() + this.ahead
  readonly #number = (): number => this.#next++
  readonly runners = new Registry(this.#now, this.#number)
  readonly queue = new Queue(this.#now, this.#number)
  readonly notes = new Notes()
  readonly branches = new Branches()
  readonly seen: { readonly method: string; readonly path: string; readonly status: number }[] = []
  readonly faults: Fault[] = []
  /** How often the runner program was downloaded, and whether downloads fail. */
  downloads = 0
  withheld = false
  /** What a runner program did that GitLab's never does. */
  readonly breaches: string[] = []
  /** Jobs whose end was reported once. */
  readonly putAway = new Set<number>()
  #away = false
  /** How many requests came while it was away. */
  unanswered = 0
  /** Wraps every call of a controller. */
  gate: <T>(call: string, act: () => Promise<T>, token: string) => Promise<T> = async (_, act) => act()
  /** Whether the project is public. */
  open = false
  /** The server's version decides which failure reasons it knows. */
  version = '19.4'
  /** Projects of the group `octo`; the first one is 7. */
  readonly projects: string[] = ['octo/hello']
  /** Projects without pipelines. */
  readonly without: string[] = []
  /** How many runner objects were ever made. */
  made = 0
  url = ''
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  readonly #program = program()
  readonly #worker = setInterval(() => this.queue.drop(this.version), 100).unref()

  /** Listens at an address of this host that its runners can reach; `expose`: resolves to the URL at which they reach that port. */
  async start(host = '127.0.0.1', expose?: (port: number) => Promise<string>): Promise<this> {
    const port = await listening(this.#server, host)
    this.url = expose ? await expose(port) : `http://${host}:${port}`
    return this
  }

  /** While it is away, neither controllers nor runners get an answer. */
  set away(away: boolean) {
    this.#away = away
    if (away) this.#server.closeAllConnections()
  }

  async stop(): Promise<void> {
    clearInterval(this.#worker)
    await closed(this.#server)
  }

  /** Credentials that were ever given to runners. */
  get secrets(): readonly string[] {
    return this.runners.tokens
  }

  get jobs(): readonly DoubleJob[] {
    return this.queue.jobs
  }

  /** Adds a job, in a pipeline of its own or in a named one. */
  push(...params: Parameters<Queue['push']>): DoubleJob {
    return this.queue.push(...params)
  }

  /** Ends a job as the server sees it. */
  end(job: DoubleJob, status: 'success' | 'failed', reason?: string): void {
    this.queue.end(job, status, reason)
  }

  latest(job: DoubleJob): DoubleJob {
    return this.queue.latest(job)
  }

  /** Makes a runner that is somebody else's. */
  foreign(wanted: Wanted): DoubleRunner {
    return this.runners.make(wanted)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#away) {
      this.unanswered += 1
      return void request.socket.destroy()
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { pathname, searchParams: query } = new URL(request.url ?? '/', this.url)
    if (pathname.startsWith('/downloads/')) return this.#download(pathname, response)
    const path = pathname.replace(/^\/api\/v4/, '')
    const { method = 'GET', headers } = request
    const asked: Asked = { method, path, query, headers, body: Buffer.concat(chunks) }
    const fault = this.faults.find((one) => one.times > 0 && one.path.test(path) && (one.method ?? method) === method)
    if (fault) fault.times--
    if (fault?.cut) return void request.socket.destroy()
    const answer = fault && !fault.lost ? fault : await this.#answer(asked)
    this.seen.push({ method, path, status: answer.status })
    if (fault?.lost) return void request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(answer.data === undefined ? '' : typeof answer.data === 'string' ? answer.data : JSON.stringify(answer.data))
  }

  async #answer(asked: Asked): Promise<Answer> {
    if (byRunner(asked)) return runnerCall(this, asked)
    const token = String(asked.headers['private-token'] ?? '')
    return this.gate(`${asked.method} ${asked.path}`, async () => userCall(this, asked), token)
  }

  #download(path: string, response: ServerResponse): void {
    const folder = /^\/downloads\/(latest|v19\.1\.0)\//.exec(path)?.[0]
    if (folder === undefined || this.withheld) return void response.writeHead(403).end()
    if (path !== `${folder}release.sha256`) {
      this.downloads++
      return void response.end(this.#program)
    }
    const digest = createHash('sha256').update(this.#program).digest('hex')
    const names = ['linux-amd64', 'linux-arm64', 'darwin-arm64', 'darwin-amd64']
    response.end(names.map((name) => `${digest} *binaries/gitlab-runner-${name}\n`).join(''))
  }
}

/** One file that a shell starts and Node.js runs: pods, and machines of clouds, have no Node.js except the one that tpi brings. */
function program(): Buffer {
  const nodes = ['/tpi/node', '/var/lib/tpi/node', process.execPath].map((node) => `[ -x '${node}' ] && exec '${node}' "$0" "$@"`)
  const text = readFileSync(join(import.meta.dirname, 'program/gitlab-runner.cjs'), 'utf8')
  return Buffer.from(`#!/bin/sh\n':' //; ${nodes.join('; ')}\n${text}`)
}
