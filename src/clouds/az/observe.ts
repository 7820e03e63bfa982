/** A group as people and the engine see it: machines of the set, what went wrong in plain words. */
import type { Machine, Observation, Reference } from '../../core/cloud.ts'
import { line, maybe, object, text } from '../../lib/shape.ts'
import { messageOf } from '../../lib/text.ts'
import { parseShape } from '../../wire/parse.ts'
import { ABSENT, isoOf, now, Sightings } from '../vm/sightings.ts'
import type { Api } from './api.ts'
import { type Keeper, keptBy } from './autoscale.ts'
import { noneThere, Refusal } from './errors.ts'
import { endOf, reasonOf } from './messages.ts'
import { groupName, last } from './names.ts'
import { type Going, isOver } from './operation.ts'
import type { Happening, ScaleSet, Vm } from './sdk.ts'

/** Milliseconds before the first look: what was done then is still of interest. */
const BACK = 60 * 60_000
/** Milliseconds by which the vendor's log may be late; what is older than the newest entry by more has been read. */
const LATE = 15 * 60_000
/** Pages of it at one look, newest first: in a shared resource group others write as well. */
const PAGES = 5
/** Milliseconds until the same machine is removed once more. */
const AGAIN = 60_000

/** What one controller has seen of one incarnation. */
export class Watch {
  readonly #api: Api
  readonly #name: string
  readonly #group: string
  readonly #keeper: Keeper
  readonly #seen = new Sightings()
  #since = new Date(Date.now() - BACK)
  /** Machines that were to be removed → when, by our clock. */
  readonly #cleared = new Map<string, number>()
  /** What was asked of the set and is not over. */
  #asked: Going | undefined

  constructor(api: Api, of: Reference, group: string, keeper: Keeper) {
    this.#api = api
    this.#name = groupName(of)
    this.#group = group
    this.#keeper = keeper
  }

  /** Of a change of size: how it ends is an event. */
  expects(going: Going | undefined): void {
    this.#asked = going
  }

  tell(code: string, message: string, at?: string): void {
    const said = reasonOf(code, message)
    // The vendor tries again and again, and each time it is the same.
    this.#seen.chronicle.say(`fail ${said.text}`, { at: at ?? now(), ...said })
  }

  /** Nothing is told of it, and nothing changes by it. */
  async present(): Promise<readonly [set: ScaleSet | undefined, machines: readonly Vm[]]> {
    return Promise.all([this.#set(), this.#machines()])
  }

  async look(): Promise<Observation> {
    const [[set, machines], setting, log] = await Promise.all([this.present(), this.#keeper.look(), this.#log(), this.#follow()])
    if (!set) return ABSENT
    for (const happening of log) this.#tellTry(happening)
    for (const machine of machines) this.#see(machine)
    await Promise.all(machines.map(async (machine) => this.#clear(machine)))
    const spot = set.properties?.virtualMachineProfile?.priority === 'Spot'
    for (const id of this.#seen.lost(new Set(machines.map(({ name }) => name ?? '')))) this.#lose(id, log, spot)
    const capacity = set.sku?.capacity ?? 0
    const wanted = (setting && keptBy(setting, new Date())) ?? capacity
    // A set that is being changed has places for machines that are not to be seen yet.
    const changing = set.properties?.provisioningState === 'Updating'
    return this.#seen.observation(wanted, changing ? Math.max(machines.length, capacity) : machines.length)
  }

  #see(machine: Vm): void {
    const { name = '', zones = [], properties: { timeCreated, instanceView, provisioningState = '' } = {} } = machine
    const before = this.#seen.get(name)
    const startedAt = before?.startedAt ?? isoOf(timeCreated)
    const statuses = instanceView?.statuses ?? []
    if (!before) {
      const where = zones.length > 0 ? `zone ${zones.join(', ')}` : this.#api.region
      this.#seen.chronicle.say(`start ${name}`, { at: startedAt ?? now(), kind: 'info', text: `machine ${name} starts in ${where}` })
    }
    for (const { code = '', message } of statuses) {
      const failed = /^ProvisioningState\/failed\/(.+)$/i.exec(code)?.[1]
      if (failed !== undefined) this.tell(failed, message ?? '')
    }
    this.#seen.see(name, stateOf(provisioningState, statuses, before), { startedAt })
  }

  /** What holds a place and never works again: the set fills that place only once it is free. Whoever may only look is told why it is not. */
  async #clear({ name = '', properties: { instanceView, provisioningState = '' } = {} }: Vm): Promise<void> {
    const why = uselessBy(provisioningState, instanceView?.statuses ?? [])
    const before = this.#cleared.get(name)
    if (why === undefined || (before !== undefined && Date.now() - before < AGAIN)) return
    this.#cleared.set(name, Date.now())
    this.#seen.chronicle.say(`clear ${name}`, {
      at: now(),
      kind: 'info',
      text: `machine ${name} ${why}: it is removed, and its place is free`,
    })
    const ask = { path: { group: this.#group, machine: name }, query: { forceDeletion: before === undefined ? undefined : 'true' } }
    await this.#api.maybeAnswer('machines.delete', `remove machine ${name}`, ask).catch((error: unknown) => this.tell('', messageOf(error)))
  }

  #lose(id: string, log: readonly Happening[], spot: boolean): void {
    const of = log.filter(({ resourceId }) => last(resourceId).toLowerCase() === id.toLowerCase())
    const end = endOf(
      of.map(({ operationName }) => operationName?.value ?? ''),
      spot,
    )
    this.#seen.lose(id, end, isoOf(of[0]?.eventTimestamp))
  }

  #tellTry({ status, properties, resourceId, eventTimestamp }: Happening): void {
    if (status?.value !== 'Failed' || !resourceId?.toLowerCase().includes(this.#name)) return
    const [code, message] = saidIn(properties?.statusMessage ?? '')
    if (code !== '' || message !== '') this.tell(code, message, isoOf(eventTimestamp))
  }

  async #set(): Promise<ScaleSet | undefined> {
    return this.#api.maybe('sets.get', `look for scale set ${this.#name}`, { path: { group: this.#group, name: this.#name } })
  }

  /** https://learn.microsoft.com/rest/api/compute/virtual-machines/list: in a Flexible set they are machines like any other. */
  async #machines(): Promise<readonly Vm[]> {
    const set = `/subscriptions/${await this.#api.subscription()}/resourceGroups/${this.#group}/providers/Microsoft.Compute/virtualMachineScaleSets/${this.#name}`
    return this.#api
      .all<Vm>('machines.list', `look at machines of ${this.#name}`, {
        path: { group: this.#group },
        query: { $filter: `'virtualMachineScaleSet/id' eq '${set}'`, $expand: 'instanceView' },
      })
      .catch(noneThere)
  }

  /** Newest first, and some minutes late. It only explains: where it cannot be read there is no news. */
  async #log(): Promise<readonly Happening[]> {
    const found = await this.#api
      .all<Happening>('log.list', `look at what group ${this.#name} did`, {
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

  async #follow(): Promise<void> {
    const asked = this.#asked
    if (!asked) return
    try {
      if (await isOver(this.#api, asked, `change the size of ${this.#name}`)) this.#asked = undefined
    } catch (error) {
      this.#asked = undefined
      // That it is not remembered any more says nothing.
      if (error instanceof Refusal) this.tell(error.code, error.message)
    }
  }
}

const answer = object<{ error: { code?: string; message?: string } }>({
  error: object<{ code?: string; message?: string }>({ code: maybe(line(256)), message: maybe(text(65_536)) }),
})

/** The vendor puts an answer as text into its log. */
function saidIn(said: string): readonly [code: string, message: string] {
  try {
    const { code = '', message = '' } = parseShape(answer, said).error
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
 * Why a machine is of no use any more, for people. One that is off is billed as before and counted; so is one that could not be made
 * (https://gitlab.com/gitlab-org/fleeting/plugins/azure/-/issues/12). One that has power works, whatever became of the last operation on it.
 */
function uselessBy(provisioning: string, statuses: Statuses): string | undefined {
  const power = powerOf(statuses)
  if (/^Deleting$/i.test(provisioning)) return undefined
  if (power === 'stopped' || power === 'deallocated') return 'is switched off'
  return /^Failed$/i.test(provisioning) && statuses.length > 0 && power === undefined ? 'could not be made' : undefined
}

function stateOf(provisioning: string, statuses: Statuses, before: Machine | undefined): Machine['state'] {
  const power = powerOf(statuses)
  if (/^Deleting$/i.test(provisioning)) return 'leaving'
  if (power === 'running') return 'running'
  if (power !== undefined && /^(?:stopp|dealloc)/.test(power)) return 'leaving'
  return before?.state === 'running' ? 'running' : 'starting'
}
