/** The template of machines, what a second group shares with the first, and what it has of its own. */
import { expect, test } from '@jest/globals'
import { bootImageOf } from '../../../src/clouds/aws/placement.ts'
import { settingsOf } from '../../../src/clouds/aws/settings.ts'
import { bootText, groupInput, kindsOf, templateData } from '../../../src/clouds/aws/template.ts'
import type { MachineSpec, SpotRequest } from '../../../src/core/cloud.ts'
import { tagsOf } from '../../setup/tags.ts'
import { account } from './account.ts'

const params = (spot: SpotRequest) => ({
  spec: {
    tags: tagsOf({ id: 'tpi-x-0123456789', name: 'x', incarnation: 'abcdef0123', count: 3 }),
    size: {},
    spot,
    agent: 'a',
    store: { url: 's3://bucket' },
  } satisfies MachineSpec,
  settings: settingsOf({ values: {}, env: {} }),
  placement: {
    vpc: 'vpc-1',
    subnets: [{ id: 'subnet-1', zone: 'us-east-1a', public: true }],
    types: ['m5.large'],
    arch: 'x86_64' as const,
    imageId: 'ami-1',
  },
})
const inputs = (spot: SpotRequest) => kindsOf(params(spot).spec).map((kind) => groupInput(params(spot), kind))

test('its machines take the requests of tpi exec from the store', () => {
  expect(bootText(params({ want: 'never' }))).toContain('"execs":true')
})

test('a machine’s metadata needs a session token and one hop; its disk is encrypted; no SSH key opens it', () => {
  const identity = { profile: () => ({ Name: 'p' }), first: [], second: [] }
  const data = templateData(params({ want: 'never' }), { imageId: 'ami-1', device: '/dev/xvda', gigabytes: 8 }, identity, ['sg-1'])
  expect(data).toMatchObject({
    MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
    BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeType: 'gp3', Encrypted: true, DeleteOnTermination: true } }],
  })
  expect(data).not.toHaveProperty('KeyName')
})

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/preserving-volumes-on-termination.html */
test('no disk of an image stays when its machine ends', async () => {
  const identity = { profile: () => ({ Name: 'p' }), first: [], second: [] }
  const BlockDeviceMappings = [
    { DeviceName: '/dev/xvda', Ebs: { VolumeSize: 20, DeleteOnTermination: false } },
    { DeviceName: '/dev/sdb', Ebs: { VolumeSize: 500, SnapshotId: 'snap-1', DeleteOnTermination: false } },
    { DeviceName: '/dev/sdc', Ebs: { VolumeSize: 10, SnapshotId: 'snap-2', DeleteOnTermination: true } },
    { DeviceName: '/dev/sdd', VirtualName: 'ephemeral0' },
  ]
  const { api } = account({ DescribeImages: () => ({ Images: [{ ImageId: 'ami-1', RootDeviceName: '/dev/xvda', BlockDeviceMappings }] }) })
  const data = templateData(params({ want: 'never' }), await bootImageOf(api, 'ami-1', 'x86_64'), identity, ['sg-1'])
  expect(data.BlockDeviceMappings).toEqual([
    { DeviceName: '/dev/xvda', Ebs: expect.objectContaining({ VolumeSize: 20, DeleteOnTermination: true }) },
    { DeviceName: '/dev/sdb', Ebs: { DeleteOnTermination: true } },
  ])
})

test('machines, disks and network cards have the tags of their incarnation', () => {
  const identity = { profile: () => ({ Name: 'p' }), first: [], second: [] }
  const data = templateData(params({ want: 'never' }), { imageId: 'ami-1', device: '/dev/xvda', gigabytes: 8 }, identity, ['sg-1'])
  const Tags = expect.arrayContaining([
    { Key: 'tpi:id', Value: 'tpi-x-0123456789' },
    { Key: 'tpi:incarnation', Value: 'abcdef0123' },
  ])
  expect(data.TagSpecifications).toEqual(['instance', 'volume', 'network-interface'].map((ResourceType) => ({ ResourceType, Tags })))
})

test('a program cannot reach the metadata service, unless the user named the machine’s identity', () => {
  const made = params({ want: 'never' })
  expect(bootText(made)).toContain('"closed":["169.254.169.254","fd00:ec2::254"]')
  const named = bootText({ ...made, spec: { ...made.spec, permissionSet: 'theirs' } })
  expect(named).toContain('"sudo":true')
  expect(named).not.toContain('"closed"')
})

test('two groups start from one template, empty, each with room for all machines; only the first is on the spot market', () => {
  const both = inputs({ want: 'prefer', maxPrice: 0.2 }).map(
    ({ AutoScalingGroupName, MaxSize, DesiredCapacity, MixedInstancesPolicy: policy }) => [
      AutoScalingGroupName,
      [DesiredCapacity, MaxSize],
      policy?.LaunchTemplate?.LaunchTemplateSpecification?.LaunchTemplateName,
      policy?.InstancesDistribution?.OnDemandPercentageAboveBaseCapacity,
      policy?.InstancesDistribution?.SpotMaxPrice,
    ],
  )
  const template = 'tpi-x-0123456789-abcdef0123'
  expect(both).toEqual([
    [template, [0, 3], template, 0, '0.2'],
    [`${template}-on-demand`, [0, 3], template, 100, undefined],
  ])
})

test.each<[SpotRequest, number]>([
  [{ want: 'never' }, 100],
  [{ want: 'only' }, 0],
])('%j has one', (spot, share) => {
  const all = inputs(spot).map(({ MixedInstancesPolicy: policy }) => policy?.InstancesDistribution?.OnDemandPercentageAboveBaseCapacity)
  expect(all).toEqual([share])
})
