/**
 * Google Cloud: a group is a regional managed instance group, and a machine is an instance of it; its template sets the time at which each
 * machine ends, which is the dead-man's switch.
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
import type { StoreAccess } from '../../wire/store.ts'
import { apisOf, consoleSays, established, MachineCloud, type Vendor } from '../vm/cloud.ts'
import { Once } from '../vm/once.ts'
import { ownAlone } from '../vm/storage.ts'
import { Api } from './api.ts'
import { blueprintOf, leftoversOf, wholeGroup } from './blueprint.ts'
import { examine } from './doctor.ts'
import { GONE } from './errors.ts'
import { faultsOf, requestFaults, reservedFaults } from './faults.ts'
import { mayMakeRules } from './firewall.ts'
import { makeShared } from './identity.ts'
import { foundGroups } from './list.ts'
import { accountOf, groupName, twinName } from './names.ts'
import { Watch } from './observe.ts'
import { besidesLines } from './permissions.ts'
import { type Placement, placementOf } from './placement.ts'
import { Prices } from './price.ts'
import { GroupSizes } from './scale.ts'
import { type Settings, settingsOf } from './settings.ts'
import { bucketResource, locationOf, otherStores, storeAccess } from './store.ts'

export async function open(context: CloudContext): Promise<Cloud> {
  return new Google(context, settingsOf(context))
}

/** Milliseconds: the vendor does not promise how soon an answer shows a change; usually it takes seconds. */
const SETTLING = 5000

const VENDOR: Vendor<Api, Settings, Placement> = {
  place: placementOf,
  archOf: ({ choice }) => choice.arch,
  faultsOf,
  requestFaults,
  reservedFaults,
  regionOf: locationOf,
  bucket: bucketResource,
  access: async (keeper, { env }) => storeAccess(keeper, env),
}

class Google extends MachineCloud<Api, Settings, Placement> implements Cloud {
  readonly settling = SETTLING
  /** The region in which `list` has found a group, by the group's name. */
  readonly #regions = new Map<string, string>()
  readonly #apis = new Map<string, Api>()
  /** By region and group: a group's region may become known only after the first look. */
  readonly #watches = new Map<string, Watch>()
  /** By region. */
  readonly #prices = new Map<string, Prices>()
  readonly #rights = new Once<boolean>()
  /** By region and group, like the watches. */
  readonly #sizes = new Map<string, GroupSizes>()

  constructor(context: CloudContext, settings: Settings) {
    super(context, settings, VENDOR, apisOf(context, settings, Api))
    for (const one of [this.keeper, this.api]) this.#apis.set(one.region, one)
  }

  protected reopened(context: CloudContext, region?: string): Cloud {
    return new Google(context, settingsOf(context, region))
  }

  async whoami(): Promise<{ name: string }> {
    const [{ name }, login] = await Promise.all([this.api.about(), this.api.login()])
    return { name: `project ${name ?? (await this.api.project())} (${login.email ?? login.who}, ${this.settings.region})` }
  }

  async otherStores(): Promise<readonly StoreAccess[]> {
    return this.settings.named ? [] : otherStores(this.keeper, this.context.env).catch(ownAlone(this.context.log))
  }

  override async faults(spec: Omit<MachineSpec, 'store' | 'agent'>): ReturnType<Cloud['faults']> {
    // In parallel with all other questions; `blueprint` needs the answer.
    void this.#mayRule(spec)
    return super.faults(spec)
  }

  async blueprint(spec: MachineSpec): Promise<Resource[][]> {
    const endpoint = this.api.elsewhere('compute')
    const [placement, { settings: storage }, mayRule] = await Promise.all([this.placement(spec), this.store(''), this.#mayRule(spec)])
    const params = {
      early: true,
      spec,
      settings: this.settings,
      placement,
      mayRule,
      ...(storage && { storage }),
      ...(endpoint && { endpoint }),
    }
    return blueprintOf(this.api, params, this.context)
  }

  async leftovers(of: Reference): Promise<Resource[][]> {
    return leftoversOf(this.#apiOf(of), of)
  }

  steadyLeftovers = (): boolean => true

  wholeGroup(of: Reference): Resource {
    return wholeGroup(this.#apiOf(of), of)
  }

  async start(spec: MachineSpec): Promise<void> {
    const watch = this.#watch(spec.tags)
    if (spec.spot.want === 'prefer') watch.expectsTwin()
    await this.#sizesOf(spec.tags).start(spec)
    watch.expectsNone(false)
  }

  async resume(of: Reference, count: number): Promise<void> {
    await this.#sizesOf(of).resume(count)
    this.#watch(of).expectsNone(false)
  }

  async end(of: Reference): Promise<void> {
    await this.#sizesOf(of).end()
    this.#watch(of).expectsNone(true)
  }

  async observe(of: Reference): Promise<Observation> {
    return this.#watch(of).look()
  }

  /** Lists all regions at once: a project has one list for all of them. */
  async list(lost?: Lost, id?: string): Promise<readonly Found[]> {
    const all = await foundGroups(this.api, this.leftOut(lost, id), lost, id)
    for (const { tags, region } of all) this.#regions.set(groupName(tags), region)
    return all.map(({ tags, phase }) => ({ tags, phase }))
  }

  async price(of: Reference): Promise<number | undefined> {
    return this.#pricesAt(this.#apiOf(of)).now(of)
  }

  async quote(request: MachineRequest): Promise<Quote | undefined> {
    const placement = await this.placement(request)
    const quote = await this.#pricesAt(this.api).quote(placement, request.spot)
    return quote && { ...quote, reach: { addressed: this.settings.publicAddress ?? !placement.network.nat, zones: placement.zones.length } }
  }

  async whySilent(of: Reference, machine: string): Promise<string> {
    const place = this.#watch(of).placeOf(machine)
    if (!place) return 'its console cannot be read: it is not among the machines of its group'
    const { zone, name } = place
    const tried = `read the console of ${name}`
    const said = await this.#apiOf(of).unless(GONE, 'compute:instances.getSerialPortOutput', tried, { path: { zone, instance: name } })
    return consoleSays(said?.contents ?? '')
  }

  async establish(): Promise<string> {
    const made = await makeShared(this.api)
    const project = await this.api.project()
    const said = established(`service account ${accountOf(project)}`, made)
    return [said, ...besidesLines(project, this.context.values)].join('\n')
  }

  async doctor(request: MachinesRequest, store: 'own' | 'given'): Promise<readonly Check[]> {
    return examine({ api: this.api, settings: this.settings, prices: this.#pricesAt(this.api) }, request, store)
  }

  /** A single machine needs no rule. */
  async #mayRule({ tags }: Pick<MachineSpec, 'tags'>): Promise<boolean> {
    return tags.count > 1 && this.#rights.get('', async () => mayMakeRules(this.api))
  }

  #pricesAt(api: Api): Prices {
    const prices = this.#prices.get(api.region) ?? new Prices(api, this.context)
    this.#prices.set(api.region, prices)
    return prices
  }

  #apiOf(of: Reference): Api {
    const region = of.region ?? this.#regions.get(groupName(of)) ?? this.region
    const api = this.#apis.get(region) ?? new Api(this.context, { ...this.settings, region })
    this.#apis.set(region, api)
    return api
  }

  #watch(of: Reference): Watch {
    return this.#known(this.#watches, of, (api) => new Watch(api, [groupName(of), twinName(of)], of.incarnation, this.context.clock))
  }

  #sizesOf(of: Reference): GroupSizes {
    return this.#known(this.#sizes, of, (api) => new GroupSizes(api, of, this.context))
  }

  #known<T>(all: Map<string, T>, of: Reference, make: (api: Api) => T): T {
    const api = this.#apiOf(of)
    const key = `${api.region} ${groupName(of)}`
    const one = all.get(key) ?? make(api)
    all.set(key, one)
    return one
  }
}
