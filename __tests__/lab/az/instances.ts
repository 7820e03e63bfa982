/**
 * Machines of the simulation as virtual machines of a Flexible set, with interface, disk and address
 * (https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-orchestration-modes): their names, states
 * (https://learn.microsoft.com/azure/virtual-machines/states-billing) and notices
 * (https://learn.microsoft.com/azure/virtual-machines/linux/scheduled-events).
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { LaunchFailure } from '../vm/simulation/group.ts'
import type { Machine, Made, Maker, Order, Part } from '../vm/simulation/types.ts'
import type { World } from '../vm/simulation/world.ts'
import type { Activity } from './activity.ts'
import type { Kept } from './resources.ts'
import { SUBSCRIPTION } from './resources.ts'
import type { ScaleSet } from './sets.ts'
import type { Fields } from './tables.ts'

export interface Instance {
  /** Also its id in the simulation. */
  readonly name: string
  readonly id: string
  readonly vmId: string
  readonly set: ScaleSet
  /** Its address in the subnet. */
  readonly address: string
  readonly createdAt: number
  readonly customData: string
  /** Absent only while it is being made. */
  machine: Machine | undefined
}

export class Instances implements Maker {
  /** Why no machine can be launched now: `CODE: sentence`. */
  mayLaunch: (order: Order, set: ScaleSet) => string | undefined = () => undefined
  readonly #world: () => World
  readonly #activity: () => Activity
  readonly #all = new Map<string, Instance>()
  #count = 0

  constructor(world: () => World, activity: () => Activity) {
    this.#world = world
    this.#activity = activity
  }

  async make(order: Order): Promise<Made> {
    const set = order.template as ScaleSet
    const refused = this.mayLaunch(order, set)
    if (refused !== undefined) throw new LaunchFailure('denied', refused)
    const name = `${set.name}_${randomBytes(4).toString('hex')}`
    const at = ++this.#count
    this.#all.set(name.toLowerCase(), {
      name,
      id: `${set.groupPath}/providers/Microsoft.Compute/virtualMachines/${name}`,
      vmId: randomUUID(),
      set,
      address: `10.66.${at >> 8}.${(at & 255) + 4}`,
      createdAt: this.#world().clock.now(),
      customData: set.customData,
      machine: undefined,
    })
    return { id: name, parts: partsOf(set, name, this.leavesParts) }
  }

  changed(machine: Machine): void {
    const one = this.#all.get(machine.id.toLowerCase())
    if (!one) return
    one.machine = machine
    if (machine.state !== 'ending') return
    const operation = machine.cause === 'reclaimed' ? 'evictSpotVM/action' : 'delete'
    this.#activity().note({ operation: `Microsoft.Compute/virtualMachines/${operation}`, id: one.id, status: 'Succeeded' })
  }

  byId(id: string): Instance | undefined {
    return this.#all.get(id.toLowerCase())
  }

  named(group: string, name: string): Instance | undefined {
    const found = this.byId(name)
    return found && found.set.group === group.toLowerCase() && isThere(found) ? found : undefined
  }

  all(): readonly Instance[] {
    return [...this.#all.values()].filter(isThere)
  }

  of(set: ScaleSet): readonly Instance[] {
    return this.all().filter((one) => one.set === set)
  }

  /** The parts of machines as resources of their group, also those left behind by their machine. */
  parts(): readonly (Kept & { readonly part?: Part; readonly instance: Instance })[] {
    const kinds = {
      interface: 'Microsoft.Network/networkInterfaces',
      disk: 'Microsoft.Compute/disks',
      address: 'Microsoft.Network/publicIPAddresses',
    }
    const thing = (instance: Instance, type: string, name: string): Kept & { readonly instance: Instance } => {
      const { set, createdAt } = instance
      const id = `${set.groupPath}/providers/${type}/${name}`
      return {
        id,
        type,
        name,
        group: set.group,
        fields: { location: set.region, tags: set.tags },
        bornAt: createdAt,
        readyAt: createdAt,
        instance,
      }
    }
    return [
      ...this.all().map((one) => thing(one, 'Microsoft.Compute/virtualMachines', one.name)),
      ...[...this.#world().fleet.parts.values()].flatMap((part) => {
        const instance = this.byId(part.machine)
        return instance ? [{ ...thing(instance, kinds[part.kind], part.id), part }] : []
      }),
    ]
  }

  /** Parts may be left behind when a machine is removed by force: https://github.com/MicrosoftDocs/azure-docs/issues/117342 */
  leavesParts = false

  /** Removes a part whose machine is gone. `false`: a machine still uses it. */
  removePart(one: { readonly part?: Part; readonly instance: Instance }): boolean {
    if (!one.part || isThere(one.instance)) return false
    this.#world().fleet.parts.delete(one.part.id)
    return true
  }

  sweep(group: string): void {
    const { parts } = this.#world().fleet
    for (const { part, instance } of this.parts()) if (part && instance.set.group === group && !isThere(instance)) parts.delete(part.id)
  }

  /**
   * Notices of all machines of a set, as each machine sees them:
   * https://learn.microsoft.com/azure/virtual-machines/linux/scheduled-events#event-properties. Left out: the first answer, which may take two
   * minutes, and `Started`, which an event becomes at its time, without a `NotBefore`.
   */
  events(set: ScaleSet): readonly Fields[] {
    return this.of(set).flatMap(({ name, vmId, machine }) =>
      machine?.notice
        ? [
            {
              EventId: vmId.toUpperCase(),
              EventType: 'Preempt',
              ResourceType: 'VirtualMachine',
              Resources: [name],
              EventStatus: 'Scheduled',
              NotBefore: new Date(machine.notice.due).toUTCString(),
              Description: 'Virtual machine is being preempted.',
              EventSource: 'Platform',
              DurationInSeconds: -1,
            },
          ]
        : [],
    )
  }

  /** The machine is ready for the event, which takes place now. */
  confirm(eventId: string): void {
    const one = this.all().find(({ vmId }) => vmId.toUpperCase() === eventId.toUpperCase())
    if (one?.machine?.notice) this.#world().lose(one.machine, 'reclaimed')
  }

  fields(one: Instance, view: boolean): Fields {
    const { name, id, vmId, set, createdAt, machine } = one
    const {
      osProfile = {},
      storageProfile,
      securityProfile,
      diagnosticsProfile,
      priority,
      evictionPolicy,
      billingProfile,
    } = set.profile as Readonly<Record<string, Fields | undefined>>
    const { computerNamePrefix: _, customData: __, ...os } = osProfile
    const disk = (storageProfile?.['osDisk'] ?? {}) as Fields
    return {
      id,
      name,
      type: 'Microsoft.Compute/virtualMachines',
      location: set.region,
      tags: set.tags,
      ...(machine && machine.place.zone !== '' && { zones: [machine.place.zone] }),
      ...(set.fields['identity'] !== undefined && { identity: set.fields['identity'] }),
      properties: {
        vmId,
        hardwareProfile: { vmSize: machine?.type },
        provisioningState: stateOf(machine),
        ...(machine?.group !== undefined && { virtualMachineScaleSet: { id: set.id } }),
        priority: priority ?? 'Regular',
        ...(evictionPolicy !== undefined && { evictionPolicy }),
        ...(billingProfile !== undefined && { billingProfile }),
        osProfile: {
          ...os,
          computerName: name.replace('_', '-'),
          secrets: [],
          allowExtensionOperations: true,
          requireGuestProvisionSignal: true,
        },
        storageProfile: {
          imageReference: storageProfile?.['imageReference'],
          osDisk: {
            osType: 'Linux',
            name: `${name}_OsDisk_1`,
            createOption: 'FromImage',
            caching: disk['caching'] ?? 'ReadWrite',
            deleteOption: disk['deleteOption'] ?? 'Delete',
            ...(disk['diskSizeGB'] !== undefined && { diskSizeGB: disk['diskSizeGB'] }),
            managedDisk: {
              ...(disk['managedDisk'] as Fields | undefined),
              id: `${set.groupPath}/providers/Microsoft.Compute/disks/${name}_OsDisk_1`,
            },
          },
          dataDisks: [],
        },
        networkProfile: {
          networkInterfaces: set.interfaces.map((nic, at) => ({
            id: `${set.groupPath}/providers/Microsoft.Network/networkInterfaces/${nicOf(name, at)}`,
            properties: { primary: at === 0, deleteOption: (nic['properties'] as Fields)['deleteOption'] ?? 'Delete' },
          })),
        },
        ...(securityProfile !== undefined && { securityProfile }),
        ...(diagnosticsProfile !== undefined && { diagnosticsProfile }),
        timeCreated: new Date(createdAt).toISOString(),
        ...(view && { instanceView: viewOf(one) }),
      },
    }
  }
}

const nicOf = (name: string, at: number): string => `${name}-nic-${at}`

function isThere({ machine }: Instance): boolean {
  return machine !== undefined && machine.state !== 'gone'
}

function stateOf(machine: Machine | undefined): string {
  if (!machine || machine.state === 'starting') return 'Creating'
  return machine.state === 'up' ? 'Succeeded' : 'Deleting'
}

/** https://learn.microsoft.com/azure/virtual-machines/states-billing */
export function viewOf({ machine, createdAt }: Instance): Fields {
  const state = stateOf(machine)
  const time = new Date(createdAt).toISOString()
  const power = machine?.off
    ? ['stopped', 'VM stopped']
    : machine?.state === 'up'
      ? ['running', 'VM running']
      : machine?.state === 'starting'
        ? ['starting', 'VM starting']
        : ['stopping', 'VM stopping']
  const shown = { Creating: 'creating', Succeeded: 'succeeded', Deleting: 'deleting' }[state] ?? 'creating'
  return {
    hyperVGeneration: 'V2',
    statuses: [
      { code: `ProvisioningState/${shown}`, level: 'Info', displayStatus: shown === 'succeeded' ? 'Provisioning succeeded' : shown, time },
      { code: `PowerState/${power[0]}`, level: 'Info', displayStatus: power[1] },
    ],
  }
}

/** Parts that are not marked `Delete` stay when their machine goes: https://learn.microsoft.com/azure/virtual-machines/delete */
function partsOf(set: ScaleSet, name: string, leaves: boolean): Made['parts'] {
  const said = (option: unknown): boolean => option === undefined || option === 'Delete'
  const goes = (option: unknown): boolean => !leaves && said(option)
  const disk = ((set.profile['storageProfile'] as Fields | undefined)?.['osDisk'] ?? {}) as Fields
  return [
    { kind: 'disk', id: `${name}_OsDisk_1`, goesWithIt: goes(disk['deleteOption']) },
    ...set.interfaces.flatMap((nic, at): Made['parts'] => {
      const properties = nic['properties'] as Fields
      const configurations = (properties['ipConfigurations'] ?? []) as readonly Fields[]
      const addresses = configurations.flatMap((one) => {
        const own = (one['properties'] as Fields | undefined)?.['publicIPAddressConfiguration'] as Fields | undefined
        return own ? [own] : []
      })
      return [
        { kind: 'interface', id: nicOf(name, at), goesWithIt: goes(properties['deleteOption']) },
        ...addresses.map((own, index) => ({
          kind: 'address' as const,
          id: `${name}-ip-${at}-${index}`,
          goesWithIt: goes((own['properties'] as Fields | undefined)?.['deleteOption']),
        })),
      ]
    }),
  ]
}

export const idOf = (group: string, path: string): string => `/subscriptions/${SUBSCRIPTION}/resourceGroups/${group}/providers/${path}`
