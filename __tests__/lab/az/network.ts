/** Calls of Microsoft.Network: https://learn.microsoft.com/rest/api/virtualnetwork. A resource that a machine still uses cannot be deleted. */
import { randomUUID } from 'node:crypto'
import type { Part } from '../vm/simulation/types.ts'
import { ArmFault, notFound } from './fault.ts'
import { type Instances, idOf } from './instances.ts'
import { type Asked, type Methods, ok, paged, part, placeOf, record } from './method.ts'
import type { Kept, Resources } from './resources.ts'
import type { Fields } from './tables.ts'

export interface NetworkParts {
  readonly resources: Resources
  readonly instances: Instances
  readonly page: () => number
  readonly busy: () => number
}

interface Kind {
  /** The names that the tables use for this group of calls, and for the resource's name in the path. */
  readonly calls: string
  readonly named: string
  readonly type: string
  readonly inUse: string
  fields(properties: Fields, kept: Kept, state: string): Fields
}

const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as readonly Fields[]) : [])

const KINDS: readonly Kind[] = [
  {
    calls: 'networkSecurityGroups',
    named: 'networkSecurityGroupName',
    type: 'Microsoft.Network/networkSecurityGroups',
    inUse: 'InUseNetworkSecurityGroupCannotBeDeleted',
    fields: (properties) => ({ ...properties, securityRules: properties['securityRules'] ?? [], defaultSecurityRules: [] }),
  },
  {
    calls: 'virtualNetworks',
    named: 'virtualNetworkName',
    type: 'Microsoft.Network/virtualNetworks',
    inUse: 'InUseSubnetCannotBeDeleted',
    fields: (properties, kept, state) => ({
      ...properties,
      subnets: list(properties['subnets']).map((one) => subnetFields(kept, one, state)),
      virtualNetworkPeerings: [],
      enableDdosProtection: false,
    }),
  },
  {
    calls: 'natGateways',
    named: 'natGatewayName',
    type: 'Microsoft.Network/natGateways',
    inUse: 'NatGatewayInUse',
    fields: (properties) => properties,
  },
]

function subnetFields(network: Kept, { name, properties }: Fields, provisioningState: string): Fields {
  return {
    id: `${network.id}/subnets/${String(name)}`,
    name,
    etag: 'W/"00000000-0000-0000-0000-000000000001"',
    type: 'Microsoft.Network/virtualNetworks/subnets',
    properties: {
      ...record(properties),
      provisioningState,
      delegations: [],
      privateEndpointNetworkPolicies: 'Disabled',
      privateLinkServiceNetworkPolicies: 'Enabled',
    },
  }
}

export function networkMethods(parts: NetworkParts): Methods {
  const { resources } = parts
  const subnets = (asked: Asked): { network: Kept; found: readonly Fields[] } => {
    const network = resources.get(
      idOf(part(asked, 'resourceGroupName'), `Microsoft.Network/virtualNetworks/${part(asked, 'virtualNetworkName')}`),
    )
    return { network, found: list(record(network.fields['properties'])['subnets']) }
  }
  return {
    ...Object.assign({}, ...KINDS.map((kind) => kindMethods(kind, parts))),
    ...partMethods(parts),
    'network:subnets.get': (asked) => {
      const { network, found } = subnets(asked)
      const one = found.find(({ name }) => String(name).toLowerCase() === part(asked, 'subnetName').toLowerCase())
      if (!one) throw new ArmFault(404, 'NotFound', `Resource ${asked.url} not found.`)
      return ok(subnetFields(network, one, 'Succeeded'))
    },
    'network:subnets.list': (asked) => {
      const { network, found } = subnets(asked)
      return paged(
        asked,
        found.map((one) => subnetFields(network, one, 'Succeeded')),
        parts.page(),
      )
    },
  }
}

function kindMethods(kind: Kind, { resources, instances, page, busy }: NetworkParts): Methods {
  const idIn = (asked: Asked): string => idOf(part(asked, 'resourceGroupName'), `${kind.type}/${part(asked, kind.named)}`)
  const etags = new Map<Kept, string>()
  const fields = (kept: Kept): Fields => {
    const { properties, ...rest } = kept.fields
    const provisioningState = resources.state(kept)
    const etag = etags.get(kept) ?? `W/"${randomUUID()}"`
    etags.set(kept, etag)
    return {
      id: kept.id,
      name: kept.name,
      type: kind.type,
      etag,
      ...rest,
      properties: {
        ...kind.fields(record(properties), kept, provisioningState),
        provisioningState,
        resourceGuid: kept.id.length.toString(16).padStart(8, '0'),
      },
    }
  }
  const place = (kept: Kept): string => placeOf('Microsoft.Network', String(kept.fields['location']))
  const isUsed = (id: string): boolean =>
    instances
      .parts()
      .some(
        ({ part: one, instance }) =>
          one?.kind === 'interface' && JSON.stringify(instance.set.interfaces).toLowerCase().includes(`"${id.toLowerCase()}`),
      )
  return {
    [`network:${kind.calls}.createOrUpdate`]: (asked) => {
      const group = part(asked, 'resourceGroupName')
      resources.open(group)
      const { kept, made } = resources.put({ id: idIn(asked), type: kind.type, group, fields: asked.body, busy: busy() })
      etags.delete(kept)
      const so = (): boolean => resources.state(kept) === 'Succeeded'
      return { status: made ? 201 : 200, body: fields(kept), goes: { place: place(kept), so, result: () => fields(kept) } }
    },
    [`network:${kind.calls}.updateTags`]: (asked) => {
      const kept = resources.get(idIn(asked))
      kept.fields = { ...kept.fields, tags: asked.body['tags'] }
      return ok(fields(kept))
    },
    [`network:${kind.calls}.get`]: (asked) => ok(fields(resources.get(idIn(asked)))),
    [`network:${kind.calls}.list`]: (asked) => {
      const { name } = resources.group(part(asked, 'resourceGroupName'))
      return paged(asked, resources.ofType(kind.type, name).map(fields), page())
    },
    [`network:${kind.calls}.listAll`]: (asked) => paged(asked, resources.ofType(kind.type).map(fields), page()),
    [`network:${kind.calls}.delete`]: (asked) => {
      resources.group(part(asked, 'resourceGroupName'))
      const kept = resources.find(idIn(asked))
      if (!kept) return { status: 204 }
      if (isUsed(kept.id))
        throw new ArmFault(
          400,
          kind.inUse,
          `${kept.id} is in use by a network interface and cannot be deleted. In order to delete it, delete all the resources within it. See aka.ms/deletesubnet.`,
        )
      resources.remove(kept)
      return { status: 202, goes: { place: place(kept), so: () => resources.find(kept.id) !== kept } }
    },
  }
}

/** Interfaces, addresses and disks of machines. https://learn.microsoft.com/rest/api/compute/disks */
function partMethods({ resources, instances, page }: NetworkParts): Methods {
  const kinds = [
    ['network:networkInterfaces', 'networkInterfaceName', 'interface', 'listAll', 'list'],
    ['network:publicIPAddresses', 'publicIpAddressName', 'address', 'listAll', 'list'],
    ['compute:disks', 'diskName', 'disk', 'list', 'listByResourceGroup'],
  ] as const
  const methods = kinds.map(([calls, named, wanted, everywhere, inGroup]): Methods => {
    const all = (): readonly Fields[] =>
      instances
        .parts()
        .flatMap(({ part: one, instance, id, name, group, type }) =>
          one?.kind === wanted ? [{ group, shown: shown({ id, name, type }, instance, wanted) }] : [],
        )
    const found = (group?: string): readonly unknown[] =>
      all().flatMap((one) => (group === undefined || one['group'] === group.toLowerCase() ? [one['shown']] : []))
    return {
      [`${calls}.delete`]: (asked) => {
        const { name: group } = resources.group(part(asked, 'resourceGroupName'))
        const one = instances
          .parts()
          .find((it) => it.part?.kind === wanted && it.group === group.toLowerCase() && it.name === part(asked, named))
        if (!one) return { status: 204 }
        if (!instances.removePart(one)) throw new ArmFault(400, 'InUse', `${one.id} is in use by a virtual machine.`)
        return { status: 202, goes: { place: placeOf(one.type.split('/')[0] ?? '', one.instance.set.region), so: () => true } }
      },
      [`${calls}.${everywhere}`]: (asked) => paged(asked, found(), page()),
      [`${calls}.${inGroup}`]: (asked) => paged(asked, found(resources.group(part(asked, 'resourceGroupName')).name), page()),
      [`${calls}.get`]: (asked) => {
        const one = found(part(asked, 'resourceGroupName')).find((item) => record(item)['name'] === part(asked, named))
        if (!one) throw notFound(asked.url)
        return ok(one)
      },
    }
  })
  return Object.assign({}, ...methods)
}

function shown(
  of: { id: string; name: string; type: string },
  { id, address, set }: Parameters<Instances['fields']>[0],
  kind: Part['kind'],
): Fields {
  const configuration = record(list(record(set.interfaces[0]?.['properties'])['ipConfigurations'])[0])
  const own = record(configuration['properties'])
  const common = { ...of, location: set.region, etag: 'W/"1"' }
  // It has the tags of its machine from the beginning: https://github.com/hashicorp/terraform-provider-azurerm/issues/8162
  if (kind === 'disk')
    return {
      ...of,
      location: set.region,
      tags: set.tags,
      sku: { name: 'Premium_LRS', tier: 'Premium' },
      properties: { creationData: { createOption: 'FromImage' }, osType: 'Linux', diskSizeGB: 30, provisioningState: 'Succeeded' },
    }
  if (kind === 'address')
    return {
      ...common,
      tags: record(own['publicIPAddressConfiguration'])['tags'],
      sku: { name: 'Standard', tier: 'Regional' },
      properties: {
        provisioningState: 'Succeeded',
        ipAddress: `20.1.${address.split('.').slice(2).join('.')}`,
        publicIPAllocationMethod: 'Static',
        publicIPAddressVersion: 'IPv4',
      },
    }
  return {
    ...common,
    tags: set.interfaces[0]?.['tags'],
    properties: {
      provisioningState: 'Succeeded',
      primary: true,
      virtualMachine: { id },
      ipConfigurations: [
        {
          id: `${of.id}/ipConfigurations/1`,
          name: configuration['name'],
          properties: {
            provisioningState: 'Succeeded',
            privateIPAddress: address,
            privateIPAllocationMethod: 'Dynamic',
            primary: true,
            subnet: own['subnet'],
          },
        },
      ],
    },
  }
}
