/** A wish → what the vendor makes each machine from. */
import { bucketBirth } from '../../boot/bucket.ts'
import { EC2 } from '../../boot/ec2.ts'
import { type Architecture, RUNTIMES } from '../../boot/runtime.ts'
import { userData } from '../../boot/user-data.ts'
import type { MachineSpec, SpotWish } from '../../core/cloud.ts'
import { VERSION } from '../../wire/parse.ts'
import { hardDeadline } from '../../wire/spec.ts'
import type { Identity } from './identity.ts'
import { groupName, twinName } from './names.ts'
import type { Root, Site } from './place.ts'
import type { GroupInput } from './resources/group.ts'
import type { RequestLaunchTemplateData } from './sdk.ts'
import type { Settings } from './settings.ts'
import { groupTags, pairsOf, plainTags } from './tags.ts'

export interface Making {
  readonly spec: MachineSpec
  readonly settings: Settings
  readonly site: Site
  readonly account: string
  /** Of the Auto Scaling API, where it is not the vendor's own. */
  readonly endpoint?: string
}

/** Seconds that work waits for a spot machine before others start, unless told. */
const WAIT = 600

/** The script reaches the identity of the machine only where it was given one. Never port 53: that address also resolves names. */
const METADATA = ['169.254.169.254:80', '[fd00:ec2::254]:80']

const RUNTIME: Readonly<Record<Site['arch'], Architecture>> = { x86_64: 'x86_64', arm64: 'aarch64' }

export const architectureOf = ({ arch }: Pick<Site, 'arch'>): Architecture => RUNTIME[arch]

export function bootText({ spec, settings, site, account, endpoint }: Making): string {
  const { tags, store } = spec
  const { url, settings: place } = store
  const architecture = architectureOf(site)
  return userData({
    machine: {
      v: VERSION,
      cloud: 'aws',
      id: tags.id,
      incarnation: tags.incarnation,
      side: { group: groupName(tags), region: settings.region, ...(endpoint !== undefined && { endpoint }), ...twinSide(spec) },
      system: { sudo: settings.sudo, ...(spec.permissionSet === undefined && { closed: METADATA }) },
      execs: true,
      hardDeadline: new Date(hardDeadline(tags.lifetime)).toISOString(),
      store: { url, ...(place && { settings: place }) },
      credentials: 'machine',
    },
    dialect: EC2,
    store: bucketBirth({ url, ...(place && { settings: place }) }, tags.id, tags.incarnation, isOwn(url, account) ? account : undefined),
    agent: spec.agent,
    runtimes: { [architecture]: RUNTIMES[architecture].digest },
  })
}

/** What a machine needs to know of the other group. */
function twinSide({ spot, tags }: MachineSpec): Readonly<Record<string, string>> {
  return spot.want === 'prefer' ? { twin: twinName(tags), count: String(tags.count), wait: String(waitOf(spot)) } : {}
}

/** Seconds. */
export const waitOf = (spot: SpotWish): number => (spot.want === 'never' ? undefined : spot.wait) ?? WAIT

/** A bucket that the user named may belong to another account that lets this one in. */
const isOwn = (url: string, account: string): boolean => url.startsWith(`s3://tpi-${account}-`)

export function templateData(making: Making, root: Root, identity: Identity, groups: readonly string[]): RequestLaunchTemplateData {
  const { spec, settings } = making
  const { publicAddress, customerKey } = settings
  const Tags = pairsOf(plainTags(spec.tags))
  const wished = spec.diskBytes === undefined ? 0 : Math.ceil(spec.diskBytes / 1e9)
  return {
    ImageId: root.imageId,
    UserData: Buffer.from(bootText(making)).toString('base64'),
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
          VolumeSize: Math.max(wished, root.gigabytes),
          ...(customerKey !== undefined && { KmsKeyId: customerKey }),
        },
      },
    ],
    ...(publicAddress === undefined
      ? { SecurityGroupIds: [...groups] }
      : {
          NetworkInterfaces: [{ DeviceIndex: 0, AssociatePublicIpAddress: publicAddress, DeleteOnTermination: true, Groups: [...groups] }],
        }),
    TagSpecifications: [
      { ResourceType: 'instance', Tags },
      { ResourceType: 'volume', Tags },
      { ResourceType: 'network-interface', Tags },
    ],
  }
}

/** One group; `spot: prefer` has a twin of the other market. Both are empty at first, and may have all of the machines. */
export function inputsOf(making: Making): Named<GroupInput>[] {
  const { spot, tags } = making.spec
  const one = groupInput(making, groupName(tags), spot.want !== 'never')
  return spot.want === 'prefer' ? [one, groupInput(making, twinName(tags), false)] : [one]
}

type Named<T> = T & { readonly AutoScalingGroupName: string }

/** No scale-in protection: what is protected outlives the switch. No policies, so that nothing but us and the switch changes its size. */
function groupInput({ spec, site }: Making, name: string, wants: boolean): Named<GroupInput> {
  const { spot } = spec
  return {
    AutoScalingGroupName: name,
    MinSize: 0,
    MaxSize: spec.tags.count,
    DesiredCapacity: 0,
    VPCZoneIdentifier: site.subnets.map(({ id }) => id).join(','),
    CapacityRebalance: false,
    NewInstancesProtectedFromScaleIn: false,
    MixedInstancesPolicy: {
      LaunchTemplate: {
        LaunchTemplateSpecification: { LaunchTemplateName: groupName(spec.tags), Version: '1' },
        Overrides: site.types.map((InstanceType) => ({ InstanceType })),
      },
      InstancesDistribution: {
        OnDemandBaseCapacity: 0,
        OnDemandPercentageAboveBaseCapacity: wants ? 0 : 100,
        OnDemandAllocationStrategy: 'prioritized',
        SpotAllocationStrategy: 'price-capacity-optimized',
        ...(wants && spot.want !== 'never' && spot.maxPrice !== undefined && { SpotMaxPrice: String(spot.maxPrice) }),
      },
    },
    Tags: groupTags(name, spec.tags),
  }
}
