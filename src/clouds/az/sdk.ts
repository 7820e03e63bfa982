/**
 * What tpi uses of the vendor's client: its types, and no code (docs/decisions.md says why). Every call of this module is a row here:
 * the permissions that a caller needs derive from this list.
 */
import type {
  InstanceViewStatus,
  Plan,
  ResourceSku,
  Sku,
  Usage,
  VirtualMachineImageProperties,
  VirtualMachineScaleSetIdentity,
  VirtualMachineScaleSetIPConfigurationProperties,
  VirtualMachineScaleSetNetworkConfigurationProperties,
  VirtualMachineScaleSetOSProfile,
  VirtualMachineScaleSetProperties,
  VirtualMachineScaleSetPublicIPAddressConfigurationProperties,
  VirtualMachineScaleSetVMProfile,
} from '@azure/arm-compute'

export type { ResourceSku, Usage }

/** What any resource has. */
export interface Thing {
  readonly id?: string
  readonly name?: string
  readonly location?: string
  readonly tags?: Readonly<Record<string, string>>
}

/** The vendor's types flatten `properties`; in requests and answers they are nested. */
interface Sent<T> {
  readonly name: string
  readonly tags?: Thing['tags']
  readonly properties: T
}

type PublicAddress = Sent<VirtualMachineScaleSetPublicIPAddressConfigurationProperties> & { readonly sku: { readonly name: 'Standard' } }
type IpConfiguration = Sent<
  Omit<VirtualMachineScaleSetIPConfigurationProperties, 'publicIPAddressConfiguration'> & {
    readonly publicIPAddressConfiguration?: PublicAddress
  }
>
export type NicConfiguration = Sent<
  Omit<VirtualMachineScaleSetNetworkConfigurationProperties, 'ipConfigurations'> & { readonly ipConfigurations: readonly IpConfiguration[] }
>

export interface MachineProfile extends Omit<VirtualMachineScaleSetVMProfile, 'networkProfile' | 'osProfile' | 'timeCreated'> {
  osProfile?: VirtualMachineScaleSetOSProfile
  networkProfile?: { networkApiVersion: '2020-11-01'; networkInterfaceConfigurations: readonly NicConfiguration[] }
}

export interface ScaleSet extends Thing {
  readonly sku?: Sku
  readonly plan?: Plan
  readonly identity?: VirtualMachineScaleSetIdentity
  readonly zones?: readonly string[]
  readonly properties?: Omit<VirtualMachineScaleSetProperties, 'timeCreated' | 'virtualMachineProfile'> & {
    readonly virtualMachineProfile?: MachineProfile
  }
}

export interface Vm extends Thing {
  readonly zones?: readonly string[]
  readonly properties?: {
    readonly provisioningState?: string
    readonly timeCreated?: string
    readonly hardwareProfile?: { readonly vmSize?: string }
    readonly instanceView?: { readonly statuses?: readonly Pick<InstanceViewStatus, 'code' | 'message'>[] }
  }
}

export interface MarketImage extends Thing {
  readonly properties?: VirtualMachineImageProperties & {
    readonly features?: readonly { readonly name?: string; readonly value?: string }[]
  }
}

/** An image in a gallery, or one that was made from a machine. */
export interface OwnImage extends Thing {
  readonly properties?: {
    readonly architecture?: string
    readonly hyperVGeneration?: string
    readonly features?: readonly { readonly name?: string; readonly value?: string }[]
    readonly storageProfile?: { readonly osDisk?: { readonly diskSizeGB?: number } }
  }
}

/** https://learn.microsoft.com/rest/api/monitor/autoscale-settings/create-or-update */
export interface AutoscaleSetting extends Thing {
  readonly properties: {
    readonly enabled: boolean
    readonly targetResourceUri: string
    readonly profiles: readonly AutoscaleProfile[]
  }
}

export interface AutoscaleProfile {
  readonly name: string
  readonly capacity: { readonly minimum: string; readonly maximum: string; readonly default: string }
  readonly rules: readonly []
  readonly fixedDate?: { readonly timeZone: 'UTC'; readonly start: string; readonly end: string }
}

/** https://learn.microsoft.com/rest/api/monitor/activity-logs/list */
export interface Happening {
  readonly eventTimestamp?: string
  readonly operationName?: { readonly value?: string }
  readonly status?: { readonly value?: string }
  readonly resourceId?: string
  readonly properties?: { readonly statusMessage?: string }
}

export interface Page<T> {
  readonly value?: readonly T[]
  readonly nextLink?: string
}

export interface ManagedIdentity extends Thing {
  readonly properties?: { readonly clientId?: string; readonly principalId?: string }
}

export interface Subnet extends Thing {
  readonly properties?: { readonly natGateway?: { readonly id?: string }; readonly routeTable?: { readonly id?: string } }
}

export interface StorageAccount extends Thing {
  readonly properties?: { readonly provisioningState?: string }
}

export interface Provider {
  readonly registrationState?: string
}

export interface Permission {
  readonly actions?: readonly string[]
  readonly notActions?: readonly string[]
  readonly dataActions?: readonly string[]
  readonly notDataActions?: readonly string[]
}

export interface Lock extends Thing {
  readonly properties?: { readonly level?: string }
}

export interface Subscription {
  readonly subscriptionId?: string
  readonly displayName?: string
  readonly state?: string
}

export interface Console {
  readonly serialConsoleLogBlobUri?: string
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The first version in which network cards and addresses of a set have tags. */
const COMPUTE = '2025-04-01'
const SKUS = '2021-07-01'
const DISKS = '2024-03-02'
const GALLERY = '2024-03-03'
const NETWORK = '2024-05-01'
const AUTOSCALE = '2022-10-01'
const LOG = '2015-04-01'
const RESOURCES = '2021-04-01'
const IDENTITY = '2023-01-31'
const STORAGE = '2023-05-01'
const RIGHTS = '2022-04-01'
const LOCKS = '2020-05-01'

const S = 'subscriptions/{subscription}'
const G = `${S}/resourceGroups/{group}`
const IN = `${G}/providers`
const SET = `${IN}/Microsoft.Compute/virtualMachineScaleSets/{name}`
const SETTING = `${IN}/Microsoft.Insights/autoscalesettings/{name}`
const ACCOUNT = `${IN}/Microsoft.Storage/storageAccounts/{account}`
const MARKET = `${S}/providers/Microsoft.Compute/locations/{location}/publishers/{publisher}/artifacttypes/vmimage/offers/{offer}/skus/{sku}/versions`

/** `noun.verb` → method, path, and version of that part of the API. */
export const CALLS = {
  'subscriptions.list': ['GET', 'subscriptions', RESOURCES],
  'subscription.get': ['GET', S, RESOURCES],
  'providers.get': ['GET', `${S}/providers/{namespace}`, RESOURCES],
  'permissions.list': ['GET', `${S}/providers/Microsoft.Authorization/permissions`, RIGHTS],
  'locks.list': ['GET', `${S}/providers/Microsoft.Authorization/locks`, LOCKS],
  'locks.ofGroup': ['GET', `${IN}/Microsoft.Authorization/locks`, LOCKS],
  'groups.list': ['GET', `${S}/resourceGroups`, RESOURCES],
  'groups.get': ['GET', G, RESOURCES],
  'groups.put': ['PUT', G, RESOURCES],
  'groups.delete': ['DELETE', G, RESOURCES],
  'resources.list': ['GET', `${S}/resources`, RESOURCES],
  'networks.list': ['GET', `${S}/providers/Microsoft.Network/virtualNetworks`, NETWORK],
  'networks.put': ['PUT', `${IN}/Microsoft.Network/virtualNetworks/{name}`, NETWORK],
  'networks.get': ['GET', `${IN}/Microsoft.Network/virtualNetworks/{name}`, NETWORK],
  'networks.delete': ['DELETE', `${IN}/Microsoft.Network/virtualNetworks/{name}`, NETWORK],
  'subnets.get': ['GET', `${IN}/Microsoft.Network/virtualNetworks/{network}/subnets/{subnet}`, NETWORK],
  'walls.list': ['GET', `${S}/providers/Microsoft.Network/networkSecurityGroups`, NETWORK],
  'walls.put': ['PUT', `${IN}/Microsoft.Network/networkSecurityGroups/{name}`, NETWORK],
  'walls.get': ['GET', `${IN}/Microsoft.Network/networkSecurityGroups/{name}`, NETWORK],
  'walls.delete': ['DELETE', `${IN}/Microsoft.Network/networkSecurityGroups/{name}`, NETWORK],
  'nics.list': ['GET', `${IN}/Microsoft.Network/networkInterfaces`, NETWORK],
  'nics.delete': ['DELETE', `${IN}/Microsoft.Network/networkInterfaces/{name}`, NETWORK],
  'addresses.list': ['GET', `${IN}/Microsoft.Network/publicIPAddresses`, NETWORK],
  'addresses.delete': ['DELETE', `${IN}/Microsoft.Network/publicIPAddresses/{name}`, NETWORK],
  'sets.put': ['PUT', SET, COMPUTE],
  'sets.get': ['GET', SET, COMPUTE],
  'sets.patch': ['PATCH', SET, COMPUTE],
  'sets.delete': ['DELETE', SET, COMPUTE],
  'sets.list': ['GET', `${S}/providers/Microsoft.Compute/virtualMachineScaleSets`, COMPUTE],
  'machines.list': ['GET', `${IN}/Microsoft.Compute/virtualMachines`, COMPUTE],
  'machines.delete': ['DELETE', `${IN}/Microsoft.Compute/virtualMachines/{machine}`, COMPUTE],
  'machines.console': ['POST', `${IN}/Microsoft.Compute/virtualMachines/{machine}/retrieveBootDiagnosticsData`, COMPUTE],
  'disks.list': ['GET', `${IN}/Microsoft.Compute/disks`, DISKS],
  'disks.delete': ['DELETE', `${IN}/Microsoft.Compute/disks/{name}`, DISKS],
  'settings.list': ['GET', `${S}/providers/Microsoft.Insights/autoscalesettings`, AUTOSCALE],
  'settings.put': ['PUT', SETTING, AUTOSCALE],
  'settings.get': ['GET', SETTING, AUTOSCALE],
  'settings.patch': ['PATCH', SETTING, AUTOSCALE],
  'settings.delete': ['DELETE', SETTING, AUTOSCALE],
  'log.list': ['GET', `${S}/providers/Microsoft.Insights/eventtypes/management/values`, LOG],
  'skus.list': ['GET', `${S}/providers/Microsoft.Compute/skus`, SKUS],
  'usages.list': ['GET', `${S}/providers/Microsoft.Compute/locations/{location}/usages`, COMPUTE],
  'market.list': ['GET', MARKET, COMPUTE],
  'market.get': ['GET', `${MARKET}/{version}`, COMPUTE],
  'gallery.get': ['GET', `${IN}/Microsoft.Compute/galleries/{gallery}/images/{image}`, GALLERY],
  'images.get': ['GET', `${IN}/Microsoft.Compute/images/{image}`, COMPUTE],
  'identities.get': ['GET', `${IN}/Microsoft.ManagedIdentity/userAssignedIdentities/{identity}`, IDENTITY],
  'identities.put': ['PUT', `${IN}/Microsoft.ManagedIdentity/userAssignedIdentities/{identity}`, IDENTITY],
  'roles.list': ['GET', `${S}/providers/Microsoft.Authorization/roleDefinitions`, RIGHTS],
  'roles.put': ['PUT', `${S}/providers/Microsoft.Authorization/roleDefinitions/{role}`, RIGHTS],
  'assignments.list': ['GET', `${S}/providers/Microsoft.Authorization/roleAssignments`, RIGHTS],
  'assignments.put': ['PUT', `${S}/providers/Microsoft.Authorization/roleAssignments/{assignment}`, RIGHTS],
  'accounts.list': ['GET', `${IN}/Microsoft.Storage/storageAccounts`, STORAGE],
  'accounts.get': ['GET', ACCOUNT, STORAGE],
  'accounts.put': ['PUT', ACCOUNT, STORAGE],
  'accounts.expiry': ['PUT', `${ACCOUNT}/managementPolicies/default`, STORAGE],
  'containers.get': ['GET', `${ACCOUNT}/blobServices/default/containers/{container}`, STORAGE],
  'containers.put': ['PUT', `${ACCOUNT}/blobServices/default/containers/{container}`, STORAGE],
} as const satisfies Readonly<Record<string, readonly [Method, string, string]>>

export type CallName = keyof typeof CALLS

/** Answers of the calls whose answer is used for more than that there is one. */
export interface Answers extends Record<CallName, unknown> {
  'subscriptions.list': Page<Subscription>
  'subscription.get': Subscription
  'providers.get': Provider
  'permissions.list': Page<Permission>
  'locks.list': Page<Lock>
  'locks.ofGroup': Page<Lock>
  'groups.list': Page<Thing>
  'resources.list': Page<Thing & { readonly type?: string }>
  'networks.list': Page<Thing>
  'nics.list': Page<Thing>
  'addresses.list': Page<Thing>
  'disks.list': Page<Thing>
  'subnets.get': Subnet
  'walls.list': Page<Thing>
  'sets.get': ScaleSet
  'sets.list': Page<ScaleSet>
  'machines.list': Page<Vm>
  'machines.console': Console
  'settings.list': Page<AutoscaleSetting>
  'settings.get': AutoscaleSetting
  'log.list': Page<Happening>
  'skus.list': Page<ResourceSku>
  'usages.list': Page<Usage>
  'market.list': readonly MarketImage[]
  'market.get': MarketImage
  'gallery.get': OwnImage
  'images.get': OwnImage
  'identities.get': ManagedIdentity
  'identities.put': ManagedIdentity
  'roles.list': Page<Thing>
  'assignments.list': Page<Thing>
  'accounts.list': Page<StorageAccount>
  'accounts.get': StorageAccount
}

/** One item of a list. */
export type ItemOf<C extends CallName> = Answers[C] extends Page<infer T> ? T : never
