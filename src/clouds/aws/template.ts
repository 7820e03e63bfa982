/** A request → the launch template of each machine. */
import type { MachineSpec } from '../../core/cloud.ts'
import { METADATA_HOST } from '../../vendors/metadata-service.ts'
import type { StorePlace } from '../../wire/store.ts'
import { diskGigabytes, vmUserData } from '../vm/bootstrap.ts'
import { type GroupKind, groupKinds, twinSide } from '../vm/spot-standby.ts'
import { EC2 } from './boot.ts'
import type { GroupInput } from './group.ts'
import type { Identity } from './identity.ts'
import { groupName, twinName } from './names.ts'
import type { BootImage, Placement } from './placement.ts'
import type { RequestLaunchTemplateData } from './sdk.ts'
import type { Settings } from './settings.ts'
import { groupTags, pairsOf, plainTags } from './tags.ts'

export interface TemplateParams {
  readonly spec: MachineSpec
  readonly settings: Settings
  readonly placement: Placement
  /** Settings of the vendor's own storage: address, region. */
  readonly storage?: StorePlace['settings']
  /** The endpoint of the Auto Scaling API, if it is not the vendor's own. */
  readonly endpoint?: string
  /** The endpoint of the registry, likewise. */
  readonly ecr?: string
}

/** Prefix of the id of a reservation that is a capacity block. */
const BLOCK = 'capacity-block:'
const METADATA = [METADATA_HOST, 'fd00:ec2::254']

export function bootText({ spec, settings, placement, endpoint, ecr, storage }: TemplateParams): string {
  return vmUserData({
    cloud: 'aws',
    spec,
    arch: placement.arch,
    system: settings,
    ...(storage && { storage }),
    metadata: METADATA,
    dialect: EC2,
    side: {
      group: groupName(spec.tags),
      region: settings.region,
      ...(endpoint !== undefined && { endpoint }),
      ...(ecr !== undefined && { ecr }),
      ...twinSide(spec, twinName(spec.tags)),
    },
  })
}

export function templateData(
  params: TemplateParams,
  root: BootImage,
  identity: Identity,
  groups: readonly string[],
): RequestLaunchTemplateData {
  const { spec, settings } = params
  const { publicAddress, customerKey } = settings
  const Tags = pairsOf(plainTags(spec.tags))
  return {
    ImageId: root.imageId,
    UserData: Buffer.from(bootText(params)).toString('base64'),
    IamInstanceProfile: identity.profile(),
    InstanceInitiatedShutdownBehavior: 'terminate',
    // Only version 2, and only one network hop: a container behind a bridge cannot reach it.
    MetadataOptions: { HttpEndpoint: 'enabled', HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
    BlockDeviceMappings: [
      {
        DeviceName: root.device,
        Ebs: {
          VolumeType: 'gp3',
          Encrypted: true,
          DeleteOnTermination: true,
          VolumeSize: diskGigabytes(spec, root.gigabytes),
          ...(customerKey !== undefined && { KmsKeyId: customerKey }),
        },
      },
      // Other disks of the image would outlive the machine if the image says so. What is not named here stays as the image has it.
      ...(root.staying ?? []).map((DeviceName) => ({ DeviceName, Ebs: { DeleteOnTermination: true } })),
    ],
    ...(publicAddress === undefined
      ? { SecurityGroupIds: [...groups] }
      : {
          NetworkInterfaces: [{ DeviceIndex: 0, AssociatePublicIpAddress: publicAddress, DeleteOnTermination: true, Groups: [...groups] }],
        }),
    ...reservedData(params),
    TagSpecifications: [
      { ResourceType: 'instance', Tags },
      { ResourceType: 'volume', Tags },
      { ResourceType: 'network-interface', Tags },
    ],
  }
}

/**
 * A capacity block has a market type of its own, which a group of several types does not accept.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/launch-template-capacity-blocks.html
 */
function reservedData({ settings: { reservation }, placement }: TemplateParams): RequestLaunchTemplateData {
  if (reservation === undefined) return {}
  const [InstanceType] = placement.types as ['m5.large']
  if (!reservation.startsWith(BLOCK)) return { InstanceType }
  return {
    InstanceType,
    InstanceMarketOptions: { MarketType: 'capacity-block' },
    CapacityReservationSpecification: { CapacityReservationTarget: { CapacityReservationId: reservation.slice(BLOCK.length) } },
  }
}

/** The groups of a deployment. */
export const kindsOf = ({ tags, spot }: MachineSpec): readonly GroupKind[] => groupKinds(spot, groupName(tags), twinName(tags))

/**
 * Empty at first; it may grow to all machines. No scale-in protection: protected machines would outlive the switch. No scaling policies, so
 * that only tpi and the switch change its size.
 */
export function groupInput(params: TemplateParams, { name, spot }: GroupKind): GroupInput {
  const { spec, settings, placement } = params
  return {
    AutoScalingGroupName: name,
    MinSize: 0,
    MaxSize: spec.tags.count,
    DesiredCapacity: 0,
    VPCZoneIdentifier: placement.subnets.map(({ id }) => id).join(','),
    CapacityRebalance: false,
    NewInstancesProtectedFromScaleIn: false,
    ...(settings.reservation === undefined ? { MixedInstancesPolicy: mixOf(params, spot) } : reservedGroup(spec, settings.reservation)),
    Tags: groupTags(name, spec.tags),
  }
}

/** `isSpot`: its machines are of the spot market. */
function mixOf({ spec, placement }: TemplateParams, isSpot: boolean): NonNullable<GroupInput['MixedInstancesPolicy']> {
  const { spot } = spec
  return {
    LaunchTemplate: {
      LaunchTemplateSpecification: templateOf(spec),
      Overrides: placement.types.map((InstanceType) => ({ InstanceType })),
    },
    InstancesDistribution: {
      OnDemandBaseCapacity: 0,
      OnDemandPercentageAboveBaseCapacity: isSpot ? 0 : 100,
      OnDemandAllocationStrategy: 'prioritized',
      SpotAllocationStrategy: 'price-capacity-optimized',
      ...(isSpot && spot.want !== 'never' && spot.maxPrice !== undefined && { SpotMaxPrice: String(spot.maxPrice) }),
    },
  }
}

/** If the reservation is full, no machine starts outside of it. A capacity block is named in the template. */
function reservedGroup(
  spec: Pick<MachineSpec, 'tags'>,
  reservation: string,
): Pick<GroupInput, 'LaunchTemplate' | 'CapacityReservationSpecification'> {
  return {
    LaunchTemplate: templateOf(spec),
    ...(!reservation.startsWith(BLOCK) && {
      CapacityReservationSpecification: {
        CapacityReservationPreference: 'capacity-reservations-only',
        CapacityReservationTarget: { CapacityReservationIds: [reservation] },
      },
    }),
  }
}

const templateOf = ({ tags }: Pick<MachineSpec, 'tags'>): { readonly LaunchTemplateName: string; readonly Version: string } => ({
  LaunchTemplateName: groupName(tags),
  Version: '1',
})
