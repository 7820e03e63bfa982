/** Jobs of GitLab: assigned by tag, followed by their trace, dropped when their runner is silent, run again. */

export interface DoubleJob {
  readonly id: number
  readonly name: string
  /** The project's path. */
  readonly project: string
  readonly pipeline: number
  readonly tags: readonly string[]
  readonly script: string
  /** Files that it keeps as artifacts. */
  readonly keeps: readonly string[]
  /** The token with which its runner reports. */
  readonly token: string
  status: 'pending' | 'running' | 'success' | 'failed' | 'canceled'
  reason: string | undefined
  trace: string
  /** Content by file name. */
  readonly artifacts: Map<string, string>
  runner: number | undefined
  system: string | undefined
  started: string | null
  finished: string | null
  /** When its runner was last heard from, in milliseconds since 1970. */
  heard: number
  /** Too old to be run again. */
  archived: boolean
}

type JobParams = Partial<Pick<DoubleJob, 'name' | 'pipeline' | 'project' | 'keeps'>>

/** Failure reasons by the version that introduced them. Source: GitLab's documentation of `retry:when`. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  '0.0': ['unknown_failure', 'script_failure', 'api_failure', 'stuck_or_timeout_failure', 'runner_system_failure', 'job_execution_timeout'],
  '19.0': ['no_updates_running', 'no_updates_canceling', 'server_timeout_running', 'server_timeout_canceling'],
  '19.1': ['runner_interrupted', 'runner_configuration_error', 'runner_external_dependency_failure'],
}

export function reasonsOf(version: string): readonly string[] {
  return Object.entries(KNOWN).flatMap(([since, reasons]) => (notBefore(version, since) ? reasons : []))
}

function notBefore(version: string, other: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [least = 0, less = 0] = other.split('.').map(Number)
  return major > least || (major === least && minor >= less)
}

export class Queue {
  readonly jobs: DoubleJob[] = []
  /**
   * Milliseconds of silence of its runner after which a job is dropped: half an hour, or an hour where the feature flag
   * `ci_lower_stuck_build_timeouts` is off. Source: app/services/ci/stuck_builds/drop_running_service.rb.
   */
  silence = 30 * 60_000
  readonly #now: () => number
  readonly #next: () => number

  constructor(now: () => number, next: () => number) {
    this.#now = now
    this.#next = next
  }

  /** A script can be made from the job's number, for example to act differently when it runs again. */
  push(tags: readonly string[], text: string | ((id: number) => string), of: JobParams = {}): DoubleJob {
    const id = this.#next()
    const script = typeof text === 'string' ? text : text(id)
    const { name = `job-${id}`, pipeline = this.#next(), project = 'octo/hello', keeps = [] } = of
    const what = { id, name, project, pipeline, tags, script, keeps, token: `glcbt-${id}-${'y'.repeat(20)}` }
    const fresh = { status: 'pending', reason: undefined, trace: '', runner: undefined, system: undefined } as const
    const job: DoubleJob = { ...what, ...fresh, artifacts: new Map(), started: null, finished: null, heard: 0, archived: false }
    this.jobs.push(job)
    return job
  }

  /** The latest job of this name in its pipeline. */
  latest(job: DoubleJob): DoubleJob {
    return this.jobs.findLast(({ name, pipeline }) => name === job.name && pipeline === job.pipeline) ?? job
  }

  take(
    runner: { readonly id: number; readonly tags: readonly string[]; readonly untagged: boolean },
    system: string,
  ): DoubleJob | undefined {
    const fits = ({ tags }: DoubleJob): boolean => (tags.length === 0 ? runner.untagged : tags.every((tag) => runner.tags.includes(tag)))
    const job = this.jobs.find((one) => one.status === 'pending' && fits(one))
    if (job) Object.assign(job, { status: 'running', runner: runner.id, system, started: this.#date(), heard: this.#now() })
    return job
  }

  heard(job: DoubleJob): void {
    job.heard = this.#now()
  }

  end(job: DoubleJob, status: 'success' | 'failed' | 'canceled', reason?: string): void {
    Object.assign(job, { status, reason, finished: this.#date() })
  }

  /** What a worker of GitLab does from time to time. */
  drop(version: string): void {
    const reason = reasonsOf(version).includes('no_updates_running') ? 'no_updates_running' : 'stuck_or_timeout_failure'
    for (const job of this.jobs) if (job.status === 'running' && this.#now() - job.heard >= this.silence) this.end(job, 'failed', reason)
  }

  retryable(job: DoubleJob): boolean {
    return job.status === 'failed' && !job.archived && this.latest(job) === job
  }

  again({ tags, script, ...of }: DoubleJob): DoubleJob {
    return this.push(tags, script, of)
  }

  #date(): string {
    return new Date(this.#now()).toISOString()
  }
}
