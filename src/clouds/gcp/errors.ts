/** Google's errors → tpi's errors, including whose fault it is. */
import { AuthError, CapacityError, InputError, QuotaError, RemoteError, TpiError } from '../../core/errors.ts'
import { Unanswered } from '../../lib/http.ts'
import { fieldsIn, isRecord, textIn } from '../../lib/record.ts'
import { messageOf } from '../../lib/text.ts'
import { isPassing, noRoom, Refusal, saidWith } from '../vm/refusal.ts'
import type { Manner } from '../vm/transport.ts'
import { PASSING } from './passing.ts'

/** An operation that ended with an error. The request can be repeated, but with another id: the same id would only return this operation. */
export class FailedOperation extends Refusal {}

/** https://cloud.google.com/compute/docs/troubleshooting/api-errors · https://cloud.google.com/storage/docs/json_api/v1/status-codes */
const DISABLED = /^(?:accessNotConfigured|SERVICE_DISABLED)$/
const LOGIN = /^(?:authError|required|invalid_grant|UNAUTHENTICATED|ACCESS_TOKEN_EXPIRED|ACCESS_TOKEN_TYPE_UNSUPPORTED)$/
const DENIED =
  /^(?:forbidden|insufficientPermissions|IAM_PERMISSION_DENIED|PERMISSION_DENIED|PERMISSIONS_ERROR|SERVICE_ACCOUNT_ACCESS_DENIED|ACCESS_TOKEN_SCOPE_INSUFFICIENT)$/
const QUOTA = /^(?:quotaExceeded|QUOTA_EXCEEDED|limitExceeded|LIMIT_EXCEEDED|RESOURCE_EXHAUSTED)$/
const CAPACITY = /^(?:(?:ZONE_|REGION_)?RESOURCE_POOL_EXHAUSTED(?:_WITH_DETAILS)?|GPU_STOCKOUT|insufficientCapacity|UNSUPPORTED_OPERATION)$/

/** `tried`: for people, such as "create template tpi-x". */
export function errorOf(error: unknown, tried: string): Error {
  if (error instanceof TpiError) return error
  const { status, code, activation } = error instanceof Refusal ? error : new Refusal('', {})
  const message = `gcp: could not ${tried}: ${saidWith(code, messageOf(error))}`
  const options = { cause: error }
  if (DISABLED.test(code))
    return new AuthError(message, {
      ...options,
      hint: `switch that API on${activation === undefined ? '' : ` at ${activation}`}, and wait a few minutes`,
    })
  if (LOGIN.test(code) || status === 401)
    return new AuthError(message, {
      ...options,
      hint: 'log in again: google-github-actions/auth, gcloud auth application-default login, or GOOGLE_APPLICATION_CREDENTIALS',
    })
  if (PASSING.test(code) || isPassing(status) || error instanceof Unanswered)
    return new RemoteError(message, { ...options, retryable: true })
  if (QUOTA.test(code)) return new QuotaError(message, { ...options, hint: 'ask Google for more: console, IAM & Admin, Quotas' })
  if (CAPACITY.test(code)) return new CapacityError(message, { ...options, hint: noRoom('types') })
  if (DENIED.test(code) || status === 403)
    return new AuthError(message, { ...options, hint: 'see which permissions are needed: tpi permissions gcp' })
  if (status >= 400) return new InputError(message, options)
  return new RemoteError(message, options)
}

/** The vendor's codes for "it does not exist", "it exists already", and "something else needs it". */
export const GONE = /^(?:notFound|RESOURCE_NOT_FOUND)$/
export const THERE = /^(?:alreadyExists|conflict|RESOURCE_ALREADY_EXISTS)$/
export const USED = /^(?:resourceInUseByAnotherResource|RESOURCE_IN_USE_BY_ANOTHER_RESOURCE)$/

export const isOneOf = (error: unknown, codes: RegExp): boolean => error instanceof Refusal && codes.test(error.code)

/** https://cloud.google.com/apis/design/errors#error_model, and its older form, which these services also use. */
export function refusalOf(status: number, body: unknown): Refusal {
  const { message, errors, details, status: word } = fieldsIn(fieldsIn(body)['error'])
  const [first] = Array.isArray(errors) ? errors.filter(isRecord) : []
  const info = (Array.isArray(details) ? details : []).filter(isRecord)
  const named = info.find(({ reason }) => typeof reason === 'string')
  const link = fieldsIn(named?.['metadata'])['activationUrl'] ?? /https:\/\/console\S+?(?=[\s,]|$)/.exec(textIn(message))?.[0]
  return new Refusal(textIn(message) || `the answer is ${status}`, {
    status,
    code: textIn(first?.['reason']) || textIn(named?.['reason']) || textIn(word),
    activation: textIn(link) || undefined,
  })
}

/** Requests that have a request id or change nothing may be repeated: https://cloud.google.com/storage/docs/retry-strategy */
export const manner: Manner = {
  refusalOf,
  passes: (error) =>
    error instanceof Refusal && (isPassing(error.status) || (error.status === 403 && /^(?:user)?rateLimitExceeded$/i.test(error.code))),
}
