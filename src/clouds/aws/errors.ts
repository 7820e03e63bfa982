/** AWS's errors → tpi's errors, including whose fault it is. */
import { AuthError, CapacityError, InputError, QuotaError, RemoteError, TpiError } from '../../core/errors.ts'
import { messageOf } from '../../lib/text.ts'
import { isPassing, saidWith } from '../vm/refusal.ts'

interface Said {
  readonly name: string
  readonly message: string
  readonly $metadata?: { readonly httpStatusCode?: number }
  readonly $fault?: 'client' | 'server'
}

/** The vendor's code of an error; for EC2 it is more specific than the error's class. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { Code, name } = error as { readonly Code?: unknown; readonly name?: unknown }
  return typeof Code === 'string' ? Code : typeof name === 'string' ? name : ''
}

/** https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html and the common errors of the other services. */
const DENIED =
  /^(?:AccessDenied|AccessDeniedException|UnauthorizedOperation|AuthFailure(?:\..+)?|NotAuthorized|OptInRequired|AccountProblem|Blocked)$/
const LOGIN =
  /^(?:ExpiredToken|ExpiredTokenException|RequestExpired|InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch|InvalidAccessKeyId|CredentialsProviderError|TokenProviderError|IncompleteSignature|MissingAuthenticationToken|InvalidToken)$/
const PASSING =
  /^(?:Throttling|ThrottlingException|ThrottledException|RequestLimitExceeded|TooManyRequestsException|RequestThrottled|SlowDown|InternalError|InternalFailure|InternalServerError|ServiceUnavailable|ServiceUnavailableException|Unavailable|RequestTimeout|TimeoutError|NetworkingError|OperationAborted|ResourceContention|ScalingActivityInProgress|ConcurrentModification|EAI_AGAIN)$/
const QUOTA =
  /^(?:LimitExceeded|LimitExceededException|.+LimitExceeded|MaxSpotInstanceCountExceeded|TooManyBuckets|LaunchTemplateNameLimitExceeded)$/
const CAPACITY = /^(?:InsufficientInstanceCapacity|InsufficientCapacity.*|UnfulfillableCapacity|Unsupported|SpotMaxPriceTooLow)$/
const INPUT = /^(?:Invalid.+|Malformed.+|Missing.+|ValidationError|ValidationException|Parameter.+|VPCIdNotSpecified|Unknown.*|NoSuch.+)$/

/** `tried`: "create launch template tpi-x". */
export function errorOf(error: unknown, tried: string): Error {
  if (error instanceof TpiError) return error
  const said = error as Said
  const code = codeOf(error)
  const message = `aws: could not ${tried}: ${saidWith(code, plain(messageOf(error)))}`
  const options = { cause: error }
  if (isWithoutCredentials(error))
    return new AuthError('aws: there are no credentials', {
      ...options,
      hint: 'use aws-actions/configure-aws-credentials, aws sso login, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    })
  const status = said.$metadata?.httpStatusCode
  if (LOGIN.test(code))
    return new AuthError(message, { ...options, hint: 'log in again: aws sso login, configure-aws-credentials, or AWS_ACCESS_KEY_ID …' })
  if (DENIED.test(code) || (INPUT.test(code) && /not authorized/i.test(messageOf(error))))
    return new AuthError(message, { ...options, hint: 'see which permissions are needed: tpi permissions aws' })
  if (PASSING.test(code) || isOut(error) || isPassing(status ?? 0)) return new RemoteError(message, { ...options, retryable: true })
  if (QUOTA.test(code)) return new QuotaError(message, { ...options, hint: 'ask AWS for more: console, Service Quotas' })
  if (CAPACITY.test(code)) return new CapacityError(message, options)
  if (INPUT.test(code)) return new InputError(message, options)
  return new RemoteError(message, options)
}

/** The library has tried everything that it knows. */
export function isWithoutCredentials(error: unknown): boolean {
  return codeOf(error) === 'CredentialsProviderError' && /from any providers/.test(messageOf(error))
}

/** There was no answer at all. */
function isOut(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return (
    typeof code === 'string' &&
    /^(?:ECONN(?:REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH)$/.test(code)
  )
}

/** Cuts off an encoded reason: it is a page of letters that only its owner can decode. */
function plain(text: string): string {
  return text.replace(/ ?Encoded authorization failure message: \S+/, '')
}

/** Whether a code means "found" (creating something whose name exists already) or "absent" (removing something that does not exist). */
export function isOneOf(error: unknown, codes: RegExp): boolean {
  return codes.test(codeOf(error)) || codes.test((error as { readonly name?: string }).name ?? '')
}
