/**
 * One managed group and its members, as the vendor shows them. A repaired member keeps its name; one that cannot be made is still listed, with the
 * error of the last try (https://cloud.google.com/compute/docs/instance-groups/about-repair,
 * https://cloud.google.com/compute/docs/reference/rest/v1/regionInstanceGroupManagers/listManagedInstances).
 */
import { randomInt } from 'node:crypto'
import type { Group } from '../vm/simulation/group.ts'
import type { Activity } from '../vm/simulation/types.ts'
import { linkTo, NUMBER, PROJECT } from './catalogue.ts'
import { type Fields, textOf } from './discovery.ts'
import type { Instance, Instances } from './instances.ts'
import type { Template } from './templates.ts'
import { errorOf } from './words.ts'

export class Managed {
  readonly id: string
  readonly region: string
  readonly name: string
  readonly fields: Fields
  readonly template: Template
  readonly bornAt: number
  readonly readyAt: number
  /** How many more calls do not find it. */
  young: number
  /** Set once the simulation has the group. */
  group: Group | undefined
  /** Names of members that do not exist yet, those to be repaired first. */
  readonly #waiting: string[] = []
  readonly #repaired = new Set<string>()

  constructor(made: { id: string; region: string; fields: Fields; template: Template; bornAt: number; takes: number; young: number }) {
    this.id = made.id
    this.region = made.region
    this.fields = made.fields
    this.name = String(made.fields['name'])
    this.template = made.template
    this.bornAt = made.bornAt
    this.readyAt = made.bornAt + made.takes
    this.young = made.young
  }

  get path(): string {
    return `projects/${PROJECT}/regions/${this.region}/instanceGroupManagers/${this.name}`
  }

  get size(): number {
    return this.group?.sizes.wanted ?? Number(this.fields['targetSize'] ?? 0)
  }

  /** The base name and four more characters, like the vendor's names. */
  #newName(): string {
    const letters = 'bcdfghjklmnpqrstvwxz0123456789'
    return `${textOf(this.fields, 'baseInstanceName', this.name)}-${Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')}`
  }

  nextName(): string {
    this.#fill()
    return this.#waiting.shift() ?? this.#newName()
  }

  /** The next member that is made is this one again. */
  repair(name: string): void {
    this.#waiting.unshift(name)
    this.#repaired.add(name)
  }

  isRepairOf(name: string): boolean {
    return this.#repaired.has(name)
  }

  waitsFor(name: string): boolean {
    this.#fill()
    return this.#waiting.includes(name)
  }

  #fill(): void {
    const { group } = this
    if (!group) return
    const open = group.leaving ? 0 : Math.max(0, group.sizes.wanted - group.machines.filter(({ state }) => state !== 'ending').length)
    while (this.#waiting.length > open) this.#waiting.pop()
    while (this.#waiting.length < open) this.#waiting.push(this.#newName())
  }

  members(instances: Instances): readonly Fields[] {
    this.#fill()
    const there = instances.of(this)
    const names = new Set(there.map(({ name }) => name))
    const failed = this.group?.activities.findLast(({ kind }) => kind === 'launch')
    return [
      ...there.map((one) => this.#member(one, instances.statusOf(one))),
      ...this.#waiting.filter((name) => !names.has(name)).map((name) => this.#missing(name, failed)),
    ]
  }

  #member(one: Instance, status: string | undefined): Fields {
    const { machine, template } = one
    const { terminationTime } = template.scheduling
    return {
      instance: linkTo(one.path),
      name: one.name,
      id: one.number,
      instanceStatus: status,
      currentAction: this.#action(one, status),
      version: { instanceTemplate: linkTo(template.path) },
      ...(machine && { propertiesFromFlexibilityPolicy: { machineType: machine.type } }),
      ...(terminationTime !== undefined && { scheduling: { terminationTimestamp: new Date(terminationTime).toISOString() } }),
    }
  }

  #action({ machine, name }: Instance, status: string | undefined): string {
    if (!machine || machine.state === 'starting') return this.#repaired.has(name) ? 'RECREATING' : 'CREATING'
    if (status === 'TERMINATED') return 'RECREATING'
    if (machine.state === 'up') return 'NONE'
    if (this.waitsFor(name)) return machine.healthy ? 'NONE' : 'RECREATING'
    return 'DELETING'
  }

  #missing(name: string, failed: Activity | undefined): Fields {
    const { reason } = failed ?? {}
    const zone = reason?.zone || (this.group?.request.places[0]?.zone ?? '')
    return {
      instance: linkTo(`projects/${PROJECT}/zones/${zone}/instances/${name}`),
      name,
      currentAction: this.#repaired.has(name) ? 'RECREATING' : 'CREATING',
      version: { instanceTemplate: linkTo(this.template.path) },
      ...(reason && this.group && { lastAttempt: { errors: { errors: [errorOf(reason, this.group)] } } }),
    }
  }

  errors(): readonly Fields[] {
    const { group } = this
    if (!group) return []
    return group.activities.flatMap(({ reason, endedAt, at }) =>
      reason
        ? [
            {
              timestamp: new Date(endedAt ?? at).toISOString(),
              error: errorOf(reason, group),
              instanceActionDetails: {
                action: 'CREATING',
                instance: linkTo(`projects/${PROJECT}/zones/${reason.zone}/instances/${this.#waiting[0] ?? this.name}`),
                version: { instanceTemplate: linkTo(this.template.path) },
              },
            },
          ]
        : [],
    )
  }

  /** `created-by` in its members' metadata names the project by its number. */
  get creator(): string {
    return `projects/${NUMBER}/regions/${this.region}/instanceGroupManagers/${this.name}`
  }
}
