/** Where machines of a request could start, and from which image: asked of the account, once for each request. */
import type { MachineRequest } from '../../core/cloud.ts'
import { InputError } from '../../core/errors.ts'
import type { Arch, SizeRequest } from '../../core/size.ts'
import { listed } from '../../lib/text.ts'
import { allFaults } from '../vm/cloud.ts'
import { ofOtherArch } from '../vm/image-name.ts'
import { pagesOf } from '../vm/pages.ts'
import { noLocalDisk } from '../vm/sizes.ts'
import type { Api } from './api.ts'
import { imageQuery, usualImage } from './image-name.ts'
import {
  DescribeImagesCommand,
  DescribeInstanceTypeOfferingsCommand,
  DescribeInstanceTypesCommand,
  DescribeSubnetsCommand,
  GetParameterCommand,
  type Image,
  type Subnet,
} from './sdk.ts'
import type { Settings } from './settings.ts'
import { typesOf } from './sizes.ts'

export interface Placement {
  readonly vpc: string
  readonly subnets: readonly { readonly id: string; readonly zone: string; readonly public: boolean }[]
  /** Best first; each is on sale in the zone of at least one subnet. */
  readonly types: readonly string[]
  readonly arch: Arch
  readonly imageId: string
}

export interface BootImage {
  readonly imageId: string
  readonly device: string
  readonly gigabytes: number
  /** Devices of its other disks that would outlive their machine. */
  readonly staying?: readonly string[]
}

export async function placementOf(api: Api, settings: Settings, request: MachineRequest): Promise<Placement> {
  const choice = typesOf(request.size)
  if (!choice) throw new InputError('machine: not a machine type of AWS')
  const arch = choice.arch ?? (await archOf(api, choice.types, request.size))
  const image = request.image ?? usualImage(choice.types)
  const [subnets, sold, imageId] = await allFaults([subnetsOf(api, settings), offered(api, choice.types), imageIdOf(api, image, arch)])
  const usable = subnets.filter(({ AvailabilityZone: zone }) => choice.types.some((type) => sold.get(type)?.has(zone ?? '')))
  const zones = new Set(usable.map(({ AvailabilityZone }) => AvailabilityZone ?? ''))
  const types = choice.types.filter((type) => [...(sold.get(type) ?? [])].some((zone) => zones.has(zone)))
  const vpc = usable[0]?.VpcId
  if (vpc === undefined || types.length === 0) throw unsold(settings, choice.types, subnets, sold)
  return {
    vpc,
    subnets: usable
      .filter(({ VpcId }) => VpcId === vpc)
      .map(({ SubnetId = '', AvailabilityZone = '', MapPublicIpOnLaunch = false }) => ({
        id: SubnetId,
        zone: AvailabilityZone,
        public: MapPublicIpOnLaunch,
      })),
    types,
    arch,
    imageId,
  }
}

function unsold(
  { region }: Settings,
  types: readonly string[],
  subnets: readonly Subnet[],
  sold: ReadonlyMap<string, ReadonlySet<string>>,
): InputError {
  const zones = subnets.map(({ AvailabilityZone = '' }) => AvailabilityZone)
  const elsewhere = [...new Set([...sold.values()].flatMap((found) => [...found]))].sort()
  const hint =
    elsewhere.length > 0 ? `they are available in ${listed(elsewhere, 'and')}: give a subnet there` : 'give other types, or another region'
  const message = `${listed(types.slice(0, 4))} is not available in ${elsewhere.length > 0 ? listed(zones) : region}`
  return new InputError([{ option: 'machine', message, hint }])
}

/** Those in which machines could start, all in one network. Throws if the user named others. */
async function subnetsOf(api: Api, { subnets, vpc, zone, region }: Settings): Promise<readonly Subnet[]> {
  const isNamed = subnets.length > 0
  const network = vpc === undefined ? { Name: 'default-for-az', Values: ['true'] } : { Name: 'vpc-id', Values: [vpc] }
  const filters = [...(isNamed ? [] : [network]), ...(zone === undefined ? [] : [{ Name: 'availability-zone', Values: [zone] }])]
  const asked = { ...(isNamed && { SubnetIds: [...subnets] }), ...(filters.length > 0 && { Filters: filters }) }
  const found = (await api.call('look for subnets', () => api.ec2.send(new DescribeSubnetsCommand(asked)))).Subnets ?? []
  if (isNamed) refuseNamed(found, vpc)
  const usable = found.filter((subnet) => subnet.State !== 'pending' && hasIpv4(subnet))
  if (usable.length > 0) return usable
  const where = zone ?? region
  if (isNamed)
    throw new InputError([{ option: 'subnet', message: `none of the subnets that you named is in ${where}`, hint: 'name one there' }])
  const missing = found.some((subnet) => !hasIpv4(subnet)) ? 'no subnet with IPv4' : 'no subnet'
  if (vpc !== undefined) throw new InputError([{ option: 'vpc', message: `${vpc} has ${missing} in ${where}`, hint: 'name another one' }])
  throw new InputError([
    {
      option: 'subnet',
      message: `there is no default network in ${where}`,
      hint: 'name subnets (--subnet) or a network (--vpc), or make one: aws ec2 create-default-vpc',
    },
  ])
}

/** Throws if machines of one run cannot start in all the subnets that the user named. Otherwise, some of them would silently stay unused. */
function refuseNamed(named: readonly Subnet[], vpc: string | undefined): void {
  const [first] = named
  const other = named.find(({ VpcId }) => VpcId !== (vpc ?? first?.VpcId))
  if (other) {
    const elsewhere = `${other.SubnetId} is in ${other.VpcId}, not in ${vpc ?? `${first?.VpcId} like ${first?.SubnetId}`}`
    const hint = 'the machines of a run are all in one network: name only its subnets'
    throw new InputError([{ option: 'subnet', message: elsewhere, hint }])
  }
  const deaf = named.find((subnet) => !hasIpv4(subnet))
  if (deaf) {
    const message = `${deaf.SubnetId} has only IPv6, by which machines do not reach S3`
    throw new InputError([{ option: 'subnet', message, hint: 'name only subnets with IPv4' }])
  }
}

/**
 * Machines call S3 and Auto Scaling by IPv4. Without that, they reach them only if the subnet translates their addresses.
 * https://docs.aws.amazon.com/vpc/latest/userguide/nat-gateway-nat64-dns64.html
 */
const hasIpv4 = ({ Ipv6Native, EnableDns64 }: Subnet): boolean => Ipv6Native !== true || EnableDns64 === true

/** Zones in which each type is on sale. */
async function offered(api: Api, types: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const asked = { LocationType: 'availability-zone' as const, Filters: [{ Name: 'instance-type', Values: [...types] }] }
  const ask = async (NextToken: string | undefined) =>
    api.call('look for instance types', () => api.ec2.send(new DescribeInstanceTypeOfferingsCommand({ ...asked, NextToken })))
  const sold = new Map<string, Set<string>>()
  for await (const page of pagesOf(ask, ({ NextToken }) => NextToken))
    for (const { InstanceType: type = '', Location: zone = '' } of page.InstanceTypeOfferings ?? [])
      sold.set(type, (sold.get(type) ?? new Set()).add(zone))
  return sold
}

/** The architecture of types that are not in the list. */
async function archOf(api: Api, types: readonly string[], { scratch }: SizeRequest): Promise<Arch> {
  const asked = { Filters: [{ Name: 'instance-type', Values: [...types] }] }
  const found = (await api.call('look for instance types', () => api.ec2.send(new DescribeInstanceTypesCommand(asked)))).InstanceTypes ?? []
  const known = new Set(found.map(({ InstanceType }) => String(InstanceType)))
  const missing = types.filter((type) => !known.has(type))
  if (missing.length > 0)
    throw new InputError([{ option: 'machine', message: `this region of AWS has no type ${listed(missing)}`, hint: 'check the spelling' }])
  const plain = scratch ? found.flatMap((type) => (type.InstanceStorageSupported ? [] : String(type.InstanceType))) : []
  if (plain.length > 0) throw new InputError([noLocalDisk('AWS', plain, 'name other types')])
  const archs = new Set(
    found.map(({ ProcessorInfo }) => ((ProcessorInfo?.SupportedArchitectures ?? []).includes('arm64') ? 'arm64' : 'x86_64')),
  )
  const [arch] = archs
  if (archs.size === 1 && arch !== undefined) return arch
  throw new InputError([
    { option: 'machine', message: 'types of x86-64 and of arm64 cannot share an image', hint: 'give types of one kind' },
  ])
}

async function imageIdOf(api: Api, image: string, arch: Arch): Promise<string> {
  const query = imageQuery(image, arch)
  if (!query) throw new InputError(`image: "${image}" is not an image of AWS`)
  if ('id' in query) return query.id
  if ('parameter' in query) {
    const found = await api
      .call(`look for the image ${query.parameter}`, () => api.ssm.send(new GetParameterCommand({ Name: query.parameter })))
      .catch((error: unknown) => {
        if (error instanceof InputError) throw noImage(image, error)
        throw error
      })
    const id = found.Parameter?.Value
    if (id === undefined) throw noImage(image)
    return id
  }
  const filters = [
    { Name: 'architecture', Values: [query.arch] },
    { Name: 'name', Values: [query.name] },
    { Name: 'state', Values: ['available'] },
  ]
  const { Images = [] } = await api.call('look for images', () =>
    api.ec2.send(new DescribeImagesCommand({ Owners: [query.owner], Filters: filters })),
  )
  const newest = Images.toSorted((a, b) => ((a.CreationDate ?? '') < (b.CreationDate ?? '') ? 1 : -1))[0]?.ImageId
  if (newest === undefined) throw noImage(image)
  return newest
}

const noImage = (name: string, cause?: unknown): InputError =>
  new InputError([{ option: 'image', message: `"${name}" is not available in this region`, hint: 'name another one, or another region' }], {
    cause,
  })

/** The disks that a machine gets from the image. Throws if it cannot start from it. */
export async function bootImageOf(api: Api, imageId: string, arch: Arch): Promise<BootImage> {
  const { Images = [] } = await api.call(`look at image ${imageId}`, () => api.ec2.send(new DescribeImagesCommand({ ImageIds: [imageId] })))
  const [image] = Images
  if (!image) throw noImage(imageId)
  fitting(image, arch)
  const device = image.RootDeviceName ?? '/dev/sda1'
  const disks = image.BlockDeviceMappings ?? []
  const gigabytes = disks.find(({ DeviceName }) => DeviceName === device)?.Ebs?.VolumeSize ?? 8
  const staying = disks.flatMap(({ DeviceName = device, Ebs }) =>
    Ebs && Ebs.DeleteOnTermination !== true && DeviceName !== device ? [DeviceName] : [],
  )
  return { imageId, device, gigabytes, ...(staying.length > 0 && { staying }) }
}

function fitting({ ImageId, Architecture, RootDeviceType }: Image, arch: Arch): void {
  if (Architecture !== undefined && Architecture !== arch) throw ofOtherArch(ImageId ?? '', Architecture, arch)
  if (RootDeviceType === 'instance-store')
    throw new InputError([
      { option: 'image', message: `${ImageId} has no disk that can be encrypted (instance store)`, hint: 'give one on EBS' },
    ])
}
