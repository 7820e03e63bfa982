/** The rights of a machine in the account: to use its deployment's part of the bucket, and to leave its own group. */
import type { Reference } from '../../core/cloud.ts'
import type { StorePlace } from '../../wire/store.ts'
import { TWIN } from '../vm/names.ts'
import type { Caller } from './api.ts'
import type { Repository } from './image-registry.ts'
import { groupName, twinName } from './names.ts'

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

export interface Bucket {
  readonly name: string
  /** Empty, or ends in `/`. */
  readonly prefix: string
}

/** The part of a bucket that a URL names. */
export function bucketOf({ url }: Pick<StorePlace, 'url'>): Bucket {
  const { host, pathname } = new URL(url)
  const path = decodeURIComponent(pathname).split('/').filter(Boolean).join('/')
  return { name: host, prefix: path === '' ? '' : `${path}/` }
}

export interface Powers {
  readonly bucket: Bucket
  /** Buckets that machines also read. */
  readonly data?: readonly Bucket[]
  /** The image of the user's container, if it is in a registry of the vendor's. */
  readonly image?: Repository | undefined
  /** Absent: the rights are for all deployments of the account, so a machine can also reach those of other runs. */
  readonly of?: Reference
  /** There may be a second group (`spot: prefer`). */
  readonly twin?: boolean
}

export function machinePolicy({ account, partition }: Pick<Caller, 'account' | 'partition'>, region: string, powers: Powers): Policy {
  const { bucket, data = [], image, of, twin = of === undefined } = powers
  const { name, prefix } = bucket
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
        // Without it, S3 answers "forbidden" for an object that does not exist.
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
      ...data.flatMap((one, at) => dataStatements(partition, one, at)),
      ...(image ? imageStatements(partition, image) : []),
      ...(twin ? twinStatements(named(groups), named(of ? twinName(of) : `tpi-*${TWIN}`)) : []),
    ],
  }
}

/** To read and list a part of a user's bucket. */
function dataStatements(partition: string, { name, prefix }: Bucket, at: number): Statement[] {
  return [
    { Sid: `Data${at}`, Effect: 'Allow', Action: ['s3:GetObject'], Resource: [`arn:${partition}:s3:::${name}/${prefix}*`] },
    {
      Sid: `DataList${at}`,
      Effect: 'Allow',
      Action: ['s3:ListBucket'],
      Resource: [`arn:${partition}:s3:::${name}`],
      Condition: { StringLike: { 's3:prefix': [`${prefix}*`] } },
    },
  ]
}

/** https://docs.aws.amazon.com/AmazonECR/latest/userguide/repository-policy-examples.html: a login cannot be limited to a resource. */
function imageStatements(partition: string, { account, region, name }: Repository): Statement[] {
  return [
    { Sid: 'RegistryLogin', Effect: 'Allow', Action: ['ecr:GetAuthorizationToken'], Resource: ['*'] },
    {
      Sid: 'Image',
      Effect: 'Allow',
      Action: ['ecr:BatchCheckLayerAvailability', 'ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'],
      Resource: [`arn:${partition}:ecr:${region}:${account}:repository/${name}`],
    },
  ]
}

/**
 * Machines may scale both groups to 0, and the twin up to its maximum. The right to postpone the twin's start cannot be limited to that: root on
 * a machine could use it to postpone the twin's dead-man's switch, too.
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

/** Who may have this role: only machines. */
export function trustPolicy(partition: string): object {
  const service = partition === 'aws-cn' ? 'ec2.amazonaws.com.cn' : 'ec2.amazonaws.com'
  return {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
  }
}
