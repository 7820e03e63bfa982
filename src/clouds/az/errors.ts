/** Azure's errors → tpi's errors, including whose fault it is. */
import { AuthError, CapacityError, InputError, QuotaError, RemoteError, TpiError } from '../../core/errors.ts'
import { Unanswered } from '../../lib/http.ts'
import { fieldsIn, isRecord, textIn } from '../../lib/record.ts'
import { messageOf } from '../../lib/text.ts'
import { isPassing, noRoom, Refusal, refusalIn, saidWith } from '../vm/refusal.ts'
import type { Manner } from '../vm/transport.ts'
import { REASONS } from './messages.ts'

/**
 * The first of the details that says something is the cause: https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/find-error-code.
 * Some services answer without `error` around it.
 */
export function refusalOf(status: number, body: unknown): Refusal {
  const { error } = fieldsIn(body)
  const outer = isRecord(error) ? error : fieldsIn(body)
  const details = (Array.isArray(outer['details']) ? outer['details'] : []).filter(isRecord)
  const inner = details.find(({ message }) => textIn(message) !== '')
  const said = [textIn(outer['message']), textIn(inner?.['message'])].filter((one, at, all) => one !== '' && all.indexOf(one) === at)
  const code = textIn(inner?.['code']) || textIn(outer['code'])
  return new Refusal(said.join(' ') || `the answer is ${status}`, { status, code })
}

/** https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling */
const PASSING =
  /^(?:TooManyRequests|OperationNotAllowedOnVMWhileBusy|AnotherOperationInProgress|Conflict(?:ingConcurrentWriteNotAllowed)?|RetryableError|ServerTimeout|InternalServerError|ReferencedResourceNotProvisioned|SubscriptionRequestsThrottled|ResourceCollectionRequestsThrottled|OperationPreempted|ResourceGroupBeingDeleted|PrincipalNotFound|StorageAccountIsNotProvisioned|StorageAccountOperationInProgress)$/

/** When a request is tried again. */
export const manner: Manner = {
  refusalOf,
  passes: (error) => error instanceof Refusal && isPassing(error.status),
}

/** What to do if a login is no longer accepted. */
export const HOW_TO_LOG_IN_AGAIN = 'log in again: azure/login, az login, or AZURE_CLIENT_SECRET'

const LOGIN = /^(?:ExpiredAuthenticationToken|InvalidAuthenticationToken.*|AuthenticationFailed.*)$/

/** `tried`: "create scale set tpi-x". */
export function errorOf(error: unknown, tried: string): Error {
  if (error instanceof TpiError) return error
  const { status, code } = error instanceof Refusal ? error : new Refusal('', {})
  const said = saidWith(code, messageOf(error))
  const message = `az: could not ${tried}: ${said}`
  const options = { cause: error }
  if (LOGIN.test(code) || status === 401) return new AuthError(message, { ...options, hint: HOW_TO_LOG_IN_AGAIN })
  if (PASSING.test(code) || isPassing(status) || error instanceof Unanswered)
    return new RemoteError(message, { ...options, retryable: true })
  const namespace = /namespace '([^']+)'/.exec(said)?.[1]
  if (namespace !== undefined)
    return new AuthError(message, { ...options, hint: `register it: az provider register --namespace ${namespace}` })
  const reason = REASONS.find(({ test }) => test.test(said))
  if (reason?.kind === 'info') return new RemoteError(message, { ...options, retryable: true })
  const advice = { ...options, ...(reason && { hint: reason.text }) }
  if (reason?.kind === 'quota') return new QuotaError(message, advice)
  if (reason?.kind === 'capacity')
    return new CapacityError(message, reason.option === undefined ? { ...options, hint: noRoom('sizes') } : advice)
  if (reason?.kind === 'denied' || status === 403)
    return new AuthError(message, { hint: 'see which permissions are needed: tpi permissions az', ...advice })
  if (status >= 400 || reason?.kind === 'failure') return new InputError(message, advice)
  return new RemoteError(message, advice)
}

/** The vendor's codes for "it does not exist" (nothing does, of a provider that nobody has registered), and for "something else needs it". */
const GONE =
  /^(?:MissingSubscriptionRegistration|ResourceNotFound|ResourceGroupNotFound|NotFound|ContainerNotFound|ParentResourceNotFound|PlatformImageNotFound|ImageNotFound)$/
const USED = /^(?:InUse.*|.*InUse|NicReservedForAnotherVm|.*CannotBeDeleted.*|AnotherOperationInProgress|ResourceGroupBeingDeleted)$/

/** Not if the caller cannot see the subscription: what is in it may still exist. */
export function isGone(error: unknown): boolean {
  const refusal = refusalIn(error)
  return refusal !== undefined && (GONE.test(refusal.code) || (refusal.status === 404 && !/subscription|tenant/i.test(refusal.code)))
}

/** For `catch`, of a list: empty if the resource group is gone. */
export function noneThere(error: unknown): readonly never[] {
  if (isGone(error)) return []
  throw error
}

/**
 * For calls about a resource group that was just made. One server of Resource Manager may not know yet what another one has done
 * (https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-not-found): the error becomes retryable.
 */
export function notYetKnown(error: unknown): unknown {
  const cause = refusalIn(error)
  if (!(error instanceof TpiError && cause?.code === 'ResourceGroupNotFound')) return error
  return new RemoteError(error.message, { cause, retryable: true })
}

export function isUsed(error: unknown): boolean {
  return USED.test(refusalIn(error)?.code ?? '')
}

/** It exists already, with another value of a property that cannot be changed. */
export function isOtherwise(error: unknown): boolean {
  return refusalIn(error)?.code === 'PropertyChangeNotAllowed'
}

/**
 * Azure does not accept a number of machines in an autoscale setting: "The minimum capacity value '6' that you specified in the autoscale setting
 * is …" (https://github.com/microsoft/onefuzz/issues/2249).
 */
export function isOfCapacity(error: unknown): boolean {
  const { status, message } = refusalIn(error) ?? {}
  return status === 400 && /capacity/i.test(message ?? '')
}
