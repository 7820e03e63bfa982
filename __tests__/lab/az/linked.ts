/**
 * Actions that a call needs on resources that it names, besides its own action: without one, it is refused with `LinkedAuthorizationFailed`. Each
 * rule names the page that requires it.
 */
import { type Asked, record, textOf } from './method.ts'
import type { Fields } from './tables.ts'

export interface Link {
  readonly action: string
  /** The resource on which it is needed. */
  readonly id: string
}

const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as readonly Fields[]) : [])
const inside = (fields: unknown, ...path: readonly string[]): unknown => path.reduce((found, name) => record(found)[name], fields)

/** Ids of the identities that a set gives its machines. */
export const identitiesIn = (body: Fields): readonly string[] => Object.keys(record(inside(body, 'identity', 'userAssignedIdentities')))

const profileOf = (body: Fields): unknown => inside(body, 'properties', 'virtualMachineProfile')
const nicsOf = (body: Fields): readonly Fields[] =>
  list(inside(profileOf(body), 'networkProfile', 'networkInterfaceConfigurations')).map(({ properties }) => record(properties))
const addressesOf = (body: Fields): readonly Fields[] =>
  nicsOf(body).flatMap(({ ipConfigurations }) => list(ipConfigurations).map(({ properties }) => record(properties)))
const idsOf = (of: readonly unknown[]): readonly string[] => of.map((one) => textOf(inside(one, 'id'))).filter((id) => id !== '')

const SET: readonly (readonly [action: string, ids: (body: Fields, url: string) => readonly string[]])[] = [
  // https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-configure-managed-identities-scale-sets
  ['Microsoft.ManagedIdentity/userAssignedIdentities/assign/action', identitiesIn],
  // https://learn.microsoft.com/azure/virtual-network/virtual-network-manage-subnet#permissions
  ['Microsoft.Network/virtualNetworks/subnets/join/action', (body) => idsOf(addressesOf(body).map(({ subnet }) => subnet))],
  // https://learn.microsoft.com/azure/virtual-network/manage-network-security-group#permissions
  ['Microsoft.Network/networkSecurityGroups/join/action', (body) => idsOf(nicsOf(body).map((nic) => nic['networkSecurityGroup']))],
  // https://learn.microsoft.com/azure/virtual-network/ip-services/virtual-network-public-ip-address#permissions : addresses that the set will make are
  // in its own group.
  [
    'Microsoft.Network/publicIPAddresses/join/action',
    (body, url) => (addressesOf(body).some((one) => one['publicIPAddressConfiguration']) ? [url.replace(/\/providers\/.*$/, '')] : []),
  ],
  // https://learn.microsoft.com/azure/virtual-machines/capacity-reservation-associate-virtual-machine-scale-set-flex
  [
    'Microsoft.Compute/capacityReservationGroups/deploy/action',
    (body) => idsOf([inside(profileOf(body), 'capacityReservation', 'capacityReservationGroup')]),
  ],
  // https://learn.microsoft.com/azure/virtual-machines/disk-encryption
  [
    'Microsoft.Compute/diskEncryptionSets/read',
    (body) => idsOf([inside(profileOf(body), 'storageProfile', 'osDisk', 'managedDisk', 'diskEncryptionSet')]),
  ],
  // https://learn.microsoft.com/azure/virtual-machines/share-gallery ; refused in these words: https://github.com/Azure/vm-scale-sets/issues/72
  ['Microsoft.Compute/galleries/images/versions/read', (body) => idsOf([inside(profileOf(body), 'storageProfile', 'imageReference')])],
]

export function linksIn({ name, body, url }: Asked): readonly Link[] {
  if (name !== 'compute:virtualMachineScaleSets.createOrUpdate') return []
  return SET.flatMap(([action, ids]) => ids(body, url).map((id) => ({ action, id })))
}
