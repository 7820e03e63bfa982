/** A group as people and the engine see it: managed instances as machines, what went wrong in plain words. */
import { ABSENT, type CloudContext, type Machine, type Observation } from '../../core/cloud.ts'
import { last } from '../vm/names.ts'
import { pagesOf } from '../vm/pages.ts'
import { isoOf, now, Sightings } from '../vm/sightings.ts'
import { TwinLooks } from '../vm/twin-looks.ts'
import type { Api } from './api.ts'
import { findGroup, YOUNG } from './blueprint.ts'
import { GONE } from './errors.ts'
import { endOf, REMOVED, reasonOf } from './messages.ts'
import { LABEL } from './names.ts'
import type { Instance, InstanceGroupManager, ManagedError, ManagedInstance, Operation } from './sdk.ts'

/**
 * Machines in one question about operations: their ids are in its URL, and Google refuses one of more than 8192 characters.
 * https://github.com/googleapis/google-api-nodejs-client/issues/972
 */
const ASKED = 100

/** Where a machine is, for calls about one machine. */
export interface InstanceLocation {
  readonly zone: string
  readonly name: string
}

/** One group of the deployment, in its current state. */
interface Part {
  readonly group: InstanceGroupManager
  readonly managed: readonly ManagedInstance[]
  readonly errors: readonly ManagedError[]
}

/** What one controller has seen of one incarnation. The vendor's group forgets machines that are gone at once; this does not. */
export class Watch {
  readonly #api: Api
  readonly #clock: CloudContext['clock']
  readonly #name: string
  /** Name of the twin at full price (`spot: prefer`). */
  readonly #twin: string
  /** `undefined`: not known yet. If it is not found, it may just be too new. */
  #hasTwin: boolean | undefined
  /** When the group was first seen. */
  #since: number | undefined
  readonly #incarnation: string
  readonly #seen = new Sightings()
  readonly #places = new Map<string, InstanceLocation>()
  readonly #twinLooks = new TwinLooks()
  /**
   * After this process has scaled to 0: machines that were seen alive since. Why they end is known, so the vendor need not be asked. `undefined`: it
   * still wants machines.
   */
  #unwanted: Set<string> | undefined

  constructor(api: Api, [name, twin]: readonly [name: string, twin: string], incarnation: string, clock: CloudContext['clock']) {
    this.#api = api
    this.#clock = clock
    this.#name = name
    this.#twin = twin
    this.#incarnation = incarnation
  }

  /** The group that this process starts has a twin: a look need not find it to know that. */
  expectsTwin(): void {
    this.#hasTwin = true
  }

  /** `expected`: this process has scaled to 0. */
  expectsNone(expected: boolean): void {
    this.#unwanted = expected ? (this.#unwanted ?? new Set()) : undefined
  }

  placeOf(machine: string): InstanceLocation | undefined {
    return this.#places.get(machine)
  }

  async look(): Promise<Observation> {
    const instances = async (): Promise<ReadonlyMap<string, Instance>> => instancesOf(this.#api, this.#name, this.#incarnation)
    const unwanted = this.#unwanted
    // At the first look all machines are new, so their details are requested at the same time.
    const [parts, first] = await Promise.all([this.#parts(), this.#since === undefined ? instances() : undefined])
    if (parts.length === 0) return ABSENT
    this.#since ??= this.#clock.now()
    const managed = parts.flatMap((part) => part.managed)
    for (const error of byTime(parts.flatMap(({ errors }) => errors))) this.#tell(error)
    for (const instance of managed) this.#tellTry(instance)
    const present = new Map<string, ManagedInstance>()
    for (const instance of managed) {
      const id = idOf(instance)
      if (id !== undefined) present.set(id, instance)
    }
    const unclear = [...present.keys()].some((id) => !this.#seen.get(id)?.startedAt)
    for (const [id, instance] of present) if (isAlive(instance)) unwanted?.add(id)
    const lost = this.#seen.lost(new Set(present.keys()))
    const unexplained = lost.filter((id) => !unwanted?.has(id))
    const [facts, ends] = await Promise.all([first ?? (unclear ? instances() : new Map<string, Instance>()), this.#operations(unexplained)])
    for (const [id, instance] of present) this.#see(id, instance, facts.get(id))
    for (const id of lost) this.#lose(id, ends.get(id) ?? [], unwanted !== undefined)
    const wanted = parts.reduce((sum, { group: { targetSize } }) => sum + (targetSize ?? 0), 0)
    return this.#seen.observation(wanted, managed.length, this.#hasTwin === true)
  }

  /** Most deployments have no twin: once that is known, it is not read again. */
  async #parts(): Promise<readonly Part[]> {
    const parts = await this.#twinLooks.look({
      first: async () => this.#part(this.#name),
      twin: async () => (this.#hasTwin === false ? undefined : this.#partOfTwin()),
      isFull,
      isUp: ({ group }) => isUp(group),
    })
    return parts.filter((part) => part !== undefined)
  }

  async #part(name: string): Promise<Part | undefined> {
    const [group, managed, errors] = await Promise.all([findGroup(this.#api, name), this.#managed(name), this.#errors(name)])
    return group && { group, managed, errors }
  }

  /** As long as the twin is empty, nothing else of it is read. */
  async #partOfTwin(): Promise<Part | undefined> {
    const group = await findGroup(this.#api, this.#twin)
    const isOld = this.#since !== undefined && this.#clock.now() - this.#since >= YOUNG
    if (group || isOld) this.#hasTwin ??= group !== undefined
    if (!group) return undefined
    return isUp(group) ? this.#part(this.#twin) : { group, managed: [], errors: [] }
  }

  #see(id: string, instance: ManagedInstance, fact: Instance | undefined): void {
    const before = this.#seen.get(id)
    const place = placeIn(instance.instance)
    const { zone, name } = place
    this.#places.set(id, place)
    const startedAt = before?.startedAt ?? isoOf(fact?.creationTimestamp)
    if (!before) this.#seen.eventLog.say(`start ${id}`, { at: startedAt ?? now(), kind: 'info', text: `machine ${name} starts in ${zone}` })
    this.#seen.see(id, stateOf(instance, before), { startedAt, address: fact?.networkInterfaces?.[0]?.networkIP ?? undefined })
  }

  #lose(id: string, ends: readonly Operation[], unwanted: boolean): void {
    const end = unwanted && ends.length === 0 ? REMOVED : endOf(ends.map(({ operationType }) => operationType ?? ''))
    this.#seen.lose(id, end, isoOf(ends[0]?.insertTime), this.#places.get(id)?.name)
  }

  #tell({ error, timestamp }: ManagedError): void {
    this.#seen.fail(reasonOf(error?.code ?? '', error?.message ?? ''), isoOf(timestamp))
  }

  /** The errors of a machine's last attempt are there sooner than the group's list of errors. */
  #tellTry({ lastAttempt }: ManagedInstance): void {
    for (const { code, message } of lastAttempt?.errors?.errors ?? []) this.#tell({ error: { code: code ?? '', message: message ?? '' } })
  }

  async #managed(name: string): Promise<readonly ManagedInstance[]> {
    const ask = async (pageToken: string | undefined) =>
      this.#api.unless(GONE, 'compute:regionInstanceGroupManagers.listManagedInstances', `look at machines of ${name}`, {
        path: { instanceGroupManager: name },
        query: { maxResults: 500, pageToken },
      })
    const found: ManagedInstance[] = []
    for await (const page of pagesOf(ask, (one) => one?.nextPageToken)) found.push(...(page?.managedInstances ?? []))
    return found
  }

  /** The errors of the group: a hundred at most. */
  async #errors(name: string): Promise<readonly ManagedError[]> {
    const found = await this.#api.unless(GONE, 'compute:regionInstanceGroupManagers.listErrors', `look at what group ${name} did`, {
      path: { instanceGroupManager: name },
      query: { maxResults: 100 },
    })
    return found?.items ?? []
  }

  /** The operations on these machines, newest first: only they tell why machines are gone. */
  async #operations(ids: readonly string[]): Promise<ReadonlyMap<string, readonly Operation[]>> {
    const all: Operation[] = []
    for (let from = 0; from < ids.length; from += ASKED) {
      const filter = ids
        .slice(from, from + ASKED)
        .map((id) => `(targetId = ${id})`)
        .join(' OR ')
      const ask = async (pageToken: string | undefined) =>
        this.#api.call('compute:globalOperations.aggregatedList', `find out why machines of ${this.#name} went away`, {
          query: { filter, maxResults: 500, pageToken },
        })
      for await (const { items } of pagesOf(ask, ({ nextPageToken }) => nextPageToken))
        all.push(...Object.values(items ?? {}).flatMap(({ operations }) => operations ?? []))
    }
    const sorted = all.toSorted((a, b) => ((a.insertTime ?? '') < (b.insertTime ?? '') ? 1 : -1))
    return new Map(ids.map((id) => [id, sorted.filter(({ targetId }) => String(targetId) === id)]))
  }
}

/** Oldest first. */
const byTime = (errors: readonly ManagedError[]): readonly ManagedError[] =>
  errors.toSorted((a, b) => ((a.timestamp ?? '') < (b.timestamp ?? '') ? -1 : 1))

/** Instances of one incarnation, by number. */
export async function instancesOf(api: Api, name: string, incarnation: string): Promise<ReadonlyMap<string, Instance>> {
  const filter = `labels.${LABEL.incarnation} = "${incarnation}"`
  const ask = async (pageToken: string | undefined) =>
    api.call('compute:instances.aggregatedList', `look at machines of ${name}`, { query: { filter, maxResults: 500, pageToken } })
  const all: Instance[] = []
  for await (const { items } of pagesOf(ask, ({ nextPageToken }) => nextPageToken))
    all.push(...Object.values(items ?? {}).flatMap(({ instances }) => instances ?? []))
  return new Map(all.map((instance) => [String(instance.id ?? ''), instance]))
}

/** The group wants machines, or has some, including those that are just being made and have no number yet. */
export function isUp({ targetSize, currentActions = {} }: InstanceGroupManager): boolean {
  const present = Object.values(currentActions ?? {}).reduce<number>((sum, count) => sum + Number(count ?? 0), 0)
  return (targetSize ?? 0) > 0 || present > 0
}

function idOf({ id }: ManagedInstance): string | undefined {
  const text = String(id ?? '0')
  return text === '0' ? undefined : text
}

const isFull = ({ group: { targetSize }, managed }: Part): boolean =>
  managed.length > 0 && managed.length === targetSize && managed.every((instance) => stateOf(instance, undefined) === 'running')

/** Zone and name in the URL of a machine. */
function placeIn(url: string | null | undefined): InstanceLocation {
  return { zone: /\/zones\/([^/]+)\//.exec(url ?? '')?.[1] ?? '', name: last(url) }
}

const isAlive = ({ instanceStatus }: { readonly instanceStatus?: unknown }): boolean =>
  !/^(?:STOPPING|PENDING_STOP|STOPPED|SUSPENDING|SUSPENDED|TERMINATED|DEPROVISIONING)$/.test(String(instanceStatus))

/** https://cloud.google.com/compute/docs/instance-groups/getting-info-about-migs#verifying_that_managed_instances_are_running */
function stateOf({ currentAction, instanceStatus }: ManagedInstance, before: Machine | undefined): Machine['state'] {
  if (/^(?:DELETING|ABANDONING|STOPPING|SUSPENDING)$/.test(currentAction ?? '')) return 'leaving'
  if (!isAlive({ instanceStatus })) return 'leaving'
  if (currentAction === 'RECREATING') return before?.state === 'running' || before?.state === 'leaving' ? 'leaving' : 'starting'
  return instanceStatus === 'RUNNING' && /^(?:NONE|VERIFYING|REFRESHING|RESTARTING)$/.test(currentAction ?? 'NONE') ? 'running' : 'starting'
}
