/** The least rights that a caller needs, each with its purpose, and the rights of machines. The printed roles derive from these lists. */

import type { Env } from '../../lib/env.ts'
import { textOf } from '../../lib/record.ts'
import { hostsOf } from '../vm/data.ts'
import { type RightWords, rightText } from '../vm/permissions.ts'
import { acrName, isAcr } from './image-registry.ts'
import { identityId, MACHINE_IDENTITY, SHARED } from './names.ts'
import { CALLS, type CallName, type Method } from './sdk.ts'
import { settingsOf } from './settings.ts'

export interface Right extends RightWords {
  /** Calls in `sdk.ts` that need it (a test compares). */
  readonly calls: readonly CallName[]
  /** Additional requirements of the vendor. */
  readonly besides?: readonly string[]
}

/** https://learn.microsoft.com/azure/role-based-access-control/resource-provider-operations */
export const RIGHTS: readonly Right[] = [
  {
    why: 'the subscription, its providers, quotas, sizes and images',
    calls: [
      'subscription.get',
      'providers.get',
      'permissions.list',
      'skus.list',
      'usages.list',
      'market.list',
      'market.get',
      'gallery.get',
      'images.get',
    ],
    besides: ['Microsoft.Compute/galleries/images/versions/read'],
  },
  {
    why: 'whether a lock would keep machines from being removed',
    calls: ['locks.list', 'locks.ofGroup'],
    without: 'a lock shows only when something cannot be removed',
  },
  {
    why: 'a resource group for each run',
    calls: ['groups.get', 'groups.list', 'groups.put', 'groups.delete', 'resources.list'],
    besides: ['Microsoft.Resources/subscriptions/operationresults/read'],
    without: 'name one that is there: --resource-group NAME',
  },
  {
    why: 'network and security group of its machines, or your own subnet',
    calls: [
      'networks.list',
      'networks.get',
      'networks.put',
      'networks.delete',
      'subnets.get',
      'walls.list',
      'walls.get',
      'walls.put',
      'walls.delete',
      'nics.list',
      'nics.delete',
      'addresses.list',
      'addresses.delete',
    ],
    besides: [
      'Microsoft.Network/locations/operations/read',
      'Microsoft.Network/networkInterfaces/write',
      'Microsoft.Network/networkInterfaces/join/action',
      'Microsoft.Network/networkSecurityGroups/join/action',
      'Microsoft.Network/publicIPAddresses/write',
      'Microsoft.Network/publicIPAddresses/join/action',
      'Microsoft.Network/virtualNetworks/subnets/join/action',
    ],
    page: 'https://learn.microsoft.com/azure/virtual-network/virtual-network-manage-subnet#permissions',
  },
  {
    why: 'the set of machines, its size, and what became of them',
    calls: [
      'sets.get',
      'sets.list',
      'sets.put',
      'sets.patch',
      'sets.delete',
      'machines.list',
      'machines.delete',
      'machines.console',
      'disks.list',
      'disks.delete',
      'log.list',
    ],
    besides: ['Microsoft.Compute/locations/operations/read', 'Microsoft.Compute/virtualMachines/write'],
  },
  {
    why: 'disks under a key of yours',
    calls: [],
    besides: ['Microsoft.Compute/diskEncryptionSets/read'],
    page: 'https://learn.microsoft.com/azure/virtual-machines/disk-encryption',
    without: 'leave --customer-key out',
  },
  {
    why: 'machines of a capacity reservation',
    calls: [],
    besides: [
      'Microsoft.Compute/capacityReservationGroups/read',
      'Microsoft.Compute/capacityReservationGroups/deploy/action',
      'Microsoft.Compute/capacityReservationGroups/capacityReservations/read',
    ],
    page: 'https://learn.microsoft.com/azure/virtual-machines/capacity-reservation-overview',
    without: 'leave --reservation out',
  },
  {
    why: 'what brings machines back, and ends all of them at the deadline',
    calls: ['settings.list', 'settings.get', 'settings.put', 'settings.patch', 'settings.delete'],
  },
  {
    why: 'the identity that machines have',
    calls: ['identities.get', 'assignments.list'],
    besides: ['Microsoft.ManagedIdentity/userAssignedIdentities/assign/action'],
    page: 'https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-configure-managed-identities-scale-sets',
  },
  {
    why: 'whether the storage account of the subscription and region is there',
    calls: ['containers.get'],
  },
  {
    why: 'that storage account, made once',
    calls: ['accounts.list', 'accounts.get', 'accounts.put', 'accounts.expiry', 'containers.put'],
    without: 'an administrator makes it once, or you name another one: --storage az://ACCOUNT/CONTAINER',
  },
]

/** Rights to work directories, checkpoints and logs: no management right includes the data itself. */
export const DATA: readonly string[] = ['read', 'write', 'delete', 'add/action'].map(
  (verb) => `Microsoft.Storage/storageAccounts/blobServices/containers/blobs/${verb}`,
)

/** Description of the machines' role. */
export const MACHINE_ROLE = 'machines of tpi: their storage, and leaving their group'

/** The rights of a machine: to use the store, and to leave its own group. */
export const MACHINE_ACTIONS = [
  'Microsoft.Compute/virtualMachineScaleSets/read',
  'Microsoft.Compute/virtualMachines/delete',
  'Microsoft.Compute/virtualMachines/read',
  'Microsoft.Insights/autoscalesettings/read',
  'Microsoft.Insights/autoscalesettings/write',
] as const

const VERBS: Readonly<Record<Method, string>> = { GET: '/read', PUT: '/write', PATCH: '/write', DELETE: '/delete', POST: '/action' }

/** The action of a call, by a rule that all providers follow: the types in its path, and a verb for its method. */
export function actionOf(name: CallName): string {
  const [method, template] = CALLS[name]
  const [before = '', after] = template.replace('subscriptions/{subscription}', '').split('/providers/')
  if (after === undefined || after.startsWith('{')) {
    const plain = { '': 'subscriptions', '/resources': 'subscriptions/resources' }[before] ?? 'subscriptions/resourceGroups'
    return `Microsoft.Resources/${after === undefined ? plain : 'subscriptions/providers'}${VERBS[method]}`
  }
  const [namespace = '', ...parts] = after.split('/')
  const types = parts.filter((_, at) => at % 2 === 0)
  return `${[namespace, ...types].join('/')}${VERBS[method]}`
}

export function callerActions(): readonly string[] {
  return [...new Set(RIGHTS.flatMap(({ calls, besides = [] }) => [...calls.map(actionOf), ...besides]))].sort()
}

/** Resource providers that the subscription must have registered. */
export const PROVIDERS: readonly string[] = [
  'Microsoft.Compute',
  'Microsoft.Network',
  'Microsoft.Insights',
  'Microsoft.ManagedIdentity',
  'Microsoft.Storage',
]

type Values = Readonly<Record<string, unknown>>

const SHARED_IDENTITY = [
  '# Machines of all runs have one identity. One for each would have every caller give roles (Microsoft.Authorization/roleAssignments/write),',
  '# and each start wait until Azure knows it everywhere, for up to half an hour:',
  '# https://learn.microsoft.com/azure/role-based-access-control/troubleshooting',
]

/** The reason for each right, lines for a shell that grant them, and the same as Terraform. */
export function permissionsText(values: Values, env: Env): string {
  const { subscription = env['AZURE_SUBSCRIPTION_ID'] || 'SUBSCRIPTION', region } = settingsOf({ values, env })
  const reasons = RIGHTS.map(({ calls, besides = [], ...reason }) =>
    [`#   ${[...new Set([...calls.map(actionOf), ...besides])].sort().join(' ')}`, `#     ${rightText(reason)}`].join('\n'),
  )
  return `${[
    `# Once for subscription ${subscription}. CALLER is the object id of the account that runs tpi: az ad sp show --id CLIENT --query id,`,
    '# or of a person: az ad user show --id NAME --query id',
    ...SHARED_IDENTITY,
    '# What the caller needs, and why:',
    ...reasons,
    `#   ${DATA.join(' ')}`,
    '#     work directories, checkpoints, logs (rights to data, which no right of management includes)',
    '',
    ...shellLines(subscription, region),
    ...besidesLines(subscription, values),
    '',
    '# The same as Terraform:',
    terraform(subscription, region),
  ].join('\n')}\n`
}

/** Names of roles are unique in the tenant: https://learn.microsoft.com/azure/role-based-access-control/custom-roles#custom-role-properties */
export function rolesOf(subscription: string): { readonly caller: string; readonly machine: string } {
  const [short] = subscription.split('-')
  return { caller: `tpi caller ${short}`, machine: `tpi machine ${short}` }
}

/** The identity of machines, as arguments. Its type is given, because the directory may not know a new principal yet. */
const machineOf = (subscription: string): string =>
  `"$(az identity show --ids ${identityId(subscription)} --query principalId --output tsv)" --assignee-principal-type ServicePrincipal`

function shellLines(subscription: string, region: string): readonly string[] {
  const scope = `/subscriptions/${subscription}`
  const roles = rolesOf(subscription)
  const role = (name: string, description: string, actions: readonly string[]): string => {
    const said = { Name: name, Description: description, Actions: actions, DataActions: DATA, AssignableScopes: [scope] }
    return `az role definition create --role-definition '${JSON.stringify(said)}'`
  }
  const assign = (who: string, name: string): string =>
    `az role assignment create --assignee-object-id ${who} --role "${name}" --scope ${scope}`
  return [
    ...PROVIDERS.map((namespace) => `az provider register --subscription ${subscription} --namespace ${namespace}`),
    role(roles.caller, 'who runs tpi', callerActions()),
    assign('CALLER', roles.caller),
    `az group create --subscription ${subscription} --name ${SHARED} --location ${region}`,
    `az identity create --subscription ${subscription} --resource-group ${SHARED} --name ${MACHINE_IDENTITY}`,
    role(roles.machine, MACHINE_ROLE, MACHINE_ACTIONS),
    assign(machineOf(subscription), roles.machine),
  ]
}

/** Lines that let machines read what the user named besides: accounts of `data`, and the registry of `container`. */
export function besidesLines(subscription: string, values: Values): readonly string[] {
  const [registry = ''] = (textOf(values['container']) ?? '').split('/')
  const accounts = hostsOf(settingsOf({ values, env: {} }).data)
  return [
    ...accounts.flatMap((account) => readerLines(subscription, account)),
    ...(isAcr(registry) ? [pullLine(subscription, registry)] : []),
  ]
}

function readerLines(subscription: string, account: string): readonly string[] {
  return [
    `# The role of machines reads ${account} if that is in this subscription; else, with the id of the account:`,
    `# az role assignment create --assignee-object-id ${machineOf(subscription)} --role "Storage Blob Data Reader" --scope ID`,
  ]
}

function pullLine(subscription: string, registry: string): string {
  const scope = `"$(az acr show --name ${acrName(registry)} --query id --output tsv)"`
  return `az role assignment create --assignee-object-id ${machineOf(subscription)} --role AcrPull --scope ${scope}`
}

function terraform(subscription: string, region: string): string {
  const scope = `/subscriptions/${subscription}`
  const roles = rolesOf(subscription)
  const role = (id: string, name: string, actions: readonly string[]): string =>
    `resource "azurerm_role_definition" "${id}" {
  name  = "${name}"
  scope = "${scope}"
  permissions {
    actions      = ${JSON.stringify(actions)}
    data_actions = ${JSON.stringify(DATA)}
  }
  assignable_scopes = ["${scope}"]
}`
  const assign = (id: string, who: string): string =>
    `resource "azurerm_role_assignment" "${id}" {
  scope              = "${scope}"
  role_definition_id = azurerm_role_definition.${id}.role_definition_resource_id
  principal_id       = ${who}
}`
  return [
    'variable "caller" { type = string }',
    role('tpi_caller', roles.caller, callerActions()),
    assign('tpi_caller', 'var.caller'),
    `resource "azurerm_resource_group" "tpi_shared" {
  name     = "${SHARED}"
  location = "${region}"
}`,
    `resource "azurerm_user_assigned_identity" "tpi_machine" {
  name                = "${MACHINE_IDENTITY}"
  resource_group_name = azurerm_resource_group.tpi_shared.name
  location            = azurerm_resource_group.tpi_shared.location
}`,
    role('tpi_machine', roles.machine, MACHINE_ACTIONS),
    assign('tpi_machine', 'azurerm_user_assigned_identity.tpi_machine.principal_id'),
  ].join('\n')
}
