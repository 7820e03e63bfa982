/**
 * `tpi doctor aws` in an emulated account: each check when all is well, and when it is not; with only the rights that `tpi permissions aws` prints.
 */
import { afterEach, expect, test } from '@jest/globals'
import type { World } from '../../setup/world.ts'
import { type Diagnosis, diagnosis } from '../vm/diagnosis.ts'
import { onLab } from '../vm/on-lab.ts'
import { covers, enforced, printed } from './enforce.ts'
import { inside } from './instances.ts'
import { type AwsLab, startAwsLab } from './lab.ts'

let lab: AwsLab | undefined
let w: World
onLab(startAwsLab, async (ground) => {
  ;({ lab, w } = ground)
  if (lab) await openTheWay(lab)
})
afterEach(() => {
  lab?.front.troubles.clear()
  if (!lab) return
  lab.front.judge = undefined
  lab.front.simulated = () => true
})

const EC2 = { Version: '2016-11-15' }

/**
 * A default VPC has an internet gateway and a route to it; moto's has neither:
 * https://docs.aws.amazon.com/vpc/latest/userguide/default-vpc-components.html
 */
async function openTheWay({ front }: AwsLab): Promise<void> {
  const ask = async (form: Readonly<Record<string, string>>): Promise<string> => front.ask('ec2', 'us-east-1', { ...EC2, ...form })
  const gateway = inside(await ask({ Action: 'CreateInternetGateway' }), 'internetGatewayId') ?? ''
  const vpc = inside(await ask({ Action: 'DescribeVpcs' }), 'vpcId') ?? ''
  await ask({ Action: 'AttachInternetGateway', InternetGatewayId: gateway, VpcId: vpc })
  const table = await mainTable(ask)
  await ask({ Action: 'CreateRoute', RouteTableId: table, DestinationCidrBlock: '0.0.0.0/0', GatewayId: gateway })
}

const mainTable = async (ask: (form: Readonly<Record<string, string>>) => Promise<string>): Promise<string> =>
  inside(await ask({ Action: 'DescribeRouteTables', 'Filter.1.Name': 'association.main', 'Filter.1.Value.1': 'true' }), 'routeTableId') ??
  ''

const look = async (words = '', machine = 'm5.large,m6i.large'): Promise<Diagnosis> =>
  diagnosis(w, 'aws', `--machine ${machine} ${words}`, lab?.env)

test('everything is in order, with the rights of the printed policy and no others, and nothing is made', async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const { front, world: cloud } = lab
  cloud.supply.setQuota('us-east-1', 'spot', 64)
  const before = await lab.inventory()
  const { judge, used } = enforced()
  front.judge = judge
  const [policy] = printed()
  front.simulated = (_, action, resource) => policy !== undefined && covers(policy, action, resource)
  const { code, checks } = await look()
  expect(checks).toMatchObject({
    account: expect.stringMatching(/^ok: 123456789012 in us-east-1, as arn:aws:/),
    machines: expect.stringMatching(/^ok: m5\.large and m6i\.large in \d zones$/),
    image: expect.stringMatching(/^ok: ami-\w+, \d+ GB$/),
    start: 'ok: you may start machines',
    'way out': expect.stringMatching(/^ok: \d subnets of vpc-\w+, each with a way out$/),
    quota: 'ok: 64 vCPUs of standard spot machines at once',
    permissions: expect.stringMatching(/^ok: you have all \d\d that tpi uses$/),
    'shared role': 'ok: the account has none: each run makes a role of its own below /tpi/',
    'spot score': 'ok: 8 of 10; us-west-2 has 9',
    bucket: 'ok: tpi-123456789012-us-east-1 does not exist yet: the first run creates it',
  })
  expect(code).toBe(0)
  expect(used).toContain('caller ec2:RunInstances')
  front.judge = undefined
  expect(await lab.inventory()).toEqual(before)
})

test.each([
  ['start', 'ec2:RunInstances', /^denied: .*start a machine \(dry run\)/],
  ['quota', 'servicequotas:GetServiceQuota', /^warning: you are not allowed to look at quotas$/],
  ['spot score', 'ec2:GetSpotPlacementScores', /^warning: you are not allowed to ask for spot placement scores$/],
  ['way out', 'ec2:DescribeRouteTables', /^denied: .*look at routes/],
  ['image', 'ec2:DescribeImages', /^denied: /],
  ['bucket', 's3:HEAD\\w+', /^fault: storage: the bucket tpi-123456789012-us-east-1 .*you may not use it/],
  ['machines', 'ec2:DescribeSubnets', /^denied: .*look for subnets/],
  [
    'permissions',
    'iam:SimulatePrincipalPolicy',
    /^warning: which permissions you have cannot be seen without iam:SimulatePrincipalPolicy /,
  ],
  ['account', 'sts:GetCallerIdentity', /^denied: /],
])('%s: without the right to %s it says so, and still checks the rest', async (what, call, says) => {
  if (!lab) return
  lab.front.troubles.on(new RegExp(`^${call}$`), { kind: 'denied' }, 100)
  const { code, checks } = await look()
  expect(checks[what]).toMatch(says)
  expect(code).toBe({ denied: 77, fault: 1 }[says.source.slice(1, says.source.indexOf(':'))] ?? 0)
  expect(Object.keys(checks).length).toBeGreaterThan(what === 'account' ? 0 : 1)
})

test('if IAM does not say which permissions the caller has, dry runs of EC2 find what they can', async () => {
  if (!lab) return
  lab.front.troubles.on(/^iam:SimulatePrincipalPolicy$/, { kind: 'denied' }, 100)
  lab.front.troubles.on(/^ec2:CreateLaunchTemplate$/, { kind: 'denied' }, 100)
  const { code, checks } = await look()
  expect(checks['permissions']).toMatch(
    /^denied: you lack ec2:CreateLaunchTemplate \(dry runs\); which other permissions you have cannot be seen without iam:SimulatePrincipalPolicy /,
  )
  expect(code).toBe(77)
})

test('faults of the account are reported with a remedy: a quota, no way out, a missing image, no network, an unknown type', async () => {
  if (!lab) return
  const { front, world: cloud } = lab
  cloud.supply.setQuota('us-east-1', 'spot', 0)
  expect((await look()).checks['quota']).toMatch(
    /^fault: 0 vCPUs of standard spot machines at once: m5\.large needs 2 ask for more: Service Quotas, ec2, L-34B43A08$/,
  )
  cloud.supply.setQuota('us-east-1', 'spot', 64)
  front.scores = { 'us-east-1': 2, 'eu-west-1': 7, 'us-west-2': 9 }
  expect((await look()).checks['spot score']).toBe(
    'warning: 2 of 10; us-west-2 has 9, eu-west-1 has 7 let a task start where its machines are more likely: --region us-east-1,us-west-2',
  )
  expect((await look('--public-address false')).checks['way out']).toMatch(/^warning: no route to the internet from subnet-/)
  const { image, machines } = (await look('--image ami-0ffffffffffffffff')).checks
  expect(image ?? machines).toMatch(/^fault: .*ami-0ffffffffffffffff/)
  expect((await look('--vpc vpc-0123456789abcdef0')).checks['machines']).toMatch(/^fault: vpc-0123456789abcdef0 has no subnet/)
  expect(Object.values((await look('', 'm5.huge')).checks).join('\n')).toMatch(/^fault: .*m5\.huge/m)
  const ask = async (form: Readonly<Record<string, string>>): Promise<string> => front.ask('ec2', 'us-east-1', { ...EC2, ...form })
  await ask({ Action: 'DeleteRoute', RouteTableId: await mainTable(ask), DestinationCidrBlock: '0.0.0.0/0' })
  expect((await look()).checks['way out']).toMatch(/^warning: no route to the internet from subnet-.*endpoints for S3 and for Auto Scaling/)
})

test('the caller’s missing rights are named, with what does not work without them; so is what a shared role of an older version lacks', async () => {
  if (!lab) return
  const { front } = lab
  const lacking = (...gone: readonly string[]): void => {
    front.simulated = (_, action) => !gone.includes(action)
  }
  lacking('pricing:GetProducts')
  expect((await look()).checks['permissions']).toMatch(/^warning: you lack pricing:GetProducts; .*: without it, costs are unknown/)
  lacking('autoscaling:SetDesiredCapacity', 'pricing:GetProducts')
  const refused = await look()
  expect(refused.checks['permissions']).toMatch(
    /^denied: you lack (?=.*SetDesiredCapacity).*GetProducts.* tpi permissions aws prints what is needed/,
  )
  expect(refused.code).toBe(77)
  const role = { Version: '2010-05-08', RoleName: 'tpi-machine' }
  await front.ask('iam', 'us-east-1', {
    ...role,
    Action: 'CreateRole',
    Path: '/tpi/',
    AssumeRolePolicyDocument: '{"Version":"2012-10-17","Statement":[]}',
  })
  const [, machine] = printed()
  const asked = new Set<string>()
  front.simulated = (principal, action, resource) => {
    if (!principal.endsWith(':role/tpi/tpi-machine')) return true
    asked.add(action)
    return machine !== undefined && covers(machine, action, resource)
  }
  expect((await look()).checks['shared role']).toBe('ok: tpi-machine has everything that machines need if you may not make roles')
  expect(asked).toContain('autoscaling:TerminateInstanceInAutoScalingGroup')
  // As the policy was before runs could have groups of two markets.
  front.simulated = (_, action) => !/UpdateAutoScalingGroup|PutScheduled/.test(action)
  expect((await look()).checks['shared role']).toMatch(
    /^warning: tpi-machine lacks autoscaling:UpdateAutoScalingGroup and autoscaling:PutScheduledUpdateGroupAction: .* give it the second policy that "tpi permissions aws" prints/,
  )
  await front.ask('iam', 'us-east-1', { ...role, Action: 'DeleteRole' })
})
