/** What looking at a group finds if the vendor reports it somewhere else, or refuses the first request. */

import { EC2Client } from '@aws-sdk/client-ec2'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { examine } from '../../../src/clouds/aws/doctor.ts'
import { open } from '../../../src/clouds/aws/index.ts'
import { Watch } from '../../../src/clouds/aws/observe.ts'
import { placementOf } from '../../../src/clouds/aws/placement.ts'
import { settingsOf } from '../../../src/clouds/aws/settings.ts'
import type { CloudContext, CloudEvent } from '../../../src/core/cloud.ts'
import { account, refusal, refuse, sender } from './account.ts'

afterEach(() => void jest.restoreAllMocks())

describe('events of a group', () => {
  const START = new Date('2026-11-01T00:00:00Z')
  const events = async (activity: object, group: object = {}): Promise<readonly CloudEvent[]> => {
    const { api } = account({
      DescribeAutoScalingGroups: () => ({ AutoScalingGroups: [{ AutoScalingGroupName: 'x', DesiredCapacity: 1, ...group }] }),
      DescribeScalingActivities: () => ({ Activities: [{ ActivityId: '1', StartTime: START, ...activity }] }),
      DescribeInstances: () => ({ Reservations: [] }),
    })
    const watch = new Watch(api, ['x'])
    await watch.look()
    return (await watch.look()).events
  }
  /** https://docs.aws.amazon.com/autoscaling/ec2/userguide/ts-as-instancelaunchfailure.html */
  const cancelled = (why: string) => ({
    StatusCode: 'Cancelled',
    Description: 'Launching a new EC2 instance: i-0123456789abcdef0',
    StatusMessage: `Instance became unhealthy while waiting for instance to be in InService state. Termination Reason: ${why}`,
  })

  test.each([
    ['Client.InvalidKMSKey.InvalidState: The KMS key provided is in an incorrect state', 'denied', 'customer key'],
    ['Client.VolumeLimitExceeded: Volume limit exceeded', 'quota', 'for disks'],
  ])('report a launch that died before it was in service: %s', async (why, kind, says) => {
    expect(await events(cancelled(why))).toEqual([
      {
        at: START.toISOString(),
        kind,
        hopeless: true,
        text: expect.stringContaining(says),
        ...(kind === 'denied' && { option: 'customer-key' }),
      },
    ])
  })

  test('are silent about a machine that tpi ended', async () => {
    expect(await events(cancelled('Client.UserInitiatedShutdown: User initiated shutdown'))).toEqual([])
  })

  test('report once that the group has given up, with the vendor’s reason', async () => {
    const reason = 'Administrative suspension: repeated launch failures'
    const suspended = { SuspendedProcesses: [{ ProcessName: 'AZRebalance' }, { ProcessName: 'Launch', SuspensionReason: reason }] }
    expect(await events({ StatusCode: 'Successful' }, suspended)).toEqual([
      expect.objectContaining({ kind: 'capacity', hopeless: true, text: expect.stringContaining(reason) }),
    ])
    expect(await events({ StatusCode: 'Successful' }, { SuspendedProcesses: [{ ProcessName: 'AZRebalance' }] })).toEqual([])
  })
})

/** "FilterLimitExceeded: The maximum number of filter values specified on a single call is 200". */
test('a group with more machines than one request may name is read in parts', async () => {
  const StartTime = new Date('2026-11-01T00:00:00Z')
  const ids = Array.from({ length: 450 }, (_, at) => `i-${at.toString(16).padStart(17, '0')}`)
  const { api, asked } = account({
    DescribeAutoScalingGroups: () => ({
      AutoScalingGroups: [
        {
          AutoScalingGroupName: 'x',
          DesiredCapacity: ids.length,
          Instances: ids.map((InstanceId) => ({ InstanceId, LifecycleState: 'InService' })),
        },
      ],
    }),
    DescribeScalingActivities: () => ({ Activities: [] }),
    DescribeInstances: ({
      Filters = [],
    }: {
      readonly Filters?: readonly { readonly Name: string; readonly Values: readonly string[] }[]
    }) => {
      // At first it finds none of them by their group.
      const values = Filters.flatMap(({ Name, Values }) => (Name === 'instance-id' ? Values : []))
      if (values.length > 200) throw refusal('FilterLimitExceeded')
      return { Reservations: [{ Instances: values.map((InstanceId) => ({ InstanceId, LaunchTime: StartTime })) }] }
    },
  })
  const watch = new Watch(api, ['x'])
  await watch.look()
  const { machines } = await watch.look()
  expect(machines.map(({ startedAt }) => startedAt)).toEqual(ids.map(() => StartTime.toISOString()))
  expect(asked.filter((operation) => operation === 'DescribeInstances')).toHaveLength(1 + 3)
})

/** A region with one zone that offers every type. */
const region = (asked: string[] = []) => ({
  DescribeSubnets: () => ({
    Subnets: [{ SubnetId: 'subnet-1', VpcId: 'vpc-1', AvailabilityZone: 'us-east-1a', MapPublicIpOnLaunch: true }],
  }),
  DescribeInstanceTypeOfferings: ({ Filters = [] }: { readonly Filters?: readonly { readonly Values: readonly string[] }[] }) => ({
    InstanceTypeOfferings: (Filters[0]?.Values ?? []).map((InstanceType) => ({ InstanceType, Location: 'us-east-1a' })),
  }),
  GetParameter: ({ Name }: { readonly Name?: string }) => ({ Parameter: { Value: `ami-${asked.push(String(Name))}` } }),
})
const settings = settingsOf({ values: {}, env: {} })

test.each([
  ['g5.xlarge', /base-oss-nvidia-driver-gpu/],
  ['m7i.large', /canonical\/ubuntu/],
])('a machine %s starts from the image that it needs', async (machine, image) => {
  const asked: string[] = []
  await placementOf(account(region(asked)).api, settings, { size: { machine }, spot: { want: 'never' } })
  expect(asked).toEqual([expect.stringMatching(image)])
})

test('subnets that are not in the zone that was named are not called a missing network', async () => {
  const { api } = account({ ...region(), DescribeSubnets: () => ({ Subnets: [] }) })
  const named = { ...settings, subnets: ['subnet-0123456789abcdef0'], zone: 'us-east-1b' }
  const placed = placementOf(api, named, { size: { machine: 'm7i.large' }, spot: { want: 'never' } })
  await expect(placed).rejects.toThrow('none of the subnets that you named is in us-east-1b')
})

test.each([
  ['of two networks', {}, { VpcId: 'vpc-2' }, 'subnet-2 is in vpc-2, not in vpc-1 like subnet-1'],
  ['outside of the named network', { vpc: 'vpc-2' }, { VpcId: 'vpc-2' }, 'subnet-1 is in vpc-1, not in vpc-2'],
  ['without IPv4', {}, { Ipv6Native: true }, 'subnet-2 has only IPv6, by which machines do not reach S3'],
] as const)('named subnets %s are refused, not left out', async (_, more, second, says) => {
  const [first] = region().DescribeSubnets().Subnets
  const { api } = account({ ...region(), DescribeSubnets: () => ({ Subnets: [first, { ...first, SubnetId: 'subnet-2', ...second }] }) })
  const named = { ...settings, subnets: ['subnet-1', 'subnet-2'], ...more }
  const placed = placementOf(api, named, { size: { machine: 'm7i.large' }, spot: { want: 'never' } })
  await expect(placed).rejects.toMatchObject({ faults: [{ option: 'subnet', message: says }] })
})

test('of a network, machines use the subnets from which they reach S3', async () => {
  const [first] = region().DescribeSubnets().Subnets
  const only6 = { ...first, SubnetId: 'subnet-2', Ipv6Native: true }
  const request = { size: { machine: 'm7i.large' }, spot: { want: 'never' } } as const
  const placed = async (Subnets: readonly object[]) =>
    placementOf(account({ ...region(), DescribeSubnets: () => ({ Subnets }) }).api, { ...settings, vpc: 'vpc-1' }, request)
  const { subnets } = await placed([first ?? {}, only6, { ...only6, SubnetId: 'subnet-3', EnableDns64: true }])
  expect(subnets.map(({ id }) => id)).toEqual(['subnet-1', 'subnet-3'])
  await expect(placed([only6])).rejects.toThrow('vpc-1 has no subnet with IPv4 in us-east-1')
})

/** A route by a firewall's endpoint has its id as GatewayId: https://docs.aws.amazon.com/vpc/latest/userguide/gwlb-route.html */
test.each([
  [{ GatewayId: 'vpce-0123456789abcdef0' }, false, 'ok'],
  [{ NatGatewayId: 'nat-0123456789abcdef0' }, false, 'ok'],
  [{ GatewayId: 'igw-0123456789abcdef0' }, true, 'ok'],
  [{ GatewayId: 'igw-0123456789abcdef0' }, false, 'warning'],
  [{ NatGatewayId: 'nat-0123456789abcdef0', State: 'blackhole' }, true, 'warning'],
] as const)('a default route to %j, with a public address: %s: %s', async (route, publicAddress, state) => {
  const { api } = account({
    ...region(),
    DescribeImages: () => ({ Images: [{ ImageId: 'ami-1' }] }),
    DescribeRouteTables: () => ({
      RouteTables: [{ Associations: [{ Main: true }], Routes: [{ DestinationCidrBlock: '0.0.0.0/0', ...route }] }],
    }),
    RunInstances: refuse('DryRunOperation', 'Request would have succeeded', 412),
    GetServiceQuota: () => ({ Quota: { Value: 4 } }),
  })
  const request = { size: { machine: 'm7i.large' }, spot: { want: 'never' }, count: 1 } as const
  const checks = await examine(api, { ...settings, publicAddress }, request, 'given')
  expect(checks).toContainEqual(expect.objectContaining({ what: 'way out', state }))
})

/** https://docs.aws.amazon.com/ec2/latest/instancetypes/ec2-instance-quotas.html */
test.each([
  ['p5.48xlarge', 'only', 'L-C4BD4855'],
  ['p5en.48xlarge', 'never', 'L-417A185B'],
  ['p4d.24xlarge', 'only', 'L-7212CCBC'],
  ['p6-b200.48xlarge', 'never', 'L-417A185B'],
  ['p6-b300.48xlarge', 'only', undefined],
  ['m7i.large', 'only', 'L-34B43A08'],
] as const)('the quota of %s (spot: %s) is %s', async (machine, want, code) => {
  const codes: unknown[] = []
  const { api } = account({
    ...region(),
    DescribeImages: () => ({ Images: [{ ImageId: 'ami-1' }] }),
    DescribeRouteTables: () => ({ RouteTables: [] }),
    RunInstances: refuse('DryRunOperation', 'Request would have succeeded', 412),
    GetServiceQuota: ({ QuotaCode }: { readonly QuotaCode?: unknown }) => ({ Quota: { Value: codes.push(QuotaCode) } }),
  })
  await examine(api, settings, { size: { machine }, spot: { want }, count: 1 }, 'given')
  expect(codes).toEqual(code === undefined ? [] : [code])
})

test.each([
  [2, 'ok', '4 vCPUs of standard spot machines at once'],
  [3, 'fault', '4 vCPUs of standard spot machines at once: 3 machines of m7i.large need 6'],
] as const)('a quota of 4 processors, for %s machines of 2 each: %s', async (count, state, says) => {
  const { api } = account({
    ...region(),
    DescribeImages: () => ({ Images: [{ ImageId: 'ami-1' }] }),
    DescribeRouteTables: () => ({ RouteTables: [] }),
    RunInstances: refuse('DryRunOperation', 'Request would have succeeded', 412),
    GetServiceQuota: () => ({ Quota: { Value: 4 } }),
  })
  const checks = await examine(api, settings, { size: { machine: 'm7i.large' }, spot: { want: 'only' }, count }, 'given')
  expect(checks).toContainEqual(expect.objectContaining({ what: 'quota', state, says }))
})

/** "For instances on Xen, only the console of the start": https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_GetConsoleOutput.html */
test('a machine without a latest console output is asked for its first one', async () => {
  const GetConsoleOutput = ({ Latest }: { readonly Latest?: unknown }) =>
    Latest === true ? refuse('UnsupportedOperation', 'This instance type does not support retrieving the latest console logs.')() : said
  const said = { Output: Buffer.from('Kernel panic').toString('base64') }
  jest.spyOn(EC2Client.prototype, 'send').mockImplementation(sender({ GetConsoleOutput }) as never)
  const cloud = await open({ env: { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 's' }, values: {} } as unknown as CloudContext)
  const of = { id: 'tpi-x-0123456789', incarnation: 'abcdef0123' }
  expect(await cloud.whySilent?.(of, 'i-0123456789abcdef0')).toBe('its console ends: Kernel panic')
})
