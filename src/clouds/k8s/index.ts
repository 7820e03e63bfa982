/** Kubernetes: a group is one Indexed Job, a machine is a pod; the first Job owns everything else, and is the dead-man's switch. */
import type { Check } from '../../core/check.ts'
import {
  type Cloud,
  type CloudContext,
  type CommandOutput,
  type Found,
  type Lost,
  type MachineRequest,
  type MachineSpec,
  type Observation,
  type Reference,
  type StoreSetup,
  type Tombstone,
  withValues,
} from '../../core/cloud.ts'
import { DeadlineError, LONGER, RemoteError } from '../../core/errors.ts'
import type { Resource } from '../../core/resource.ts'
import { leftOut } from '../../core/tags.ts'
import type { StoreAccess, StorePlace } from '../../wire/store.ts'
import { controllerAccess, machineAccess } from './access.ts'
import { Api } from './api.ts'
import { untilEmpty } from './await-empty.ts'
import { StorePodWatch } from './await-store.ts'
import { taskBlueprint, taskLeftovers } from './blueprint.ts'
import { examine } from './doctor.ts'
import { unreachable } from './errors.ts'
import { podExec } from './exec.ts'
import { faultsOf } from './faults.ts'
import { GATE_PLACE } from './gate.ts'
import { interrupt } from './interrupt.ts'
import { loginOf } from './login.ts'
import { groupSelector, LABEL, MANAGED, recordName, storeName, taskName } from './names.ts'
import { conditionOf, type Job, type Pod } from './objects.ts'
import { Watch, wantedOf } from './observe.ts'
import { isComplete, scaleJob } from './resources/job.ts'
import type { Login } from './sdk.ts'
import { type Settings, settingsOf } from './settings.ts'
import { type Means, storeBlueprint, storeLeftovers } from './store.ts'
import { storeEvents } from './store-events.ts'
import { StuckPods } from './stuck-pods.ts'
import { tagFaults, tagsOf } from './tags.ts'
import { tombstoneLeftovers, tombstones, withTombstone } from './tombstone.ts'
import { isPresent } from './unreachable.ts'
import { NO_WAY_IN, whySilent } from './why-silent.ts'

export async function open(context: CloudContext): Promise<Cloud> {
  const login = loginOf(context.env, context.values, (text) => context.log.info(text))
  return new Kubernetes(context, login, settingsOf(context))
}

/** Milliseconds between two looks: following for a quiet hour should cost a few hundred requests. */
const CALM = 45_000

class Kubernetes implements Cloud {
  readonly calm = CALM
  readonly #context: CloudContext
  readonly #login: Login
  readonly #settings: Settings
  readonly #api: Api
  readonly #watches = new Map<string, Watch>()
  /** Jobs of groups that this process has set to size 0, as they were then. No other process makes such a group grow again. */
  readonly #idle = new Map<string, Job>()
  /** Stores that this controller waits for. */
  readonly #storeWatches = new Map<string, StorePodWatch>()

  readonly #stuck = new StuckPods()
  readonly #leftOut: ReturnType<typeof leftOut>

  constructor(context: CloudContext, login: Login, settings: Settings) {
    this.#context = context
    this.#login = login
    this.#settings = settings
    this.#leftOut = leftOut(context.log)
    this.#api = new Api(login, (milliseconds) => context.clock.sleep(milliseconds))
  }

  withOptions(options: Readonly<Record<string, unknown>>): Cloud {
    const context = withValues(this.#context, options)
    return new Kubernetes(context, this.#login, settingsOf(context))
  }

  async whoami(): Promise<{ name: string }> {
    const { server, context, namespace } = this.#login
    const version = await this.#api.ask<{ gitVersion?: string }>('GET', '/version')
    if (!version) throw unreachable(server, 'it does not say its version')
    return { name: `${context} (${server}, namespace ${namespace}, ${version.gitVersion ?? 'version unknown'})` }
  }

  async faults(spec: Omit<MachineSpec, 'store' | 'agent'>): ReturnType<Cloud['faults']> {
    return [...faultsOf(spec, this.#settings, this.#login.namespace, !this.isOwn(spec.tags.store)), ...tagFaults(spec.tags)]
  }

  async store(id: string): Promise<StoreAccess> {
    return controllerAccess(this.#api, this.#login, this.#context.clock, id)
  }

  /** Users cannot name a store by such a URL. */
  isOwn({ url }: Pick<StorePlace, 'url'>): boolean {
    return /^https?:/.test(url)
  }

  async storeSetup(spec: MachineSpec): Promise<StoreSetup> {
    if (!this.isOwn(spec.store)) return { stages: [] }
    const means = this.#means()
    const { id } = spec.tags
    return {
      stages: withTombstone(means, spec, storeBlueprint(means, spec)),
      starting: {
        events: async () => storeEvents(this.#api, id, this.#stuck),
        runs: () => this.#storeWatch(id).runs,
        unreached: NO_WAY_IN,
      },
      ...(spec.ahead && { ahead: async () => this.#group(spec) }),
    }
  }

  async remainingStore({ id }: Reference): Promise<Resource[][]> {
    const jobs = await this.#api.list<Job>('jobs', { labelSelector: `${LABEL.id}=${id}` })
    const named = (name: string): Job | undefined => jobs.find(({ metadata }) => metadata.name === name)
    return [...tombstoneLeftovers(this.#api, id, named(recordName(id))), ...storeLeftovers(this.#api, id, named(storeName(id)))]
  }

  async tombstones(): Promise<readonly Tombstone[]> {
    return tombstones(this.#api, this.#leftOut())
  }

  async blueprint(spec: MachineSpec): Promise<Resource[][]> {
    return this.#group({ ...spec, ahead: false })
  }

  async leftovers(of: Reference): Promise<Resource[][]> {
    const idle = this.#idle.get(taskName(of))
    this.#idle.delete(taskName(of))
    return taskLeftovers(this.#api, of, idle)
  }

  async start({ tags }: MachineSpec): Promise<void> {
    const name = taskName(tags)
    this.#idle.delete(name)
    this.#context.signal.throwIfAborted()
    const job = await this.#api.get<Job>('jobs', name)
    if (!job || job.metadata.deletionTimestamp) throw new RemoteError(`k8s: job ${name} does not exist`)
    if (conditionOf(job, 'Failed')?.reason === 'DeadlineExceeded')
      throw new DeadlineError(`k8s: job ${name} is past its deadline`, { hint: LONGER })
    if (!(await scaleJob(this.#api, job, tags.count))) throw new RemoteError(`k8s: job ${name} does not exist`)
  }

  /** By one call. */
  async end(of: Reference): Promise<void> {
    const name = taskName(of)
    const job = await this.#api.patch<Job>('jobs', name, { spec: { parallelism: 0 } })
    if (job) this.#idle.set(name, job)
    else this.#idle.delete(name)
  }

  async observe(of: Reference): Promise<Observation> {
    const name = taskName(of)
    const watch = this.#watches.get(name) ?? new Watch(this.#api, of)
    this.#watches.set(name, watch)
    return watch.look(this.#idle.get(name))
  }

  async clearDead(of: Reference): Promise<void> {
    await this.#watches.get(taskName(of))?.clear()
  }

  /** Groups, and stores of deployments that have no group (yet). */
  async list(lost?: Lost, id?: string): Promise<readonly Found[]> {
    const ours = `${LABEL.managed}=${MANAGED}`
    const all = await this.#api.list<Job>('jobs', { labelSelector: id === undefined ? ours : `${ours},${LABEL.id}=${id}` })
    // A store that has ended itself will soon be removed with its task; what remains of it is not a deployment.
    const over = new Set(all.filter((job) => roleOf(job) === 'store' && isComplete(job)).map(idOf))
    const jobs = all.filter((job) => roleOf(job) !== 'record' && !over.has(idOf(job)))
    const found: Found[] = []
    const grouped = new Set<string>()
    const tell = this.#leftOut(lost, id)
    // Groups before stores: what a group says about its deployment is newer.
    for (const job of [...jobs.filter(isGroup), ...jobs.filter((one) => !isGroup(one))]) {
      const tags = tagsOf(job, tell)
      if (!tags || job.metadata.deletionTimestamp || (!isGroup(job) && grouped.has(tags.id))) continue
      grouped.add(tags.id)
      found.push({ tags, phase: await this.#phaseOf(job, tags) })
    }
    return found
  }

  async interrupt(of: Reference, machine: string | undefined): Promise<void> {
    await interrupt(this.#api, of, machine, (milliseconds) => this.#context.clock.sleep(milliseconds, this.#context.signal))
  }

  async exec(of: Reference, machine: string, argv: readonly string[], output: CommandOutput): Promise<number> {
    return podExec(this.#api, this.#login, { of, machine, argv, output, signal: this.#context.signal })
  }

  async emptied(of: Reference, signal: AbortSignal): Promise<void> {
    await untilEmpty(this.#api, of, signal)
  }

  async whySilent(_of: Reference, machine: string): Promise<string> {
    return whySilent(this.#api, machine)
  }

  async doctor(request: MachineRequest, store: 'own' | 'given'): Promise<readonly Check[]> {
    return examine(this.#api, this.#settings, request, store)
  }

  #group(spec: MachineSpec): Resource[][] {
    const own = this.isOwn(spec.store)
    return taskBlueprint(this.#means(), spec, {
      own,
      place: async () => (own ? await machineAccess(this.#api, spec.tags.id) : GATE_PLACE),
    })
  }

  async #phaseOf(job: Job, of: Reference): Promise<Found['phase']> {
    if (!isGroup(job)) return 'absent'
    if (wantedOf(job) > 0) return 'up'
    const pods = await this.#api.list<Pod>('pods', { labelSelector: groupSelector(of) })
    return pods.some((pod) => isPresent(pod, this.#api.now)) ? 'up' : 'stopped'
  }

  #storeWatch(id: string): StorePodWatch {
    const watch = this.#storeWatches.get(id) ?? new StorePodWatch(this.#api, id, this.#context.signal)
    this.#storeWatches.set(id, watch)
    return watch
  }

  #means(): Means {
    return {
      api: this.#api,
      settings: this.#settings,
      storePodIsMade: (id) => this.#storeWatch(id).stage !== 'begun',
      agent: () => this.#context.agent(),
      signal: this.#context.signal,
    }
  }
}

const roleOf = ({ metadata }: Job): string | undefined => metadata.labels?.[LABEL.role]
const isGroup = (job: Job): boolean => roleOf(job) === 'task'
const idOf = ({ metadata }: Job): string | undefined => metadata.labels?.[LABEL.id]
