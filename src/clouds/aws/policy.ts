/** What a machine may do in the account: reach its deployment's part of the bucket, and leave its own group. */
import type { Reference } from '../../core/cloud.ts'
import type { Caller } from './api.ts'
import { groupName, TWIN, twinName } from './names.ts'

export interface Statement {
  readonly Sid: string
  readonly Effect: 'Allow'
  readonly Action: readonly string[]
  readonly Resource: readonly string[]
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
}

export interface Policy {
  readonly Version: '2012-10-17'
  readonly Statement: readonly Statement[]
}

/** Where the store is: a bucket, and a prefix that is empty or ends in `/`. */
export interface Bucket {
  readonly name: string
  readonly prefix: string
}

/** Of one deployment; without one, of all of the account: then a machine could reach its neighbours' part too. `twin`: it may have a second group. */
export function machinePolicy(
  { account, partition }: Caller,
  region: string,
  { name, prefix }: Bucket,
  of?: Reference,
  twin = of === undefined,
): Policy {
  const named = (groups: string): string[] => [
    `arn:${partition}:autoscaling:${region}:${account}:autoScalingGroup:*:autoScalingGroupName/${groups}`,
  ]
  const below = `${prefix}${of ? `${of.id}/` : 'tpi-'}*`
  const groups = of ? `${groupName(of)}*` : 'tpi-*'
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'Store',
        Effect: 'Allow',
        Action: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
        Resource: [`arn:${partition}:s3:::${name}/${below}`],
      },
      {
        // Without it, what does not exist is "forbidden", and cannot be told from what may not be read.
        Sid: 'List',
        Effect: 'Allow',
        Action: ['s3:ListBucket'],
        Resource: [`arn:${partition}:s3:::${name}`],
        Condition: { StringLike: { 's3:prefix': [below] } },
      },
      {
        Sid: 'Leave',
        Effect: 'Allow',
        Action: ['autoscaling:TerminateInstanceInAutoScalingGroup'],
        Resource: named(groups),
      },
      ...(twin ? twinStatements(named(groups), named(of ? twinName(of) : `tpi-*${TWIN}`)) : []),
    ],
  }
}

/**
 * To nothing alone, and the twin up to its most. What puts the twin off could also put off its switch: whoever is root on a machine could, too.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonec2autoscaling.html
 */
function twinStatements(groups: readonly string[], twins: readonly string[]): Statement[] {
  return [
    {
      Sid: 'End',
      Effect: 'Allow',
      Action: ['autoscaling:UpdateAutoScalingGroup'],
      Resource: groups,
      Condition: { NumericEquals: { 'autoscaling:MaxSize': ['0'] } },
    },
    {
      Sid: 'Twin',
      Effect: 'Allow',
      Action: ['autoscaling:PutScheduledUpdateGroupAction', 'autoscaling:SetDesiredCapacity'],
      Resource: twins,
    },
  ]
}

/** Who may be this: machines, and nobody else. */
export function trustPolicy(partition: string): object {
  const service = partition === 'aws-cn' ? 'ec2.amazonaws.com.cn' : 'ec2.amazonaws.com'
  return {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
  }
}
