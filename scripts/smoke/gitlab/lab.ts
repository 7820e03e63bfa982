/** The project that checks push their jobs to: each push is a branch with our own pipeline file, and is removed again. */
import { MANNERS } from '../../../src/forges/gitlab/api.ts'
import type { Settings, Trial } from '../check.ts'
import { Commands, newNonce } from '../commands.ts'
import { Api } from '../http.ts'

export interface Job {
  readonly id: number
  readonly name: string
  readonly status: string
  readonly failure_reason?: string
  readonly runner: { readonly id: number } | null
}

export interface Manager {
  readonly system_id: string
  readonly status: string
  readonly contacted_at: string | null
}

/** Seconds that checks wait. */
export interface Times {
  /** Between two looks at the machines of a runner. */
  readonly managers: number
  readonly patience: number
}

export const TIMES: Times = { managers: 180, patience: 900 }

const GITLAB = 'https://gitlab.com'
const FILE = '.gitlab-ci.yml'
/** Seconds until a pipeline must show up, and until one that is to be removed must end. */
const APPEARS = 120
const OVER = ['success', 'failed', 'canceled', 'skipped']

export class Lab {
  readonly commands: Commands
  readonly times: Times
  readonly env: Settings['env']
  /** Part of every name that is made. */
  readonly nonce: string
  readonly #api: Api
  readonly #project: string
  readonly #words: readonly string[]
  #pushed = 0
  #launched = 0

  static async open(settings: Settings, times: Times): Promise<Lab> {
    const { env } = settings
    const own = {
      TPI_FORGE_URL: env['SMOKE_GITLAB_SERVER'] ?? GITLAB,
      REPO_TOKEN: env['SMOKE_GITLAB_TOKEN'] ?? '',
      ...(env['SMOKE_GITLAB_DOWNLOADS'] ? { GITLAB_RUNNER_DOWNLOADS: env['SMOKE_GITLAB_DOWNLOADS'] } : {}),
    }
    return new Lab(await Commands.open(settings, own), settings, times)
  }

  private constructor(commands: Commands, { env, say }: Settings, times: Times) {
    const server = env['SMOKE_GITLAB_SERVER'] ?? GITLAB
    const project = env['SMOKE_GITLAB_PROJECT'] ?? ''
    this.commands = commands
    this.times = times
    this.env = env
    this.nonce = newNonce()
    this.#project = `/projects/${encodeURIComponent(project)}`
    this.#words = ['--cloud', 'local', '--forge', 'gitlab', '--repository', project]
    const headers = { 'private-token': env['SMOKE_GITLAB_TOKEN'] ?? '' }
    this.#api = new Api(`${server.replace(/\/+$/, '')}/api/v4`, headers, { manners: MANNERS, say })
  }

  /** A name for runners, which is also one of their tags. */
  name(): string {
    return `smoke-${this.nonce}-${++this.#launched}`
  }

  /** Starts runners with this name; they are removed at the end of the check. Resolves to the number of the runner object. */
  async launch(trial: Trial, name: string, more: readonly string[] = [], own: Readonly<Record<string, string>> = {}): Promise<number> {
    trial.later(`giving ${name} back`, async () => {
      await this.commands.run(['destroy', name, '--discard'], own)
    })
    const { facts } = await this.commands.must(['runner', '--name', name, '--labels', name, '--json', ...this.#words, ...more], own)
    return Number(facts.runnerIds?.[0])
  }

  /** Pushes a branch that differs from the default one only in the pipeline file. Resolves to the number of its one job. */
  async push(trial: Trial, tag: string, script: string): Promise<number> {
    const branch = `tpi-smoke-${this.nonce}-${++this.#pushed}`
    const { default_branch: base } = (await this.#api.call('GET', this.#project)).data as { default_branch: string }
    const there = await this.#api.call('GET', `${this.#project}/repository/files/${encodeURIComponent(FILE)}?ref=${base}`, {
      accept: [404],
    })
    const file = { action: there.status === 404 ? 'create' : 'update', file_path: FILE, content: pipelineOf(tag, script) }
    trial.later(`removing branch ${branch}`, async () => this.#clear(branch))
    const body = { branch, start_branch: base, commit_message: 'A check of tpi', actions: [file] }
    await this.#api.call('POST', `${this.#project}/repository/commits`, { body })
    let job: number | undefined
    await this.commands.within(APPEARS, async () => {
      const [pipeline] = await this.#pipelines(branch)
      if (pipeline === undefined) return false
      job = ((await this.#api.call('GET', `${this.#project}/pipelines/${pipeline.id}/jobs`)).data as readonly Job[])[0]?.id
      return job !== undefined
    })
    if (job === undefined) throw new Error(`no job of branch ${branch} appeared within ${APPEARS} s`)
    return job
  }

  async job(id: number): Promise<Job> {
    return (await this.#api.call('GET', `${this.#project}/jobs/${id}`)).data as Job
  }

  async trace(id: number): Promise<string> {
    return (await this.#api.call('GET', `${this.#project}/jobs/${id}/trace`)).text
  }

  async ended(id: number, seconds = this.times.patience): Promise<number | undefined> {
    return this.commands.within(seconds, async () => OVER.includes((await this.job(id)).status))
  }

  async begun(id: number): Promise<number | undefined> {
    return this.commands.within(this.times.patience, async () => (await this.job(id)).status === 'running')
  }

  async managers(runner: number): Promise<readonly Manager[]> {
    return (await this.#api.call('GET', `/runners/${runner}/managers`)).data as readonly Manager[]
  }

  async exists(runner: number): Promise<boolean> {
    return (await this.#api.call('GET', `/runners/${runner}`, { accept: [404] })).status === 200
  }

  async remove(runner: number): Promise<void> {
    await this.#api.call('DELETE', `/runners/${runner}`)
  }

  async version(): Promise<string> {
    return ((await this.#api.call('GET', '/metadata')).data as { version: string }).version
  }

  async left(): Promise<readonly string[]> {
    const runners = (await this.#api.call('GET', `${this.#project}/runners?per_page=100`)).data as { description: string | null }[]
    const branches = (await this.#api.call('GET', `${this.#project}/repository/branches?search=tpi-smoke-${this.nonce}`)).data
    return [
      ...runners.flatMap(({ description }) => (description?.includes(this.nonce) ? [`runner ${description}`] : [])),
      ...(branches as { name: string }[]).map(({ name }) => `branch ${name}`),
    ]
  }

  async #clear(branch: string): Promise<void> {
    for (const { id } of await this.#pipelines(branch)) {
      await this.#api.call('POST', `${this.#project}/pipelines/${id}/cancel`)
      await this.commands.inAnyCase(APPEARS, async () => (await this.#pipelines(branch)).every(({ status }) => OVER.includes(status)))
      // Only an owner may remove it; a pipeline that stays is just a line in the list of pipelines.
      await this.#api.call('DELETE', `${this.#project}/pipelines/${id}`, { accept: [403, 404] })
    }
    await this.#api.call('DELETE', `${this.#project}/repository/branches/${branch}`, { accept: [404] })
  }

  async #pipelines(branch: string): Promise<readonly { readonly id: number; readonly status: string }[]> {
    return (await this.#api.call('GET', `${this.#project}/pipelines?ref=${branch}`)).data as readonly { id: number; status: string }[]
  }
}

/** JSON is YAML, too. */
function pipelineOf(tag: string, script: string): string {
  return JSON.stringify({ one: { tags: [tag], script: [script] } }, undefined, 2)
}
