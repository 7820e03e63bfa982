/** AWS's errors → tpi's errors, including whose fault it is. */
import { AuthError, CapacityError, InputError, QuotaError, RemoteError, TpiError } from '../../core/errors.ts'
import { textIn } from '../../lib/record.ts'
import { messageOf } from '../../lib/text.ts'
import { isPassing, noRoom, saidWith } from '../vm/refusal.ts'

/** The vendor's code of an error: `Code`, if the library gives it, else the error's name. Empty if there is neither. */
export function codeOf(error: unknown): string {
  const { Code, name } = partsOf(error)
  return textIn(Code) || textIn(name)
}

/** The status of the answer; `undefined`: there was none. */
export const statusOf = (error: unknown): number | undefined => partsOf(error).$metadata?.httpStatusCode

interface Parts {
  readonly Code?: unknown
  readonly name?: unknown
  /** Of Node, if there was no answer. */
  readonly code?: unknown
  readonly $metadata?: { readonly httpStatusCode?: number }
}

const partsOf = (error: unknown): Parts => (typeof error === 'object' && error !== null ? error : {})

/** https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html and the common errors of the other services. */
const DENIED =
  /^(?:AccessDenied|AccessDeniedException|UnauthorizedOperation|AuthFailure(?:\..+)?|NotAuthorized|OptInRequired|AccountProblem|Blocked)$/
const LOGIN =
  /^(?:ExpiredToken|ExpiredTokenException|RequestExpired|InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch|InvalidAccessKeyId|CredentialsProviderError|TokenProviderError|IncompleteSignature|MissingAuthenticationToken|InvalidToken)$/
const PASSING =
  /^(?:Throttling|ThrottlingException|ThrottledException|RequestLimitExceeded|TooManyRequestsException|RequestThrottled|SlowDown|InternalError|InternalFailure|InternalServerError|ServiceUnavailable|ServiceUnavailableException|Unavailable|RequestTimeout|TimeoutError|NetworkingError|OperationAborted|ResourceContention|ScalingActivityInProgress|ConcurrentModification|EAI_AGAIN)$/
const QUOTA = /^(?:LimitExceeded|LimitExceededException|.+LimitExceeded|MaxSpotInstanceCountExceeded|TooManyBuckets)$/
const CAPACITY = /^(?:InsufficientInstanceCapacity|InsufficientCapacity.*|UnfulfillableCapacity|Unsupported|SpotMaxPriceTooLow)$/
const INPUT = /^(?:Invalid.+|Malformed.+|Missing.+|ValidationError|ValidationException|Parameter.+|VPCIdNotSpecified|Unknown.*|NoSuch.+)$/

/** `tried`: "create launch template tpi-x". */
export function errorOf(error: unknown, tried: string): Error {
  if (error instanceof TpiError) return error
  const code = codeOf(error)
  const message = `aws: could not ${tried}: ${saidWith(code, plain(messageOf(error)))}`
  const options = { cause: error }
  if (isWithoutCredentials(error))
    return new AuthError('aws: there are no credentials', {
      ...options,
      hint: 'use aws-actions/configure-aws-credentials, aws sso login, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    })
  if (LOGIN.test(code))
    return new AuthError(message, {
      ...options,
      hint: 'log in again: aws-actions/configure-aws-credentials, aws sso login, or AWS_ACCESS_KEY_ID',
    })
  if (DENIED.test(code) || (INPUT.test(code) && /not authorized/i.test(messageOf(error))))
    return new AuthError(message, { ...options, hint: 'see which permissions are needed: tpi permissions aws' })
  if (PASSING.test(code) || isOut(error) || isPassing(statusOf(error) ?? 0))
    return new RemoteError(message, { ...options, retryable: true })
  if (QUOTA.test(code)) return new QuotaError(message, { ...options, hint: 'ask AWS for more: console, Service Quotas' })
  if (CAPACITY.test(code)) return new CapacityError(message, { ...options, hint: noRoom('types') })
  if (INPUT.test(code)) return new InputError(message, options)
  return new RemoteError(message, options)
}

/** The library has looked everywhere, and found no credentials. */
export function isWithoutCredentials(error: unknown): boolean {
  return codeOf(error) === 'CredentialsProviderError' && /from any providers/.test(messageOf(error))
}

/** There was no answer at all. */
function isOut(error: unknown): boolean {
  return /^(?:ECONN(?:REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH)$/.test(
    textIn(partsOf(error).code),
  )
}

/** Cuts off an encoded reason, a page of letters that people cannot read. */
function plain(text: string): string {
  return text.replace(/ ?Encoded authorization failure message: \S+/, '')
}

/** Whether the error has one of these codes. It may have one as its code, and another one as its name. */
export function isOneOf(error: unknown, codes: RegExp): boolean {
  return codes.test(codeOf(error)) || codes.test(textIn(partsOf(error).name))
}
