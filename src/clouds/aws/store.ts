/** The bucket of an account and region: all deployments share it, each below its own prefix. */

import { EXPIRY } from '../../core/bucket-expiry.ts'
import type { Clock } from '../../core/cloud.ts'
import { InputError, ifDenied, RemoteError } from '../../core/errors.ts'
import type { Ensured, Resource } from '../../core/resource.ts'
import type { Env } from '../../lib/env.ts'
import { endpointIn } from '../../vendors/aws/service.ts'
import { renewing } from '../../wire/credentials.ts'
import type { StoreAccess } from '../../wire/store.ts'
import { addressSettings, CUT_OFF, forStore, sharedStorage } from '../vm/storage.ts'
import type { Api } from './api.ts'
import { codeOf, errorOf, statusOf } from './errors.ts'
import { bucketName } from './names.ts'
import {
  CreateBucketCommand,
  GetBucketLifecycleConfigurationCommand,
  HeadBucketCommand,
  PutBucketLifecycleConfigurationCommand,
  PutPublicAccessBlockCommand,
} from './sdk.ts'

export interface StoreGround {
  readonly api: Api
  readonly clock: Clock
  readonly env: Env
}

/** Where S3 is, for any bucket. */
export const addressIn = ({ api, env }: Omit<StoreGround, 'clock'>): Readonly<Record<string, string>> => ({
  region: api.region,
  ...addressSettings(endpointIn(env, 'S3')),
})

/**
 * Every request, also of a machine, names the owner of the bucket: anybody who knows the number of the account could make a bucket of this
 * name before the account does.
 */
export async function storeAccess({ api, clock, env }: StoreGround): Promise<StoreAccess> {
  const { account } = await api.caller()
  return {
    url: `s3://${bucketName(account, api.region)}`,
    settings: { ...addressIn({ api, env }), owner: account },
    source: forStore(
      renewing({
        clock,
        lend: async () => {
          const { accessKeyId, secretAccessKey, sessionToken, expiration } = await api.keys()
          const credentials = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
          return { credentials, ...(expiration && { until: expiration.toISOString() }) }
        },
      }),
    ),
  }
}

export function bucketResource(api: Api, name: string, signal: AbortSignal): Resource {
  return sharedStorage({
    kind: 'bucket',
    name,
    signal,
    isOurs: async () => isOurs(api, name),
    make: async () => make(api, name),
    complete: async () => {
      if (await isBare(api, name)) await configure(api, name)
    },
  })
}

/** `false`: there is no such bucket. Throws InputError if it belongs to another account. */
export async function isOurs(api: Api, name: string): Promise<boolean> {
  const { account } = await api.caller()
  try {
    await api.s3.send(new HeadBucketCommand({ Bucket: name, ExpectedBucketOwner: account }))
    return true
  } catch (error) {
    const status = statusOf(error)
    if (status === 404) return false
    if (status === 403) throw foreign(name, account)
    if (status === 301) throw new InputError(`storage: the bucket ${name} is in another region`, { cause: error, hint: ANOTHER })
    throw errorOf(error, `look at bucket ${name}`)
  }
}

/** The region of a bucket, whoever owns it: a refusal names it too. https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadBucket.html */
export async function regionOf(api: Api, name: string): Promise<string | undefined> {
  try {
    return (await api.s3.send(new HeadBucketCommand({ Bucket: name }))).BucketRegion
  } catch (error) {
    const { $response } = error as { readonly $response?: { readonly headers?: Readonly<Record<string, string>> } }
    return $response?.headers?.['x-amz-bucket-region']
  }
}

const ANOTHER = 'name another one: --storage s3://BUCKET/PREFIX'

function foreign(name: string, account: string): InputError {
  return new InputError(`storage: the bucket ${name} is not of account ${account}, or you may not use it`, {
    hint: `see which permissions are needed: tpi permissions aws; or ${ANOTHER}`,
  })
}

async function make(api: Api, name: string): Promise<Ensured> {
  const { account } = await api.caller()
  const asked = {
    Bucket: name,
    // The oldest region must not be named. https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html
    ...(api.region !== 'us-east-1' && { CreateBucketConfiguration: { LocationConstraint: api.region as 'us-west-2' } }),
  }
  try {
    await api.s3.send(new CreateBucketCommand(asked))
  } catch (error) {
    const code = codeOf(error)
    if (code === 'BucketAlreadyExists') throw foreign(name, account)
    // Another command of this account has made it, or is making it.
    if (code !== 'BucketAlreadyOwnedByYou') throw errorOf(error, `create bucket ${name}`)
  }
  await configure(api, name)
  if (!(await isOurs(api, name))) throw new RemoteError(`aws: bucket ${name} does not exist yet`, { retryable: true })
  return 'created'
}

/** Whether the bucket has no expiry rules: its maker was killed before it set them. If there are rules, they stay, whoever made them. */
async function isBare(api: Api, name: string): Promise<boolean> {
  const { account } = await api.caller()
  const asked = new GetBucketLifecycleConfigurationCommand({ Bucket: name, ExpectedBucketOwner: account })
  const found = await api
    .unless(/^NoSuchLifecycleConfiguration$/, `look at the expiry of bucket ${name}`, () => api.s3.send(asked))
    // A caller who may not read the rules did not make the bucket.
    .catch(ifDenied('hidden'))
  return found === undefined
}

async function configure(api: Api, name: string): Promise<void> {
  const { account } = await api.caller()
  const common = { Bucket: name, ExpectedBucketOwner: account }
  await Promise.all([
    api.call(`keep bucket ${name} from the public`, () =>
      api.s3.send(
        new PutPublicAccessBlockCommand({
          ...common,
          PublicAccessBlockConfiguration: {
            BlockPublicAcls: true,
            BlockPublicPolicy: true,
            IgnorePublicAcls: true,
            RestrictPublicBuckets: true,
          },
        }),
      ),
    ),
    api.call(`set the expiry of bucket ${name}`, () =>
      api.s3.send(
        new PutBucketLifecycleConfigurationCommand({
          ...common,
          LifecycleConfiguration: {
            Rules: [
              {
                ID: 'tpi',
                Status: 'Enabled',
                Filter: { Prefix: 'tpi-' },
                Expiration: { Days: EXPIRY },
                AbortIncompleteMultipartUpload: { DaysAfterInitiation: CUT_OFF },
              },
            ],
          },
        }),
      ),
    ),
  ])
}
