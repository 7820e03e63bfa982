/** The bucket of a project and region: all deployments share it, each below its own prefix. */
import { EXPIRY } from '../../core/bucket-expiry.ts'
import { InputError, RemoteError } from '../../core/errors.ts'
import type { Ensured, Resource } from '../../core/resource.ts'
import type { Env } from '../../lib/env.ts'
import type { CredentialSource, StoreAccess } from '../../wire/store.ts'
import { Once } from '../vm/once.ts'
import { refusalIn } from '../vm/refusal.ts'
import { addressSettings, CUT_OFF, forStore, sharedStorage } from '../vm/storage.ts'
import type { Api } from './api.ts'
import { errorOf, GONE, isOneOf } from './errors.ts'
import { bucketName } from './names.ts'

export async function storeAccess(api: Api, env: Env): Promise<StoreAccess> {
  const bucket = bucketName(await api.project(), api.region)
  return accessTo(bucket, api, env, forOwn(bucket, api))
}

/**
 * Credentials for tpi's own bucket, but not for one of another project: names of buckets are global, so somebody else may have made one of this
 * name first, to get at our data. Requests for objects cannot say whose bucket they mean, so its owner is checked before.
 */
function forOwn(bucket: string, api: Api): CredentialSource {
  const source = api.source()
  const known = new Once<boolean>()
  return {
    async get() {
      await known.get(bucket, async () => isOurs(api, bucket))
      return source.get()
    },
    refused: (held) => source.refused(held),
  }
}

/** Stores of all other regions that have one. https://cloud.google.com/storage/docs/json_api/v1/buckets/list */
export async function otherStores(api: Api, env: Env): Promise<readonly StoreAccess[]> {
  const project = await api.project()
  const query = { project, prefix: bucketName(project, ''), maxResults: 1000 }
  const { items = [] } = await api.call('storage:buckets.list', 'look for buckets of other regions', { query })
  const ours = items.filter(({ name, location = '' }) => name === bucketName(project, location.toLowerCase()))
  const own = bucketName(project, api.region)
  return ours.flatMap(({ name = '' }) => (name === own ? [] : [accessTo(name, api, env)]))
}

function accessTo(bucket: string, api: Api, env: Env, source = api.source()): StoreAccess {
  const endpoint = (api.elsewhere('storage') ?? env['STORAGE_EMULATOR_HOST'])?.replace(/\/(?:storage\/v1\/?)?$/, '')
  return {
    url: `gs://${bucket}`,
    settings: addressSettings(endpoint),
    source: forStore(source),
  }
}

export function bucketResource(api: Api, name: string, signal: AbortSignal): Resource {
  return sharedStorage({ kind: 'bucket', name, signal, isOurs: async () => isOurs(api, name), make: async () => make(api, name) })
}

/** `false`: there is none. The project's number is compared: a bucket of that name may belong to another project. */
export async function isOurs(api: Api, name: string): Promise<boolean> {
  const [bucket, number] = await Promise.all([
    api.unless(GONE, 'storage:buckets.get', `look at bucket ${name}`, { path: { bucket: name } }),
    projectNumber(api),
  ])
  if (!bucket) return false
  if (number !== undefined && bucket.projectNumber !== undefined && bucket.projectNumber !== number) throw foreign(name)
  return true
}

export async function locationOf(api: Api, bucket: string): Promise<string | undefined> {
  return (await api.unless(GONE, 'storage:buckets.get', `look at bucket ${bucket}`, { path: { bucket } }))?.location
}

/**
 * The project's number, with which the name of the default service account begins.
 * https://cloud.google.com/compute/docs/access/service-accounts#default_service_account
 */
async function projectNumber(api: Api): Promise<string | undefined> {
  const { defaultServiceAccount } = await api.about()
  return /^(\d+)-compute@/.exec(defaultServiceAccount ?? '')?.[1]
}

function foreign(name: string): InputError {
  return new InputError(`storage: the bucket ${name} is of another project`, { hint: 'name another one: --storage gs://BUCKET/PREFIX' })
}

/** One call sets everything, so a kill cannot leave a bucket half configured. */
async function make(api: Api, name: string): Promise<Ensured> {
  const body = {
    name,
    location: api.region.toUpperCase(),
    iamConfiguration: { uniformBucketLevelAccess: { enabled: true }, publicAccessPrevention: 'enforced' },
    // No soft deletion: removed objects are gone, and cost nothing any more.
    softDeletePolicy: { retentionDurationSeconds: '0' },
    lifecycle: {
      rule: [
        { action: { type: 'Delete' }, condition: { age: EXPIRY, matchesPrefix: ['tpi-'] } },
        { action: { type: 'AbortIncompleteMultipartUpload' }, condition: { age: CUT_OFF } },
      ],
    },
  }
  const made = await api.unless(/^conflict$/, 'storage:buckets.insert', `create bucket ${name}`, {
    query: { project: await api.project() },
    body,
  })
  if (made) return 'created'
  // Another command of this project has made it, or it belongs to another project.
  const there = await isOurs(api, name).catch((error: unknown) => {
    throw isOneOf(refusalIn(error), /^forbidden$/) ? foreign(name) : errorOf(error, `look at bucket ${name}`)
  })
  if (!there) throw new RemoteError(`gcp: bucket ${name} does not exist yet`, { retryable: true })
  return 'found'
}
