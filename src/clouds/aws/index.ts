/** AWS: a group is an Auto Scaling group, a machine is an EC2 instance; a scheduled action of the group is the dead-man's switch. */
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
import { textOf } from '../../lib/record.ts'
import { endpointIn } from '../../vendors/aws/service.ts'
import type { StoreAccess } from '../../wire/store.ts'
import { consoleSays, established, MachineCloud, type Vendor } from '../vm/cloud.ts'
import type { Api } from './api.ts'
import { blueprintOf, leftoversOf } from './blueprint.ts'
import { examine } from './doctor.ts'
import { faultsOf, requestFaults, reservedFaults } from './faults.ts'
import { describeGroups } from './group.ts'
import { makeShared } from './identity.ts'
import { repositoryOf } from './image-registry.ts'
import { groupName, PATH, SHARED_ROLE, twinName } from './names.ts'
import { Watch } from './observe.ts'
import { type Placement, placementOf } from './placement.ts'
import { bucketOf } from './policy.ts'
import { Regions } from './regions.ts'
import { GetConsoleOutputCommand } from './sdk.ts'
import { type Settings, settingsOf } from './settings.ts'
import { byScore } from './spot-score.ts'
import { addressIn, bucketResource, regionOf, storeAccess } from './store.ts'

export async function open(context: CloudContext): Promise<Cloud> {
  return new Aws(context, settingsOf(context))
}

/** The vendor does not promise how soon a look shows a change; seconds are usual. */
const SETTLING = 3000

const VENDOR: Vendor<Api, Settings, Placement> = {
  place: placementOf,
  archOf: ({ arch }) => arch,
  faultsOf,
  requestFaults,
  reservedFaults,
  regionOf,
  bucket: bucketResource,
  access: async (api, { clock, env }) => storeAccess({ api, clock, env }),
}

class Aws extends MachineCloud<Api, Settings, Placement> implements Cloud {
  readonly settling = SETTLING
  readonly #regions: Regions
  /** By region and group: the region of a group may become known only after the first look at it. */
  readonly #watches = new Map<string, Watch>()

  constructor(context: CloudContext, settings: Settings) {
    const regions = new Regions(context, settings)
    super(context, settings, VENDOR, { api: regions.home.api, keeper: regions.keeper })
    this.#regions = regions
  }

  protected reopened(context: CloudContext, region?: string): Cloud {
    return new Aws(context, settingsOf(context, region))
  }

  async likeliest(request: MachineRequest): Promise<readonly string[]> {
    return byScore(this.api, await this.placement(request), this.regions)
  }

  async whoami(): Promise<{ name: string }> {
    const { account, arn } = await this.api.caller()
    return { name: `AWS account ${account} (${arn.split(':').at(-1)}, ${this.settings.region})` }
  }

  async otherStores(lost: Lost): Promise<readonly StoreAccess[]> {
    return this.#regions.otherStores(lost)
  }

  async blueprint(spec: MachineSpec): Promise<Resource[][]> {
    const placement = await this.placement(spec)
    const endpoint = endpointIn(this.context.env, 'AUTO_SCALING')
    const ecr = endpointIn(this.context.env, 'ECR')
    const params = {
      spec,
      settings: this.settings,
      placement,
      storage: addressIn({ api: this.keeper, env: this.context.env }),
      ...(endpoint && { endpoint }),
      ...(ecr && { ecr }),
    }
    return blueprintOf(this.api, params, this.context.signal)
  }

  steadyLeftovers = (): boolean => true

  async leftovers(of: Reference): Promise<Resource[][]> {
    return leftoversOf(this.#regions.of(of).api, of)
  }

  async start(spec: MachineSpec): Promise<void> {
    return this.#regions.of(spec.tags).sizes.start(spec)
  }

  async resume(of: Reference, count: number): Promise<void> {
    return this.#regions.of(of).sizes.resume(of, count)
  }

  async end(of: Reference): Promise<void> {
    return this.#regions.of(of).sizes.end(of)
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
    // The next call asks for its store, whose name contains the number of the account.
    if (id === undefined) void this.api.caller().catch(() => undefined)
    return this.#regions.list(this.leftOut(lost, id), lost, id)
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

  /** Minutes late, and empty for a machine that was just started. */
  async whySilent(of: Reference, machine: string): Promise<string> {
    const { api } = this.#regions.of(of)
    const tried = `read the console of ${machine}`
    const ask = async (more: object) => api.ec2.send(new GetConsoleOutputCommand({ InstanceId: machine, ...more }))
    // Machines of the old kind (Xen) have no latest console output, only that of their start.
    const latest = await api.unless(/^UnsupportedOperation$/, tried, async () => ask({ Latest: true }))
    const said = latest ?? (await api.call(tried, async () => ask({})))
    return consoleSays(Buffer.from(said.Output ?? '', 'base64').toString('utf8'))
  }

  async establish(): Promise<string> {
    const { boundary, data } = this.settings
    const image = repositoryOf(textOf(this.context.values['container']) ?? '')
    const made = await makeShared(this.api, { data: data.map(bucketOf), image, ...(boundary !== undefined && { boundary }) })
    return established(`role and instance profile ${PATH}${SHARED_ROLE} of account ${(await this.api.caller()).account}`, made)
  }

  async doctor(request: MachinesRequest, store: 'own' | 'given'): Promise<readonly Check[]> {
    return examine(this.api, this.settings, request, store)
  }
}
