/** What Azure says → whose fault it is, and what to do about it. */
import { describe, expect, test } from '@jest/globals'
import { errorOf, isGone, refusalOf } from '../../../src/clouds/az/errors.ts'
import { endOf, reasonOf } from '../../../src/clouds/az/messages.ts'
import { AuthError, CapacityError, InputError, QuotaError, RemoteError } from '../../../src/core/errors.ts'
import { noAnswerOf, reasonsOf } from '../../conformance/refusals.ts'

const answer = (status: number, code: string, message = code, details: object[] = []): Error =>
  errorOf(refusalOf(status, { error: { code, message, details } }), 'create scale set x')

describe('an answer that says no', () => {
  /** The sentences come from https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors */
  test.each([
    [401, 'ExpiredAuthenticationToken', 'The access token expiry UTC time is earlier than the current time', AuthError, /log in again/],
    [
      403,
      'AuthorizationFailed',
      "The client 'c' does not have authorization to perform action 'Microsoft.Compute/virtualMachineScaleSets/write' over scope '/subscriptions/s'",
      AuthError,
      /tpi permissions az/,
    ],
    [403, 'RequestDisallowedByPolicy', "Resource 'x' was disallowed by policy.", AuthError, /policy of the organization/],
    [
      409,
      'MissingSubscriptionRegistration',
      "The subscription is not registered to use namespace 'Microsoft.Compute'.",
      AuthError,
      /az provider register --namespace Microsoft\.Compute/,
    ],
    [
      409,
      'OperationNotAllowed',
      'Operation could not be completed as it results in exceeding approved standardDSv5Family Cores quota. Current Limit: 10',
      QuotaError,
      /quota for this family/,
    ],
    [
      409,
      'OperationNotAllowed',
      'Operation could not be completed as it results in exceeding approved LowPriorityCores quota. Current Limit: 3',
      QuotaError,
      /lowPriorityCores/,
    ],
    [
      409,
      'QuotaExceeded',
      'Operation could not be completed as it results in exceeding approved Total Regional Cores quota. Additional details - Current Limit: 10',
      QuotaError,
      /quota for all sizes together .*another region/,
    ],
    [
      409,
      'SkuNotAvailable',
      "The requested VM size is currently not available in location 'westeurope'",
      CapacityError,
      /other sizes or another region/,
    ],
    [400, 'AllocationFailed', 'Allocation failed. We do not have sufficient capacity', CapacityError, /other sizes or another region/],
    [400, 'OverconstrainedAllocationRequest', 'Required allocation could not be met', CapacityError, /other sizes or another region/],
    [400, 'InvalidParameter', 'The value is not valid', InputError, undefined],
  ] as const)('%i %s', (status, code, message, kind, hint) => {
    const error = answer(status, code, message)
    expect(error).toBeInstanceOf(kind)
    expect(error.message).toMatch(/^az: could not create scale set x: /)
    expect(error.message).toContain(message)
    expect((error as AuthError).hint ?? '').toMatch(hint ?? /^$/)
  })

  test.each([
    [429, 'TooManyRequests'],
    [503, 'ServiceUnavailable'],
    [409, 'AnotherOperationInProgress'],
    [409, 'ResourceGroupBeingDeleted'],
    [409, 'StorageAccountIsNotProvisioned'],
    [409, 'StorageAccountOperationInProgress'],
    [409, 'OperationNotAllowed', 'Operation is not allowed: another operation (Updating) is in progress, please wait for it to finish'],
  ])('%i %s is temporary', (status, code, message = code) => {
    expect(answer(status, code, message)).toMatchObject({ constructor: RemoteError, retryable: true })
  })

  test('the first of the details is the cause, and some services answer without "error" around it', () => {
    const inner = answer(400, 'DeploymentFailed', 'At least one failed', [{ code: 'SkuNotAvailable', message: 'not here' }])
    expect(inner).toBeInstanceOf(CapacityError)
    expect(inner.message).toContain('At least one failed not here')
    expect(refusalOf(400, { Code: 'x', code: 'BadRequest', message: 'no' })).toMatchObject({ code: 'BadRequest', message: 'no' })
  })

  test('a missing resource is recognized; an invisible subscription hides what is in it', () => {
    expect(isGone(answer(404, 'ResourceGroupNotFound'))).toBe(true)
    expect(isGone(answer(404, ''))).toBe(true)
    expect(isGone(answer(409, 'MissingSubscriptionRegistration'))).toBe(true)
    expect(isGone(answer(404, 'SubscriptionNotFound'))).toBe(false)
    expect(isGone(answer(403, 'AuthorizationFailed'))).toBe(false)
  })

  noAnswerOf(errorOf)
})

describe('a machine that does not start', () => {
  reasonsOf(reasonOf, [
    ['AllocationFailed', 'Allocation failed.', 'capacity', undefined],
    ['ZonalAllocationFailed', 'Allocation failed in zone 1.', 'capacity', undefined],
    ['AzureSpotIsNotSupportedForThisVMSize', 'Azure Spot Virtual Machine is not supported for this VM size', 'denied', true],
    ['SpotPriceGreaterThanProvidedMaxPrice', 'Unable to perform operation', 'capacity', undefined],
    ['QuotaExceeded', 'Operation results in exceeding quota limits of Core.', 'quota', true],
    [
      'LinkedAuthorizationFailed',
      "does not have permission to perform action 'Microsoft.Network/virtualNetworks/subnets/join/action'",
      'denied',
      true,
    ],
    ['SomethingNew', 'nobody knows', 'failure', undefined],
  ])
})

test('of all actions on a machine, the one that ended it is reported', () => {
  expect(endOf(['Microsoft.Compute/virtualMachines/delete', 'Microsoft.Compute/virtualMachines/evict/action'], true).kind).toBe('notice')
  expect(endOf(['Microsoft.Compute/virtualMachines/delete'], true).text).toBe('it was removed from its group')
  expect(endOf([], true).text).toContain('took it back')
  expect(endOf([], false).text).toBe('it left its group')
})
