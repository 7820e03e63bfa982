/**
 * Azure: a group is a Flexible scale set in a resource group of its own, and a machine is an instance of it; its autoscale setting replaces
 * machines and is the dead-man's switch.
 */
import type { Check } from '../../core/check.ts'
import type {
  Cloud,
  CloudContext,
  Found,
  Lost,
  MachineRequest,
  MachineSpec,
  MachinesRequest,
  Observation,
  Reference,
} from '../../core/cloud.ts'
import type { Quote } from '../../core/quote.ts'
import type { Resource } from '../../core/resource.ts'
import { ask } from '../../lib/http.ts'
import type { StoreAccess } from '../../wire/store.ts'
import { apisOf, consoleSays, established, MachineCloud, type Vendor } from '../vm/cloud.ts'
import { ownAlone } from '../vm/storage.ts'
import { Api } from './api.ts'
import { blueprintOf, leftoversOf } from './blueprint.ts'
import { examine } from './doctor.ts'
import { faultsOf, requestFaults, reservedFaults } from './faults.ts'
import { makeShared } from './identity.ts'
import { foundGroups, groupOf } from './list.ts'
import { groupName, isSame, MACHINE_IDENTITY } from './names.ts'
import { Watch } from './observe.ts'
import { besidesLines } from './permissions.ts'
import { type Placement, placementOf } from './placement.ts'
import { Prices } from './price.ts'
import { GroupSizes } from './scale.ts'
import { type Settings, settingsOf } from './settings.ts'
import { locationOf, otherStores, storageResource, storeAccess } from './store.ts'

export async function open(context: CloudContext): Promise<Cloud> {
  return new Azure(context, settingsOf(context))
}

/** The vendor does not promise how soon a look shows a change; seconds are usual. */
const SETTLING = 5000
/** Milliseconds to read a console. */
const CONSOLE = 30_000
/** Bytes of a console: the script may write to it as much as it likes. */
const LONGEST_CONSOLE = 4 << 20
const UNREADABLE = 'its console cannot be read yet'

/** One incarnation, in whichever resource group it is. */
interface Group {
  readonly resourceGroup: string
  readonly sizes: GroupSizes
  readonly watch: Watch
}

const VENDOR: Vendor<Api, Settings, Placement> = {
  place: placementOf,
  archOf: ({ choice }) => choice.arch,
  faultsOf,
  requestFaults,
  reservedFaults,
  regionOf: locationOf,
  bucket: storageResource,
  access: async (keeper, { env }) => storeAccess(keeper, env),
}

class Azure extends MachineCloud<Api, Settings, Placement> implements Cloud {
  readonly settling = SETTLING
  readonly #prices: Prices
  readonly #groups = new Map<string, Group>()

  constructor(context: CloudContext, settings: Settings) {
    super(context, settings, VENDOR, apisOf(context, settings, Api))
    this.#prices = new Prices(context)
  }

  protected reopened(context: CloudContext, region?: string): Cloud {
    return new Azure(context, settingsOf(context, region))
  }

  async whoami(): Promise<{ name: string }> {
    const { subscription, caller } = await this.api.names()
    return { name: `subscription ${subscription} (${caller}, ${this.settings.region})` }
  }

  async otherStores(): Promise<readonly StoreAccess[]> {
    return this.settings.named ? [] : otherStores(this.keeper, this.context.env).catch(ownAlone(this.context.log))
  }

  async blueprint(spec: MachineSpec): Promise<Resource[][]> {
    const endpoint = this.api.otherRoot()
    const { resourceGroup: group, sizes } = this.#group(spec.tags)
    const [placement, { settings: storage }] = await Promise.all([this.placement(spec), this.store('')])
    this.#tellZone(placement)
    const params = { spec, settings: this.settings, placement, group, ...(storage && { storage }), ...(endpoint && { endpoint }) }
    return blueprintOf(this.api, params, sizes, this.context)
  }

  /** Logs the chosen zone, because Azure does not name the zone that has no room. */
  #tellZone({ region, zones: [zone] }: Placement): void {
    const { oneZone, zone: named } = this.settings
    if (!oneZone || named !== undefined || zone === undefined) return
    this.context.log.info(
      `all machines of the gang start in one zone, ${region}-${zone}: if it has no room for them, start again for any other, or name one as region`,
    )
  }

  /**
   * Looks in the resource group that this command takes for the run's. If nothing is there, it looks in the run's own one, or if that was it,
   * where something has the run's tag.
   */
  async leftovers(of: Reference): Promise<Resource[][]> {
    const { resourceGroup } = this.#group(of)
    const here = await leftoversOf(this.api, of, resourceGroup)
    if (here.length > 0) return here
    const other = isSame(resourceGroup, groupName(of)) ? await groupOf(this.api, of.incarnation) : groupName(of)
    return other === undefined ? [] : leftoversOf(this.api, of, other)
  }

  /** In a resource group of its own, nothing else can appear later. In a shared one, machines may still leave parts behind. */
  steadyLeftovers(of: Reference): boolean {
    return isSame(this.#group(of).resourceGroup, groupName(of))
  }

  async start(spec: MachineSpec): Promise<void> {
    const { sizes, watch } = this.#group(spec.tags)
    return sizes.start(spec, watch)
  }

  async resume(of: Reference, count: number): Promise<void> {
    const { sizes, watch } = this.#group(of)
    return sizes.resume(count, watch)
  }

  async end(of: Reference): Promise<void> {
    return this.#group(of).sizes.end()
  }

  async observe(of: Reference): Promise<Observation> {
    return this.#group(of).watch.look()
  }

  /** Lists all regions at once: a subscription has one list for all of them. */
  async list(lost?: Lost, id?: string): Promise<readonly Found[]> {
    const all = await foundGroups(this.api, this.leftOut(lost, id), id)
    for (const { tags, group, settings, sets } of all) this.#place(tags, group).sizes.saw(settings, sets)
    return all.map(({ tags, phase }) => ({ tags, phase }))
  }

  async whySilent(of: Reference, machine: string): Promise<string> {
    const { resourceGroup: group } = this.#group(of)
    const said = await this.api.maybe('machines.console', `read the console of ${machine}`, { path: { group, machine } })
    if (!said?.serialConsoleLogBlobUri) return UNREADABLE
    const { ok, text } = await ask(said.serialConsoleLogBlobUri, { signal: this.context.signal, patience: CONSOLE, most: LONGEST_CONSOLE })
    if (!ok) return UNREADABLE
    return text === undefined ? 'its console is too long to be read' : consoleSays(text)
  }

  async price(of: Reference): Promise<number | undefined> {
    return this.#prices.now(await this.#group(of).watch.present())
  }

  async quote(request: MachineRequest): Promise<Quote | undefined> {
    const { choice, region, subnet, zones } = await this.placement(request)
    const quote = await this.#prices.quote({ region, types: choice.types }, request.spot)
    return quote && { ...quote, reach: { addressed: this.settings.publicAddress ?? !subnet?.nat, zones: zones.length } }
  }

  async establish(): Promise<string> {
    const made = await makeShared(this.api)
    const subscription = await this.api.subscription()
    const said = established(`identity ${MACHINE_IDENTITY} of subscription ${subscription}`, made)
    return [said, ...besidesLines(subscription, this.context.values)].join('\n')
  }

  async doctor(request: MachinesRequest, store: 'own' | 'given'): Promise<readonly Check[]> {
    return examine(this.api, this.settings, request, store)
  }

  #group(of: Reference): Group {
    return this.#groups.get(groupName(of)) ?? this.#place(of, this.settings.resourceGroup ?? groupName(of))
  }

  #place(of: Reference, resourceGroup: string): Group {
    const known = this.#groups.get(groupName(of))
    if (known && isSame(known.resourceGroup, resourceGroup)) return known
    const sizes = new GroupSizes(this.api, of, resourceGroup, this.context)
    const group = { resourceGroup, sizes, watch: new Watch(this.api, of, resourceGroup, sizes) }
    this.#groups.set(groupName(of), group)
    return group
  }
}
