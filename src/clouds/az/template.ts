/** A request → the scale set and the profile of its machines. */
import { generateKeyPairSync } from 'node:crypto'
import type { MachineSpec } from '../../core/cloud.ts'
import type { StorePlace } from '../../wire/store.ts'
import { diskGigabytes, vmUserData } from '../vm/bootstrap.ts'
import { type GroupKind, groupKinds, twinSide } from '../vm/spot-standby.ts'
import { AZURE, AZURE_CLOSED } from './boot.ts'
import { groupName, TAG, twinName } from './names.ts'
import type { Placement } from './placement.ts'
import type { MachineProfile, NicConfiguration, ScaleSet } from './sdk.ts'
import type { Settings } from './settings.ts'
import { hasGpu, mixes } from './sizes.ts'
import { marksOf, tagsFor } from './tags.ts'

export interface TemplateParams {
  readonly spec: MachineSpec
  readonly settings: Settings
  readonly placement: Placement
  /** Resource group. */
  readonly group: string
  /** Settings of the vendor's own storage: address. */
  readonly storage?: StorePlace['settings']
  /** The endpoint of Resource Manager, if it is not the vendor's own. */
  readonly endpoint?: string
}

/**
 * The administrator that the vendor requires on each machine. Nobody has its key. It is not the user of the script, because cloud-init lets it
 * become root without a password (DataSourceAzure makes it the default user).
 */
const USER = 'tpi-admin'

export const idIn = ({ placement, group }: Pick<TemplateParams, 'placement' | 'group'>, kind: string, name: string): string =>
  `/subscriptions/${placement.subscription}/resourceGroups/${group}/providers/${kind}/${name}`

export function bootText({ spec, settings, placement, group, endpoint, storage }: TemplateParams): string {
  const side = {
    subscription: placement.subscription,
    resourceGroup: group,
    group: groupName(spec.tags),
    clientId: placement.identity.client,
    ...twinSide(spec, twinName(spec.tags)),
    ...(endpoint !== undefined && { endpoint }),
  }
  return vmUserData({
    cloud: 'az',
    spec,
    arch: placement.choice.arch,
    side,
    system: settings,
    ...(storage && { storage }),
    metadata: AZURE_CLOSED,
    dialect: AZURE,
  })
}

/** The sets of a deployment. */
export const kindsOf = ({ tags, spot }: MachineSpec): readonly GroupKind[] => groupKinds(spot, groupName(tags), twinName(tags))

/**
 * Empty at first. With one fault domain, Azure spreads machines as widely as possible.
 * https://learn.microsoft.com/rest/api/compute/virtual-machine-scale-sets/create-or-update
 */
export function setInput(params: TemplateParams, kind: GroupKind): ScaleSet {
  const { spec, placement } = params
  const { types } = placement.choice
  const mixed = mixes(types)
  return {
    location: placement.region,
    tags: { ...tagsFor(spec.tags), ...(spec.spot.want === 'prefer' && { [TAG.twin]: twinName(spec.tags) }) },
    sku: { name: mixed ? 'Mix' : (types[0] ?? ''), ...(!mixed && { tier: 'Standard' }), capacity: 0 },
    identity: { type: 'UserAssigned', userAssignedIdentities: { [placement.identity.id]: {} } },
    ...(placement.zones.length > 0 && { zones: [...placement.zones] }),
    ...(placement.image.plan && { plan: placement.image.plan }),
    properties: {
      orchestrationMode: 'Flexible',
      singlePlacementGroup: false,
      platformFaultDomainCount: 1,
      ...(mixed && { skuProfile: { vmSizes: types.map((name) => ({ name })), allocationStrategy: 'CapacityOptimized' } }),
      virtualMachineProfile: profileOf(params, kind),
    },
  }
}

function profileOf(params: TemplateParams, kind: GroupKind): MachineProfile {
  const { spec, settings, placement } = params
  const { spot } = spec
  return {
    ...(kind.spot && spot.want !== 'never'
      ? { priority: 'Spot', evictionPolicy: 'Delete', billingProfile: { maxPrice: spot.maxPrice ?? -1 } }
      : { priority: 'Regular' }),
    osProfile: {
      computerNamePrefix: kind.name,
      adminUsername: USER,
      customData: Buffer.from(bootText(params)).toString('base64'),
      linuxConfiguration: {
        disablePasswordAuthentication: true,
        ssh: { publicKeys: [{ path: `/home/${USER}/.ssh/authorized_keys`, keyData: nobodysKey() }] },
      },
    },
    storageProfile: {
      imageReference: placement.image.reference,
      osDisk: {
        createOption: 'FromImage',
        deleteOption: 'Delete',
        // By default the disk is as large as the image.
        ...(spec.diskBytes !== undefined && { diskSizeGB: diskGigabytes(spec, placement.image.gigabytes ?? 0) }),
        managedDisk: {
          storageAccountType: 'StandardSSD_LRS',
          ...(settings.customerKey !== undefined && { diskEncryptionSet: { id: settings.customerKey } }),
        },
      },
    },
    networkProfile: { networkApiVersion: '2020-11-01', networkInterfaceConfigurations: [nicOf(params)] },
    ...(settings.reservation !== undefined && {
      capacityReservation: { capacityReservationGroup: { id: reservationId(settings.reservation, placement.subscription) } },
    }),
    diagnosticsProfile: { bootDiagnostics: { enabled: true } },
    // Some images have unsigned GPU drivers, so machines with a GPU boot without secure boot.
    ...(placement.trusted &&
      placement.image.trusted && {
        securityProfile: {
          securityType: 'TrustedLaunch',
          uefiSettings: { secureBootEnabled: !hasGpu(placement.choice), vTpmEnabled: true },
        },
      }),
  }
}

/** https://learn.microsoft.com/azure/virtual-machines/capacity-reservation-associate-virtual-machine-scale-set-flex */
function reservationId(reservation: string, subscription: string): string {
  if (reservation.startsWith('/')) return reservation
  const [group, name] = reservation.split('/')
  return `/subscriptions/${subscription}/resourceGroups/${group}/providers/Microsoft.Compute/capacityReservationGroups/${name}`
}

/** It and its address are removed with the machine. */
function nicOf(params: TemplateParams): NicConfiguration {
  const { settings, placement, spec } = params
  const name = groupName(spec.tags)
  const subnet = placement.subnet?.id ?? `${idIn(params, 'Microsoft.Network/virtualNetworks', name)}/subnets/${SUBNET}`
  return {
    name: 'machine',
    tags: marksOf(spec.tags),
    properties: {
      primary: true,
      deleteOption: 'Delete',
      networkSecurityGroup: { id: idIn(params, 'Microsoft.Network/networkSecurityGroups', name) },
      ipConfigurations: [
        {
          name: 'machine',
          properties: {
            primary: true,
            subnet: { id: subnet },
            ...((settings.publicAddress ?? !placement.subnet?.nat) && {
              publicIPAddressConfiguration: {
                name: 'machine',
                tags: marksOf(spec.tags),
                sku: { name: 'Standard' },
                properties: { deleteOption: 'Delete' },
              },
            }),
          },
        },
      ],
    },
  }
}

const SUBNET = 'machines'
const RANGE = '10.66.0.0/16'

export interface NetworkInput {
  readonly location: string
  readonly tags: Readonly<Record<string, string>>
  readonly properties: object
}

/** The network has no way out of its own: each machine has a public address. */
export function networkInput({ spec, placement }: TemplateParams): NetworkInput {
  return {
    location: placement.region,
    tags: tagsFor(spec.tags),
    properties: {
      addressSpace: { addressPrefixes: [RANGE] },
      subnets: [{ name: SUBNET, properties: { addressPrefix: RANGE, defaultOutboundAccess: false } }],
    },
  }
}

/**
 * The vendor's default rules are the right ones: machines of one network reach each other, nothing else comes in.
 * https://learn.microsoft.com/azure/virtual-network/network-security-groups-overview#default-security-rules
 */
export function wallInput({ spec, placement }: TemplateParams): Omit<NetworkInput, 'properties'> {
  return { location: placement.region, tags: tagsFor(spec.tags) }
}

/** A public key in the format of OpenSSH, which the vendor requires. Its private half is discarded at once. */
function nobodysKey(): string {
  const { publicKey } = generateKeyPairSync('ed25519')
  const kind = Buffer.from('ssh-ed25519')
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  const sized = (bytes: Buffer): Buffer => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return Buffer.concat([length, bytes])
  }
  return `ssh-ed25519 ${Buffer.concat([sized(kind), sized(raw)]).toString('base64')}`
}
