/** Methods of Compute, by their names in its discovery document: each takes the fields of a request, and returns those of the answer. */
import type { World } from '../vm/simulation/world.ts'
import type { Autoscalers } from './autoscalers.ts'
import * as catalogue from './catalogue.ts'
import { linkTo, NUMBER, PROJECT, ZONES } from './catalogue.ts'
import { type Fields, textOf as text } from './discovery.ts'
import { inUse, notFound } from './fault.ts'
import { filterOf } from './filter.ts'
import type { Firewalls } from './firewalls.ts'
import type { Groups } from './groups.ts'
import type { Instance, Instances } from './instances.ts'
import type { Managed } from './managed.ts'
import type { OperationParams, Operations } from './operations.ts'
import { type Templates, templateFields, templatePath } from './templates.ts'

export type Method = (request: Fields) => Fields | Promise<Fields>

export interface Parts {
  readonly world: () => World
  readonly operations: Operations
  readonly templates: Templates
  readonly instances: Instances
  readonly groups: Groups
  readonly autoscalers: Autoscalers
  readonly firewalls: Firewalls
  /** How many calls do not find a new template, group or autoscaler although its operation is done, as in recorded answers. */
  readonly young: () => number
  readonly routers: (region: string) => readonly Fields[]
  readonly console: (id: string) => Promise<string>
}

/** Milliseconds: https://cloud.google.com/compute/docs/instances/spot#preemption-process */
const NOTICE = 30_000

const body = (request: Fields): Fields => (request['body'] ?? {}) as Fields

/** Begins an operation once per `requestId`; `params` makes the change, unless it was made before. */
type Change = (request: Fields, params: () => OperationParams) => Fields

export function computeMethods(parts: Parts): Readonly<Record<string, Method>> {
  const change: Change = (request, params) => {
    const asked = request['requestId'] as string | undefined
    return parts.operations.known(asked) ?? parts.operations.begin(params(), asked)
  }
  return {
    ...templateMethods(parts, change),
    ...groupMethods(parts, change),
    ...instanceMethods(parts, change),
    ...autoscalerMethods(parts, change),
    ...firewallMethods(parts, change),
    ...placeMethods(parts),
    ...operationMethods(parts),
  }
}

function templateMethods({ operations, templates, groups, young }: Parts, change: Change): Readonly<Record<string, Method>> {
  const scopeOf = (request: Fields): string => (request['region'] === undefined ? 'global' : `regions/${text(request, 'region')}`)
  const insert: Method = (request) =>
    change(request, () => {
      const scope = scopeOf(request)
      const id = operations.number()
      const { path } = templates.insert(scope, body(request), { id, takes: operations.time, young: young() })
      return { scope, type: 'compute.instanceTemplates.insert', target: path, targetId: id }
    })
  const remove: Method = (request) =>
    change(request, () => {
      const scope = scopeOf(request)
      const template = templates.get(scope, text(request, 'instanceTemplate'))
      const user = groups.using(template)
      if (user) throw inUse('instance_template', templatePath(scope, template.name), user.path)
      templates.remove(template)
      return { scope, type: 'compute.instanceTemplates.delete', target: template.path, targetId: template.id }
    })
  const get: Method = (request) => templateFields(templates.get(scopeOf(request), text(request, 'instanceTemplate')))
  const list: Method = (request) => listed(request, 'instanceTemplateList', templates.list(scopeOf(request)).map(templateFields))
  return {
    'regionInstanceTemplates.insert': insert,
    'regionInstanceTemplates.delete': remove,
    'regionInstanceTemplates.get': get,
    'regionInstanceTemplates.list': list,
    'instanceTemplates.insert': insert,
    'instanceTemplates.delete': remove,
    'instanceTemplates.get': get,
    'instanceTemplates.list': list,
    'instanceTemplates.aggregatedList': (request) => {
      const scopes = ['global', ...Object.keys(ZONES).map((region) => `regions/${region}`)]
      return aggregated(
        request,
        'instanceTemplate',
        'instanceTemplates',
        new Map(scopes.map((scope) => [scope, templates.list(scope).map(templateFields)])),
      )
    },
  }
}

function groupMethods(
  { world, operations, groups, autoscalers, instances, young }: Parts,
  change: Change,
): Readonly<Record<string, Method>> {
  const named = (request: Fields): Managed => groups.get(text(request, 'region'), text(request, 'instanceGroupManager'))
  const about = ({ path, id, region }: Managed, type: string): OperationParams => ({
    scope: `regions/${region}`,
    type,
    target: path,
    targetId: id,
  })
  /** With members that are not the group's, the operation fails, unless they are to be skipped. */
  const onMembers = (request: Fields, type: string, act: (managed: Managed, members: readonly Instance[]) => void): Fields =>
    change(request, () => {
      const managed = groups.changeable(text(request, 'region'), text(request, 'instanceGroupManager'))
      const { instances: links = [], skipInstancesOnValidationError: skips } = body(request)
      const { found, strangers } = groups.named(managed, links as readonly unknown[])
      if (strangers.length > 0 && skips !== true) {
        const message = `Invalid value for field 'instances': '${strangers[0]}'. The instance is not a member of the group, or it is being deleted already.`
        return { ...about(managed, type), error: { code: 'INVALID_FIELD_VALUE', message } }
      }
      act(managed, found)
      return about(managed, type)
    })
  return {
    'regionInstanceGroupManagers.insert': (request) =>
      change(request, () => {
        const made = { id: operations.number(), takes: operations.time, young: young() }
        return about(groups.insert(text(request, 'region'), body(request), made), 'insert')
      }),
    'regionInstanceGroupManagers.get': (request) => groups.fields(named(request)),
    'regionInstanceGroupManagers.list': (request) =>
      listed(
        request,
        'regionInstanceGroupManagerList',
        groups
          .list()
          .filter(({ region }) => region === request['region'])
          .map((one) => groups.fields(one)),
      ),
    'regionInstanceGroupManagers.resize': (request) =>
      change(request, () => {
        const managed = groups.changeable(text(request, 'region'), text(request, 'instanceGroupManager'))
        groups.resize(managed, Number(request['size']))
        return about(managed, 'compute.instanceGroupManagers.resize')
      }),
    'regionInstanceGroupManagers.delete': (request) =>
      change(request, () => {
        const managed = groups.changeable(text(request, 'region'), text(request, 'instanceGroupManager'))
        const scaler = autoscalers.of(managed)
        if (scaler) throw inUse('instance_group_manager', managed.path, scaler.path)
        groups.remove(managed)
        return { ...about(managed, 'delete'), so: () => groups.isGone(managed) }
      }),
    'regionInstanceGroupManagers.deleteInstances': (request) =>
      onMembers(request, 'compute.instanceGroupManagers.deleteInstances', (managed, members) => groups.removeMembers(managed, members)),
    'regionInstanceGroupManagers.recreateInstances': (request) =>
      onMembers(request, 'compute.instanceGroupManagers.recreateInstances', (managed, members) => groups.recreate(managed, members)),
    'regionInstanceGroupManagers.listManagedInstances': (request) => {
      const { items, nextPageToken } = paged(request, groups.members(named(request)))
      return { managedInstances: items, nextPageToken }
    },
    'regionInstanceGroupManagers.listErrors': (request) => paged(request, named(request).errors()),
    'instanceGroupManagers.aggregatedList': (request) => {
      const scopes = [
        ...Object.values(ZONES)
          .flat()
          .map((zone) => `zones/${zone}`),
        ...Object.keys(ZONES).map((region) => `regions/${region}`),
      ]
      const found = (scope: string): readonly Fields[] =>
        groups
          .list()
          .filter((one) => scope === `regions/${one.region}` && world().find(one.region, one.name, true))
          .map((one) => groups.fields(one))
      return aggregated(request, 'instanceGroupManager', 'instanceGroupManagers', new Map(scopes.map((scope) => [scope, found(scope)])))
    },
    'regionInstanceGroups.listInstances': (request) => {
      const managed = groups.get(text(request, 'region'), text(request, 'instanceGroup'))
      const items = instances.of(managed).map((one) => ({ instance: linkTo(one.path), status: instances.statusOf(one) }))
      return { ...listed(request, 'regionInstanceGroupsListInstances', items) }
    },
  }
}

function autoscalerMethods({ operations, autoscalers, young }: Parts, change: Change): Readonly<Record<string, Method>> {
  const named = (request: Fields) => autoscalers.get(text(request, 'region'), text(request, 'autoscaler'))
  const about = (request: Fields, type: string, target: string, targetId: string): OperationParams => ({
    scope: `regions/${text(request, 'region')}`,
    type,
    target,
    targetId,
  })
  return {
    'regionAutoscalers.insert': (request) =>
      change(request, () => {
        const { path, id } = autoscalers.insert(text(request, 'region'), body(request), { id: operations.number(), young: young() })
        return about(request, 'insert', path, id)
      }),
    'regionAutoscalers.get': (request) => autoscalers.fields(named(request)),
    'regionAutoscalers.list': (request) => listed(request, 'regionAutoscalerList', autoscalers.list(text(request, 'region'))),
    'autoscalers.aggregatedList': (request) => {
      const scopes = Object.keys(ZONES)
      return aggregated(
        request,
        'autoscaler',
        'autoscalers',
        new Map(scopes.map((region) => [`regions/${region}`, autoscalers.list(region)])),
      )
    },
    'regionAutoscalers.patch': (request) =>
      change(request, () => {
        const one = named(request)
        autoscalers.patch(one, body(request))
        return about(request, 'patch', one.path, one.id)
      }),
    'regionAutoscalers.delete': (request) =>
      change(request, () => {
        const one = named(request)
        autoscalers.remove(one)
        return about(request, 'delete', one.path, one.id)
      }),
  }
}

function firewallMethods({ operations, firewalls }: Parts, change: Change): Readonly<Record<string, Method>> {
  const about = (name: string, type: string, targetId: string): OperationParams => ({
    scope: 'global',
    type,
    target: firewalls.path(name),
    targetId,
  })
  return {
    'firewalls.insert': (request) =>
      change(request, () => {
        const id = operations.number()
        firewalls.insert(body(request), id)
        return about(text(body(request), 'name'), 'insert', id)
      }),
    'firewalls.list': (request) => listed(request, 'firewallList', firewalls.all()),
    'firewalls.get': (request) => firewalls.get(text(request, 'firewall')),
    'firewalls.delete': (request) =>
      change(request, () => {
        const name = text(request, 'firewall')
        const { id } = firewalls.get(name)
        firewalls.remove(name)
        return about(name, 'delete', String(id))
      }),
  }
}

function instanceMethods({ world, instances, console }: Parts, change: Change): Readonly<Record<string, Method>> {
  const named = (request: Fields): Instance => {
    const [zone, name] = [text(request, 'zone'), text(request, 'instance')]
    const found = instances.named(zone, name) ?? instances.all().find((one) => one.zone === zone && one.number === name)
    if (!found) throw notFound(`projects/${PROJECT}/zones/${zone}/instances/${name}`)
    return found
  }
  return {
    'instances.get': (request) => instances.fields(named(request)),
    'instances.list': (request) =>
      listed(
        request,
        'instanceList',
        instances
          .all()
          .filter(({ zone }) => zone === request['zone'])
          .map((one) => instances.fields(one)),
      ),
    'instances.aggregatedList': (request) => {
      const scopes = Object.values(ZONES).flat()
      const found = (zone: string): readonly Fields[] =>
        instances
          .all()
          .filter((one) => one.zone === zone)
          .map((one) => instances.fields(one))
      return aggregated(request, 'instance', 'instances', new Map(scopes.map((zone) => [`zones/${zone}`, found(zone)])))
    },
    'instances.delete': (request) =>
      change(request, () => {
        const one = named(request)
        instances.remove(one)
        const so = (): boolean => !one.machine || one.machine.state === 'gone'
        return { scope: `zones/${one.zone}`, type: 'delete', target: one.path, targetId: one.number, so }
      }),
    // A spot machine is preempted: https://cloud.google.com/compute/docs/instances/create-use-spot#test-settings
    'instances.simulateMaintenanceEvent': (request) =>
      change(request, () => {
        const one = named(request)
        if (one.machine?.market === 'spot') world().reclaim(one.machine, NOTICE)
        return { scope: `zones/${one.zone}`, type: 'simulateMaintenanceEvent', target: one.path, targetId: one.number }
      }),
    'disks.aggregatedList': (request) => {
      const zones = Object.values(ZONES).flat()
      return aggregated(request, 'disk', 'disks', new Map(zones.map((zone) => [`zones/${zone}`, instances.disks(zone)])))
    },
    'instances.getSerialPortOutput': async (request) => {
      const one = named(request)
      const contents = await console(one.machine?.id ?? '')
      const start = Number(request['start'] ?? 0)
      return {
        kind: 'compute#serialPortOutput',
        contents: contents.slice(start),
        start: `${start}`,
        next: `${contents.length}`,
        selfLink: `${linkTo(one.path)}/serialPort`,
      }
    },
  }
}

function placeMethods({ world, routers }: Parts): Readonly<Record<string, Method>> {
  const regionNamed = (name: string): Fields => {
    const zones = ZONES[name]
    if (!zones) throw notFound(`projects/${PROJECT}/regions/${name}`)
    return regionFields(world(), name, zones)
  }
  const perZone = (of: (project: string, zone: string) => readonly Fields[]) => (request: Fields) =>
    new Map(
      Object.values(ZONES)
        .flat()
        .map((zone) => [`zones/${zone}`, of(text(request, 'project'), zone)] as const),
    )
  const image = (request: Fields, fits: (image: Fields) => boolean, path: string): Fields => {
    const found = catalogue.images(text(request, 'project')).find(fits)
    if (!found) throw notFound(`projects/${text(request, 'project')}/global/images/${path}`)
    return found
  }
  const inZone = (request: Fields, of: (project: string, zone: string) => readonly Fields[], kind: string, name: string): Fields => {
    const found = of(PROJECT, text(request, 'zone')).find((one) => one['name'] === name)
    if (!found) throw notFound(`projects/${PROJECT}/zones/${text(request, 'zone')}/${kind}/${name}`)
    return found
  }
  const zones = Object.values(ZONES).flat()
  const only = (name: string, path: string): string => {
    if (name !== 'default') throw notFound(`projects/${PROJECT}/${path}/${name}`)
    return name
  }
  return {
    'projects.get': () => projectFields(),
    'regions.get': (request) => regionNamed(text(request, 'region')),
    'regions.list': (request) => listed(request, 'regionList', Object.keys(ZONES).map(regionNamed)),
    'zones.list': (request) =>
      listed(
        request,
        'zoneList',
        zones.map((zone) => catalogue.zone(PROJECT, zone)),
      ),
    'zones.get': (request) => {
      if (!zones.includes(text(request, 'zone'))) throw notFound(`projects/${PROJECT}/zones/${text(request, 'zone')}`)
      return catalogue.zone(PROJECT, text(request, 'zone'))
    },
    'machineTypes.get': (request) => inZone(request, catalogue.machineTypes, 'machineTypes', text(request, 'machineType')),
    'machineTypes.list': (request) => listed(request, 'machineTypeList', catalogue.machineTypes(PROJECT, text(request, 'zone'))),
    'machineTypes.aggregatedList': (request) =>
      aggregated(request, 'machineType', 'machineTypes', perZone(catalogue.machineTypes)(request)),
    'acceleratorTypes.list': (request) =>
      listed(request, 'acceleratorTypeList', catalogue.acceleratorTypes(PROJECT, text(request, 'zone'))),
    'acceleratorTypes.aggregatedList': (request) =>
      aggregated(request, 'acceleratorType', 'acceleratorTypes', perZone(catalogue.acceleratorTypes)(request)),
    'images.get': (request) => image(request, ({ name }) => name === request['image'], text(request, 'image')),
    'images.getFromFamily': (request) => image(request, ({ family }) => family === request['family'], `family/${text(request, 'family')}`),
    'images.list': (request) => listed(request, 'imageList', catalogue.images(text(request, 'project'))),
    'networks.get': (request) => catalogue.network(PROJECT, only(text(request, 'network'), 'global/networks')),
    'networks.list': (request) => listed(request, 'networkList', [catalogue.network(PROJECT, 'default')]),
    'subnetworks.get': (request) =>
      catalogue.subnetwork(
        PROJECT,
        text(request, 'region'),
        only(text(request, 'subnetwork'), `regions/${text(request, 'region')}/subnetworks`),
      ),
    'subnetworks.list': (request) => listed(request, 'subnetworkList', [catalogue.subnetwork(PROJECT, text(request, 'region'), 'default')]),
    'routers.list': (request) => listed(request, 'routerList', routers(text(request, 'region'))),
  }
}

function operationMethods({ operations }: Parts): Readonly<Record<string, Method>> {
  const scopes = {
    global: () => 'global',
    region: (request: Fields) => `regions/${text(request, 'region')}`,
    zone: (request: Fields) => `zones/${text(request, 'zone')}`,
  }
  const each = Object.entries(scopes).flatMap(([kind, scopeOf]): [string, Method][] => [
    [`${kind}Operations.get`, (request) => operations.get(scopeOf(request), text(request, 'operation'))],
    [`${kind}Operations.wait`, (request) => operations.wait(scopeOf(request), text(request, 'operation'))],
    [`${kind}Operations.list`, (request) => listed(request, 'operationList', operations.list(scopeOf(request)))],
  ])
  return {
    ...Object.fromEntries(each),
    'globalOperations.aggregatedList': (request) => aggregated(request, 'operation', 'operations', operations.scopes()),
  }
}

/** https://cloud.google.com/compute/resource-usage : each market has its own metric. */
function regionFields(world: World, name: string, zones: readonly string[]): Fields {
  const limit = (market: 'spot' | 'on-demand'): number => Math.min(world.supply.quota(name, market), 2400)
  const quotas = [
    { metric: 'CPUS', limit: limit('on-demand'), usage: world.cores(name, 'on-demand') },
    { metric: 'PREEMPTIBLE_CPUS', limit: limit('spot'), usage: world.cores(name, 'spot') },
    ...['NVIDIA_T4_GPUS', 'NVIDIA_L4_GPUS', 'NVIDIA_A100_GPUS', 'NVIDIA_V100_GPUS', 'NVIDIA_P100_GPUS'].flatMap((metric) => [
      { metric, limit: 1, usage: 0 },
      { metric: `PREEMPTIBLE_${metric}`, limit: 1, usage: 0 },
    ]),
    { metric: 'INSTANCES', limit: 6000, usage: world.fleet.present(name).length },
    { metric: 'IN_USE_ADDRESSES', limit: 69, usage: 0 },
    { metric: 'DISKS_TOTAL_GB', limit: 102_400, usage: 0 },
    { metric: 'SSD_TOTAL_GB', limit: 20_480, usage: 0 },
  ]
  return {
    kind: 'compute#region',
    id: '1000',
    name,
    description: name,
    status: 'UP',
    creationTimestamp: '1969-12-31T16:00:00.000-08:00',
    zones: zones.map((zone) => linkTo(`projects/${PROJECT}/zones/${zone}`)),
    quotas,
    supportsPzs: false,
    selfLink: linkTo(`projects/${PROJECT}/regions/${name}`),
  }
}

function projectFields(): Fields {
  return {
    kind: 'compute#project',
    id: NUMBER,
    name: PROJECT,
    creationTimestamp: '2024-04-01T05:34:56.123-07:00',
    commonInstanceMetadata: { kind: 'compute#metadata', fingerprint: 'abcdef0123A=' },
    quotas: [
      { metric: 'GPUS_ALL_REGIONS', limit: 1, usage: 0 },
      { metric: 'CPUS_ALL_REGIONS', limit: 2400, usage: 0 },
    ],
    defaultServiceAccount: `${NUMBER}-compute@developer.gserviceaccount.com`,
    defaultNetworkTier: 'PREMIUM',
    xpnProjectStatus: 'UNSPECIFIED_XPN_PROJECT_STATUS',
    selfLink: linkTo(`projects/${PROJECT}`),
  }
}

/** A page of what passes the filter; a token is a position in the list. */
function paged<T>(request: Fields, all: readonly T[]): { items: readonly T[]; nextPageToken: string | undefined } {
  const fits = filterOf(request['filter'] as string | undefined)
  const found = all.filter(fits)
  const start = Number(request['pageToken'] ?? 0)
  const size = Number(request['maxResults'] ?? 500)
  return { items: found.slice(start, start + size), nextPageToken: start + size < found.length ? `${start + size}` : undefined }
}

function listed(request: Fields, kind: string, all: readonly Fields[]): Fields {
  const { items, nextPageToken } = paged(request, all)
  return {
    kind: `compute#${kind}`,
    id: `projects/${PROJECT}`,
    ...(items.length > 0 && { items }),
    nextPageToken,
    selfLink: linkTo(`projects/${PROJECT}`),
  }
}

/** By scope; a scope with nothing on this page has a warning that says so. */
function aggregated(request: Fields, kind: string, plural: string, scopes: ReadonlyMap<string, readonly Fields[]>): Fields {
  const all = [...scopes].flatMap(([scope, found]) => found.map((one) => ({ scope, one })))
  const fits = filterOf(request['filter'] as string | undefined)
  const { filter: _, ...rest } = request
  const { items, nextPageToken } = paged(
    rest,
    all.filter(({ one }) => fits(one)),
  )
  const of = (scope: string): Fields => {
    const mine = items.filter((item) => item.scope === scope).map(({ one }) => one)
    const message = `There are no results for scope '${scope}' on this page.`
    return mine.length > 0
      ? { [plural]: mine }
      : { warning: { code: 'NO_RESULTS_ON_PAGE', message, data: [{ key: 'scope', value: scope }] } }
  }
  return {
    kind: `compute#${kind}AggregatedList`,
    id: `projects/${PROJECT}/aggregated/${plural}`,
    items: Object.fromEntries([...scopes.keys()].map((scope) => [scope, of(scope)])),
    nextPageToken,
    selfLink: linkTo(`projects/${PROJECT}/aggregated/${plural}`),
  }
}
