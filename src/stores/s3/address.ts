/** Where a bucket is on the network. A new machine, which has no client yet, uses this too. */
import { serviceHost } from '../../vendors/aws/service.ts'
import { StoreError, type StorePlace } from '../../wire/store.ts'
import { type BucketPlace, bucketPlace, checkedEndpoint } from '../bucket-url.ts'

export interface BucketAddress extends BucketPlace {
  readonly region: string
  /** The address of an S3-compatible server; absent: AWS itself. */
  readonly endpoint?: URL | undefined
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
  const { region = DEFAULT_REGION, endpoint, owner } = place.settings ?? {}
  if (!/^[a-z0-9-]{2,64}$/.test(region))
    throw new StoreError('invalid', `storage: "${region}" is not a valid region; use one such as us-east-1`)
  return { bucket, prefix, region, endpoint: endpoint === undefined ? undefined : endpointOf(endpoint), owner }
}

/** Checks an address that came as text. Throws kind `invalid`. */
export function endpointOf(text: string): URL {
  return checkedEndpoint(text, 'the S3 endpoint')
}

/**
 * `https://BUCKET.s3.REGION.amazonaws.com`. Other servers have the bucket in the path. So has AWS if its name has dots, because the certificate
 * covers only one label before its own name.
 */
export function addressOf({ bucket, region, endpoint }: Pick<BucketAddress, 'bucket' | 'region' | 'endpoint'>): Address {
  const base = endpoint ?? new URL(`https://${serviceHost('s3', region)}`)
  const inPath = endpoint !== undefined || bucket.includes('.')
  const name = inPath ? '' : `${bucket}.`
  return {
    protocol: base.protocol,
    host: name + base.host,
    hostname: name + base.hostname,
    path: base.pathname.replace(/\/+$/, '') + (inPath ? `/${bucket}` : ''),
  }
}
