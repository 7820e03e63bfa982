/** The least rights that a caller needs, each with its purpose, and the rights of machines. The printed policies derive from these lists. */
import { textOf } from '../../lib/record.ts'
import { type RightWords, rightText } from '../vm/permissions.ts'
import { regionTexts } from '../vm/region.ts'
import { repositoryOf } from './image-registry.ts'
import { PATH, SHARED_ROLE, TAG } from './names.ts'
import { bucketOf, machinePolicy, type Policy, type Statement } from './policy.ts'
import { settingsOf } from './settings.ts'

export interface Right extends RightWords {
  readonly sid: string
  /** Calls in `sdk.ts` (a test compares them), or additional requirements of the vendor (`page`). */
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  readonly condition?: NonNullable<Statement['Condition']>
  /** Whoever has it can give a role any rights, unless a condition requires a boundary. */
  readonly boundless?: true
}

const ANY = ['*'] as const
const GROUPS = ['arn:PARTITION:autoscaling:*:*:autoScalingGroup:*:autoScalingGroupName/tpi-*'] as const
const ROLES = [`arn:PARTITION:iam::*:role${PATH}*`, `arn:PARTITION:iam::*:instance-profile${PATH}*`] as const
const BUCKET = ['arn:PARTITION:s3:::tpi-*'] as const

export const RIGHTS: readonly Right[] = [
  { sid: 'Whoami', why: 'whose credentials these are', actions: ['sts:GetCallerIdentity'], resources: ANY },
  {
    sid: 'Look',
    why: 'networks, types, images, prices, machines and groups: none of these can be limited to those of tpi',
    actions: [
      'autoscaling:DescribeAutoScalingGroups',
      'autoscaling:DescribeScalingActivities',
      'ec2:DescribeImages',
      'ec2:DescribeInstances',
      'ec2:DescribeInstanceTypeOfferings',
      'ec2:DescribeInstanceTypes',
      'ec2:DescribeLaunchTemplates',
      'ec2:DescribeRegions',
      'ec2:DescribeRouteTables',
      'ec2:DescribeSecurityGroups',
      'ec2:DescribeSpotPriceHistory',
      'ec2:DescribeSubnets',
      'ec2:GetSpotPlacementScores',
      'servicequotas:GetServiceQuota',
    ],
    resources: ANY,
  },
  {
    sid: 'Images',
    why: 'the newest image of Ubuntu, Debian, Amazon Linux or the one for GPUs',
    actions: ['ssm:GetParameter'],
    resources: ['arn:PARTITION:ssm:*::parameter/aws/service/*'],
  },
  {
    sid: 'Prices',
    why: 'what a machine costs on demand',
    actions: ['pricing:GetProducts'],
    resources: ANY,
    without: 'costs are unknown, and --max-cost is only possible with --spot true',
  },
  {
    sid: 'Groups',
    why: 'groups of machines, their size and the scheduled action that ends them',
    actions: [
      'autoscaling:CreateAutoScalingGroup',
      'autoscaling:DeleteAutoScalingGroup',
      'autoscaling:PutScheduledUpdateGroupAction',
      'autoscaling:SetDesiredCapacity',
      'autoscaling:SuspendProcesses',
      'autoscaling:UpdateAutoScalingGroup',
    ],
    resources: GROUPS,
  },
  {
    sid: 'GroupTags',
    why: 'CreateAutoScalingGroup writes tags',
    actions: ['autoscaling:CreateOrUpdateTags'],
    resources: GROUPS,
    page: 'https://docs.aws.amazon.com/autoscaling/ec2/userguide/control-access-using-iam.html',
  },
  {
    sid: 'Templates',
    why: 'what machines are made from',
    actions: ['ec2:CreateLaunchTemplate', 'ec2:CreateSecurityGroup', 'ec2:AuthorizeSecurityGroupIngress', 'ec2:GetConsoleOutput'],
    resources: ANY,
  },
  {
    sid: 'TemplatesEnd',
    why: 'to remove them: only those that have a tag of tpi',
    actions: ['ec2:DeleteLaunchTemplate', 'ec2:DeleteSecurityGroup'],
    resources: ANY,
    condition: { StringLike: { [`aws:ResourceTag/${TAG.id}`]: ['tpi-*'] } },
  },
  {
    sid: 'Launch',
    why: 'CreateAutoScalingGroup and UpdateAutoScalingGroup check the template as if the caller started it',
    actions: ['ec2:RunInstances'],
    resources: ANY,
    page: 'https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-launch-template-permissions.html',
  },
  {
    sid: 'Tags',
    why: 'RunInstances, CreateLaunchTemplate and CreateSecurityGroup write tags on what they make; it cannot change those of anything else',
    actions: ['ec2:CreateTags'],
    resources: ANY,
    condition: { StringEquals: { 'ec2:CreateAction': ['RunInstances', 'CreateLaunchTemplate', 'CreateSecurityGroup'] } },
    page: 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/supported-iam-actions-tagging.html',
  },
  {
    sid: 'Simulation',
    why: 'for tpi doctor: which of these permissions you have, and the shared role of machines',
    actions: ['iam:SimulatePrincipalPolicy'],
    resources: ['arn:PARTITION:iam::*:*'],
    without: 'doctor says that it cannot see them; runs do not need it',
  },
  {
    sid: 'Roles',
    why: 'a role for the machines of each run',
    actions: [
      'iam:AddRoleToInstanceProfile',
      'iam:CreateInstanceProfile',
      'iam:DeleteInstanceProfile',
      'iam:DeleteRole',
      'iam:DeleteRolePolicy',
      'iam:GetInstanceProfile',
      'iam:GetRole',
      'iam:RemoveRoleFromInstanceProfile',
    ],
    resources: ROLES,
  },
  {
    sid: 'Detach',
    why: 'to remove such a role if somebody else has attached a policy to it, as some accounts do to the role of every machine',
    actions: ['iam:DetachRolePolicy', 'iam:ListAttachedRolePolicies'],
    resources: ROLES,
    without: 'such a role stays',
  },
  {
    sid: 'RolePowers',
    why: 'what that role may do',
    actions: ['iam:CreateRole', 'iam:PutRolePolicy'],
    resources: [`arn:PARTITION:iam::*:role${PATH}*`],
    boundless: true,
    without: `machines get the role ${SHARED_ROLE} of the account, which an administrator makes once`,
  },
  {
    sid: 'RoleTags',
    why: 'CreateRole and CreateInstanceProfile write tags',
    actions: ['iam:TagRole', 'iam:TagInstanceProfile'],
    resources: ROLES,
    page: 'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_tags.html',
  },
  {
    sid: 'PassRole',
    why: 'the machines get that role from their template; the role of a profile that --permission-set names has to be added',
    actions: ['iam:PassRole'],
    resources: [`arn:PARTITION:iam::*:role${PATH}*`],
    condition: { StringEquals: { 'iam:PassedToService': ['ec2.amazonaws.com', 'ec2.amazonaws.com.cn'] } },
    page: 'https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-launch-template-permissions.html',
  },
  {
    sid: 'ServiceRoles',
    why: 'the first group and the first spot machine of an account make roles of the services themselves',
    actions: ['iam:CreateServiceLinkedRole'],
    resources: ['arn:PARTITION:iam::*:role/aws-service-role/*'],
    condition: { StringEquals: { 'iam:AWSServiceName': ['autoscaling.amazonaws.com', 'spot.amazonaws.com'] } },
    page: 'https://docs.aws.amazon.com/autoscaling/ec2/userguide/autoscaling-service-linked-role.html',
    without: 'an administrator makes them once: aws iam create-service-linked-role --aws-service-name autoscaling.amazonaws.com',
  },
  {
    sid: 'Bucket',
    why: 'the bucket of the account, made once',
    actions: ['s3:CreateBucket', 's3:GetLifecycleConfiguration', 's3:PutBucketPublicAccessBlock', 's3:PutLifecycleConfiguration'],
    resources: BUCKET,
    without: 'an administrator makes it once, or you name another one: --storage s3://BUCKET/PREFIX',
  },
  {
    sid: 'List',
    why: 'whether the bucket is there, and what is in it; a bucket that --storage names has to be added, here and in Store',
    actions: ['s3:ListBucket', 's3:ListBucketMultipartUploads'],
    resources: BUCKET,
  },
  {
    sid: 'Store',
    why: 'work directories, checkpoints, logs; a bucket that --storage names has to be added, here and in List',
    actions: ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:PutObject'],
    resources: BUCKET.map((bucket) => `${bucket}/*`),
  },
]

/**
 * The condition of a right. `boundary`: roles without it can neither be created nor be given rights.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
 */
export function conditionOf({ condition, boundless }: Right, boundary: string | undefined): Statement['Condition'] {
  return boundless && boundary !== undefined ? { StringEquals: { 'iam:PermissionsBoundary': [boundary] } } : condition
}

function callerPolicy(partition: string, boundary: string | undefined): Policy {
  return {
    Version: '2012-10-17',
    Statement: RIGHTS.map((right) => {
      const condition = conditionOf(right, boundary)
      return {
        Sid: right.sid,
        Effect: 'Allow',
        Action: right.actions,
        Resource: right.resources.map((resource) => resource.replace('PARTITION', partition)),
        ...(condition && { Condition: condition }),
      }
    }),
  }
}

function policiesOf(values: Readonly<Record<string, unknown>>): Readonly<Record<'caller' | 'machine', Policy>> {
  const [region = '*'] = regionTexts(values['region'])
  const partition = region.startsWith('cn-') ? 'aws-cn' : region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws'
  const data = settingsOf({ values, env: {} }).data.map(bucketOf)
  const image = repositoryOf(textOf(values['container']) ?? '')
  return {
    caller: callerPolicy(partition, textOf(values['permissions-boundary'])),
    machine: machinePolicy({ account: '*', partition }, '*', { bucket: { name: 'tpi-*', prefix: '' }, data, image }),
  }
}

const POWER = `# Careful: anyone who has this policy can become administrator of the account. They may make a role below ${PATH}, give it any right, and start a machine that has it (RolePowers, PassRole).
# To bound it, make a policy that allows no more than the second one below. Then print this with --permissions-boundary ARN, and give that option to each run, too.`

/** Both policies, with the reason before each statement; or one of them, for a file. */
export function permissionsText(values: Readonly<Record<string, unknown>>): string {
  const policies = policiesOf(values)
  const { policy: whose } = values
  if (whose === 'caller' || whose === 'machine') return `${JSON.stringify(policies[whose], undefined, 2)}\n`
  const reasons = RIGHTS.map(({ sid, ...reason }) => `# ${sid}: ${rightText(reason)}`)
  const boundary = textOf(values['permissions-boundary'])
  const bounded = `# Each run needs --permissions-boundary ${boundary}: roles without it can neither be made nor be given rights.`
  return `${[
    '# The policy for the account that runs tpi (--policy caller prints it alone, for a file).',
    ...reasons,
    boundary === undefined ? POWER : bounded,
    JSON.stringify(policies.caller, undefined, 2),
    '',
    `# The policy of the role and instance profile "${SHARED_ROLE}" (path ${PATH}), for accounts in which callers may make no roles (alone: --policy machine).`,
    '# It is good for the store of every run of the account. Otherwise each run has a role of its own, for its own part of the store.',
    JSON.stringify(policies.machine, undefined, 2),
  ].join('\n')}\n`
}
