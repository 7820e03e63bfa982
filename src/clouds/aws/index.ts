/** AWS: a group is an Auto Scaling group, a machine an instance of EC2; a scheduled action of the group is the dead-man's switch. */
import { runtimeFor } from '../../boot/runtime.ts'
import type { Check } from '../../core/check.ts'
import type { AgentBundle, Cloud, CloudContext, Found, MachineSpec, MachineWish, Observation, Quote, Reference } from '../../core/cloud.ts'
import { InputError, RemoteError } from '../../core/errors.ts'
import type { Resource } from '../../core/resource.ts'
import { messageOf } from '../../lib/text.ts'
import { hardDeadline } from '../../wire/spec.ts'
import type { StoreAccess } from '../../wire/store.ts'
import type { Api } from './api.ts'
import { blueprintOf, leftoversOf } from './blueprint.ts'
import { examine } from './doctor.ts'
import { faultsOf, wishFaults } from './faults.ts'
import { groupName, twinName } from './names.ts'
import { Watch } from './observe.ts'
import { type Site, siteOf } from './place.ts'
import { type Lost, Regions } from './regions.ts'
import { describeGroups } from './resources/group.ts'
import { GetConsoleOutputCommand } from './sdk.ts'
import { type Settings, settingsOf } from './settings.ts'
import { bucketOf, bucketResource, storeAccess } from './store.ts'
import { architectureOf, waitOf } from './template.ts'

export async function open(context: CloudContext): Promise<Cloud> {
  return new Aws(context, settingsOf(context))
}

/** A quiet hour of following is to cost a few hundred calls: each look is two. */
const CALM = 30_000
/** The vendor promises nothing of how soon a look shows a change; seconds are usual. */
const SETTLING = 3000
/** Characters of a console's end. */
const CONSOLE = 4000

class Aws implements Cloud {
  readonly calm = CALM
  readonly settling = SETTLING
  readonly #context: CloudContext
  readonly #settings: Settings
  readonly #regions: Regions
  readonly #watches = new Map<string, Watch>()
  /** By wish: each is looked up once. */
  readonly #sites = new Map<string, Promise<Site>>()

  constructor(context: CloudContext, settings: Settings) {
    this.#context = context
    this.#settings = settings
    this.#regions = new Regions(context, settings)
  }

  get #home(): Api {
    return this.#regions.home.api
  }

  async whoami(): Promise<{ name: string }> {
    const { account, arn } = await this.#home.caller()
    return { name: `AWS account ${account} (${arn.split(':').at(-1)}, ${this.#settings.region})` }
  }

  async faults(spec: Omit<MachineSpec, 'store' | 'agent'>): ReturnType<Cloud['faults']> {
    const plain = faultsOf(spec, this.#context.values['storage'] === undefined)
    if (plain.length > 0) return plain
    try {
      await this.#site(spec)
      return []
    } catch (error) {
      if (error instanceof InputError) return error.faults
      throw error
    }
  }

  async store(_id: string): Promise<StoreAccess> {
    return storeAccess({ api: this.#home, clock: this.#context.clock, env: this.#context.env })
  }

  async shared(): Promise<readonly Resource[]> {
    if (this.#context.values['storage'] !== undefined) return []
    return [bucketResource(this.#home, bucketOf(await this.store('')).name, this.#context.signal)]
  }

  async programs(spec: MachineSpec): Promise<readonly AgentBundle[]> {
    const { home, signal, env } = this.#context
    const registry = env['npm_config_registry']
    const site = await this.#site(spec)
    try {
      return [await runtimeFor(architectureOf(site), { home, signal, fetch, ...(registry && { registry }) })]
    } catch (error) {
      signal.throwIfAborted()
      throw new RemoteError(messageOf(error), { cause: error, hint: 'a mirror of the package registry goes into npm_config_registry' })
    }
  }

  async blueprint(spec: MachineSpec): Promise<Resource[][]> {
    const [site, { account }] = await Promise.all([this.#site(spec), this.#home.caller()])
    const { spot, tags } = spec
    if (spot.want === 'prefer') this.#regions.home.sizes.arm(tags, { wait: waitOf(spot), end: hardDeadline(tags.lifetime) })
    const endpoint = this.#context.env['AWS_ENDPOINT_URL_AUTO_SCALING'] ?? this.#context.env['AWS_ENDPOINT_URL']
    return blueprintOf(this.#home, { spec, settings: this.#settings, site, account, ...(endpoint && { endpoint }) }, this.#context.signal)
  }

  async leftovers(of: Reference): Promise<Resource[][]> {
    return leftoversOf(this.#regions.of(of).api, of)
  }

  async scale(of: Reference, count: number): Promise<void> {
    const { sizes } = this.#regions.of(of)
    return count === 0 ? sizes.end(of) : sizes.start(of, count)
  }

  async observe(of: Reference): Promise<Observation> {
    const name = groupName(of)
    const watch = this.#watches.get(name) ?? new Watch(this.#regions.of(of).api, [name, twinName(of)])
    this.#watches.set(name, watch)
    return watch.look()
  }

  async list(lost?: Lost, id?: string): Promise<readonly Found[]> {
    return this.#regions.list(lost, id)
  }

  async price(of: Reference): Promise<number | undefined> {
    const { api, prices } = this.#regions.of(of)
    return prices.now(await describeGroups(api, [groupName(of), twinName(of)]))
  }

  async quote(wish: MachineWish): Promise<Quote | undefined> {
    return this.#regions.home.prices.quote(await this.#site(wish), wish.spot)
  }

  foresee(wish: MachineWish): void {
    if (wishFaults(wish).length === 0) void this.#site(wish).catch(() => undefined)
  }

  /** The vendor has it minutes late, and none of a machine that was only just started. */
  async unheard(of: Reference, machine: string): Promise<string> {
    const { api } = this.#regions.of(of)
    const tried = `read the console of ${machine}`
    const ask = async (more: object) => api.ec2.send(new GetConsoleOutputCommand({ InstanceId: machine, ...more }))
    // Machines of the old kind (Xen) have no latest one, only that of their start.
    const latest = await api.unless(/^UnsupportedOperation$/, tried, async () => ask({ Latest: true }))
    const said = latest ?? (await api.call(tried, async () => ask({})))
    const text = Buffer.from(said.Output ?? '', 'base64')
      .toString('utf8')
      .trim()
    return text === '' ? 'its console says nothing yet' : `its console ends: ${text.slice(-CONSOLE)}`
  }

  async doctor(wish: MachineWish, store: 'own' | 'given'): Promise<readonly Check[]> {
    return examine(this.#home, this.#settings, wish, store)
  }

  async #site(wish: MachineWish): Promise<Site> {
    const key = JSON.stringify([wish.size, wish.image])
    const known = this.#sites.get(key) ?? siteOf(this.#home, this.#settings, wish)
    this.#sites.set(key, known)
    known.catch(() => this.#sites.delete(key))
    return known
  }
}
