/**
 * Flexible scale sets, answered from the simulation of groups. The rules are those of
 * https://learn.microsoft.com/rest/api/compute/virtual-machine-scale-sets (each operation's page), of .../virtual-machine-scale-sets/use-spot
 * (eviction policy Delete: the capacity falls with each machine that is evicted), and of .../virtual-machine-scale-sets/instance-mix-overview
 * (several sizes). A set that cannot get what was requested does not try again by itself: its capacity becomes the number of machines that it has
 * (not documented; `keepsCapacity` is the other reading).
 */
import { randomUUID } from 'node:crypto'
import type { Group } from '../vm/simulation/group.ts'
import type { Choice } from '../vm/simulation/types.ts'
import type { World } from '../vm/simulation/world.ts'
import type { Activity } from './activity.ts'
import { cores, image, REGIONS, sizeNamed } from './catalogue.ts'
import { ArmFault, invalid } from './fault.ts'
import type { Instances } from './instances.ts'
import { record, textOf } from './method.ts'
import type { Kept, Resources } from './resources.ts'
import type { Fields } from './tables.ts'
import { type Dryness, familyOf, faultOf, quotaFault } from './words.ts'

/** https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-orchestration-modes */
const MOST = 1000
/** In characters of base64: 64 KB (https://learn.microsoft.com/azure/virtual-machines/custom-data). */
const MOST_DATA = 87_380

const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as readonly Fields[]) : [])

export class ScaleSet {
  readonly kept: Kept
  readonly unique = randomUUID()
  readonly customData: string
  /** Set once the simulation has the group. */
  machines: Group | undefined
  /** Why the last change of its size failed. */
  failed: ArmFault | undefined

  constructor(kept: Kept, customData: string) {
    this.kept = kept
    this.customData = customData
  }

  get id(): string {
    return this.kept.id
  }
  get name(): string {
    return this.kept.name
  }
  get group(): string {
    return this.kept.group
  }
  get groupPath(): string {
    return this.kept.id.replace(/\/providers\/.*$/, '')
  }
  get fields(): Fields {
    return this.kept.fields
  }
  get region(): string {
    return String(this.fields['location']).toLowerCase()
  }
  get tags(): Fields {
    return record(this.fields['tags'])
  }
  get profile(): Fields {
    return record(record(this.fields['properties'])['virtualMachineProfile'])
  }
  get interfaces(): readonly Fields[] {
    return list(record(this.profile['networkProfile'])['networkInterfaceConfigurations'])
  }
  get capacity(): number {
    return this.machines?.sizes.wanted ?? 0
  }
  /** All wanted machines are up, or no more will come. */
  get settled(): boolean {
    const { machines } = this
    if (!machines) return true
    const staying = machines.machines.filter(({ state }) => state !== 'ending')
    const there = staying.length === machines.sizes.wanted && staying.every(({ state }) => state === 'up')
    return there || machines.gaveUp !== undefined
  }
}

export class Sets {
  /** The error code for a lack of room. */
  dryness: Dryness = 'AllocationFailed'
  /** Whether a set keeps a capacity that it could not get. */
  keepsCapacity = false
  /** Quotas of size families, by name. */
  readonly families = new Map<string, number>()
  readonly #world: () => World
  readonly #resources: Resources
  readonly #instances: Instances
  readonly #activity: () => Activity
  readonly #all = new Map<string, ScaleSet>()

  constructor(world: () => World, resources: Resources, instances: Instances, activity: () => Activity) {
    this.#world = world
    this.#resources = resources
    this.#instances = instances
    this.#activity = activity
  }

  of(kept: Kept): ScaleSet {
    const found = this.#all.get(kept.id.toLowerCase())
    if (!found) throw new Error(`the lab has no set ${kept.id}`)
    return found
  }

  all(): readonly ScaleSet[] {
    return [...this.#all.values()].filter(({ kept }) => this.#resources.find(kept.id) === kept)
  }

  find(id: string): ScaleSet | undefined {
    return this.all().find((one) => one.id.toLowerCase() === id.toLowerCase())
  }

  put(id: string, group: string, body: Fields, busy: number): { set: ScaleSet; made: boolean } {
    const before = this.#resources.find(id)
    if (before && record(body['properties'])['virtualMachineProfile'] === undefined) return this.#resized(this.of(before), body)
    const request = this.#checked(body)
    const profile = record(record(body['properties'])['virtualMachineProfile'])
    const customData = textOf(record(profile['osProfile'])['customData'])
    sameKeys(before?.fields, body)
    const { kept, made } = this.#resources.put({ id, type: 'Microsoft.Compute/virtualMachineScaleSets', group, fields: body, busy })
    const capacity = Number(record(body['sku'])['capacity'] ?? 0)
    if (!made) {
      const set = this.of(kept)
      this.resize(set, capacity)
      return { set, made }
    }
    const set = new ScaleSet(kept, customData)
    this.#all.set(id.toLowerCase(), set)
    const name = `${group}/${kept.name}`.toLowerCase()
    const wanted = { name, min: 0, wanted: 0, max: MOST, ...request, onLoss: 'shrink' as const, keepsOff: true, template: set }
    set.machines = this.#world().create(set.region, wanted, 'the set was made')
    this.resize(set, capacity)
    return { set, made }
  }

  /** `az vmss scale` puts a set without the profile of its machines (azure-cli, `scale_vmss`), which then stays as it was. */
  #resized(set: ScaleSet, { sku, tags }: { sku?: Fields; tags?: Fields }): { set: ScaleSet; made: boolean } {
    this.change(set, { ...(sku && { sku }), ...(tags && { tags }) })
    return { set, made: false }
  }

  /** Changes tags and size; everything else of a set is fixed. */
  change(set: ScaleSet, { sku, tags, properties }: { sku?: Fields; tags?: Fields; properties?: Fields }): void {
    if (properties !== undefined) throw new Error('the lab changes tags and sizes of sets alone')
    const capacity = sku?.['capacity']
    // The vendor's clients send the whole SKU (azure-cli, terraform-provider-azurerm), and no document says that a part is enough.
    if (sku && sku['name'] === undefined) throw invalid("Required parameter 'sku.name' is missing (null).", 'sku.name')
    set.kept.fields = {
      ...set.fields,
      ...(tags && { tags }),
      ...(sku && { sku: { ...record(set.fields['sku']), ...sku } }),
    }
    if (capacity !== undefined) this.resize(set, Number(capacity))
  }

  resize(set: ScaleSet, capacity: number): void {
    const { machines } = set
    if (!machines || machines.leaving)
      throw new ArmFault(409, 'OperationNotAllowed', `Operation is not allowed on ${set.name} since it is marked for deletion.`)
    if (!(Number.isInteger(capacity) && capacity >= 0 && capacity <= MOST))
      throw invalid(`The capacity must be between 0 and ${MOST}.`, 'sku.capacity')
    this.#withinQuota(set, capacity)
    set.failed = undefined
    const before = machines.activities.length
    machines.resize({ wanted: capacity }, 'it was resized')
    this.#follow(set, before)
  }

  /** Checked before anything is made, for the whole capacity. */
  #withinQuota(set: ScaleSet, capacity: number): void {
    const { machines, region } = set
    if (!machines) return
    const world = this.#world()
    const market = machines.request.onDemand.share > 0 ? 'on-demand' : 'spot'
    const type = machines.request.choices[0]?.type ?? ''
    const more = Math.max(0, capacity - machines.machines.filter(({ state }) => state !== 'ending').length) * cores(type)
    if (more === 0) return
    const used = world.cores(region, market)
    const limit = world.supply.quota(region, market)
    if (used + more > limit) throw quotaFault(region, market === 'spot' ? 'LowPriorityCores' : 'Total Regional Cores', limit, used, more)
    const family = this.families.get(familyOf(type))
    if (market === 'on-demand' && family !== undefined && used + more > family) throw quotaFault(region, familyOf(type), family, used, more)
  }

  /** The first machine that cannot start ends the change. */
  #follow(set: ScaleSet, before: number): void {
    const { machines } = set
    if (!machines) return
    const look = (): void => {
      if (machines.gaveUp !== undefined && set.failed === undefined) this.#fails(set, before)
      else if (!set.settled && !machines.leaving) this.#world().clock.at(this.#world().clock.now() + 5, look)
    }
    look()
  }

  #fails(set: ScaleSet, before: number): void {
    const { machines } = set
    const reason = machines?.activities.slice(before).findLast(({ reason: one }) => one)?.reason
    if (!machines || !reason) return
    set.failed = faultOf(reason, machines, this.dryness)
    this.#activity().note({
      operation: 'Microsoft.Compute/virtualMachineScaleSets/write',
      id: set.id,
      status: 'Failed',
      error: set.failed.error,
    })
    if (!this.keepsCapacity)
      machines.sizes = { ...machines.sizes, wanted: machines.machines.filter(({ state }) => state !== 'ending').length }
  }

  /**
   * Removes members by name, and lowers the set's capacity for each; a machine that was detached is like any other machine:
   * https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-attach-detach-vm
   */
  removeMembers(set: ScaleSet, names: readonly string[]): void {
    for (const name of names) {
      const machine = this.#instances.named(set.group, name)?.machine
      if (!machine || machine.state === 'ending') continue
      if (machine.group === undefined) this.#world().terminate(machine)
      else set.machines?.leave(machine, 'smaller', 'it was deleted')
    }
  }

  leaves(kept: Kept): void {
    const { machines } = this.of(kept)
    if (machines) this.#world().remove(machines, true)
  }

  gone(kept: Kept): boolean {
    const set = this.of(kept)
    const world = this.#world()
    const group = set.machines
    const members = new Set(
      [...world.fleet.machines.values()].filter((one) => this.#instances.byId(one.id)?.set === set).map(({ id }) => id),
    )
    const parts = [...world.fleet.parts.values()].some(({ machine, goesWithIt }) => goesWithIt && members.has(machine))
    return !parts && (!group || world.find(group.region, group.name) !== group)
  }

  fields(set: ScaleSet): Fields {
    const { kept, fields, failed } = set
    const { virtualMachineProfile: _, ...properties } = record(fields['properties'])
    const { osProfile, ...profile } = set.profile
    const { customData: __, ...os } = record(osProfile)
    const state = this.#resources.state(kept)
    const shown = state !== 'Succeeded' ? state : failed ? 'Failed' : set.settled ? 'Succeeded' : 'Updating'
    return {
      id: set.id,
      name: set.name,
      type: kept.type,
      ...fields,
      sku: { ...record(fields['sku']), capacity: set.capacity },
      properties: {
        ...properties,
        uniqueId: set.unique,
        timeCreated: new Date(kept.bornAt).toISOString(),
        provisioningState: shown,
        virtualMachineProfile: {
          ...profile,
          osProfile: { ...os, allowExtensionOperations: true, requireGuestProvisionSignal: true },
          timeCreated: new Date(kept.bornAt).toISOString(),
        },
      },
    }
  }

  #checked(body: Fields): Pick<Parameters<World['create']>[1], 'places' | 'choices' | 'onDemand'> {
    const region = String(body['location']).toLowerCase()
    const zones = REGIONS[region]
    if (!zones)
      throw new ArmFault(
        400,
        'LocationNotAvailableForResourceType',
        `The provided location '${region}' is not available for resource type 'Microsoft.Compute/virtualMachineScaleSets'.`,
      )
    const properties = record(body['properties'])
    const profile = record(properties['virtualMachineProfile'])
    this.#checkedMode(properties, profile)
    this.#checkedParts(profile, region)
    const wanted = (body['zones'] ?? []) as readonly string[]
    const wrong = wanted.find((zone) => !zones.includes(zone))
    if (wrong !== undefined)
      throw new ArmFault(400, 'InvalidAvailabilityZone', `The zone(s) '${wrong}' for resource is not supported in location '${region}'.`)
    return {
      places: (wanted.length > 0 ? wanted : ['']).map((zone) => ({ zone, id: zone })),
      choices: choicesOf(body, properties, profile),
      onDemand: { base: 0, share: profile['priority'] === 'Spot' ? 0 : 1 },
    }
  }

  #checkedMode(properties: Fields, profile: Fields): void {
    if (properties['orchestrationMode'] !== 'Flexible') throw new Error('the lab knows Flexible sets alone')
    if (properties['singlePlacementGroup'] === true)
      throw invalid(
        'Virtual Machine Scale Sets with Flexible orchestration cannot have singlePlacementGroup set to true.',
        'singlePlacementGroup',
      )
    if (properties['platformFaultDomainCount'] === undefined)
      throw new ArmFault(400, 'InvalidParameter', "Required parameter 'platformFaultDomainCount' is missing (null).", {
        target: 'platformFaultDomainCount',
      })
    const network = record(profile['networkProfile'])
    if (this.#hasInterfaces(network) && textOf(network['networkApiVersion']) < '2020-11-01')
      throw invalid(
        'networkProfile.networkApiVersion must be 2020-11-01 or later for a Virtual Machine Scale Set with Flexible orchestration.',
        'networkApiVersion',
      )
    if (profile['evictionPolicy'] !== undefined && profile['priority'] !== 'Spot')
      throw invalid('Eviction policy can be set only on Azure Spot Virtual Machines.', 'evictionPolicy')
    const policy = profile['evictionPolicy']
    if (profile['priority'] === 'Spot' && policy !== 'Delete') throw new Error('the lab knows Spot sets alone that delete what is evicted')
  }

  #hasInterfaces(network: Fields): boolean {
    return list(network['networkInterfaceConfigurations']).length > 0
  }

  #checkedParts(profile: Fields, region: string): void {
    const os = record(profile['osProfile'])
    const data = textOf(os['customData'])
    if (data.length > MOST_DATA || Buffer.from(data, 'base64').toString('base64') !== data)
      throw invalid(
        `Custom data in OSProfile must be in Base64 encoding and with a maximum length of ${MOST_DATA} characters.`,
        'customData',
      )
    const reference = record(record(profile['storageProfile'])['imageReference'])
    const { publisher, offer, sku, version } = reference as Readonly<Record<string, string | undefined>>
    const found = publisher && image(publisher, offer ?? '', sku ?? '')
    if (publisher && !(found && (version === 'latest' || found.versions.includes(version ?? ''))))
      throw new ArmFault(
        404,
        'PlatformImageNotFound',
        `The platform image '${[publisher, offer, sku, version].join(':')}' is not available. Verify that all fields in the storage profile are correct.`,
        { target: 'imageReference' },
      )
    const interfaces = list(record(profile['networkProfile'])['networkInterfaceConfigurations']).map((one) => record(one['properties']))
    const links = interfaces.flatMap((one) => [
      record(one['networkSecurityGroup'])['id'],
      ...list(one['ipConfigurations']).map((ip) => record(record(ip['properties'])['subnet'])['id']),
    ])
    for (const link of links) if (link !== undefined) this.#refers(textOf(link), region)
  }

  /** https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-not-found */
  #refers(id: string, region: string): void {
    const whole = id.replace(/\/subnets\/[^/]+$/i, '')
    const found = this.#resources.find(whole)
    const subnet = /\/subnets\/([^/]+)$/i.exec(id)?.[1]
    const subnets = list(record(found?.fields['properties'])['subnets'])
    if (!found || (subnet !== undefined && !subnets.some((one) => String(one['name']).toLowerCase() === subnet.toLowerCase())))
      throw new ArmFault(
        400,
        'InvalidResourceReference',
        `Resource ${id} referenced by resource was not found. Please make sure that the referenced resource exists, and that both resources are in the same region.`,
      )
    if (String(found.fields['location']).toLowerCase() !== region)
      throw new ArmFault(400, 'InvalidResourceReference', `Resource ${id} referenced by resource is not in the region ${region}.`)
  }
}

const keysOf = (fields: Fields): string => {
  const profile = record(record(fields['properties'])['virtualMachineProfile'])
  return JSON.stringify(record(record(record(profile['osProfile'])['linuxConfiguration'])['ssh'])['publicKeys'] ?? [])
}

/** https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-upgrade-scale-set: SSH keys are set once. */
function sameKeys(before: Fields | undefined, after: Fields): void {
  if (before && keysOf(before) !== keysOf(after))
    throw new ArmFault(409, 'PropertyChangeNotAllowed', "Changing property 'linuxConfiguration.ssh.publicKeys' is not allowed.", {
      target: 'linuxConfiguration.ssh.publicKeys',
    })
}

function choicesOf(body: Fields, properties: Fields, profile: Fields): readonly Choice[] {
  const sku = record(body['sku'])
  const mix = record(properties['skuProfile'])
  const sizes = list(mix['vmSizes']).map((one) => String(one['name']))
  if ((sku['name'] === 'Mix') !== sizes.length > 0)
    throw invalid("The sku name must be 'Mix' if, and only if, a skuProfile is given.", 'sku.name')
  if (sizes.length > 5) throw invalid('At most 5 VM sizes may be given in skuProfile.', 'skuProfile.vmSizes')
  const names = sizes.length > 0 ? sizes : [String(sku['name'])]
  if (new Set(names.map((name) => (sizeNamed(name)?.local ?? 0) > 0)).size > 1)
    throw invalid('All VM sizes in skuProfile must have the same local disk configuration.', 'skuProfile.vmSizes')
  const price = Number(record(profile['billingProfile'])['maxPrice'] ?? -1)
  const spot = profile['priority'] === 'Spot'
  return names.map((name, rank) => {
    const size = sizeNamed(name)
    if (!size)
      throw new ArmFault(
        400,
        'InvalidParameter',
        `The value ${name} provided for the VM size is not valid. The valid sizes in the current region are listed at https://aka.ms/azure-regions.`,
        { target: 'vmSize' },
      )
    // https://learn.microsoft.com/azure/virtual-machines/error-codes-spot
    if (spot && size.regular)
      throw new ArmFault(
        400,
        'AzureSpotIsNotSupportedForThisVMSize',
        `Azure Spot Virtual Machine is not supported for this VM size ${name}.`,
      )
    const ranks = mix['allocationStrategy'] === 'Prioritized' ? { rank: Number(list(mix['vmSizes'])[rank]?.['rank'] ?? rank) } : {}
    return { type: size.name, ...(spot && price > 0 && { maxPrice: price }), ...ranks }
  })
}
