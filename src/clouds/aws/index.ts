/** AWS: a group is an Auto Scaling group, a machine an instance of EC2; a scheduled action of the group is the dead-man's switch. */
import type { Check } from '../../core/check.ts'
import type { Cloud, CloudContext, Found, MachineRequest, MachineSpec, Observation, Quote, Reference } from '../../core/cloud.ts'
import type { Resource } from '../../core/resource.ts'
import { hardDeadline } from '../../wire/spec.ts'
import type { StoreAccess } from '../../wire/store.ts'
import { consoleSays, established, MachineCloud } from '../vm/cloud.ts'
import { textOf } from '../vm/settings.ts'
import { waitOf } from '../vm/standby.ts'
import type { Api } from './api.ts'
import { blueprintOf, leftoversOf } from './blueprint.ts'
import { examine } from './doctor.ts'
import { repositoryOf } from './ecr.ts'
import { faultsOf, requestFaults, reservedFaults } from './faults.ts'
import { makeShared } from './identity.ts'
import { groupName, PATH, SHARED_ROLE, twinName } from './names.ts'
import { Watch } from './observe.ts'
import { type Placement, placementOf } from './placement.ts'
import { bucketOf } from './policy.ts'
import { type Lost, Regions } from './regions.ts'
import { describeGroups } from './resources/group.ts'
import { GetConsoleOutputCommand } from './sdk.ts'
import { type Settings, settingsOf } from './settings.ts'
import { byScore } from './spot-score.ts'
import { bucketResource, regionOf, storeAccess } from './store.ts'

export async function open(context: CloudContext): Promise<Cloud> {
  return new Aws(context, settingsOf(context))
}

/** The vendor promises nothing of how soon a look shows a change; seconds are usual. */
const SETTLING = 3000

class Aws extends MachineCloud<Settings, Placement> implements Cloud {
  readonly settling = SETTLING
  readonly #regions: Regions
  /** By region and group: where a group is may become known after it was first looked for. */
  readonly #watches = new Map<string, Watch>()

  constructor(context: CloudContext, settings: Settings) {
    const regions = new Regions(context, settings)
    super(context, settings, {
      place: async (request) => placementOf(regions.home.api, settings, request),
      archOf: ({ arch }) => arch,
      faultsOf: (spec) => [...faultsOf(spec, settings.storage === undefined), ...reservedFaults(settings, spec)],
      requestFaults,
      regionOf: async (host) => regionOf(regions.home.api, host),
      bucket: (host) => bucketResource(regions.keeper, host, context.signal),
    })
    this.#regions = regions
  }

  inRegion(region: string): Cloud {
    return new Aws(this.context, settingsOf(this.context, region))
  }

  async likeliest(request: MachineRequest): Promise<readonly string[]> {
    return byScore(this.#home, await this.placement(request), this.regions)
  }

  get #home(): Api {
    return this.#regions.home.api
  }

  async whoami(): Promise<{ name: string }> {
    const { account, arn } = await this.#home.caller()
    return { name: `AWS account ${account} (${arn.split(':').at(-1)}, ${this.settings.region})` }
  }

  async store(_id: string): Promise<StoreAccess> {
    return storeAccess({ api: this.#regions.keeper, clock: this.context.clock, env: this.context.env })
  }

  async otherStores(lost: Lost): Promise<readonly StoreAccess[]> {
    return this.#regions.otherStores(lost)
  }

  async blueprint(spec: MachineSpec): Promise<Resource[][]> {
    const [placement, { account }, { settings: storage }] = await Promise.all([this.placement(spec), this.#home.caller(), this.store('')])
    const { spot, tags } = spec
    if (spot.want === 'prefer') this.#regions.home.sizes.arm(tags, { wait: waitOf(spot), end: hardDeadline(tags.lifetime) })
    const endpoint = this.context.env['AWS_ENDPOINT_URL_AUTO_SCALING'] ?? this.context.env['AWS_ENDPOINT_URL']
    const ecr = this.context.env['AWS_ENDPOINT_URL_ECR'] ?? this.context.env['AWS_ENDPOINT_URL']
    const plan = {
      spec,
      settings: this.settings,
      placement,
      account,
      ...(storage && { storage }),
      ...(endpoint && { endpoint }),
      ...(ecr && { ecr }),
    }
    return blueprintOf(this.#home, plan, this.context.signal)
  }

  steadyLeftovers = (): boolean => true

  async leftovers(of: Reference): Promise<Resource[][]> {
    return leftoversOf(this.#regions.of(of).api, of)
  }

  async scale(of: Reference, count: number): Promise<void> {
    const { sizes } = this.#regions.of(of)
    return count === 0 ? sizes.end(of) : sizes.start(of, count)
  }

  async resume(of: Reference, count: number): Promise<void> {
    return this.#regions.of(of).sizes.resume(of, count)
  }

  async observe(of: Reference): Promise<Observation> {
    const { api } = this.#regions.of(of)
    const name = groupName(of)
    const key = `${api.region} ${name}`
    const watch = this.#watches.get(key) ?? new Watch(api, [name, twinName(of)])
    this.#watches.set(key, watch)
    return watch.look()
  }

  async list(lost?: Lost, id?: string): Promise<readonly Found[]> {
    // Whoever looks for one asks for its store next, which bears the number of the account.
    if (id === undefined) void this.#home.caller().catch(() => undefined)
    return this.#regions.list(lost, id)
  }

  async price(of: Reference): Promise<number | undefined> {
    const { api, prices } = this.#regions.of(of)
    return prices.now(await describeGroups(api, [groupName(of), twinName(of)]))
  }

  async quote(request: MachineRequest): Promise<Quote | undefined> {
    const placement = await this.placement(request)
    const { prices } = this.#regions.home
    const addressed = this.settings.publicAddress ?? placement.subnets.some((subnet) => subnet.public)
    const [quote, reach] = await Promise.all([prices.quote(placement, request.spot), prices.reach(addressed)])
    return quote && { ...quote, reach: { addressed, ...reach, zones: new Set(placement.subnets.map(({ zone }) => zone)).size } }
  }

  /** The vendor has it minutes late, and none of a machine that was only just started. */
  async unheard(of: Reference, machine: string): Promise<string> {
    const { api } = this.#regions.of(of)
    const tried = `read the console of ${machine}`
    const ask = async (more: object) => api.ec2.send(new GetConsoleOutputCommand({ InstanceId: machine, ...more }))
    // Machines of the old kind (Xen) have no latest one, only that of their start.
    const latest = await api.unless(/^UnsupportedOperation$/, tried, async () => ask({ Latest: true }))
    const said = latest ?? (await api.call(tried, async () => ask({})))
    return consoleSays(Buffer.from(said.Output ?? '', 'base64').toString('utf8'))
  }

  async establish(): Promise<string> {
    const { boundary, data } = this.settings
    const image = repositoryOf(textOf(this.context.values['container']) ?? '')
    const made = await makeShared(this.#home, { data: data.map(bucketOf), image, ...(boundary !== undefined && { boundary }) })
    return established(`role and instance profile ${PATH}${SHARED_ROLE} of account ${(await this.#home.caller()).account}`, made)
  }

  async doctor(request: MachineRequest, store: 'own' | 'given'): Promise<readonly Check[]> {
    return examine(this.#home, this.settings, request, store)
  }
}
