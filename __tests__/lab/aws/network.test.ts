/** The user's own networks, addresses and keys: what a command makes of them in an emulated account, and that it removes only what it made. */
import { AutoScalingClient, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling'
import { expect, test } from '@jest/globals'
import { untilSame } from '../../setup/wait.ts'
import type { World } from '../../setup/world.ts'
import { onLab } from '../vm/on-lab.ts'
import { inside, type TemplateRef } from './instances.ts'
import { type AwsLab, startAwsLab } from './lab.ts'

const TARGET = 'CapacityReservationSpecification.CapacityReservationTarget.CapacityReservationId'

let lab: AwsLab | undefined
let w: World
onLab(startAwsLab, (ground) => {
  ;({ lab, w } = ground)
})

const ask = async (form: Readonly<Record<string, string>>): Promise<string> =>
  (await lab?.front.ask('ec2', 'us-east-1', { Version: '2016-11-15', ...form })) ?? ''

interface Own {
  readonly vpc: string
  /** In two zones. */
  readonly subnets: readonly string[]
  readonly group: string
}

/** An administrator's network: private, in two zones, with a security group. */
async function ownNetwork(): Promise<Own> {
  const vpc = inside(await ask({ Action: 'CreateVpc', CidrBlock: '10.7.0.0/16' }), 'vpcId') ?? ''
  const subnets = await Promise.all(
    ['a', 'b'].map(async (zone, at) => {
      const made = { Action: 'CreateSubnet', VpcId: vpc, CidrBlock: `10.7.${at}.0/24`, AvailabilityZone: `us-east-1${zone}` }
      return inside(await ask(made), 'subnetId') ?? ''
    }),
  )
  const group =
    inside(await ask({ Action: 'CreateSecurityGroup', GroupName: 'theirs', GroupDescription: 'x', VpcId: vpc }), 'groupId') ?? ''
  return { vpc, subnets, group }
}

const words = (name: string, ...more: readonly string[]): string[] =>
  `task --cloud aws --machine m5.large --name ${name} --detach --json --script true`.split(' ').concat(more)

/** The launch template and the subnets of the only group. */
async function made(): Promise<{ readonly template: string; readonly places: readonly string[] }> {
  const [group] = lab?.world.groups('us-east-1') ?? []
  const template = await ask({ Action: 'DescribeLaunchTemplateVersions', LaunchTemplateName: group?.request.name ?? '' })
  return { template, places: (group?.request.places ?? []).map(({ id }) => id).toSorted() }
}

async function begun(name: string, ...more: readonly string[]): ReturnType<typeof made> {
  const ran = await w.tpi(words(name, ...more), { env: { ...lab?.env } })
  expect([ran.code, ran.host.lines.join('\n')]).toEqual([0, expect.anything()])
  return made()
}

async function givenBack(name: string, before: readonly string[]): Promise<void> {
  expect((await w.tpi(`destroy ${name} --discard --json`, { env: { ...lab?.env } })).code).toBe(0)
  await untilSame('the account is as before', async () => lab?.inventory(), before)
}

test('the user’s own network: in all its subnets, or in those named, with the named security group and without public addresses', async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const { vpc, subnets, group } = await ownNetwork()
  const before = await lab.inventory()
  const whole = await begun('whole', '--vpc', vpc)
  expect(whole.places).toEqual(subnets.toSorted())
  // A security group made by tpi, in that network.
  const own = inside(whole.template, 'securityGroupIdSet')?.match(/sg-\w+/)?.[0] ?? /sg-\w+/.exec(whole.template)?.[0] ?? ''
  expect(await ask({ Action: 'DescribeSecurityGroups', 'GroupId.1': own })).toContain(`<vpcId>${vpc}</vpcId>`)
  await givenBack('whole', before)

  const more = ['--subnet', subnets[1] ?? '', '--security-group', group, '--public-address', 'false']
  const { template, places } = await begun('named', ...more)
  expect(places).toEqual([subnets[1]])
  expect(template).toContain(group)
  expect(template).toMatch(/<associatePublicIpAddress>false</i)
  expect(await lab.inventory()).toContain(`groupId us-east-1/${group}`)
  await givenBack('named', before)
  expect(await ask({ Action: 'DescribeSecurityGroups', 'GroupId.1': group })).toContain('theirs')
})

test('the user’s own key encrypts the disk, and disks are as large as requested', async () => {
  if (!lab) return
  const key = 'arn:aws:kms:us-east-1:123456789012:key/0f1e2d3c-0000-4000-8000-000000000000'
  const before = await lab.inventory()
  const { template } = await begun('locked', '--customer-key', key, '--disk-size', '50GB')
  expect(template).toContain(`<kmsKeyId>${key}</kmsKeyId>`)
  expect(template).toMatch(/<encrypted>true</i)
  expect(template).toContain('<volumeSize>50</volumeSize>')
  await givenBack('locked', before)
})

test.each([
  ['cr-0123456789abcdef0', false],
  ['capacity-block:cr-0123456789abcdef0', true],
])('machines come from the user’s own reservation: %s', async (reservation, block) => {
  if (!lab) return
  const before = await lab.inventory()
  const { places } = await begun('reserved', '--reservation', reservation, '--region', 'us-east-1b')
  expect(places).toHaveLength(1)
  const client = new AutoScalingClient({
    endpoint: lab.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  })
  const [group] = (await client.send(new DescribeAutoScalingGroupsCommand({}))).AutoScalingGroups ?? []
  const template = lab.front.instances.template('us-east-1', lab.world.groups('us-east-1')[0]?.request.template as TemplateRef)
  client.destroy()
  expect(group).toMatchObject({ LaunchTemplate: { LaunchTemplateName: group?.AutoScalingGroupName, Version: '1' } })
  expect(group?.MixedInstancesPolicy).toBeUndefined()
  expect(group?.CapacityReservationSpecification).toEqual(
    block
      ? undefined
      : {
          CapacityReservationPreference: 'capacity-reservations-only',
          CapacityReservationTarget: { CapacityReservationIds: [reservation] },
        },
  )
  const said = ['InstanceType', 'InstanceMarketOptions.MarketType', TARGET].map((name) => template?.get(name) ?? null)
  expect(said).toEqual(['m5.large', ...(block ? ['capacity-block', 'cr-0123456789abcdef0'] : [null, null])])
  await givenBack('reserved', before)
})
