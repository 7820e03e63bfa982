/** Google's errors → tpi's errors, including whose fault it is. */
import { AuthError, CapacityError, InputError, QuotaError, RemoteError, TpiError } from '../../core/errors.ts'
import { Unanswered } from '../../lib/http.ts'
import { messageOf } from '../../lib/text.ts'
import type { Manner } from '../vm/transport.ts'
import { PASSING } from './passing.ts'

/** A refusal, or an operation that failed. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** 0 for an operation without a status. */
  readonly status: number
  /** The vendor's code: `notFound`, `quotaExceeded`, `ZONE_RESOURCE_POOL_EXHAUSTED`. */
  readonly reason: string
  /** Page on which a disabled API can be switched on. */
  readonly activation: string | undefined
  constructor(
    message: string,
    { status = 0, reason = '', activation }: { status?: number; reason?: string; activation?: string | undefined },
  ) {
    super(message)
    this.status = status
    this.reason = reason
    this.activation = activation
  }
}

/** An operation that ended with an error. Its request can be made again, but only with another id: the same one gets the same operation. */
export class FailedOperation extends Refusal {}

/** https://cloud.google.com/compute/docs/troubleshooting/api-errors · https://cloud.google.com/storage/docs/json_api/v1/status-codes */
const DISABLED = /^(?:accessNotConfigured|SERVICE_DISABLED)$/
const LOGIN = /^(?:authError|required|invalid_grant|UNAUTHENTICATED|ACCESS_TOKEN_EXPIRED|ACCESS_TOKEN_TYPE_UNSUPPORTED)$/
const DENIED =
  /^(?:forbidden|insufficientPermissions|IAM_PERMISSION_DENIED|PERMISSION_DENIED|PERMISSIONS_ERROR|SERVICE_ACCOUNT_ACCESS_DENIED|ACCESS_TOKEN_SCOPE_INSUFFICIENT)$/
const QUOTA = /^(?:quotaExceeded|QUOTA_EXCEEDED|limitExceeded|LIMIT_EXCEEDED|RESOURCE_EXHAUSTED)$/
const CAPACITY = /^(?:(?:ZONE_|REGION_)?RESOURCE_POOL_EXHAUSTED(?:_WITH_DETAILS)?|GPU_STOCKOUT|insufficientCapacity|UNSUPPORTED_OPERATION)$/

/** `tried`: "create template tpi-x". */
export function errorOf(error: unknown, tried: string): Error {
  if (error instanceof TpiError) return error
  const { status, reason, activation } = error instanceof Refusal ? error : new Refusal('', {})
  const said = messageOf(error).replace(/\s+/g, ' ').trim()
  const message = `gcp: could not ${tried}: ${said}${reason === '' || said.includes(reason) ? '' : ` (${reason})`}`
  const options = { cause: error }
  if (DISABLED.test(reason))
    return new AuthError(message, {
      ...options,
      hint: `switch that API on${activation === undefined ? '' : ` at ${activation}`}, and wait a few minutes`,
    })
  if (LOGIN.test(reason) || status === 401)
    return new AuthError(message, {
      ...options,
      hint: 'log in again: google-github-actions/auth, gcloud auth application-default login, or GOOGLE_APPLICATION_CREDENTIALS',
    })
  if (PASSING.test(reason) || status >= 500 || status === 429 || error instanceof Unanswered)
    return new RemoteError(message, { ...options, retryable: true })
  if (QUOTA.test(reason)) return new QuotaError(message, { ...options, hint: 'ask Google for more: console, IAM & Admin, Quotas' })
  if (CAPACITY.test(reason)) return new CapacityError(message, options)
  if (DENIED.test(reason) || status === 403)
    return new AuthError(message, { ...options, hint: 'see which permissions are needed: tpi permissions gcp' })
  if (status >= 400) return new InputError(message, options)
  return new RemoteError(message, options)
}

/** The vendor's codes for "it does not exist", "it exists already", and "something else needs it". */
export const GONE = /^(?:notFound|RESOURCE_NOT_FOUND)$/
export const THERE = /^(?:alreadyExists|conflict|RESOURCE_ALREADY_EXISTS)$/
export const USED = /^(?:resourceInUseByAnotherResource|RESOURCE_IN_USE_BY_ANOTHER_RESOURCE)$/

/** The vendor's message, whether or not tpi has its own words for it. */
export function refusalIn(error: unknown): Refusal | undefined {
  const cause = error instanceof TpiError ? error.cause : error
  return cause instanceof Refusal ? cause : undefined
}

export const isOneOf = (error: unknown, reasons: RegExp): boolean => error instanceof Refusal && reasons.test(error.reason)

/** https://cloud.google.com/apis/design/errors#error_model, and its older form, which these services also use. */
export function refusalOf(status: number, body: unknown): Refusal {
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {}
  const { message, errors, details, status: word } = error
  const [first] = Array.isArray(errors) ? errors.filter(isRecord) : []
  const info = (Array.isArray(details) ? details : []).filter(isRecord)
  const named = info.find(({ reason }) => typeof reason === 'string')
  const metadata = named && isRecord(named['metadata']) ? named['metadata'] : {}
  const link = metadata['activationUrl'] ?? /https:\/\/console\S+?(?=[\s,]|$)/.exec(text(message))?.[0]
  return new Refusal(text(message) || `the answer is ${status}`, {
    status,
    reason: text(first?.['reason']) || text(named?.['reason']) || text(word),
    activation: text(link) || undefined,
  })
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

type Fields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** https://cloud.google.com/storage/docs/retry-strategy : requests that have a request id or change nothing may be repeated. */
export const manner: Manner = {
  refusalOf,
  passes: (error) =>
    error instanceof Refusal &&
    (error.status >= 500 || error.status === 429 || (error.status === 403 && /^(?:user)?rateLimitExceeded$/i.test(error.reason))),
}
