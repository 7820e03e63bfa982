/** AWS: a group is an Auto Scaling group, a machine an instance of EC2; a scheduled action of the group is the dead-man's switch. */
import { runtimeFor } from '../../boot/runtime.ts'
import type { Check } from '../../core/check.ts'
import type { AgentBundle, Cloud, CloudContext, Found, MachineSpec, MachineWish, Observation, Reference } from '../../core/cloud.ts'
import { InputError, RemoteError } from '../../core/errors.ts'
import type { Resource } from '../../core/resource.ts'
import { messageOf } from '../../lib/text.ts'
import type { StoreAccess } from '../../wire/store.ts'
import { Api } from './api.ts'
import { blueprintOf, leftoversOf } from './blueprint.ts'
import { examine } from './doctor.ts'
import { faultsOf } from './faults.ts'
import { groupName, TAG } from './names.ts'
import { Watch } from './observe.ts'
import { type Site, siteOf } from './place.ts'
import { spotPrice } from './price.ts'
import { describeGroup, isMissing } from './resources/group.ts'
import {
  type AutoScalingGroup,
  DescribeAutoScalingGroupsCommand,
  GetConsoleOutputCommand,
  SetDesiredCapacityCommand,
  UpdateAutoScalingGroupCommand,
} from './sdk.ts'
import { type Settings, settingsOf } from './settings.ts'
import { bucketOf, bucketResource, storeAccess } from './store.ts'
import { tagsOf } from './tags.ts'
import { architectureOf } from './template.ts'

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
  readonly #api: Api
  readonly #watches = new Map<string, Watch>()
  /** By wish: each is looked up once. */
  readonly #sites = new Map<string, Promise<Site>>()
  /** Groups that were told to grow by a call whose answer did not come. */
  readonly #unsure = new Set<string>()

  constructor(context: CloudContext, settings: Settings) {
    this.#context = context
    this.#settings = settings
    this.#api = new Api(context, settings)
  }

  async whoami(): Promise<{ name: string }> {
    const { account, arn } = await this.#api.caller()
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
    return storeAccess({ api: this.#api, clock: this.#context.clock, env: this.#context.env })
  }

  async shared(): Promise<readonly Resource[]> {
    if (this.#context.values['storage'] !== undefined) return []
    return [bucketResource(this.#api, bucketOf(await this.store('')).name, this.#context.signal)]
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
    const [site, { account }] = await Promise.all([this.#site(spec), this.#api.caller()])
    const endpoint = this.#context.env['AWS_ENDPOINT_URL_AUTO_SCALING'] ?? this.#context.env['AWS_ENDPOINT_URL']
    return blueprintOf(this.#api, { spec, settings: this.#settings, site, account, ...(endpoint && { endpoint }) }, this.#context.signal)
  }

  async leftovers(of: Reference): Promise<Resource[][]> {
    return leftoversOf(this.#api, of)
  }

  /** Up: the maximum stays as it is, so that whoever has stopped the group (0 at most) wins over a creator that comes late. */
  async scale(of: Reference, count: number): Promise<void> {
    const name = groupName(of)
    if (count === 0) return this.#stop(name)
    this.#context.signal.throwIfAborted()
    if (this.#unsure.has(name) && (await this.#hasGrown(name))) return
    this.#unsure.add(name)
    await this.#api.call(`scale group ${name} to ${count}`, () =>
      this.#api.autoScaling.send(
        new SetDesiredCapacityCommand({ AutoScalingGroupName: name, DesiredCapacity: count, HonorCooldown: false }),
      ),
    )
    this.#unsure.delete(name)
  }

  async #stop(name: string): Promise<void> {
    const nothing = { AutoScalingGroupName: name, MinSize: 0, MaxSize: 0, DesiredCapacity: 0 }
    await this.#api.call(`scale group ${name} to 0`, async () => {
      try {
        await this.#api.autoScaling.send(new UpdateAutoScalingGroupCommand(nothing))
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    })
  }

  /** The call did arrive, and machines may have left since: asking again would bring them back. */
  async #hasGrown(name: string): Promise<boolean> {
    const group = await describeGroup(this.#api, name)
    if (!group) throw new RemoteError(`aws: group ${name} does not exist`)
    if ((group.DesiredCapacity ?? 0) > 0) return true
    return (await new Watch(this.#api, name).look()).events.length > 0
  }

  async observe(of: Reference): Promise<Observation> {
    const name = groupName(of)
    const watch = this.#watches.get(name) ?? new Watch(this.#api, name)
    this.#watches.set(name, watch)
    return watch.look()
  }

  async list(): Promise<readonly Found[]> {
    const groups: AutoScalingGroup[] = []
    let token: string | undefined
    do {
      const asked = { Filters: [{ Name: 'tag-key', Values: [TAG.id] }], MaxRecords: 100, ...(token !== undefined && { NextToken: token }) }
      const page = await this.#api.call('look for groups', () => this.#api.autoScaling.send(new DescribeAutoScalingGroupsCommand(asked)))
      groups.push(...(page.AutoScalingGroups ?? []))
      token = page.NextToken || undefined
    } while (token !== undefined)
    return groups.flatMap((group): Found[] => {
      const tags = tagsOf(Object.fromEntries((group.Tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value])))
      // Its name says the same, and nobody but its maker can have given it.
      if (!tags || group.AutoScalingGroupName !== groupName(tags)) return []
      const up = (group.DesiredCapacity ?? 0) > 0 || (group.Instances ?? []).length > 0
      return [{ tags, phase: up ? 'up' : 'stopped' }]
    })
  }

  async price(of: Reference): Promise<number | undefined> {
    const group = await describeGroup(this.#api, groupName(of))
    return group && spotPrice(this.#api, group, this.#context.clock.date())
  }

  /** The vendor has it minutes late, and none of a machine that was only just started. */
  async unheard(_of: Reference, machine: string): Promise<string> {
    const tried = `read the console of ${machine}`
    const ask = async (more: object) => this.#api.ec2.send(new GetConsoleOutputCommand({ InstanceId: machine, ...more }))
    // Machines of the old kind (Xen) have no latest one, only that of their start.
    const latest = await this.#api.unless(/^UnsupportedOperation$/, tried, async () => ask({ Latest: true }))
    const said = latest ?? (await this.#api.call(tried, async () => ask({})))
    const text = Buffer.from(said.Output ?? '', 'base64')
      .toString('utf8')
      .trim()
    return text === '' ? 'its console says nothing yet' : `its console ends: ${text.slice(-CONSOLE)}`
  }

  async doctor(wish: MachineWish, store: 'own' | 'given'): Promise<readonly Check[]> {
    return examine(this.#api, this.#settings, wish, store)
  }

  async #site(wish: MachineWish): Promise<Site> {
    const key = JSON.stringify([wish.size, wish.image])
    const known = this.#sites.get(key) ?? siteOf(this.#api, this.#settings, wish)
    this.#sites.set(key, known)
    known.catch(() => this.#sites.delete(key))
    return known
  }
}
