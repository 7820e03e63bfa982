/** What a StoreAccess says → what the client needs. */
import { fixed } from '../../wire/credentials.ts'
import { type StoreAccess, StoreError } from '../../wire/store.ts'
import { endpointOf, type S3Settings } from './client.ts'
import { bucketPlace } from './url.ts'

const DEFAULT_REGION = 'us-east-1'
/** About ten seconds of trouble; a caller with more patience calls again. */
const DEFAULT_ATTEMPTS = '7'

export function settingsOf(access: StoreAccess): S3Settings {
  const { bucket, prefix } = bucketPlace(new URL(access.url))
  const { region = DEFAULT_REGION, endpoint, pathStyle, attempts = DEFAULT_ATTEMPTS } = access.settings ?? {}
  const source = access.source ?? (access.credentials && fixed(access.credentials))
  if (!source) throw new StoreError('denied', `storage: no credentials for "${access.url}"`)
  if (!/^[a-z0-9-]{2,64}$/.test(region)) throw new StoreError('invalid', `storage: "${region}" is no region`)
  if (!/^[1-9]\d?$/.test(attempts)) throw new StoreError('invalid', `storage: "${attempts}" is no number of attempts`)
  // The certificate of AWS covers one label before its own name, so a bucket with dots goes into the path.
  const inPath = pathStyle === undefined ? endpoint !== undefined || bucket.includes('.') : pathStyle === 'true'
  return {
    bucket,
    prefix,
    region,
    endpoint: endpoint === undefined ? undefined : endpointOf(endpoint),
    pathStyle: inPath,
    attempts: Number(attempts),
    source,
  }
}
