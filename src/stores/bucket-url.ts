/** `s3://bucket/prefix`, `gs://bucket/prefix`, `az://account/container/prefix`. */
import { StoreError } from '../wire/store.ts'
import { segmentFault } from './keys.ts'

export interface BucketPlace {
  readonly bucket: string
  /** Empty, or ends in `/`. */
  readonly prefix: string
}

/** What a kind of bucket requires of its URLs. */
export interface BucketRule {
  /** The variable that names another server, because the URL may not have a port. */
  readonly endpoint: string
  /** What the first part of a URL names. */
  readonly what: string
  /** What a name may look like. */
  readonly name: RegExp
}

const S3: BucketRule = { endpoint: 'AWS_ENDPOINT_URL_S3', what: 'bucket', name: /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/ }
/** https://docs.cloud.google.com/storage/docs/buckets#naming: with dots up to 222 characters, each part at most 63. */
const GS: BucketRule = {
  endpoint: 'CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE',
  what: 'bucket',
  name: /^(?=.{3,222}$)[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?)*$/,
}

/** https://learn.microsoft.com/azure/storage/common/storage-account-overview#storage-account-name */
const AZ: BucketRule = { endpoint: 'AZURE_STORAGE_SERVICE_ENDPOINT', what: 'storage account', name: /^[a-z0-9]{3,24}$/ }
/** https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata#container-names */
const CONTAINER = /^(?=.{3,63}$)[a-z0-9]+(?:-[a-z0-9]+)*$/

export const azFault = (url: URL): string | undefined => bucketFault(url, AZ) ?? containerFault(url)
export const s3Fault = (url: URL): string | undefined => bucketFault(url, S3) ?? directoryFault(url)
export const gsFault = (url: URL): string | undefined => bucketFault(url, GS)

/** What is wrong with the URL, for people; `undefined`: nothing. */
function bucketFault(url: URL, rule: BucketRule): string | undefined {
  if (url.host === '') return `names no ${rule.what}`
  if (url.port !== '') return `has a port: give the endpoint by ${rule.endpoint}`
  if (!rule.name.test(url.host) || url.host.includes('..')) return `names "${url.host}", which is not the name of a ${rule.what}`
  const segments = decode(url.pathname)?.split('/').filter(Boolean)
  if (!segments) return 'has a wrong %-escape'
  return segments.map(segmentFault).find((fault) => fault !== undefined)
}

function containerFault(url: URL): string | undefined {
  const [name, ...segments] = bucketPlace(url).prefix.split('/')
  if (!name) return 'names no container'
  // Azure drops the dot.
  if (segments.some((segment) => segment.endsWith('.'))) return 'has a segment that ends with a dot'
  return CONTAINER.test(name) ? undefined : `names "${name}", which is not the name of a container`
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-express-differences.html: names end like that, and lists have no order. */
function directoryFault({ host }: URL): string | undefined {
  return host.endsWith('--x-s3') ? `names "${host}", a directory bucket (S3 Express), which does not list in order` : undefined
}

/** Bucket and prefix of a URL that has passed its checks. */
export function bucketPlace(url: URL): BucketPlace {
  const segments = (decode(url.pathname) ?? '').split('/').filter(Boolean)
  return { bucket: url.host, prefix: segments.map((segment) => `${segment}/`).join('') }
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    // An invalid escape is a mistake of the user, reported by the caller.
    return undefined
  }
}

/** Checks a text. `what`: for people. Throws kind `invalid`. */
export function checkedEndpoint(text: string, what: string, form = 'http(s)://host[:port]'): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const right = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.search === ''
  if (!right) throw new StoreError('invalid', `storage: ${what} must be ${form}, without credentials`)
  return url
}
