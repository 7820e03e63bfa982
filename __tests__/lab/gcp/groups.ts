/**
 * Regional managed groups, answered from the simulation of groups. The rules are those of
 * https://cloud.google.com/compute/docs/reference/rest/v1/regionInstanceGroupManagers (each method's page), of
 * https://cloud.google.com/compute/docs/instance-groups/regional-mig-distribution-shape (shapes and redistribution) and of
 * https://cloud.google.com/compute/docs/instance-groups/about-instance-flexibility (several types).
 */
import type { Choice } from '../vm/simulation/types.ts'
import type { World } from '../vm/simulation/world.ts'
import { linkTo, machineTypes, PROJECT, ZONES } from './catalogue.ts'
import { type Fields, textOf } from './discovery.ts'
import { exists, invalidField, notFound, notReady } from './fault.ts'
import type { Instance, Instances } from './instances.ts'
import { Managed } from './managed.ts'
import { fingerprint, type Template, type Templates } from './templates.ts'

/** https://docs.cloud.google.com/compute/docs/reference/rest/beta/regionInstanceGroupManagers/insert */
const MAX_SIZE = 2000
/** A base name has 1 to 58 characters, which leaves room for a hyphen and four more: `baseInstanceName` in the description of the API. */
const BASE_NAME = /^[a-z](?:[-a-z0-9]{0,56}[a-z0-9])?$/
const SPREADS_BY_ITSELF = new Set(['EVEN'])

export class Groups {
  readonly #world: () => World
  readonly #instances: Instances
  readonly #templates: Templates
  readonly #all = new Map<string, Managed>()

  constructor(world: () => World, instances: Instances, templates: Templates) {
    this.#world = world
    this.#instances = instances
    this.#templates = templates
  }

  insert(region: string, body: Fields, made: { readonly id: string; readonly takes: number; readonly young: number }): Managed {
    const name = textOf(body, 'name')
    const path = `projects/${PROJECT}/regions/${region}/instanceGroupManagers/${name}`
    if (!ZONES[region]) throw notFound(`projects/${PROJECT}/regions/${region}`)
    if (name === '') throw invalidField('resource.name', '', 'Name is required.')
    if (this.#find(region, name)) throw exists(path)
    if (body['targetSize'] === undefined) throw invalidField('resource.targetSize', '', 'Target size is required.')
    const versions = (body['versions'] ?? []) as readonly Fields[]
    const template = this.#templates.linked(textOf(body, 'instanceTemplate') || textOf(versions[0], 'instanceTemplate'))
    const request = requestOf(region, body, template)
    const managed = new Managed({ ...made, region, fields: body, template, bornAt: this.#world().clock.now() })
    managed.group = this.#world().create(region, { name, min: 0, max: MAX_SIZE, ...request, template: managed }, 'the group was made')
    this.#all.set(`${region}/${name}`, managed)
    return managed
  }

  /** For reads; a change is refused while another is in progress. */
  get(region: string, name: string): Managed {
    const found = this.#find(region, name)
    if (!found || !this.#world().find(region, name, true) || found.young-- > 0)
      throw notFound(`projects/${PROJECT}/regions/${region}/instanceGroupManagers/${name}`)
    return found
  }

  changeable(region: string, name: string): Managed {
    const found = this.get(region, name)
    if (found.group?.leaving || this.#world().clock.now() < found.readyAt) throw notReady(found.path)
    return found
  }

  #find(region: string, name: string): Managed | undefined {
    const found = this.#all.get(`${region}/${name}`)
    return found && this.#world().find(region, name) === found.group ? found : undefined
  }

  list(): readonly Managed[] {
    return [...this.#all.values()].filter((one) => this.#find(one.region, one.name) === one)
  }

  resize(managed: Managed, size: number): void {
    if (!(size >= 0 && size <= MAX_SIZE)) throw invalidField('size', size, `Size must be between 0 and ${MAX_SIZE}.`)
    managed.group?.resize({ wanted: size }, 'it was resized')
  }

  /** Accepts links of any length; one of another region's zone, or a malformed one, always fails. */
  named(managed: Managed, links: readonly unknown[]): { readonly found: readonly Instance[]; readonly strangers: readonly string[] } {
    const found: Instance[] = []
    const strangers: string[] = []
    for (const link of links) {
      const [, zone = '', name = ''] = /zones\/([^/]+)\/instances\/([^/]+)$/.exec(String(link)) ?? []
      if (!ZONES[managed.region]?.includes(zone)) throw invalidField('instances', link, 'The URL is malformed, or of another region.')
      const one = this.#instances.named(zone, name)
      const member = one?.manager === managed && one.machine?.group === managed.name
      if (one && member && one.machine?.state !== 'ending') found.push(one)
      else strangers.push(String(link))
    }
    return { found, strangers }
  }

  /** Also lowers the wanted size, in the same step, as the method's page says. */
  removeMembers(managed: Managed, members: readonly Instance[]): void {
    for (const { machine } of members) if (machine) managed.group?.leave(machine, 'smaller', 'it was deleted by its group')
  }

  recreate(managed: Managed, members: readonly Instance[]): void {
    for (const { machine, name } of members) {
      if (!machine) continue
      managed.repair(name)
      managed.group?.leave(machine, 'replace', 'it was recreated by its group')
    }
  }

  remove(managed: Managed): void {
    if (managed.group) this.#world().remove(managed.group, true)
  }

  isGone(managed: Managed): boolean {
    return this.#find(managed.region, managed.name) !== managed
  }

  using(template: Template): Managed | undefined {
    return this.list().find((one) => one.template === template)
  }

  fields(managed: Managed): Fields {
    const { fields, region, path, template, name } = managed
    const members = managed.members(this.#instances)
    const doing = (action: string): number => members.filter(({ currentAction }) => currentAction === action).length
    const shape = (fields['distributionPolicy'] ?? {}) as Fields
    const zones = ((shape['zones'] as readonly Fields[] | undefined) ??
      (ZONES[region] ?? []).map((zone) => ({ zone }))) as readonly Fields[]
    const zone = (link: unknown): string => linkTo(`projects/${PROJECT}/zones/${String(link).split('/').at(-1)}`)
    const actions = [
      'none',
      'creating',
      'creatingWithoutRetries',
      'recreating',
      'deleting',
      'abandoning',
      'restarting',
      'refreshing',
      'verifying',
    ]
    return {
      ...fields,
      kind: 'compute#instanceGroupManager',
      id: managed.id,
      creationTimestamp: new Date(managed.bornAt).toISOString().replace('Z', '-00:00'),
      region: linkTo(`projects/${PROJECT}/regions/${region}`),
      distributionPolicy: { targetShape: shape['targetShape'] ?? 'EVEN', zones: zones.map((one) => ({ zone: zone(one['zone']) })) },
      instanceTemplate: linkTo(template.path),
      versions: [{ instanceTemplate: linkTo(template.path), targetSize: { calculated: managed.size } }],
      instanceGroup: linkTo(`projects/${PROJECT}/regions/${region}/instanceGroups/${name}`),
      baseInstanceName: fields['baseInstanceName'] ?? name,
      targetSize: managed.size,
      currentActions: Object.fromEntries(
        actions.map((action) => [action, doing(action.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase())]),
      ),
      status: {
        isStable: members.every(({ currentAction }) => currentAction === 'NONE'),
        versionTarget: { isReached: true },
        stateful: { hasStatefulConfig: false },
      },
      fingerprint: fingerprint([managed.id, managed.size]),
      listManagedInstancesResults: fields['listManagedInstancesResults'] ?? 'PAGELESS',
      selfLink: linkTo(path),
    }
  }

  /** Members never leave their group while they run: the lab does not need that. */
  members(managed: Managed): readonly Fields[] {
    return managed.members(this.#instances)
  }
}

function requestOf(
  region: string,
  body: Fields,
  template: Template,
): Pick<Parameters<World['create']>[1], 'wanted' | 'places' | 'choices' | 'onDemand' | 'onLoss'> {
  const base = body['baseInstanceName']
  if (base !== undefined && !BASE_NAME.test(textOf(body, 'baseInstanceName')))
    throw invalidField('resource.baseInstanceName', base, 'It must be 1 to 58 characters.')
  const policy = (body['distributionPolicy'] ?? {}) as Fields
  const wanted = ((policy['zones'] ?? []) as readonly Fields[]).map((one) => String(one['zone']).split('/').at(-1) ?? '')
  const wrong = wanted.find((zone) => !ZONES[region]?.includes(zone))
  if (wrong !== undefined) throw invalidField('resource.distributionPolicy.zones', wrong, `It is no zone of ${region}.`)
  const zones = wanted.length > 0 ? wanted : (ZONES[region] ?? []).slice(0, 3)
  const shape = textOf(policy, 'targetShape', 'EVEN')
  const update = (body['updatePolicy'] ?? {}) as Fields
  if (!SPREADS_BY_ITSELF.has(shape) && update['instanceRedistributionType'] !== 'NONE')
    throw invalidField(
      'resource.updatePolicy.instanceRedistributionType',
      update['instanceRedistributionType'] ?? 'PROACTIVE',
      `It must be NONE with the target shape ${shape}.`,
    )
  // The service's own words: https://cloud.google.com/compute/docs/instance-groups/about-instance-flexibility#limitations
  if (SPREADS_BY_ITSELF.has(shape) && body['instanceFlexibilityPolicy'])
    throw invalidField(
      'resource.distributionPolicy.targetShape',
      shape,
      'Instance flexibility policy is supported only for RMIGs with target shapes ANY, ANY_SINGLE_ZONE and BALANCED.',
    )
  const life = (body['instanceLifecyclePolicy'] ?? {}) as Fields
  if (life['defaultActionOnFailure'] === 'DO_NOTHING') throw new Error('the lab knows no groups that repair nothing')
  const moves = (life['onRepair'] as Fields | undefined)?.['allowChangingZone'] === 'YES'
  // "You must enable update on repair": https://cloud.google.com/compute/docs/instance-groups/repair-vm-in-alternate-zone#limitations
  if (moves && life['forceUpdateOnRepair'] !== 'YES')
    throw invalidField(
      'resource.instanceLifecyclePolicy.forceUpdateOnRepair',
      life['forceUpdateOnRepair'] ?? 'NO',
      'It must be YES to change the zone.',
    )
  return {
    wanted: Number(body['targetSize']),
    places: zones.map((zone) => ({ zone, id: zone })),
    choices: choicesOf(region, body, template),
    onDemand: { base: 0, share: template.scheduling.spot ? 0 : 1 },
    onLoss: moves ? 'refill' : 'repair',
  }
}

/** Without a policy, the template's type; with one, only the types that it lists. */
function choicesOf(region: string, body: Fields, template: Template): readonly Choice[] {
  const policy = (body['instanceFlexibilityPolicy'] as Fields | undefined)?.['instanceSelections'] as
    | Readonly<Record<string, Fields>>
    | undefined
  const selections = Object.values(policy ?? {})
  const choices = selections.flatMap((one) =>
    (one['machineTypes'] as readonly string[]).map((type) => ({ type, rank: Number(one['rank'] ?? 0) })),
  )
  const all = selections.length === 0 ? [{ type: String(template.properties['machineType']), rank: 0 }] : choices
  const sold = new Set((ZONES[region] ?? []).flatMap((zone) => machineTypes(PROJECT, zone).map((type) => String(type['name']))))
  const unknown = all.find(({ type }) => !sold.has(type))
  if (unknown)
    throw invalidField(
      'resource.instanceFlexibilityPolicy.instanceSelections.machineTypes',
      unknown.type,
      `There is no such machine type in ${region}.`,
    )
  if (new Set(all.map(({ type }) => type)).size < all.length)
    throw invalidField('resource.instanceFlexibilityPolicy', all.map(({ type }) => type).join(), 'A machine type may be listed once.')
  return all
}
