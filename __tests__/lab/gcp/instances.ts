/**
 * Machines of the simulation as instances of Compute: their names, their life cycle
 * (https://cloud.google.com/compute/docs/instances/instance-lifecycle), what happens to them at a preemption
 * (https://cloud.google.com/compute/docs/instances/spot#preemption) and at their time limit
 * (https://cloud.google.com/compute/docs/instance-groups/limit-vm-runtime-in-migs), and the operations that report it.
 */
import { LaunchFailure } from '../vm/simulation/group.ts'
import type { Machine, Made, Maker, Order } from '../vm/simulation/types.ts'
import type { World } from '../vm/simulation/world.ts'
import { linkTo, PROJECT, subnetwork } from './catalogue.ts'
import type { Fields } from './discovery.ts'
import type { Managed } from './managed.ts'
import type { Operations } from './operations.ts'
import { fingerprint, type Template } from './templates.ts'

export interface Instance {
  readonly name: string
  /** The number that is shown: the simulation has its own, for repaired machines that keep their number. */
  readonly number: string
  readonly zone: string
  readonly path: string
  readonly address: string
  readonly manager: Managed
  readonly template: Template
  readonly createdAt: number
  readonly startedAt: number
  /** Absent only while it is being made. */
  machine: Machine | undefined
}

/** The operation that reports a machine's end that nobody requested. */
const ENDS = {
  reclaimed: { type: 'compute.instances.preempted', said: 'Instance was preempted.' },
  'powered-off': { type: 'compute.instances.guestTerminate', said: 'Instance terminated by guest OS shutdown.' },
  died: { type: 'compute.instances.hostError', said: 'Instance terminated by Compute Engine.' },
} as const

export class Instances implements Maker {
  /**
   * No document says what happens to the wanted size when a time limit ends a machine. `shrink`: it falls by one. `refill`: the group keeps trying,
   * in vain, because nothing can be made past its termination time.
   */
  atDeadline: 'shrink' | 'refill' = 'shrink'
  /** Repaired machines have been seen both with their old number and with a new one. */
  repairKeepsNumber = false
  /** Why no machine can be launched now: `CODE: sentence`. */
  mayLaunch: (order: Order, template: Template) => string | undefined = () => undefined
  readonly #world: () => World
  readonly #operations: () => Operations
  readonly #all = new Map<string, Instance>()
  /** Deleted directly, not through their group. */
  readonly #deleted = new Set<string>()
  #count = 0

  constructor(world: () => World, operations: () => Operations) {
    this.#world = world
    this.#operations = operations
  }

  async make(order: Order): Promise<Made> {
    const manager = order.template as Managed
    const { template } = manager
    const now = this.#world().clock.now()
    const { terminationTime } = template.scheduling
    if (terminationTime !== undefined && terminationTime <= now)
      throw new LaunchFailure('invalid', "Invalid value for field 'resource.scheduling.terminationTime': It must be in the future.")
    const refused = this.mayLaunch(order, template)
    if (refused !== undefined) throw new LaunchFailure('denied', refused)
    const name = manager.nextName()
    const id = this.#operations().number()
    const before = this.named(order.place.zone, name) ?? [...this.#all.values()].findLast((one) => one.name === name)
    const kept = this.repairKeepsNumber && before?.machine?.cause !== 'reclaimed' ? before : undefined
    const at = ++this.#count
    this.#all.set(id, {
      name,
      number: kept?.number ?? id,
      zone: order.place.zone,
      path: `projects/${PROJECT}/zones/${order.place.zone}/instances/${name}`,
      address: `10.128.${at >> 8}.${(at & 255) + 2}`,
      manager,
      template,
      createdAt: kept?.createdAt ?? now,
      startedAt: now,
      machine: undefined,
    })
    const external = ((template.properties['networkInterfaces'] ?? []) as readonly Fields[]).some(
      (one) => one['accessConfigs'] !== undefined,
    )
    const disks = (template.properties['disks'] ?? []) as readonly Fields[]
    return {
      id,
      parts: [
        { kind: 'interface', id: `nic-${id}`, goesWithIt: true },
        ...disks.map((disk, index) => ({ kind: 'disk' as const, id: `${name}-${id}-${index}`, goesWithIt: disk['autoDelete'] === true })),
        ...(external ? [{ kind: 'address' as const, id: `address-${id}`, goesWithIt: true }] : []),
      ],
    }
  }

  changed(machine: Machine): void {
    const one = this.#all.get(machine.id)
    if (!one) return
    const first = one.machine === undefined
    one.machine = machine
    if (first) this.#born(one, machine)
    if (machine.state === 'ending') this.#ends(one, machine)
  }

  #born(one: Instance, machine: Machine): void {
    const repaired = one.manager.isRepairOf(one.name)
    const reason = `Instance Group Manager '${one.manager.creator}' initiated recreateInstance on instance '${one.path}'. Reason: Instance eligible for autohealing: instance should be RUNNING, but is STOPPING.`
    this.#tell(one, repaired ? 'compute.instances.repair.recreateInstance' : 'insert', repaired ? reason : undefined)
    const { terminationTime, maxRun } = one.template.scheduling
    const { clock } = this.#world()
    const end = terminationTime ?? (maxRun === undefined ? undefined : clock.now() + maxRun)
    if (end !== undefined) clock.at(end, () => this.#timeIsUp(machine))
  }

  #timeIsUp(machine: Machine): void {
    const world = this.#world()
    const group = world.groupOf(machine)
    if (!group || machine.state === 'ending' || machine.state === 'gone') return
    if (this.atDeadline === 'refill') {
      this.#deleted.add(machine.id)
      world.terminate(machine)
    } else group.leave(machine, 'smaller', 'its time limit')
  }

  #ends(one: Instance, machine: Machine): void {
    const { cause } = machine
    const own = cause === undefined || cause === 'requested'
    if (own) this.#tell(one, 'delete')
    else this.#tell(one, ENDS[cause].type, ENDS[cause].said)
    if (!own || this.#deleted.has(machine.id)) one.manager.repair(one.name)
  }

  #tell(one: Instance, type: string, message?: string): void {
    this.#operations().begin({
      scope: `zones/${one.zone}`,
      type,
      target: one.path,
      targetId: one.number,
      user: type === 'insert' || type === 'delete' ? `service-agent@${PROJECT}.iam.gserviceaccount.com` : 'system',
      takes: 0,
      ...(message !== undefined && { message }),
    })
  }

  /** By a direct request, not through its group. */
  remove({ machine }: Instance): void {
    if (!machine || machine.state === 'ending') return
    this.#deleted.add(machine.id)
    this.#world().terminate(machine)
  }

  named(zone: string, name: string): Instance | undefined {
    return [...this.#all.values()].findLast((one) => one.zone === zone && one.name === name && this.statusOf(one) !== undefined)
  }

  byId(id: string): Instance | undefined {
    return this.#all.get(id)
  }

  of(manager: Managed): readonly Instance[] {
    return [...this.#all.values()].filter(
      (one) => one.manager === manager && one.machine?.group !== undefined && this.statusOf(one) !== undefined,
    )
  }

  all(): readonly Instance[] {
    return [...this.#all.values()].filter((one) => this.statusOf(one) !== undefined)
  }

  /** Also those left behind by their machine. */
  disks(zone: string): readonly Fields[] {
    return [...this.#world().fleet.parts.values()].flatMap(({ kind, id, machine }) => {
      const one = this.#all.get(machine)
      if (kind !== 'disk' || one?.zone !== zone) return []
      const { labels } = one.template.properties
      // A boot disk has its machine's name.
      const name = id.replace(`-${machine}-0`, '').replace(`-${machine}-`, '-')
      return [{ kind: 'compute#disk', name, zone: linkTo(`projects/${PROJECT}/zones/${zone}`), status: 'READY', labels }]
    })
  }

  /** `undefined`: it no longer exists. A stopped machine remains until its group has made it again. */
  statusOf(one: Instance): string | undefined {
    const { machine, manager, name, template } = one
    if (!machine) return undefined
    if (machine.state === 'starting') return 'STAGING'
    if (machine.state === 'up') return 'RUNNING'
    if (machine.state === 'ending') return 'STOPPING'
    const stops =
      machine.cause === 'powered-off' || machine.cause === 'died' || (machine.cause === 'reclaimed' && !template.scheduling.deletes)
    const alive = this.#world().find(manager.region, manager.name) === manager.group && manager.group !== undefined
    const later = [...this.#all.values()].some(
      (other) => other !== one && other.name === name && other.startedAt >= one.startedAt && other.machine,
    )
    return stops && alive && !later && manager.waitsFor(name) ? 'TERMINATED' : undefined
  }

  fields(one: Instance): Fields {
    const { name, number, zone, path, address, manager, template, createdAt, startedAt, machine } = one
    const { properties } = template
    const scheduling = (properties['scheduling'] ?? {}) as Fields
    const items = ((properties['metadata'] as Fields | undefined)?.['items'] ?? []) as readonly Fields[]
    const metadata = [...items, { key: 'instance-template', value: template.path }, { key: 'created-by', value: manager.creator }]
    const nets = (properties['networkInterfaces'] ?? []) as readonly Fields[]
    const time = (at: number): string => new Date(at).toISOString().replace('Z', '-00:00')
    return {
      kind: 'compute#instance',
      id: number,
      name,
      creationTimestamp: time(createdAt),
      lastStartTimestamp: time(startedAt),
      status: this.statusOf(one),
      zone: linkTo(`projects/${PROJECT}/zones/${zone}`),
      machineType: linkTo(`projects/${PROJECT}/zones/${zone}/machineTypes/${machine?.type}`),
      labels: properties['labels'],
      tags: properties['tags'] ?? {},
      metadata: { kind: 'compute#metadata', fingerprint: fingerprint(metadata), items: metadata },
      serviceAccounts: properties['serviceAccounts'],
      scheduling: {
        ...scheduling,
        preemptible: template.scheduling.spot,
        provisioningModel: scheduling['provisioningModel'] ?? 'STANDARD',
      },
      networkInterfaces: nets.map((net, at) => ({
        kind: 'compute#networkInterface',
        name: `nic${at}`,
        network: net['network'] ?? linkTo(`projects/${PROJECT}/global/networks/default`),
        subnetwork: net['subnetwork'] ?? subnetwork(PROJECT, manager.region, 'default')['selfLink'],
        networkIP: address,
        ...(net['accessConfigs'] !== undefined && {
          accessConfigs: [
            { kind: 'compute#accessConfig', type: 'ONE_TO_ONE_NAT', name: 'external-nat', natIP: `34.68.0.${(Number(number) % 250) + 1}` },
          ],
        }),
      })),
      disks: [
        {
          kind: 'compute#attachedDisk',
          boot: true,
          autoDelete: true,
          index: 0,
          deviceName: 'boot',
          type: 'PERSISTENT',
          mode: 'READ_WRITE',
        },
      ],
      cpuPlatform: 'Intel Broadwell',
      startRestricted: false,
      deletionProtection: false,
      selfLink: linkTo(path),
    }
  }
}
