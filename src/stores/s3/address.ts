/** Where a bucket is on the network. A new machine, which has no client yet, uses this too. */
import { serviceHost } from '../../vendors/aws/service.ts'
import { StoreError, type StorePlace } from '../../wire/store.ts'
import { type BucketPlace, bucketPlace, checkedEndpoint } from '../bucket-url.ts'

export interface BucketAddress extends BucketPlace {
  readonly region: string
  /** The address of an S3-compatible server; absent: AWS itself. */
  readonly endpoint?: URL | undefined
  /** `https://endpoint/bucket/key` instead of `https://bucket.endpoint/key`. */
  readonly pathStyle: boolean
  /** The account that the bucket must belong to: S3 then refuses requests about a bucket of the same name that belongs to somebody else. */
  readonly owner?: string | undefined
}

export interface Address {
  readonly protocol: string
  /** As the server is to see it. */
  readonly host: string
  /** To connect to. */
  readonly hostname: string
  /** Path of the bucket, without a slash at its end. */
  readonly path: string
}

const DEFAULT_REGION = 'us-east-1'

export function bucketAddress(place: StorePlace): BucketAddress {
  const { bucket, prefix } = bucketPlace(new URL(place.url))
  const { region = DEFAULT_REGION, endpoint, pathStyle, owner } = place.settings ?? {}
  if (!/^[a-z0-9-]{2,64}$/.test(region))
    throw new StoreError('invalid', `storage: "${region}" is not a valid region; use one such as us-east-1`)
  // The certificate of AWS covers one label before its own name, so a bucket with dots goes into the path.
  const inPath = pathStyle === undefined ? endpoint !== undefined || bucket.includes('.') : pathStyle === 'true'
  return { bucket, prefix, region, endpoint: endpoint === undefined ? undefined : endpointOf(endpoint), pathStyle: inPath, owner }
}

/** Checks an address that came as text. Throws kind `invalid`. */
export function endpointOf(text: string): URL {
  return checkedEndpoint(text, 'the S3 endpoint')
}

export function addressOf({ bucket, region, endpoint, pathStyle }: Omit<BucketAddress, 'prefix' | 'owner'>): Address {
  const base = endpoint ?? new URL(`https://${serviceHost('s3', region)}`)
  const name = pathStyle ? '' : `${bucket}.`
  return {
    protocol: base.protocol,
    host: name + base.host,
    hostname: name + base.hostname,
    path: base.pathname.replace(/\/+$/, '') + (pathStyle ? `/${bucket}` : ''),
  }
}
