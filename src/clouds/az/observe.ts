/** A group as people and the engine see it: the machines of its sets, what the vendor did in plain words. */
import { ABSENT, type Machine, type Observation, type Reference } from '../../core/cloud.ts'
import { isRetryable } from '../../core/errors.ts'
import { line, list, maybe, object, text } from '../../lib/shape.ts'
import { messageOf } from '../../lib/text.ts'
import { parseShape } from '../../wire/parse.ts'
import type { End } from '../vm/messages.ts'
import { last } from '../vm/names.ts'
import { Refusal } from '../vm/refusal.ts'
import { isoOf, now, Sightings } from '../vm/sightings.ts'
import { type Groups, TwinLooks } from '../vm/twin-looks.ts'
import type { Api } from './api.ts'
import { noneThere } from './errors.ts'
import { endOf, reasonOf } from './messages.ts'
import { groupName, TAG, twinName } from './names.ts'
import { type Going, isOver } from './operation.ts'
import { keptBy } from './profiles.ts'
import type { GroupSizes } from './scale.ts'
import type { AutoscaleSetting, Happening, ScaleSet, Vm } from './sdk.ts'
import { isMember } from './spot-standby.ts'

/** Milliseconds before the first look from which failures are told. */
const BACK = 60 * 60_000
/** Milliseconds by which an entry of the vendor's log may be late: what is older than the newest entry by more than this has been read. */
const LATE = 15 * 60_000
/** Pages of the log that one look reads, newest first: in a shared resource group, others fill it too. */
const PAGES = 5
/** Milliseconds until the removal of the same machine is requested again. */
const AGAIN = 60_000

/** A set, and its machines. */
export interface Part {
  readonly set: ScaleSet
  readonly machines: readonly Vm[]
}

/** What one controller has seen of one incarnation. */
export class Watch {
  readonly #api: Api
  readonly #of: Reference
  readonly #name: string
  readonly #group: string
  readonly #sizes: GroupSizes
  /** The name of the twin, once it is known that there is one: before that, it is not read. */
  #twin: string | undefined
  readonly #seen = new Sightings()
  readonly #twinLooks = new TwinLooks()
  #since = new Date(Date.now() - BACK)
  /** At the last look, all wanted machines were there: the vendor's log has nothing to explain. */
  #calm = false
  /** Machines that will never work again. */
  readonly #useless = new Map<string, Useless>()
  /** The change of size that is still going on. */
  #going: Going | undefined

  constructor(api: Api, of: Reference, group: string, sizes: GroupSizes) {
    this.#api = api
    this.#of = of
    this.#name = groupName(of)
    this.#group = group
    this.#sizes = sizes
  }

  /** `going`: a change of size. If it fails, that becomes an event. */
  expects(going: Going | undefined): void {
    this.#going = going
  }

  tell(code: string, message: string, at?: string): void {
    this.#seen.fail(reasonOf(code, message), at)
  }

  /** The current sets and machines, without reporting or changing anything. */
  async present(): Promise<readonly Part[]> {
    return this.#all(
      async (name) => this.#part(name),
      async (looks) => Promise.all([looks.first(), looks.twin(false)]),
    )
  }

  async look(): Promise<Observation> {
    const [parts, said] = await Promise.all([
      this.#all(
        async (name, briefly) => this.#kept(name, briefly),
        async (looks) => this.#twinLooks.look<Kept>({ ...looks, isFull, isUp }),
      ),
      this.#calm ? [] : this.#log(),
      this.#follow(),
    ])
    if (parts.length === 0) return ABSENT
    const machines = parts.flatMap((part) => part.machines)
    const lost = this.#seen.lost(new Set(machines.map(({ name }) => name ?? '')))
    const [wanted, places] = [sum(parts.map(wantedOf)), sum(parts.map(placesOf))]
    const calm = lost.length === 0 && machines.length >= wanted
    const log = this.#calm && !calm ? await this.#log() : said
    this.#calm = calm
    for (const happening of log) this.#tellTry(happening)
    for (const machine of machines) this.#see(machine)
    await Promise.all(machines.map(async (machine) => this.#clear(machine)))
    const isSpot = (id: string): boolean => parts.some(({ set }) => isMember(set.name ?? '', id) && isOfSpot(set))
    for (const id of lost) this.#lose(id, log, isSpot(id))
    return this.#seen.observation(wanted, places, this.#twin !== undefined)
  }

  /** Looks at the sets of the deployment. The first tells whether it has a twin; if it is gone, the twin is looked for by name. */
  async #all<T extends Part>(
    look: (name: string, briefly: boolean) => Promise<T | undefined>,
    both: (looks: Pick<Groups<T>, 'first' | 'twin'>) => Promise<readonly [T | undefined, T | undefined]>,
  ): Promise<readonly T[]> {
    const known = this.#twin
    const [first, second] = await both({
      first: async () => look(this.#name, false),
      twin: async (briefly) => (known === undefined ? undefined : look(known, briefly)),
    })
    const name = known ?? (first ? first.set.tags?.[TAG.twin] : twinName(this.#of))
    const twin = known === undefined && name !== undefined ? await look(name, false) : second
    if (first || twin) this.#twin = name
    return [first, twin].filter((part) => part !== undefined)
  }

  /** A set with its setting. `briefly`: if its size is 0, nothing else is read. */
  async #kept(name: string, briefly: boolean): Promise<Kept | undefined> {
    const set = briefly ? await this.#set(name) : undefined
    if (briefly && (set?.sku?.capacity ?? 0) === 0) return set && { set, machines: [], setting: undefined }
    const [part, setting] = await Promise.all([this.#part(name, set), this.#sizes.keeper(name).look()])
    return part && { ...part, setting }
  }

  /** `known`: the set, if it was just read. */
  async #part(name: string, known?: ScaleSet): Promise<Part | undefined> {
    const [set, machines] = await Promise.all([known ?? this.#set(name), this.#machines(name)])
    return set && { set, machines }
  }

  #see(machine: Vm): void {
    const { name = '', zones = [], properties: { timeCreated, instanceView, provisioningState = '' } = {} } = machine
    const before = this.#seen.get(name)
    const startedAt = isoOf(timeCreated)
    const statuses = instanceView?.statuses ?? []
    if (!before) {
      const where = zones.length > 0 ? `zone ${zones.join(', ')}` : this.#api.region
      this.#seen.eventLog.say(`start ${name}`, { at: startedAt ?? now(), kind: 'info', text: `machine ${name} starts in ${where}` })
    }
    for (const { code = '', message } of statuses) {
      const failed = /^ProvisioningState\/failed\/(.+)$/i.exec(code)?.[1]
      if (failed !== undefined) this.tell(failed, message ?? '')
    }
    this.#seen.see(name, stateOf(provisioningState, statuses, before), { startedAt })
  }

  /**
   * Removes a machine that will never work again, because the set replaces it only then. If that is refused, the reason becomes an
   * event.
   */
  async #clear({ name = '', properties: { instanceView, provisioningState = '' } = {} }: Vm): Promise<void> {
    const why = uselessBy(provisioningState, instanceView?.statuses ?? [])
    const before = this.#useless.get(name)
    if (why === undefined || (before !== undefined && Date.now() - before.askedAt < AGAIN)) return
    this.#useless.set(name, { why, askedAt: Date.now() })
    this.#seen.eventLog.say(`clear ${name}`, {
      at: now(),
      kind: 'info',
      text: `machine ${name} ${why}: it is removed, and its place is free`,
    })
    const ask = { path: { group: this.#group, machine: name }, query: { forceDeletion: before === undefined ? undefined : 'true' } }
    await this.#api.maybeAnswer('machines.delete', `remove machine ${name}`, ask).catch((error: unknown) => this.tell('', messageOf(error)))
  }

  #lose(id: string, log: readonly Happening[], spot: boolean): void {
    const of = log.filter(({ resourceId }) => last(resourceId).toLowerCase() === id.toLowerCase())
    const useless = this.#useless.get(id)
    // If this process removed it, the vendor's log says no more than that. The reason is what was seen here.
    const end: End = useless
      ? { text: `it ${useless.why}`, kind: 'failure' }
      : endOf(
          of.map(({ operationName }) => operationName?.value ?? ''),
          spot,
        )
    this.#seen.lose(id, end, isoOf(of[0]?.eventTimestamp))
  }

  #tellTry({ status, properties, resourceId, eventTimestamp }: Happening): void {
    const names = [this.#name, this.#twin].filter((name) => name !== undefined)
    if (status?.value !== 'Failed' || !names.some((name) => resourceId?.toLowerCase().includes(name))) return
    const [code, message] = saidIn(properties?.statusMessage ?? '')
    if (code !== '' || message !== '') this.tell(code, message, isoOf(eventTimestamp))
  }

  async #set(name: string): Promise<ScaleSet | undefined> {
    return this.#api.maybe('sets.get', `look for scale set ${name}`, { path: { group: this.#group, name } })
  }

  /** https://learn.microsoft.com/rest/api/compute/virtual-machines/list: machines of a Flexible set are ordinary virtual machines. */
  async #machines(name: string): Promise<readonly Vm[]> {
    const set = `/subscriptions/${await this.#api.subscription()}/resourceGroups/${this.#group}/providers/Microsoft.Compute/virtualMachineScaleSets/${name}`
    return this.#api
      .all('machines.list', `look at machines of ${name}`, {
        path: { group: this.#group },
        query: { $filter: `'virtualMachineScaleSet/id' eq '${set}'`, $expand: 'instanceView' },
      })
      .catch(noneThere)
  }

  /** The vendor's log, newest first, and some minutes late. It only explains: if it cannot be read, the look goes on without it. */
  async #log(): Promise<readonly Happening[]> {
    const found = await this.#api
      .all('log.list', `look at what group ${this.#name} did`, {
        pages: PAGES,
        query: {
          $filter: `eventTimestamp ge '${this.#since.toISOString()}' and resourceGroupName eq '${this.#group}'`,
          $select: 'eventTimestamp,operationName,status,resourceId,properties',
        },
      })
      .catch(() => [])
    const newest = Math.max(...found.map(({ eventTimestamp }) => Date.parse(isoOf(eventTimestamp) ?? '') || 0))
    this.#since = new Date(Math.max(this.#since.getTime(), newest - LATE))
    return found
  }

  /** Tells why the change of size failed, if it did. An operation that Azure no longer knows tells nothing. */
  async #follow(): Promise<void> {
    const going = this.#going
    if (!going) return
    const isDone = await isOver(this.#api, going, `change the size of ${this.#name}`).catch((error: unknown) => {
      // Azure does not answer for the moment: the next look asks again.
      if (isRetryable(error)) return false
      if (error instanceof Refusal) this.tell(error.code, error.message)
      return true
    })
    if (isDone && this.#going === going) this.#going = undefined
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
const isOfSpot = ({ properties }: ScaleSet): boolean => properties?.virtualMachineProfile?.priority === 'Spot'

/** A machine that is to be removed. */
interface Useless {
  /** For people, after its name: `was found switched off`. */
  readonly why: string
  /** When its removal was last requested, by this host's clock. */
  readonly askedAt: number
}

interface Kept extends Part {
  readonly setting: AutoscaleSetting | undefined
}

const wantedOf = ({ set, setting }: Kept): number => (setting ? keptBy(setting.properties.profiles, Date.now()) : (set.sku?.capacity ?? 0))

const isUp = (kept: Kept): boolean => wantedOf(kept) > 0 || placesOf(kept) > 0 || (kept.set.sku?.capacity ?? 0) > 0

function isFull(kept: Kept): boolean {
  const isAtWork = ({ properties: { instanceView, provisioningState = '' } = {} }: Vm): boolean =>
    stateOf(provisioningState, instanceView?.statuses ?? [], undefined) === 'running'
  return kept.machines.length > 0 && placesOf(kept) === wantedOf(kept) && kept.machines.every(isAtWork)
}

/** Places in the set that are taken: while it is being changed, machines may be on their way that cannot be seen yet. */
function placesOf({ set, machines }: Part): number {
  const changing = set.properties?.provisioningState === 'Updating'
  return changing ? Math.max(machines.length, set.sku?.capacity ?? 0) : machines.length
}

interface Said {
  readonly code?: string
  readonly message?: string
}
const why = { code: maybe(line(256)), message: maybe(text(65_536)) }
const answer = object<{ error: Said & { details?: readonly Said[] } }>({
  error: object<Said & { details?: readonly Said[] }>({ ...why, details: maybe(list(object<Said>(why), 100)) }),
})

/** An entry of the vendor's log holds an answer as text. The cause is the first of its details; what is around it only says that something failed. */
function saidIn(said: string): readonly [code: string, message: string] {
  try {
    const { error } = parseShape(answer, said)
    const { code = '', message = '' } = error.details?.find((one) => one.message !== undefined) ?? error
    return [code, message]
  } catch {
    return ['', said.slice(0, 1000)]
  }
}

type Statuses = NonNullable<NonNullable<NonNullable<Vm['properties']>['instanceView']>['statuses']>

/** https://learn.microsoft.com/azure/virtual-machines/states-billing */
function powerOf(statuses: Statuses): string | undefined {
  return statuses.map(({ code = '' }) => /^PowerState\/(\w+)$/i.exec(code)?.[1]?.toLowerCase()).find((one) => one !== undefined)
}

/**
 * Why a machine will never work again, for people; `undefined`: it may. One that is off still has its place in the set, and is billed; one
 * that could not be made has its place, too (https://gitlab.com/gitlab-org/fleeting/plugins/azure/-/issues/12). A machine that is on works,
 * even if the last operation on it failed.
 */
function uselessBy(provisioning: string, statuses: Statuses): string | undefined {
  const power = powerOf(statuses)
  if (/^Deleting$/i.test(provisioning)) return undefined
  if (power === 'stopped' || power === 'deallocated') return 'was found switched off'
  return /^Failed$/i.test(provisioning) && statuses.length > 0 && power === undefined ? 'could not be made' : undefined
}

function stateOf(provisioning: string, statuses: Statuses, before: Machine | undefined): Machine['state'] {
  const power = powerOf(statuses)
  if (/^Deleting$/i.test(provisioning)) return 'leaving'
  if (power === 'running') return 'running'
  if (power !== undefined && /^(?:stopp|dealloc)/.test(power)) return 'leaving'
  return before?.state === 'running' ? 'running' : 'starting'
}
