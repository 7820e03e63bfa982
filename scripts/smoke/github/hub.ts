/** The repository that checks push their jobs to: each push is a branch with nothing but one workflow, and is removed again. */
import { MANNERS } from '../../../src/forges/github/api.ts'
import type { Settings, Trial } from '../check.ts'
import { Commands, newNonce } from '../commands.ts'
import { Api } from '../http.ts'

export interface JobParams {
  readonly name: string
  readonly labels: readonly string[]
  /** A step that uses this action, in place of a script. */
  readonly uses?: string
  readonly run?: string
}

export interface Run {
  readonly id: number
  readonly status: string
  readonly conclusion: string | null
  readonly run_attempt: number
}

export interface Job {
  readonly id: number
  readonly name: string
  readonly status: string
  readonly conclusion: string | null
  readonly runner_name: string | null
  readonly started_at: string
  readonly completed_at: string | null
}

export interface Runner {
  readonly id: number
  readonly name: string
  readonly status: string
  readonly busy: boolean
}

export interface Launched {
  readonly runners: readonly string[]
  /** The labels that a job names. */
  readonly labels: readonly string[]
  /** For the user: what the command printed. */
  readonly said: string
}

/** Seconds that checks wait. */
export interface Times {
  readonly idle: number
  /** How long a runner is held while a job waits for it. */
  readonly hold: number
  readonly outage: number
  /** Until the forge knows that a runner is lost. */
  readonly notice: number
  /** Between two calls of `tpi retry`. */
  readonly again: number
  /** How long to wait for anything that must happen. */
  readonly patience: number
}

export const TIMES: Times = { idle: 60, hold: 90, outage: 900, notice: 1020, again: 20, patience: 1500 }

/** Seconds until a push must show up. */
const APPEARS = 120

export class Hub {
  readonly commands: Commands
  readonly times: Times
  readonly env: Settings['env']
  /** Part of every name that is made. */
  readonly nonce: string
  readonly repository: string
  /** Address of the API. */
  readonly api: string
  readonly #api: Api
  readonly #path: string
  readonly #say: Settings['say']
  #pushed = 0
  #launched = 0

  static async open(settings: Settings, times: Times): Promise<Hub> {
    const { env } = settings
    const api = env['SMOKE_GITHUB_API'] ?? 'https://api.github.com'
    const own = { GITHUB_API_URL: api, REPO_TOKEN: env['SMOKE_GITHUB_TOKEN'] ?? '' }
    return new Hub(await Commands.open(settings, own), settings, times, api)
  }

  private constructor(commands: Commands, { env, say }: Settings, times: Times, api: string) {
    this.commands = commands
    this.times = times
    this.env = env
    this.nonce = newNonce()
    this.repository = env['SMOKE_GITHUB_REPOSITORY'] ?? ''
    this.#path = `/repos/${this.repository}`
    this.api = api
    this.#say = say
    this.#api = this.apiAt(api, env['SMOKE_GITHUB_TOKEN'] ?? '')
  }

  apiAt(address: string, token: string): Api {
    const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }
    return new Api(address, { ...headers, authorization: `Bearer ${token}` }, { manners: MANNERS, say: this.#say })
  }

  /** A name for runners, which is also one of their labels. */
  name(): string {
    return `smoke-${this.nonce}-${++this.#launched}`
  }

  /** Starts runners with a name that is also one of their labels; they are removed at the end of the check. */
  async launch(trial: Trial, name: string, more: readonly string[] = []): Promise<Launched> {
    trial.later(`giving ${name} back`, async () => {
      await this.commands.run(['destroy', name, '--discard'])
    })
    const words = ['runner', '--name', name, '--cloud', 'local', '--forge', 'github', '--repository', this.repository]
    const { facts, err } = await this.commands.must([...words, '--labels', name, '--default-labels', 'false', '--json', ...more])
    return { runners: facts.runners ?? [], labels: facts.runsOn ?? [], said: err }
  }

  /** Pushes a commit without parents that contains one workflow, so no other workflow of the repository runs. */
  async push(trial: Trial, jobs: readonly JobParams[]): Promise<number> {
    const branch = `tpi-smoke-${this.nonce}-${++this.#pushed}`
    const file = { path: '.github/workflows/tpi-smoke.yml', mode: '100644', type: 'blob', content: workflowOf(jobs) }
    const { sha: tree } = (await this.#post('/git/trees', { tree: [file] })) as { sha: string }
    const { sha } = (await this.#post('/git/commits', { message: 'A check of tpi', tree, parents: [] })) as { sha: string }
    trial.later(`removing branch ${branch}`, async () => this.#clear(branch))
    await this.#post('/git/refs', { ref: `refs/heads/${branch}`, sha })
    let id: number | undefined
    await this.commands.within(APPEARS, async () => {
      id = (await this.#runsOf(branch))[0]?.id
      return id !== undefined
    })
    if (id === undefined) throw new Error(`no run of branch ${branch} appeared within ${APPEARS} s: does the token start workflows?`)
    return id
  }

  async run(id: number): Promise<Run> {
    return (await this.#api.call('GET', `${this.#path}/actions/runs/${id}`)).data as Run
  }

  async jobs(run: number): Promise<readonly Job[]> {
    const { data } = await this.#api.call('GET', `${this.#path}/actions/runs/${run}/jobs?per_page=100`)
    return (data as { jobs: readonly Job[] }).jobs
  }

  async job(run: number, name: string): Promise<Job> {
    const found = (await this.jobs(run)).find((one) => one.name === name)
    if (!found) throw new Error(`run ${run} has no job ${name}`)
    return found
  }

  /** Resolves to the seconds until it has ended; `undefined`: not in time. */
  async ended(run: number, name: string, seconds = this.times.patience): Promise<number | undefined> {
    return this.commands.within(seconds, async () => (await this.job(run, name)).status === 'completed')
  }

  async begun(run: number, name: string): Promise<number | undefined> {
    return this.commands.within(this.times.patience, async () => (await this.job(run, name)).status === 'in_progress')
  }

  async log(job: number): Promise<string> {
    return (await this.#api.call('GET', `${this.#path}/actions/jobs/${job}/logs`)).text
  }

  /** What a user sees beside the job. */
  async annotations(job: number): Promise<readonly string[]> {
    const { data } = await this.#api.call('GET', `${this.#path}/check-runs/${job}/annotations`)
    return (data as { message: string | null }[]).map(({ message }) => message ?? '')
  }

  async runners(): Promise<readonly Runner[]> {
    const { data } = await this.#api.call('GET', `${this.#path}/actions/runners?per_page=100`)
    return (data as { runners: readonly Runner[] }).runners.filter(({ name }) => name.includes(this.nonce))
  }

  /** Seconds until no machine is alive; `undefined`: not in time. */
  async deserted(seconds: number): Promise<number | undefined> {
    return this.commands.within(seconds, async () => (await this.commands.processes('runner')).length === 0)
  }

  async left(): Promise<readonly string[]> {
    const ours = `tpi-smoke-${this.nonce}`
    const branches = (await this.#api.call('GET', `${this.#path}/git/matching-refs/${encodeURIComponent(`heads/${ours}`)}`)).data
    const { data } = await this.#api.call('GET', `${this.#path}/actions/runs?event=push&per_page=100`)
    const { workflow_runs: runs } = data as { workflow_runs: readonly { readonly id: number; readonly head_branch: string | null }[] }
    return [
      ...(await this.runners()).map(({ name }) => `runner ${name}`),
      ...(branches as { ref: string }[]).map(({ ref }) => ref),
      ...runs.flatMap(({ id, head_branch: branch }) => (branch?.startsWith(ours) ? [`run ${id} of ${branch}`] : [])),
    ]
  }

  async #clear(branch: string): Promise<void> {
    await this.#api.call('DELETE', `${this.#path}/git/refs/${encodeURIComponent(`heads/${branch}`)}`, { accept: [404, 422] })
    for (const { id } of await this.#runsOf(branch)) {
      if ((await this.run(id)).status !== 'completed') {
        await this.#api.call('POST', `${this.#path}/actions/runs/${id}/cancel`, { accept: [409] })
        await this.commands.inAnyCase(APPEARS, async () => (await this.run(id)).status === 'completed')
      }
      await this.#api.call('DELETE', `${this.#path}/actions/runs/${id}`, { accept: [404] })
    }
  }

  async #runsOf(branch: string): Promise<readonly Run[]> {
    const { data } = await this.#api.call('GET', `${this.#path}/actions/runs?branch=${branch}&per_page=10`)
    return (data as { workflow_runs: readonly Run[] }).workflow_runs
  }

  async #post(path: string, body: unknown): Promise<unknown> {
    return (await this.#api.call('POST', this.#path + path, { body })).data
  }
}

/** JSON is YAML, too. */
function workflowOf(jobs: readonly JobParams[]): string {
  const body = jobs.map(({ name, labels, uses, run }) => [
    name,
    { 'runs-on': labels, steps: [uses === undefined ? { run: run ?? 'true' } : { uses }] },
  ])
  return JSON.stringify({ name: 'tpi smoke', on: 'push', permissions: {}, jobs: Object.fromEntries(body) }, undefined, 2)
}
