/** A request → what the vendor makes each machine from. */
import type { MachineSpec } from '../../core/cloud.ts'
import type { StorePlace } from '../../wire/store.ts'
import { birthText, diskGigabytes } from '../vm/bootstrap.ts'
import { groupKinds, twinSide } from '../vm/spot-standby.ts'
import { EC2 } from './boot.ts'
import type { Identity } from './identity.ts'
import { groupName, twinName } from './names.ts'
import type { BootImage, Placement } from './placement.ts'
import type { GroupInput } from './resources/group.ts'
import type { RequestLaunchTemplateData } from './sdk.ts'
import type { Settings } from './settings.ts'
import { groupTags, pairsOf, plainTags } from './tags.ts'

export interface TemplateParams {
  readonly spec: MachineSpec
  readonly settings: Settings
  readonly placement: Placement
  readonly account: string
  /** Of the vendor's own storage: address, region. */
  readonly storage?: StorePlace['settings']
  /** Of the Auto Scaling API, where it is not the vendor's own. */
  readonly endpoint?: string
  /** Of the registry, likewise. */
  readonly ecr?: string
}

/** Before the id of a reservation that is a block. */
const BLOCK = 'capacity-block:'
const METADATA = ['169.254.169.254:80', '[fd00:ec2::254]:80']

export function bootText({ spec, settings, placement, account, endpoint, ecr, storage }: TemplateParams): string {
  return birthText({
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
    ...(isOwn(spec.store.url, account) && { owner: account }),
  })
}

/** A bucket that the user named may belong to another account that lets this one in. */
const isOwn = (url: string, account: string): boolean => url.startsWith(`s3://tpi-${account}-`)

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
    // Version 2 alone, and no further than the machine itself: a container behind a bridge does not reach it.
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

/** A block has a market of its own, which no group of several types takes. https://docs.aws.amazon.com/autoscaling/ec2/userguide/launch-template-capacity-blocks.html */
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

/** One group; `spot: prefer` has a twin of the other market. Both are empty at first, and may have all of the machines. */
export function inputsOf(params: TemplateParams): Named<GroupInput>[] {
  const { spot, tags } = params.spec
  return groupKinds(spot, groupName(tags), twinName(tags)).map((kind) => groupInput(params, kind.name, kind.spot))
}

type Named<T> = T & { readonly AutoScalingGroupName: string }

/** No scale-in protection: what is protected outlives the switch. No policies, so that only tpi and the switch change its size. */
function groupInput(params: TemplateParams, name: string, wants: boolean): Named<GroupInput> {
  const { spec, settings, placement } = params
  return {
    AutoScalingGroupName: name,
    MinSize: 0,
    MaxSize: spec.tags.count,
    DesiredCapacity: 0,
    VPCZoneIdentifier: placement.subnets.map(({ id }) => id).join(','),
    CapacityRebalance: false,
    NewInstancesProtectedFromScaleIn: false,
    ...(settings.reservation === undefined ? { MixedInstancesPolicy: mixOf(params, wants) } : reservedGroup(spec, settings.reservation)),
    Tags: groupTags(name, spec.tags),
  }
}

function mixOf({ spec, placement }: TemplateParams, wants: boolean): NonNullable<GroupInput['MixedInstancesPolicy']> {
  const { spot } = spec
  return {
    LaunchTemplate: {
      LaunchTemplateSpecification: templateOf(spec),
      Overrides: placement.types.map((InstanceType) => ({ InstanceType })),
    },
    InstancesDistribution: {
      OnDemandBaseCapacity: 0,
      OnDemandPercentageAboveBaseCapacity: wants ? 0 : 100,
      OnDemandAllocationStrategy: 'prioritized',
      SpotAllocationStrategy: 'price-capacity-optimized',
      ...(wants && spot.want !== 'never' && spot.maxPrice !== undefined && { SpotMaxPrice: String(spot.maxPrice) }),
    },
  }
}

/** Where there is no room in it, none is taken elsewhere. Which block it is, the template says. */
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
