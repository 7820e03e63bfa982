/** Answers of S3 → kinds of the store contract, with what the user can do about it. */
import { BUSY, type CallError, CONFLICT, DENIED, denied, FULL, type Meaning, meaningOf, refused, TRANSIENT } from '../call-error.ts'
import type { HttpReply } from '../transport.ts'
import { childrenOf, type Element, parseXml, textOf } from '../xml.ts'

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

const EXPIRED = denied('the temporary credentials have expired')
const REGION: Meaning = ['invalid', 'never', 'set AWS_REGION to the region of the bucket']

const CODES: Readonly<Record<string, Meaning>> = {
  PreconditionFailed: CONFLICT,
  ConditionalRequestConflict: BUSY,
  OperationAborted: BUSY,
  NoSuchBucket: ['gone', 'never', 'create the bucket, or correct `storage`, AWS_REGION or AWS_ENDPOINT_URL_S3'],
  NoSuchUpload: ['unavailable', 'never'],
  InvalidObjectState: denied('a life-cycle rule has archived the object: let no rule do that below `storage`'),
  AccessDenied: DENIED,
  AllAccessDisabled: DENIED,
  AccountProblem: DENIED,
  InvalidAccessKeyId: denied('the server does not know this access key'),
  SignatureDoesNotMatch: denied('the secret access key does not belong to the access key id'),
  ExpiredToken: EXPIRED,
  InvalidToken: denied('the session token is not valid'),
  TokenRefreshRequired: EXPIRED,
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

/** An error may follow an answer that had begun well, with status 200: it means what it would mean with status 500. */
export function faultOf(reply: HttpReply, tried: Attempted): CallError {
  const code = saidIn(reply, 'Code') ?? ''
  const message = saidIn(reply, 'Message') ?? ''
  const known = Object.hasOwn(CODES, code) ? CODES[code] : undefined
  const meaning = known ?? meaningOf(reply.status < 300 ? 500 : reply.status, STATUSES)
  const advice = meaning[0] === 'denied' && !NAMED.test(message) ? neededFor(tried) : undefined
  return refused(reply, describe(tried), tried.secrets, { meaning, code, message, advice })
}

/** The region that the server says the bucket is in. */
export function regionIn(reply: HttpReply): string | undefined {
  const said = reply.headers['x-amz-bucket-region'] ?? saidIn(reply, 'Region')
  return typeof said === 'string' && /^[a-z0-9-]{4,32}$/.test(said) ? said : undefined
}

function saidIn({ body }: HttpReply, name: string): string | undefined {
  const error = errorElement(body)
  return error && textOf(error, name)
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

function neededFor({ operation, bucket, prefix }: Attempted): string {
  const permission = PERMISSIONS[operation] ?? `s3:${operation}`
  const where = OF_BUCKET.has(operation) ? bucket : `${bucket}/${prefix}*`
  const more = permission === 's3:GetObject' ? `, and s3:ListBucket on ${bucket} to learn that a key is absent` : ''
  return `needs ${permission} on ${where}${more}`
}

export function describe({ operation, bucket, key }: Attempted): string {
  return `${operation} s3://${bucket}/${key}`
}
