/**
 * What can be checked before anything is created: the account, the caller's permissions, the network and its way out, the image, quotas, the
 * bucket.
 */
import type { Check } from '../../core/check.ts'
import type { MachinesRequest } from '../../core/cloud.ts'
import { AuthError } from '../../core/errors.ts'
import { listed, plural } from '../../lib/text.ts'
import { examined, needs, quotasOf } from '../vm/doctor.ts'
import { storageCheck } from '../vm/storage.ts'
import type { Api } from './api.ts'
import { requestFaults, reservedFaults } from './faults.ts'
import { CATALOGUE } from './machine-types.ts'
import { bucketName } from './names.ts'
import { callerCheck, sharedRoleCheck } from './permission-check.ts'
import { bootImageOf, type Placement, placementOf } from './placement.ts'
import { DescribeRouteTablesCommand, GetServiceQuotaCommand, RunInstancesCommand } from './sdk.ts'
import type { Settings } from './settings.ts'
import { spotScore } from './spot-score.ts'
import { isOurs } from './store.ts'

export async function examine(api: Api, settings: Settings, request: MachinesRequest, store: 'own' | 'given'): Promise<readonly Check[]> {
  return examined<Placement>({
    who: [
      'account',
      async () => {
        const { account, arn } = await api.caller()
        return `${account} in ${settings.region}, as ${arn}`
      },
    ],
    faults: [...requestFaults(request), ...reservedFaults(settings, request)],
    placement: async () => placementOf(api, settings, request),
    choice: ({ types, subnets }) => ({ types, zones: new Set(subnets.map(({ zone }) => zone)).size }),
    local: request.size.scratch,
    of: (found) => ({
      image: async () => {
        const { imageId, gigabytes } = await bootImageOf(api, found.imageId, found.arch)
        return `${imageId}, ${gigabytes} GB`
      },
      start: async () => dryRun(api, found),
      'way out': async () => wayOut(api, settings, found),
      quota: async () => quotasOf(request.spot.want, async (spot) => quota(api, found, spot, request.count)),
      ...(request.spot.want !== 'never' && { 'spot score': async () => spotScore(api, found.types) }),
    }),
    besides: {
      permissions: async () => callerCheck(api, settings.boundary),
      'shared role': async () => sharedRoleCheck(api),
      ...(store === 'own' && { bucket: async () => bucketCheck(api) }),
    },
  })
}

async function bucketCheck(api: Api): Promise<string | Check> {
  const name = bucketName((await api.caller()).account, api.region)
  return storageCheck({ name, isOurs: async () => isOurs(api, name) })
}

/** The vendor checks everything and starts nothing. Its answer is always an error, which may say that the request would have succeeded. */
async function dryRun(api: Api, { imageId, types, subnets }: Placement): Promise<string> {
  const asked = {
    DryRun: true,
    MinCount: 1,
    MaxCount: 1,
    ImageId: imageId,
    InstanceType: (types[0] ?? 'm5.large') as 'm5.large',
    ...(subnets[0] && { SubnetId: subnets[0].id }),
  }
  await api.unless(/^DryRunOperation$/, 'start a machine (dry run)', () => api.ec2.send(new RunInstancesCommand(asked)))
  return 'you may start machines'
}

/** Machines download their program from S3 and leave the group by the Auto Scaling API, so they need a way out. */
async function wayOut(api: Api, { publicAddress }: Settings, { vpc, subnets }: Placement): Promise<string | Check> {
  const { RouteTables = [] } = await api.call('look at routes', () =>
    api.ec2.send(new DescribeRouteTablesCommand({ Filters: [{ Name: 'vpc-id', Values: [vpc] }] })),
  )
  const main = RouteTables.find(({ Associations = [] }) => Associations.some(({ Main }) => Main))
  const hasWayOut = ({ id, public: open }: Placement['subnets'][number]): boolean => {
    const table = RouteTables.find(({ Associations = [] }) => Associations.some(({ SubnetId }) => SubnetId === id)) ?? main
    const out = (table?.Routes ?? []).filter(
      ({ DestinationCidrBlock, State }) => DestinationCidrBlock === '0.0.0.0/0' && State !== 'blackhole',
    )
    // An internet gateway serves only machines with a public address. Any other target is assumed to lead out: NAT, a firewall, a transit gateway.
    return out.some(({ GatewayId }) => !GatewayId?.startsWith('igw-') || (publicAddress ?? open))
  }
  const closed = subnets.filter((subnet) => !hasWayOut(subnet)).map(({ id }) => id)
  if (closed.length === 0) return `${plural(subnets.length, 'subnet')} of ${vpc}, each with a way out`
  return {
    what: 'way out',
    state: 'warning',
    says: `no route to the internet from ${listed(closed, 'and')}`,
    hint: 'machines need endpoints for S3 and for Auto Scaling there, a NAT gateway, or --public-address true',
  }
}

/**
 * Quotas in vCPUs: https://docs.aws.amazon.com/ec2/latest/instancetypes/ec2-instance-quotas.html (on demand, spot). On the spot market, it names
 * quotas for P5 and for "P4, P3 and P2", and none for P6.
 */
const QUOTAS: readonly (readonly [families: RegExp, onDemand: string, spot: string | undefined, what: string])[] = [
  [/^(?:g|vt)\d/, 'L-DB2E81BA', 'L-3819A6DF', 'G and VT'],
  [/^p5/, 'L-417A185B', 'L-C4BD4855', 'P5'],
  [/^p[234]/, 'L-417A185B', 'L-7212CCBC', 'P'],
  [/^p\d/, 'L-417A185B', undefined, 'P'],
  [/^[acdhimrtz]\d/, 'L-1216C47A', 'L-34B43A08', 'standard'],
]

async function quota(api: Api, { types }: Placement, spot: boolean, count: number): Promise<string | Check> {
  const [type = ''] = types
  const [, onDemand, market, what] = QUOTAS.find(([families]) => families.test(type)) ?? []
  const code = spot ? market : onDemand
  if (code === undefined) return `not known for ${type}`
  try {
    const { Quota } = await api.call(`look at quota ${code}`, () =>
      api.quotas.send(new GetServiceQuotaCommand({ ServiceCode: 'ec2', QuotaCode: code })),
    )
    const most = Quota?.Value ?? 0
    const each = CATALOGUE.find(({ name }) => name === type)?.cpu ?? 1
    const says = `${most} vCPUs of ${what} ${spot ? 'spot machines' : 'machines'} at once`
    return most >= each * count
      ? says
      : { what: 'quota', state: 'fault', says: `${says}: ${needs(type, each, count)}`, hint: `ask for more: Service Quotas, ec2, ${code}` }
  } catch (error) {
    if (error instanceof AuthError) return { what: 'quota', state: 'warning', says: 'you are not allowed to look at quotas' }
    throw error
  }
}
