/**
 * The policies that tpi prints and grants, judged by a third-party evaluation of IAM's rules: what they allow, and that they allow nothing of a
 * neighbour's.
 */
import { expect, test } from '@jest/globals'
import { permissionsText } from '../../../src/clouds/aws/permissions.ts'
import { machinePolicy, type Policy } from '../../../src/clouds/aws/policy.ts'
import { type Asked, judged } from './iam-simulate.ts'

async function allowsJust(
  policy: Policy,
  { must, mustNot }: { readonly must: readonly Asked[]; readonly mustNot: readonly Asked[] },
): Promise<void> {
  const all = [...must, ...mustNot]
  const said = await judged(policy, all)
  const table = all.map((asked, at) => [...asked, said[at]])
  expect(table).toEqual([...must.map((asked) => [...asked, 'Allowed']), ...mustNot.map((asked) => [...asked, 'ImplicitlyDenied'])])
}

const ACCOUNT = '123456789012'
const BUCKET = `tpi-${ACCOUNT}-us-east-1`
const OWN = { id: 'tpi-fit-0123456789', incarnation: 'abcdef0123' }
const GROUP = `${OWN.id}-${OWN.incarnation}`
const object = (key: string, bucket = BUCKET): string => `arn:aws:s3:::${bucket}/${key}`
const group = (name: string, region = 'us-east-1'): string =>
  `arn:aws:autoscaling:${region}:${ACCOUNT}:autoScalingGroup:11111111-2222-3333-4444-555555555555:autoScalingGroupName/${name}`
const listed = (prefix: string, bucket = BUCKET): Asked => ['s3:ListBucket', `arn:aws:s3:::${bucket}`, { 's3:prefix': prefix }]
const OBJECT = ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'] as const
const LEAVE = 'autoscaling:TerminateInstanceInAutoScalingGroup'
/** A machine that may do any of these can become more than that machine. */
const POWERS: readonly Asked[] = [
  ['ec2:RunInstances', `arn:aws:ec2:us-east-1:${ACCOUNT}:instance/*`],
  ['ec2:TerminateInstances', `arn:aws:ec2:us-east-1:${ACCOUNT}:instance/i-0123456789abcdef0`],
  ['ec2:DeleteLaunchTemplate', `arn:aws:ec2:us-east-1:${ACCOUNT}:launch-template/lt-0123456789abcdef0`],
  ['iam:PassRole', `arn:aws:iam::${ACCOUNT}:role/tpi/one`, { 'iam:PassedToService': 'ec2.amazonaws.com' }],
  ['iam:PutRolePolicy', `arn:aws:iam::${ACCOUNT}:role/tpi/one`],
  ['sts:AssumeRole', `arn:aws:iam::${ACCOUNT}:role/admin`],
  ['ssm:GetParameter', `arn:aws:ssm:us-east-1:${ACCOUNT}:parameter/secret`],
]

test('a machine reaches its own storage and groups, and nothing of a neighbour, of another start of the same name, or of the account', async () => {
  const policy = machinePolicy({ account: ACCOUNT, partition: 'aws' }, 'us-east-1', {
    bucket: { name: BUCKET, prefix: '' },
    data: [{ name: 'sets', prefix: 'photos/' }],
    of: OWN,
    twin: true,
  })
  const neighbours = ['tpi-fit-9876543210/current.json', 'tpi-fit-0123456789x/current.json', 'current.json', `x/${OWN.id}/current.json`]
  await allowsJust(policy, {
    must: [
      ...OBJECT.map((action): Asked => [action, object(`${OWN.id}/${OWN.incarnation}/slots/0/slot.json`)]),
      listed(`${OWN.id}/${OWN.incarnation}/slots/`),
      ['s3:GetObject', object('photos/a.jpg', 'sets')],
      ['s3:ListBucket', 'arn:aws:s3:::sets', { 's3:prefix': 'photos/' }],
      [LEAVE, group(GROUP)],
      [LEAVE, group(`${GROUP}-on-demand`)],
      ['autoscaling:UpdateAutoScalingGroup', group(GROUP), { 'autoscaling:MaxSize': '0' }],
      ['autoscaling:PutScheduledUpdateGroupAction', group(`${GROUP}-on-demand`)],
      ['autoscaling:SetDesiredCapacity', group(`${GROUP}-on-demand`)],
    ],
    mustNot: [
      ...OBJECT.flatMap((action) => neighbours.map((key): Asked => [action, object(key)])),
      ...OBJECT.map((action): Asked => [action, object(`${OWN.id}/current.json`, 'tpi-999999999999-us-east-1')]),
      ['s3:PutObject', object('photos/a.jpg', 'sets')],
      ['s3:DeleteObject', object('photos/a.jpg', 'sets')],
      ['s3:GetObject', object('photos2/a.jpg', 'sets')],
      ['s3:ListBucket', 'arn:aws:s3:::sets', { 's3:prefix': '' }],
      listed(''),
      listed('tpi-'),
      listed('tpi-fit-9876543210/'),
      ['s3:ListBucket', `arn:aws:s3:::${BUCKET}`],
      ['s3:DeleteBucket', `arn:aws:s3:::${BUCKET}`],
      [LEAVE, group('tpi-fit-9876543210-abcdef0123')],
      [LEAVE, group(`${OWN.id}-0123abcdef`)],
      [LEAVE, group(GROUP, 'eu-west-1')],
      [LEAVE, group('their-app')],
      ['autoscaling:UpdateAutoScalingGroup', group(GROUP), { 'autoscaling:MaxSize': '5' }],
      ['autoscaling:UpdateAutoScalingGroup', group(GROUP)],
      ['autoscaling:UpdateAutoScalingGroup', group('tpi-fit-9876543210-abcdef0123'), { 'autoscaling:MaxSize': '0' }],
      ['autoscaling:SetDesiredCapacity', group(GROUP)],
      ['autoscaling:PutScheduledUpdateGroupAction', group(GROUP)],
      ['autoscaling:DeleteAutoScalingGroup', group(GROUP)],
      ...POWERS,
    ],
  })
})

test('the shared role of an account is good for all deployments of tpi, and for nothing else', async () => {
  const [, text = ''] = policiesOf({})
  await allowsJust(JSON.parse(text) as Policy, {
    must: [
      ['s3:GetObject', object('tpi-fit-9876543210/x')],
      listed('tpi-fit-9876543210/'),
      [LEAVE, group('tpi-fit-9876543210-abcdef0123')],
    ],
    mustNot: [
      ['s3:GetObject', object('reports/x')],
      ['s3:GetObject', object('tpi-fit-9876543210/x', 'customers')],
      listed(''),
      listed('reports/'),
      [LEAVE, group('their-app')],
      ['autoscaling:UpdateAutoScalingGroup', group('tpi-fit-9876543210-abcdef0123'), { 'autoscaling:MaxSize': '5' }],
      ...POWERS,
    ],
  })
})

const policiesOf = (values: Readonly<Record<string, unknown>>): readonly string[] =>
  [...permissionsText(values).matchAll(/^\{\n[\s\S]*?^\}$/gm)].map(([text]) => text)

test('the caller of tpi reaches groups, roles and buckets of tpi, and none that somebody else has in the account', async () => {
  const [text = ''] = policiesOf({})
  const ours = group(GROUP)
  const role = `arn:aws:iam::${ACCOUNT}:role`
  const toEc2 = { 'iam:PassedToService': 'ec2.amazonaws.com' }
  const ec2 = (kind: string): string => `arn:aws:ec2:us-east-1:${ACCOUNT}:${kind}-0123456789abcdef0`
  const ids = { 'ec2:DeleteLaunchTemplate': 'launch-template/lt', 'ec2:DeleteSecurityGroup': 'security-group/sg' }
  const removals = (context: NonNullable<Asked[2]>): Asked[] => Object.entries(ids).map(([action, id]) => [action, ec2(id), context])
  await allowsJust(JSON.parse(text) as Policy, {
    must: [
      ...removals({ 'aws:ResourceTag/tpi:id': OWN.id }),
      ['ec2:CreateTags', ec2('instance/i'), { 'ec2:CreateAction': 'RunInstances' }],
      ['ec2:CreateTags', ec2('launch-template/lt'), { 'ec2:CreateAction': 'CreateLaunchTemplate' }],
      ['ec2:CreateTags', ec2('security-group/sg'), { 'ec2:CreateAction': 'CreateSecurityGroup' }],
      ['autoscaling:CreateAutoScalingGroup', ours],
      ['autoscaling:DeleteAutoScalingGroup', ours],
      ['autoscaling:UpdateAutoScalingGroup', ours],
      ['iam:CreateRole', `${role}/tpi/one`],
      ['iam:PassRole', `${role}/tpi/one`, toEc2],
      ['iam:CreateServiceLinkedRole', `${role}/aws-service-role/spot.amazonaws.com/x`, { 'iam:AWSServiceName': 'spot.amazonaws.com' }],
      ['s3:CreateBucket', `arn:aws:s3:::${BUCKET}`],
      ['s3:PutObject', object('tpi-fit-0123456789/current.json')],
    ],
    mustNot: [
      ...removals({}),
      ...removals({ 'aws:ResourceTag/tpi:id': 'theirs' }),
      ['ec2:CreateTags', ec2('instance/i')],
      ['ec2:CreateTags', ec2('volume/vol'), { 'ec2:CreateAction': 'CreateVolume' }],
      ['autoscaling:UpdateAutoScalingGroup', group('their-app')],
      ['autoscaling:DeleteAutoScalingGroup', group('their-app')],
      ['autoscaling:CreateAutoScalingGroup', group('their-app')],
      ['iam:CreateRole', `${role}/one`],
      ['iam:PutRolePolicy', `${role}/admin`],
      ['iam:DeleteRole', `${role}/admin`],
      ['iam:PassRole', `${role}/admin`, toEc2],
      ['iam:PassRole', `${role}/tpi/one`, { 'iam:PassedToService': 'lambda.amazonaws.com' }],
      ['iam:CreateServiceLinkedRole', `${role}/aws-service-role/ecs.amazonaws.com/x`, { 'iam:AWSServiceName': 'ecs.amazonaws.com' }],
      ['s3:GetObject', object('x', 'customers')],
      ['s3:ListBucket', 'arn:aws:s3:::customers'],
      ['s3:DeleteBucket', `arn:aws:s3:::${BUCKET}`],
      ['ssm:GetParameter', `arn:aws:ssm:us-east-1:${ACCOUNT}:parameter/secret`],
      ['ec2:TerminateInstances', `arn:aws:ec2:us-east-1:${ACCOUNT}:instance/i-0123456789abcdef0`],
    ],
  })
})

test('with a boundary, no role without it can be made or given rights', async () => {
  const bound = `arn:aws:iam::${ACCOUNT}:policy/bound`
  const [text = ''] = policiesOf({ 'permissions-boundary': bound })
  const makers = ['iam:CreateRole', 'iam:PutRolePolicy'] as const
  const role = `arn:aws:iam::${ACCOUNT}:role/tpi/one`
  await allowsJust(JSON.parse(text) as Policy, {
    must: makers.map((action) => [action, role, { 'iam:PermissionsBoundary': bound }]),
    mustNot: makers.flatMap((action): Asked[] => [
      [action, role],
      [action, role, { 'iam:PermissionsBoundary': `arn:aws:iam::${ACCOUNT}:policy/other` }],
    ]),
  })
})
