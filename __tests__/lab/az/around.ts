/**
 * Calls around machines: groups, providers and tags (https://learn.microsoft.com/rest/api/resources), storage accounts
 * (https://learn.microsoft.com/rest/api/storagerp), identities, roles, autoscale, the activity log.
 */
import type { Account } from './account.ts'
import { PROVIDERS } from './account.ts'
import type { Activity } from './activity.ts'
import type { Autoscale } from './autoscale.ts'
import { REGIONS } from './catalogue.ts'
import { ArmFault, noGroup, notFound } from './fault.ts'
import { idOf } from './instances.ts'
import { type Asked, type Methods, ok, paged, part, placeOf, type Reply, record } from './method.ts'
import { filtered, type Kept, type Resources, SUBSCRIPTION, TENANT } from './resources.ts'
import type { Fields } from './tables.ts'

export interface AroundParts {
  readonly resources: Resources
  readonly account: Account
  readonly autoscale: Autoscale
  readonly activity: Activity
  readonly page: () => number
  readonly busy: () => number
  /** Makes a container in the server of blobs. */
  readonly container: (name: string) => Promise<void>
  /** The URL of an account's blobs. */
  readonly blobs: (account: string) => string
}

export function aroundMethods(parts: AroundParts): Methods {
  return {
    ...groupMethods(parts),
    ...subscriptionMethods(parts),
    ...storageMethods(parts),
    ...identityMethods(parts),
    ...roleMethods(parts),
    ...roleDefinitionMethods(parts),
    ...lockMethods(parts),
    ...monitorMethods(parts),
  }
}

const isSame = (one: string | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase()

function groupMethods({ resources, page }: AroundParts): Methods {
  const name = (asked: Asked): string => part(asked, 'resourceGroupName')
  const shown = ({ id, name: of, type, fields }: Kept): Fields => ({
    id,
    name: of,
    type,
    location: fields['location'],
    ...(fields['tags'] !== undefined && { tags: fields['tags'] }),
  })
  const listed = (asked: Asked, all: readonly Kept[]): readonly Fields[] => {
    const filter = asked.query.get('$filter')
    const fits = filtered(filter)
    const fitting = all.filter((one) => fits({ tags: record(one.fields['tags']), type: one.type, group: one.group })).map(shown)
    // The answer to a filter by tag has no tags: https://learn.microsoft.com/rest/api/resources/resources/list#uri-parameters
    return /tagName/i.test(filter ?? '') ? fitting.map((one) => ({ ...one, tags: undefined })) : fitting
  }
  return {
    'resources:resourceGroups.createOrUpdate': (asked) => {
      const { location, tags } = asked.body as { location?: string; tags?: Fields }
      if (!REGIONS[(location ?? '').toLowerCase()])
        throw new ArmFault(
          400,
          'LocationNotAvailableForResourceGroup',
          `The provided location '${location}' is not available for resource group. List of available regions is '${Object.keys(REGIONS).join()}'.`,
        )
      const { group, status } = resources.putGroup(name(asked), { ...(location !== undefined && { location }), ...(tags && { tags }) })
      return { status, body: resources.groupFields(group) }
    },
    'resources:resourceGroups.update': (asked) => {
      const group = resources.open(name(asked))
      group.tags = (asked.body['tags'] as Fields | undefined) ?? group.tags
      return ok(resources.groupFields(group))
    },
    'resources:resourceGroups.get': (asked) => ok(resources.groupFields(resources.group(name(asked)))),
    'resources:resourceGroups.checkExistence': (asked) => ({ status: resources.groups.has(name(asked).toLowerCase()) ? 204 : 404 }),
    'resources:resourceGroups.list': (asked) => {
      const fits = filtered(asked.query.get('$filter'))
      const type = 'Microsoft.Resources/resourceGroups'
      return paged(
        asked,
        [...resources.groups.values()].filter(({ tags }) => fits({ tags, type })).map((one) => resources.groupFields(one)),
        page(),
      )
    },
    'resources:resourceGroups.delete': (asked) => {
      const group = resources.removeGroup(name(asked))
      const place = `/subscriptions/${SUBSCRIPTION}`
      return { status: 202, goes: { place, so: () => resources.groups.get(group.name.toLowerCase()) !== group } }
    },
    'resources:resources.list': (asked) => paged(asked, listed(asked, resources.in()), page()),
    'resources:resources.listByResourceGroup': (asked) =>
      paged(asked, listed(asked, resources.in(resources.group(name(asked)).name)), page()),
  }
}

function subscriptionMethods({ account }: AroundParts): Methods {
  const fields = {
    id: `/subscriptions/${SUBSCRIPTION}`,
    subscriptionId: SUBSCRIPTION,
    displayName: 'Lab',
    state: 'Enabled',
    tenantId: TENANT,
    subscriptionPolicies: { locationPlacementId: 'Public_2014-09-01', quotaId: 'PayAsYouGo_2014-09-01', spendingLimit: 'Off' },
    authorizationSource: 'RoleBased',
  }
  const namespace = (asked: Asked): string => part(asked, 'resourceProviderNamespace')
  return {
    // The description requires this link, even if empty.
    'subscriptions:subscriptions.list': () => ok({ value: [fields], nextLink: '' }),
    'subscriptions:subscriptions.get': () => ok(fields),
    'subscriptions:subscriptions.listLocations': () =>
      ok({
        value: Object.keys(REGIONS).map((name) => ({
          id: `/subscriptions/${SUBSCRIPTION}/locations/${name}`,
          name,
          displayName: name,
          regionalDisplayName: name,
          metadata: { regionType: 'Physical', regionCategory: 'Recommended' },
        })),
      }),
    'resources:providers.list': () => ok({ value: PROVIDERS.map((one) => account.provider(one)) }),
    'resources:providers.get': (asked) => ok(account.provider(namespace(asked))),
    'resources:providers.register': (asked) => {
      const found = account.provider(namespace(asked))
      account.unregistered.delete(String(found['namespace']))
      return ok({ ...found, registrationState: 'Registering' })
    },
  }
}

const ACCOUNT = 'Microsoft.Storage/storageAccounts'

function storageMethods({ resources, busy, container, blobs, page }: AroundParts): Methods {
  const idIn = (asked: Asked): string => idOf(part(asked, 'resourceGroupName'), `${ACCOUNT}/${part(asked, 'accountName')}`)
  const fields = (kept: Kept): Fields => {
    const { properties, ...rest } = kept.fields
    const state = resources.state(kept)
    return {
      id: kept.id,
      name: kept.name,
      type: ACCOUNT,
      ...rest,
      properties: {
        ...record(properties),
        provisioningState: state === 'Succeeded' ? 'Succeeded' : 'Creating',
        creationTime: new Date(kept.bornAt).toISOString(),
        primaryLocation: kept.fields['location'],
        primaryEndpoints: { blob: blobs(kept.name) },
        statusOfPrimary: 'available',
      },
    }
  }
  const below = (asked: Asked, path: string, type: string, body: Fields): Kept => {
    const parent = resources.get(idIn(asked))
    return resources.put({ id: `${parent.id}/${path}`, type: `${ACCOUNT}/${type}`, group: parent.group, fields: body, busy: 0 }).kept
  }
  return {
    'storage:storageAccounts.create': (asked) => {
      const group = part(asked, 'resourceGroupName')
      resources.open(group)
      const elsewhere = resources
        .ofType(ACCOUNT)
        .find(({ name, id }) => isSame(name, part(asked, 'accountName')) && !isSame(id, idIn(asked)))
      if (elsewhere) throw new ArmFault(409, 'StorageAccountAlreadyTaken', `The storage account named ${elsewhere.name} is already taken.`)
      const { kept, made } = resources.put({ id: idIn(asked), type: ACCOUNT, group, fields: asked.body, busy: busy() })
      if (!made) return ok(fields(kept))
      const place = placeOf('Microsoft.Storage', String(asked.body['location']))
      return { status: 202, goes: { place, so: () => resources.state(kept) === 'Succeeded', result: () => fields(kept) } }
    },
    'storage:storageAccounts.getProperties': (asked) => ok(fields(resources.get(idIn(asked)))),
    'storage:storageAccounts.list': (asked) => paged(asked, resources.ofType(ACCOUNT).map(fields), page()),
    'storage:storageAccounts.listByResourceGroup': (asked) =>
      paged(asked, resources.ofType(ACCOUNT, resources.group(part(asked, 'resourceGroupName')).name).map(fields), page()),
    'storage:storageAccounts.update': (asked) => {
      const kept = resources.get(idIn(asked))
      kept.fields = {
        ...kept.fields,
        ...asked.body,
        properties: { ...record(kept.fields['properties']), ...record(asked.body['properties']) },
      }
      return ok(fields(kept))
    },
    'storage:storageAccounts.delete': (asked) => {
      const kept = resources.find(idIn(asked))
      if (kept) resources.remove(kept)
      return { status: kept ? 200 : 204 }
    },
    'storage:storageAccounts.checkNameAvailability': (asked) => {
      const taken = resources.ofType(ACCOUNT).some(({ name }) => isSame(name, String(asked.body['name'])))
      return ok({
        nameAvailable: !taken,
        ...(taken && { reason: 'AlreadyExists', message: `The storage account named ${String(asked.body['name'])} is already taken.` }),
      })
    },
    'storage:managementPolicies.createOrUpdate': (asked) => {
      const kept = below(asked, 'managementPolicies/default', 'managementPolicies', asked.body)
      return ok({
        id: kept.id,
        name: 'DefaultManagementPolicy',
        type: kept.type,
        properties: { ...record(asked.body['properties']), lastModifiedTime: new Date(kept.bornAt).toISOString() },
      })
    },
    'storage:managementPolicies.get': (asked) => {
      const kept = resources.get(`${idIn(asked)}/managementPolicies/default`)
      return ok({ id: kept.id, name: 'DefaultManagementPolicy', type: kept.type, properties: kept.fields['properties'] })
    },
    'storage:blobContainers.create': async (asked) => {
      const name = part(asked, 'containerName')
      const id = `${idIn(asked)}/blobServices/default/containers/${name}`
      const before = resources.find(id)
      if (!before) await container(name)
      const kept = below(asked, `blobServices/default/containers/${name}`, 'blobServices/containers', asked.body)
      return { status: before ? 200 : 201, body: { id: kept.id, name, type: kept.type, properties: record(asked.body['properties']) } }
    },
    'storage:blobContainers.get': (asked) => {
      const {
        id,
        name,
        type,
        fields: own,
      } = resources.get(`${idIn(asked)}/blobServices/default/containers/${part(asked, 'containerName')}`)
      return ok({ id, name, type, properties: record(own['properties']) })
    },
  }
}

const IDENTITY = 'Microsoft.ManagedIdentity/userAssignedIdentities'

function identityMethods({ resources, account, page }: AroundParts): Methods {
  const idIn = (asked: Asked): string => idOf(part(asked, 'resourceGroupName'), `${IDENTITY}/${part(asked, 'resourceName')}`)
  const fields = ({ id, name, type, fields: own }: Kept): Fields => ({ id, name, type, ...own })
  return {
    'msi:userAssignedIdentities.createOrUpdate': (asked) => {
      const group = part(asked, 'resourceGroupName')
      resources.open(group)
      const before = resources.find(idIn(asked))
      const properties = before?.fields['properties'] ?? account.identity()
      const { kept, made } = resources.put({ id: idIn(asked), type: IDENTITY, group, fields: { ...asked.body, properties }, busy: 0 })
      return { status: made ? 201 : 200, body: fields(kept) }
    },
    'msi:userAssignedIdentities.get': (asked) => ok(fields(resources.get(idIn(asked)))),
    'msi:userAssignedIdentities.listBySubscription': (asked) => paged(asked, resources.ofType(IDENTITY).map(fields), page()),
    'msi:userAssignedIdentities.listByResourceGroup': (asked) =>
      paged(asked, resources.ofType(IDENTITY, part(asked, 'resourceGroupName')).map(fields), page()),
    'msi:userAssignedIdentities.delete': (asked) => {
      const kept = resources.find(idIn(asked))
      if (kept) resources.remove(kept)
      return { status: kept ? 200 : 204 }
    },
  }
}

function roleMethods({ account, resources, page }: AroundParts): Methods {
  const shown = ({ id, name, properties }: { id: string; name: string; properties: Fields }): Fields => ({
    id,
    name,
    type: 'Microsoft.Authorization/roleAssignments',
    properties,
  })
  const all = (asked: Asked): Fields[] => {
    const principal = /principalId eq '([^']+)'/i.exec(asked.query.get('$filter') ?? '')?.[1]
    return [...account.assignments.values()]
      .filter(({ properties }) => principal === undefined || properties['principalId'] === principal)
      .map(shown)
  }
  const named = (asked: Asked): Parameters<typeof shown>[0] => {
    const found = account.assignments.get(part(asked, 'roleAssignmentName').toLowerCase())
    if (!found)
      throw new ArmFault(404, 'RoleAssignmentNotFound', `The role assignment '${part(asked, 'roleAssignmentName')}' is not found.`)
    return found
  }
  return {
    'authorization:roleAssignments.create': (asked) => {
      const properties = record(asked.body['properties'])
      const known = resources
        .ofType(IDENTITY)
        .some(({ fields }) => record(fields['properties'])['principalId'] === properties['principalId'])
      // A principal that the directory does not know yet is accepted if it is declared a service principal.
      if (!known && properties['principalType'] !== 'ServicePrincipal')
        throw new ArmFault(
          400,
          'PrincipalNotFound',
          `Principal ${String(properties['principalId'])} does not exist in the directory ${TENANT}.`,
        )
      return { status: 201, body: shown(account.assign(part(asked, 'scope'), part(asked, 'roleAssignmentName'), properties)) }
    },
    'authorization:roleAssignments.get': (asked) => ok(shown(named(asked))),
    'authorization:roleAssignments.delete': (asked) => {
      const found = named(asked)
      account.assignments.delete(found.name.toLowerCase())
      return ok(shown(found))
    },
    'authorization:roleAssignments.listForSubscription': (asked) => paged(asked, all(asked), page()),
    'authorization:roleAssignments.listForResourceGroup': (asked) => paged(asked, all(asked), page()),
    'authorization:permissions.listForResourceGroup': (asked) => {
      if (!resources.groups.has(part(asked, 'resourceGroupName').toLowerCase())) throw noGroup(part(asked, 'resourceGroupName'))
      return ok(account.permissions())
    },
  }
}

/** https://learn.microsoft.com/rest/api/resources/management-locks: `atScope()` leaves out those below. */
function lockMethods({ account, resources, page }: AroundParts): Methods {
  const above = (asked: Asked, scope: string): Reply => {
    if (asked.query.get('$filter') !== 'atScope()') throw new ArmFault(400, 'InvalidFilter', 'The lab knows only atScope().')
    const all = [...account.locks].filter(([at]) => `${scope}/`.toLowerCase().startsWith(`${at}/`.toLowerCase()))
    return paged(
      asked,
      all.map(([at, lock]) => ({ ...lock, id: `${at}/providers/Microsoft.Authorization/locks/${String(lock['name'])}` })),
      page(),
    )
  }
  return {
    'locks:managementLocks.listAtSubscriptionLevel': (asked) => above(asked, `/subscriptions/${SUBSCRIPTION}`),
    'locks:managementLocks.listAtResourceGroupLevel': (asked) => {
      const { name } = resources.group(part(asked, 'resourceGroupName'))
      return above(asked, `/subscriptions/${SUBSCRIPTION}/resourceGroups/${name}`)
    },
  }
}

/** https://learn.microsoft.com/rest/api/authorization/role-definitions: role names are unique in the whole tenant. */
function roleDefinitionMethods({ account, page }: AroundParts): Methods {
  const type = 'Microsoft.Authorization/roleDefinitions'
  return {
    'authorization:roleDefinitions.list': (asked) => {
      const wanted = /roleName eq '([^']+)'/i.exec(asked.query.get('$filter') ?? '')?.[1]
      const fit = [...account.roles.values()].filter(({ properties }) => wanted === undefined || properties['roleName'] === wanted)
      return paged(
        asked,
        fit.map((role) => ({ ...role, type })),
        page(),
      )
    },
    'authorization:roleDefinitions.createOrUpdate': (asked) => {
      const name = part(asked, 'roleDefinitionId')
      const properties = record(asked.body['properties'])
      const other = [...account.roles.values()].find((one) => one.properties['roleName'] === properties['roleName'])
      if (other && !isSame(other.name, name))
        throw new ArmFault(
          409,
          'RoleDefinitionWithSameNameExists',
          `A custom role with the same name already exists in this directory. Use a different name.`,
        )
      const role = account.define(`/${part(asked, 'scope').replace(/^\//, '')}`, name, properties)
      return { status: 201, body: { ...role, type } }
    },
  }
}

const SETTING = 'Microsoft.Insights/autoscalesettings'

function monitorMethods({ resources, autoscale, activity, page }: AroundParts): Methods {
  const idIn = (asked: Asked): string => idOf(part(asked, 'resourceGroupName'), `${SETTING}/${part(asked, 'autoscaleSettingName')}`)
  return {
    'monitor:autoscaleSettings.createOrUpdate': (asked) => {
      const group = part(asked, 'resourceGroupName')
      resources.open(group)
      const { kept, made } = autoscale.put(idIn(asked), group, asked.body)
      return { status: made ? 201 : 200, body: autoscale.fields(kept) }
    },
    'monitor:autoscaleSettings.update': (asked) => {
      const kept = resources.get(idIn(asked))
      if (kept.deleting !== undefined) throw notFound(kept.id)
      autoscale.change(kept, asked.body)
      return ok(autoscale.fields(kept))
    },
    'monitor:autoscaleSettings.get': (asked) => ok(autoscale.fields(resources.get(idIn(asked)))),
    'monitor:autoscaleSettings.listByResourceGroup': (asked) =>
      paged(
        asked,
        resources.ofType(SETTING, resources.group(part(asked, 'resourceGroupName')).name).map((one) => autoscale.fields(one)),
        page(),
      ),
    'monitor:autoscaleSettings.listBySubscription': (asked) =>
      paged(
        asked,
        resources.ofType(SETTING).map((one) => autoscale.fields(one)),
        page(),
      ),
    'monitor:autoscaleSettings.delete': (asked) => {
      resources.group(part(asked, 'resourceGroupName'))
      const kept = resources.find(idIn(asked))
      if (kept) resources.remove(kept)
      return { status: kept ? 200 : 204 }
    },
    'monitor:activityLogs.list': (asked) => paged(asked, activity.list(asked.query.get('$filter') ?? '', asked.query.get('$select')), 200),
  }
}

/** The tables lack this call, which portals and tpi use: the permissions call for a group, but on the whole subscription. */
export const SUBSCRIPTION_PERMISSIONS = `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Authorization/permissions`
