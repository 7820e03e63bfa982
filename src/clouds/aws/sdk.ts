/**
 * Everything that we take of the vendor's library: its chain of credentials, and the calls that we make, each by name. What is not named here
 * stays out of the bundle, and the permissions that a caller needs are held against this list.
 */
import { AutoScalingClient } from '@aws-sdk/client-auto-scaling'
import { EC2Client } from '@aws-sdk/client-ec2'
import { IAMClient } from '@aws-sdk/client-iam'
import { S3Client } from '@aws-sdk/client-s3'
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas'
import { SSMClient } from '@aws-sdk/client-ssm'
import { STSClient } from '@aws-sdk/client-sts'
import { defaultProvider } from '@aws-sdk/credential-provider-node'

export {
  type Activity,
  type AutoScalingGroup,
  CreateAutoScalingGroupCommand,
  DeleteAutoScalingGroupCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeScalingActivitiesCommand,
  PutScheduledUpdateGroupActionCommand,
  SetDesiredCapacityCommand,
  SuspendProcessesCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling'
export {
  AuthorizeSecurityGroupIngressCommand,
  CreateLaunchTemplateCommand,
  CreateSecurityGroupCommand,
  DeleteLaunchTemplateCommand,
  DeleteSecurityGroupCommand,
  DescribeImagesCommand,
  DescribeInstancesCommand,
  DescribeInstanceTypeOfferingsCommand,
  DescribeInstanceTypesCommand,
  DescribeLaunchTemplatesCommand,
  DescribeRegionsCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSpotPriceHistoryCommand,
  DescribeSubnetsCommand,
  GetConsoleOutputCommand,
  GetSpotPlacementScoresCommand,
  type Image,
  type Instance,
  type RequestLaunchTemplateData,
  RunInstancesCommand,
  type Subnet,
} from '@aws-sdk/client-ec2'
export {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  CreateRoleCommand,
  DeleteInstanceProfileCommand,
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  GetInstanceProfileCommand,
  GetRoleCommand,
  PutRolePolicyCommand,
  RemoveRoleFromInstanceProfileCommand,
  SimulatePrincipalPolicyCommand,
} from '@aws-sdk/client-iam'
export {
  CreateBucketCommand,
  GetBucketLifecycleConfigurationCommand,
  HeadBucketCommand,
  PutBucketLifecycleConfigurationCommand,
  PutPublicAccessBlockCommand,
} from '@aws-sdk/client-s3'
export { GetServiceQuotaCommand } from '@aws-sdk/client-service-quotas'
export { GetParameterCommand } from '@aws-sdk/client-ssm'
export { GetCallerIdentityCommand } from '@aws-sdk/client-sts'

export interface LoginParams {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly region: string
  readonly profile?: string | undefined
  /** One that is there already: it is found once. */
  readonly login?: (() => Promise<Keys>) | undefined
}

export interface Keys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  readonly expiration?: Date
}

export interface Clients {
  readonly autoScaling: AutoScalingClient
  readonly ec2: EC2Client
  readonly iam: IAMClient
  readonly s3: S3Client
  readonly quotas: ServiceQuotasClient
  readonly ssm: SSMClient
  readonly sts: STSClient
  /** What is good now; the library renews what expires. */
  readonly credentials: () => Promise<Keys>
  close(): void
}

/** Tries of one call; a caller that waits longer asks again. */
const ATTEMPTS = 4

export function connect({ env, region, profile, login }: LoginParams): Clients {
  const credentials = login ?? keysOf(env, profile) ?? defaultProvider(profile === undefined ? {} : { profile })
  const common = (service: string): object => {
    const endpoint = env[`AWS_ENDPOINT_URL_${service}`] ?? env['AWS_ENDPOINT_URL']
    return { region, credentials, maxAttempts: ATTEMPTS, ...(endpoint && { endpoint, forcePathStyle: true }) }
  }
  // Each costs a millisecond or two, and most commands, and most regions, need one or two of them.
  const clients = new Map<string, { destroy(): void }>()
  const client = <T extends { destroy(): void }>(Client: new (how: object) => T, service: string): T => {
    const known = clients.get(service)
    if (known instanceof Client) return known
    const made = new Client(common(service))
    clients.set(service, made)
    return made
  }
  return {
    get autoScaling() {
      return client(AutoScalingClient, 'AUTO_SCALING')
    },
    get ec2() {
      return client(EC2Client, 'EC2')
    },
    get iam() {
      return client(IAMClient, 'IAM')
    },
    get s3() {
      return client(S3Client, 'S3')
    },
    get quotas() {
      return client(ServiceQuotasClient, 'SERVICE_QUOTAS')
    },
    get ssm() {
      return client(SSMClient, 'SSM')
    },
    get sts() {
      return client(STSClient, 'STS')
    },
    credentials,
    close() {
      for (const made of clients.values()) made.destroy()
    },
  }
}

/** What was handed in wins over what the library finds by itself, unless a profile is named. */
function keysOf(env: LoginParams['env'], profile: string | undefined): (() => Promise<Keys>) | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = env
  if (profile !== undefined || !accessKeyId || !secretAccessKey) return undefined
  const keys = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
  return async () => keys
}
