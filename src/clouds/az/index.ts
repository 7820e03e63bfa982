/**
 * Azure: a group is a Flexible scale set in a resource group of its own, a machine an instance of it; its autoscale setting brings machines back and
 * is the dead-man's switch.
 */
import type { Check } from '../../core/check.ts'
import type {
  AgentBundle,
  Cloud,
  CloudContext,
  Found,
  Ground,
  MachineRequest,
  MachineSpec,
  Observation,
  Quote,
  Reference,
} from '../../core/cloud.ts'
import { CapacityError, RemoteError } from '../../core/errors.ts'
import type { Resource } from '../../core/resource.ts'
import { messageOf } from '../../lib/text.ts'
import type { StoreAccess } from '../../wire/store.ts'
import { CALM, consoleSays, placementFaults, runtimeOf } from '../vm/cloud.ts'
import { warnOfFar } from '../vm/data.ts'
import { Once } from '../vm/once.ts'
import { ownAlone } from '../vm/storage.ts'
import { Api } from './api.ts'
import { Keeper } from './autoscale.ts'
import { blueprintOf, leftoversOf } from './blueprint.ts'
import { examine } from './doctor.ts'
import { faultsOf, reservedFaults } from './faults.ts'
import { foundGroups, groupOf } from './list.ts'
import { groupName, isSame } from './names.ts'
import { Watch } from './observe.ts'
import { goingOn } from './operation.ts'
import { type Placement, placementOf } from './placement.ts'
import { Prices } from './price.ts'
import { type Settings, settingsOf } from './settings.ts'
import { locationOf, otherStores, storageResource, storeAccess } from './store.ts'

export async function open(context: CloudContext): Promise<Cloud> {
  return new Azure(context, settingsOf(context))
}

/** The vendor promises nothing of how soon a look shows a change; seconds are usual. */
const SETTLING = 5000

/** One incarnation, wherever it is. */
interface Group {
  readonly resourceGroup: string
  readonly keeper: Keeper
  readonly watch: Watch
}

class Azure implements Cloud {
  readonly calm = CALM
  readonly settling = SETTLING
  readonly #context: CloudContext
  readonly #settings: Settings
  readonly #api: Api
  readonly #prices: Prices
  readonly #groups = new Map<string, Group>()
  readonly #placements = new Once<Placement>()

  constructor(context: CloudContext, settings: Settings) {
    this.#context = context
    this.#settings = settings
    this.#api = new Api(context, settings)
    this.#prices = new Prices(context)
  }

  get region(): string {
    return this.#settings.region
  }

  async whoami(): Promise<{ name: string }> {
    const [{ displayName }, login, id] = await Promise.all([
      this.#api.call('subscription.get', 'look at the subscription'),
      this.#api.login(),
      this.#api.subscription(),
    ])
    return { name: `subscription ${displayName ?? id} (${login.who}, ${this.#settings.region})` }
  }

  async faults(spec: Omit<MachineSpec, 'store' | 'agent'>): ReturnType<Cloud['faults']> {
    await warnOfFar(this.#settings, async (account) => locationOf(this.#api, account), this.#context.log)
    const plain = [...faultsOf(spec, this.#settings.storage), ...reservedFaults(this.#settings, spec)]
    return placementFaults(plain, async () => this.#placement(spec))
  }

  async store(_id: string): Promise<StoreAccess> {
    return storeAccess(this.#api, this.#context.env)
  }

  async otherStores(): Promise<readonly StoreAccess[]> {
    return this.#settings.named ? [] : otherStores(this.#api, this.#context.env).catch(ownAlone(this.#context.log))
  }

  async ground(): Promise<Ground> {
    if (this.#settings.storage !== undefined) return { stages: [] }
    const { url } = await this.store('')
    return { stages: [[storageResource(this.#api, new URL(url).host, this.#context.signal)]] }
  }

  async programs(spec: MachineSpec): Promise<readonly AgentBundle[]> {
    const { choice } = await this.#placement(spec)
    return Promise.all([this.#context.agent(), runtimeOf(this.#context, choice.arch)])
  }

  async blueprint(spec: MachineSpec): Promise<Resource[][]> {
    const endpoint = this.#api.elsewhere()
    const { resourceGroup: group, keeper } = this.#group(spec.tags)
    const [placement, { settings: storage }] = await Promise.all([this.#placement(spec), this.store('')])
    const plan = { spec, settings: this.#settings, placement, group, ...(storage && { storage }), ...(endpoint && { endpoint }) }
    return blueprintOf(this.#api, plan, keeper, this.#context)
  }

  /** By tag, where it is neither in a group of its own nor in that of this command. */
  async leftovers(of: Reference): Promise<Resource[][]> {
    const { resourceGroup } = this.#group(of)
    const here = await leftoversOf(this.#api, of, resourceGroup)
    if (here.length > 0) return here
    const other = isSame(resourceGroup, groupName(of)) ? await groupOf(this.#api, of.incarnation) : groupName(of)
    return other === undefined ? [] : leftoversOf(this.#api, of, other)
  }

  /** What keeps the number first: whatever happens to the set afterwards, that is what it comes to. */
  async scale(of: Reference, count: number): Promise<void> {
    const { resourceGroup: group, keeper, watch } = this.#group(of)
    const name = groupName(of)
    if (count > 0) this.#context.signal.throwIfAborted()
    const path = { group, name }
    const [kept, set] = await Promise.all([keeper.keep(count), this.#api.maybe('sets.get', `look for scale set ${name}`, { path })])
    if (!kept && count > 0) throw new RemoteError(`az: group ${name} does not exist, or has been ended`)
    // All of it goes back with the new number: a size without its name is not one, for the vendor's own clients.
    const body = { sku: { ...set?.sku, capacity: count } }
    const answer = await this.#api.maybeAnswer('sets.patch', `scale group ${name} to ${count}`, { path, body }).catch((error: unknown) => {
      // What keeps the number tries again for as long as there is no room.
      if (!(error instanceof CapacityError) || count === 0) throw error
      watch.tell('', messageOf(error))
      return undefined
    })
    watch.expects(answer && goingOn(answer))
    if (count === 0) await keeper.end()
  }

  async observe(of: Reference): Promise<Observation> {
    return this.#group(of).watch.look()
  }

  /** All regions at once: a subscription has one list of them. */
  async list(_lost?: Parameters<Cloud['list']>[0], id?: string): Promise<readonly Found[]> {
    const all = await foundGroups(this.#api, id)
    for (const { tags, group } of all) this.#place(tags, group)
    return all.map(({ tags, phase }) => ({ tags, phase }))
  }

  async unheard(of: Reference, machine: string): Promise<string> {
    const { resourceGroup: group } = this.#group(of)
    const said = await this.#api.maybe('machines.console', `read the console of ${machine}`, { path: { group, machine } })
    if (!said?.serialConsoleLogBlobUri) return 'its console cannot be read yet'
    const reply = await fetch(said.serialConsoleLogBlobUri, { signal: this.#context.signal })
    return consoleSays(reply.ok ? await reply.text() : '')
  }

  async price(of: Reference): Promise<number | undefined> {
    const [set, machines] = await this.#group(of).watch.present()
    return set && this.#prices.now(set, machines)
  }

  async quote(request: MachineRequest): Promise<Quote | undefined> {
    const { choice, region, subnet, zones } = await this.#placement(request)
    const quote = await this.#prices.quote({ region, types: choice.types }, request.spot)
    return quote && { ...quote, reach: { addressed: this.#settings.publicAddress ?? !subnet?.nat, zones: zones.length } }
  }

  async doctor(request: MachineRequest, store: 'own' | 'given'): Promise<readonly Check[]> {
    return examine(this.#api, this.#settings, request, store)
  }

  #group(of: Reference): Group {
    return this.#groups.get(groupName(of)) ?? this.#place(of, this.#settings.resourceGroup ?? groupName(of))
  }

  #place(of: Reference, resourceGroup: string): Group {
    const known = this.#groups.get(groupName(of))
    if (known && isSame(known.resourceGroup, resourceGroup)) return known
    const keeper = new Keeper(this.#api, of, resourceGroup)
    const group = { resourceGroup, keeper, watch: new Watch(this.#api, of, resourceGroup, keeper) }
    this.#groups.set(groupName(of), group)
    return group
  }

  async #placement(request: MachineRequest): Promise<Placement> {
    return this.#placements.get(JSON.stringify([request.size, request.image, request.permissionSet, request.spot.want]), async () =>
      placementOf(this.#api, this.#settings, request),
    )
  }
}
