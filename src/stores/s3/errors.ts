/** Answers of S3 → kinds of the store contract, with what the user can do about it. */
import type { StoreFault } from '../../wire/store.ts'
import {
  BUSY,
  CallError,
  type CallFacts,
  CONFLICT,
  DENIED,
  FULL,
  hidden,
  type Meaning,
  meaningOf,
  TRANSIENT,
  waitOf,
} from '../call-error.ts'
import type { HttpReply } from '../transport.ts'
import { childrenOf, type Element, parseXml, textOf } from '../xml.ts'

export class S3Error extends CallError {
  /** Region that the server says the bucket is in. */
  readonly region: string | undefined
  constructor(kind: StoreFault, message: string, facts: CallFacts & ErrorOptions & { readonly region?: string | undefined }) {
    super(kind, message, facts)
    this.region = facts.region
  }
}

/** What was tried: for messages. */
export interface Attempted {
  /** Name of the API operation. */
  readonly operation: string
  readonly bucket: string
  /** Full key or prefix in the bucket. */
  readonly key: string
  /** Prefix of the store's URL. */
  readonly prefix: string
  /** Nothing of these ever appears in a message. */
  readonly secrets: readonly string[]
}

const REGION: Meaning = ['invalid', 'never', 'set AWS_REGION to the region of the bucket']

const CODES: Readonly<Record<string, Meaning>> = {
  PreconditionFailed: CONFLICT,
  ConditionalRequestConflict: BUSY,
  OperationAborted: BUSY,
  NoSuchBucket: ['gone', 'never', 'create the bucket, or correct `storage`, AWS_REGION or AWS_ENDPOINT_URL_S3'],
  NoSuchUpload: ['unavailable', 'never'],
  InvalidObjectState: ['denied', 'never', 'a life-cycle rule has archived the object: let no rule do that below `storage`'],
  AccessDenied: DENIED,
  AllAccessDisabled: DENIED,
  AccountProblem: DENIED,
  InvalidAccessKeyId: ['denied', 'never', 'the server does not know this access key'],
  SignatureDoesNotMatch: ['denied', 'never', 'the secret access key does not belong to the access key id'],
  ExpiredToken: ['denied', 'never', 'the temporary credentials have expired'],
  InvalidToken: ['denied', 'never', 'the session token is not valid'],
  TokenRefreshRequired: ['denied', 'never', 'the temporary credentials have expired'],
  RequestTimeTooSkewed: BUSY,
  SlowDown: BUSY,
  Throttling: BUSY,
  ThrottlingException: BUSY,
  RequestLimitExceeded: BUSY,
  TooManyRequests: BUSY,
  InternalError: TRANSIENT,
  RequestTimeout: TRANSIENT,
  BadDigest: BUSY,
  IncompleteBody: BUSY,
  XAmzContentSHA256Mismatch: BUSY,
  QuotaExceeded: FULL,
  InsufficientStorage: FULL,
  XMinioStorageFull: FULL,
  PermanentRedirect: REGION,
  TemporaryRedirect: REGION,
  AuthorizationHeaderMalformed: REGION,
  IllegalLocationConstraintException: REGION,
}

/** The permission that an operation needs, where it has another name. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  HeadObject: 's3:GetObject',
  ListObjectsV2: 's3:ListBucket',
  ListMultipartUploads: 's3:ListBucketMultipartUploads',
  CreateMultipartUpload: 's3:PutObject',
  UploadPart: 's3:PutObject',
  CompleteMultipartUpload: 's3:PutObject',
  DeleteObjects: 's3:DeleteObject',
}

/** Matches messages in which S3 itself says what is missing: perhaps another right (of a key of KMS), or a policy that forbids the call. */
const NAMED = /not authorized to perform: \w+:\w+/

const OF_BUCKET = new Set(['ListObjectsV2', 'ListMultipartUploads'])

/** Code and message come from the body, if it is S3's; the region and the time to wait from the headers. */
export function faultOf(reply: HttpReply, tried: Attempted): S3Error {
  const error = errorElement(reply.body)
  const code = (error && textOf(error, 'Code')) || ''
  const known = Object.hasOwn(CODES, code) ? CODES[code] : undefined
  const [kind, again, hint] = known ?? meaningOf(reply.status, STATUSES)
  const server = (error && textOf(error, 'Message')) || ''
  const said = hidden(`${code || `HTTP ${reply.status}`}${server === '' ? '' : `: ${server.slice(0, 300)}`}`, tried.secrets)
  const advice = kind === 'denied' && !NAMED.test(server) ? deniedHint(tried, hint) : hint
  const message = `storage: ${describe(tried)} failed: ${said}${advice === undefined ? '' : ` (${advice})`}`
  const region = header(reply, 'x-amz-bucket-region') ?? (error && textOf(error, 'Region'))
  const wait = waitOf(header(reply, 'retry-after'))
  return new S3Error(kind, message, { code, status: reply.status, again, region, wait })
}

/** The `<Error>` of a body; `undefined` when there is none (HEAD, a proxy's page). */
export function errorElement(body: Uint8Array): Element | undefined {
  if (body.length === 0 || body.length > 65_536) return undefined
  try {
    const root = parseXml(Buffer.from(body).toString('utf8'))
    return root.name === 'Error' ? root : childrenOf(root, 'Error')[0]
  } catch {
    // Not S3's: the status alone has to do.
    return undefined
  }
}

const STATUSES: Readonly<Record<number, Meaning>> = {
  301: REGION,
  307: REGION,
  308: REGION,
  404: ['gone', 'never', 'is this the address of an S3 server?'],
  501: ['invalid', 'never', 'the server does not offer this operation'],
}

function deniedHint(tried: Attempted, hint: string | undefined): string {
  if (hint !== undefined) return hint
  const permission = PERMISSIONS[tried.operation] ?? `s3:${tried.operation}`
  const where = OF_BUCKET.has(tried.operation) ? tried.bucket : `${tried.bucket}/${tried.prefix}*`
  const more = permission === 's3:GetObject' ? `, and s3:ListBucket on ${tried.bucket} to learn that a key is absent` : ''
  return `needs ${permission} on ${where}${more}`
}

export function describe({ operation, bucket, key }: Attempted): string {
  return `${operation} s3://${bucket}/${key}`
}

function header(reply: HttpReply, name: string): string | undefined {
  const value = reply.headers[name]
  return typeof value === 'string' ? value : undefined
}
