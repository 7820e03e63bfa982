/**
 * Runner objects of GitLab and the machines behind them: which are in contact. Sources: app/models/ci/runner.rb and runner_manager.rb (the times),
 * app/models/concerns/ci/has_runner_status.rb (which state they make).
 */

/** Milliseconds between two recorded contacts: GitLab records one every 40 to 55 minutes (UPDATE_CONTACT_COLUMN_EVERY). */
const WRITTEN = 40 * 60_000
/** Milliseconds since the last recorded contact: ONLINE_CONTACT_TIMEOUT, STALE_TIMEOUT. */
const ONLINE = 2 * 3_600_000
const STALE = 7 * 86_400_000

export interface DoubleManager {
  readonly system: string
  readonly version: string
  contacted: number
}

export interface DoubleRunner {
  readonly id: number
  token: string
  readonly description: string
  readonly tags: readonly string[]
  readonly untagged: boolean
  paused: boolean
  note: string | null
  /** Paths; none for a group's runner. */
  readonly projects: string[]
  /** Of the whole server: only its administrators see its jobs. Source: app/policies/ci/runner_policy.rb. */
  readonly shared?: boolean
  readonly created: number
  contacted: number | undefined
  /** System id → machine. */
  readonly managers: Map<string, DoubleManager>
}

export type Wanted = Pick<DoubleRunner, 'description' | 'tags'> & Partial<Pick<DoubleRunner, 'id' | 'untagged' | 'projects' | 'shared'>>

export class Registry extends Map<number, DoubleRunner> {
  /** All tokens that runners ever had. */
  readonly tokens: string[] = []
  readonly #now: () => number
  readonly #next: () => number

  constructor(now: () => number, next: () => number) {
    super()
    this.#now = now
    this.#next = next
  }

  make({ id = this.#next(), untagged = false, projects = [], ...wanted }: Wanted): DoubleRunner {
    const empty = { paused: false, note: null, contacted: undefined, managers: new Map() }
    const runner = { ...wanted, ...empty, id, untagged, projects, created: this.#now(), token: this.#token(id) }
    this.set(id, runner)
    return runner
  }

  holder(token: unknown): DoubleRunner | undefined {
    return [...this.values()].find((one) => one.token === token)
  }

  /** Issues a new token; the old one becomes invalid. */
  reset(runner: DoubleRunner): { token: string; token_expires_at: null } {
    runner.token = this.#token(runner.id)
    return { token: runner.token, token_expires_at: null }
  }

  /** Records a contact of one of its machines. */
  contact(runner: DoubleRunner, system: string, version = '19.4.0'): void {
    const now = this.#now()
    if (runner.contacted === undefined || now - runner.contacted >= WRITTEN) runner.contacted = now
    const manager = runner.managers.get(system)
    if (!manager) runner.managers.set(system, { system, version, contacted: now })
    else if (now - manager.contacted >= WRITTEN) manager.contacted = now
  }

  status({ contacted, created }: { readonly contacted: number | undefined; readonly created?: number }): string {
    const since = this.#now() - (contacted ?? created ?? this.#now())
    if (since > STALE) return 'stale'
    if (contacted === undefined) return 'never_contacted'
    return since < ONLINE ? 'online' : 'offline'
  }

  /** As in lists: without tags and notes. */
  shown(runner: DoubleRunner): object {
    const status = this.status(runner)
    const type = { runner_type: runner.projects.length > 0 ? 'project_type' : 'group_type', is_shared: false }
    return {
      id: runner.id,
      description: runner.description,
      paused: runner.paused,
      active: !runner.paused,
      online: status === 'online',
      status,
      ...type,
    }
  }

  detailed(runner: DoubleRunner): object {
    return {
      ...this.shown(runner),
      tag_list: runner.tags,
      run_untagged: runner.untagged,
      maintenance_note: runner.note,
      contacted_at: dated(runner.contacted),
      projects: runner.projects.map((path) => ({ path_with_namespace: path })),
    }
  }

  machines({ managers }: DoubleRunner): object[] {
    return [...managers.values()].map(({ system, version, contacted }, at) => ({
      id: at + 1,
      system_id: system,
      version,
      contacted_at: dated(contacted),
      status: this.status({ contacted }),
    }))
  }

  #token(id: number): string {
    const token = `glrt-${id}-${this.#next()}-${'x'.repeat(60)}`
    this.tokens.push(token)
    return token
  }
}

function dated(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString()
}
