/**
 * Everything that tpi uses of the vendor's library: its chain of credentials, and the calls that tpi makes, each by name. What is not named here
 * stays out of the bundle, and a test compares the caller's permissions with this list.
 */
import { AutoScalingClient } from '@aws-sdk/client-auto-scaling'
import { EC2Client } from '@aws-sdk/client-ec2'
import { IAMClient } from '@aws-sdk/client-iam'
import { S3Client } from '@aws-sdk/client-s3'
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas'
import { SSMClient } from '@aws-sdk/client-ssm'
import { STSClient } from '@aws-sdk/client-sts'
import { defaultProvider } from '@aws-sdk/credential-provider-node'
import { AuthError, RemoteError } from '../../core/errors.ts'
import type { Env } from '../../lib/env.ts'
import { envProxy } from '../../lib/env-proxy.ts'
import { messageOf, oneLine, quoted } from '../../lib/text.ts'
import { endpointIn } from '../../vendors/aws/service.ts'
import { PATIENCE } from '../vm/transport.ts'
import { isWithoutCredentials } from './errors.ts'

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
  type SpotPlacementScore,
  type Subnet,
} from '@aws-sdk/client-ec2'
export {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  CreateRoleCommand,
  DeleteInstanceProfileCommand,
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  DetachRolePolicyCommand,
  GetInstanceProfileCommand,
  GetRoleCommand,
  ListAttachedRolePoliciesCommand,
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
  readonly env: Env
  readonly region: string
  readonly profile?: string | undefined
  /** An existing login: it is looked for only once. */
  readonly login?: (() => Promise<Keys>) | undefined
}

export interface Keys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  readonly expiration?: Date
}

/** Tries of one call; a caller that waits longer calls again. */
const ATTEMPTS = 4
/** By itself, the library waits for ever for a server that accepts a connection and then says nothing. */
const LIMITS = { connectionTimeout: PATIENCE, requestTimeout: PATIENCE, throwOnRequestTimeout: true, socketTimeout: PATIENCE }

/** How the library sends requests: with limits, and through the environment's proxy. */
const handler = () => ({ ...LIMITS, httpAgent: envProxy('http:'), httpsAgent: envProxy('https:') })

/** One client of each service, made on first use: each costs a millisecond or two, and most commands need only one or two in each region. */
export class Clients {
  /** Credentials that are valid now; the library renews those that expire. */
  readonly credentials: () => Promise<Keys>
  readonly #params: LoginParams
  readonly #made = new Map<string, object>()

  constructor(params: LoginParams) {
    const { env, profile, login } = params
    this.#params = params
    this.credentials =
      login ??
      keysOf(env, profile) ??
      explained(
        defaultProvider({ ...(profile !== undefined && { profile }), clientConfig: { requestHandler: handler() } }),
        profile ?? (env['AWS_PROFILE'] || undefined),
      )
  }

  get autoScaling(): AutoScalingClient {
    return this.#client(AutoScalingClient, 'AUTO_SCALING')
  }
  get ec2(): EC2Client {
    return this.#client(EC2Client, 'EC2')
  }
  get iam(): IAMClient {
    return this.#client(IAMClient, 'IAM')
  }
  get s3(): S3Client {
    return this.#client(S3Client, 'S3')
  }
  get quotas(): ServiceQuotasClient {
    return this.#client(ServiceQuotasClient, 'SERVICE_QUOTAS')
  }
  get ssm(): SSMClient {
    return this.#client(SSMClient, 'SSM')
  }
  get sts(): STSClient {
    return this.#client(STSClient, 'STS')
  }

  #client<T extends object>(Client: new (how: object) => T, service: string): T {
    const known = this.#made.get(service)
    if (known instanceof Client) return known
    const { env, region } = this.#params
    const endpoint = endpointIn(env, service)
    const made = new Client({
      region,
      credentials: this.credentials,
      maxAttempts: ATTEMPTS,
      requestHandler: handler(),
      ...(endpoint && { endpoint, forcePathStyle: true }),
    })
    this.#made.set(service, made)
    return made
  }
}

/**
 * Errors of the library that say too little. If the login has worked before, its error is retryable: the network may be down for a while, as on
 * a computer that wakes up, or the sign-in is over, and its user may sign in again (the library's error is the same). If it has not worked yet,
 * and a profile was named, the error names the profile: the library has tried everything else after it, and says only that nothing worked.
 */
function explained<How extends unknown[]>(
  login: (...how: How) => Promise<Keys>,
  profile: string | undefined,
): (...how: How) => Promise<Keys> {
  let worked = false
  return async (...how) => {
    try {
      const keys = await login(...how)
      worked = true
      return keys
    } catch (cause) {
      if (worked) throw new RemoteError(`aws: the login could not be renewed: ${oneLine(messageOf(cause))}`, { cause, retryable: true })
      if (profile === undefined || !isWithoutCredentials(cause)) throw cause
      throw new AuthError(`aws: the profile ${quoted(profile)} gives no credentials`, {
        cause,
        hint: `"aws sts get-caller-identity --profile ${profile}" says why, "aws configure list-profiles" which profiles there are`,
      })
    }
  }
}

/** Keys in variables, which win over everything that the library finds by itself, unless a profile is named. */
function keysOf(env: LoginParams['env'], profile: string | undefined): (() => Promise<Keys>) | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = env
  if (profile !== undefined || !accessKeyId || !secretAccessKey) return undefined
  const keys = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
  return async () => keys
}
