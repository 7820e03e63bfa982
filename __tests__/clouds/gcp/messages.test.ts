/** What Google says → whose fault it is, and what to do about it. */
import { describe, expect, test } from '@jest/globals'
import { errorOf, refusalOf } from '../../../src/clouds/gcp/errors.ts'
import { endOf, reasonOf } from '../../../src/clouds/gcp/messages.ts'
import { failureIn } from '../../../src/clouds/gcp/operation.ts'
import { AuthError, CapacityError, InputError, QuotaError, RemoteError } from '../../../src/core/errors.ts'
import { noAnswerOf, reasonsOf } from '../../conformance/refusals.ts'

/** An error as https://cloud.google.com/compute/docs/troubleshooting/api-errors shows it. */
const answer = (code: number, reason: string, message = reason, details: object[] = []): Error =>
  errorOf(refusalOf(code, { error: { code, message, errors: [{ message, domain: 'global', reason }], details } }), 'create group x')

describe('an answer that says no', () => {
  test.each([
    [401, 'authError', AuthError, /log in again/],
    [403, 'forbidden', AuthError, /tpi permissions gcp/],
    [403, 'quotaExceeded', QuotaError, /Quotas/],
    [400, 'invalid', InputError, undefined],
    [404, 'notFound', InputError, undefined],
  ] as const)('%i %s', (code, reason, kind, hint) => {
    const error = answer(code, reason)
    expect(error).toBeInstanceOf(kind)
    expect(error.message).toMatch(/^gcp: could not create group x: /)
    expect((error as AuthError).hint ?? '').toMatch(hint ?? /^$/)
  })

  test.each([
    [429, 'rateLimitExceeded'],
    [403, 'rateLimitExceeded'],
    [503, 'backendError'],
    [400, 'resourceNotReady'],
  ])('%i %s is temporary', (code, reason) => {
    expect(answer(code, reason)).toMatchObject({ constructor: RemoteError, retryable: true })
  })

  test('for an API that is off, the hint says where to switch it on', () => {
    const link = 'https://console.developers.google.com/apis/api/compute.googleapis.com/overview?project=1'
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'SERVICE_DISABLED', metadata: { activationUrl: link } }]
    expect(answer(403, 'accessNotConfigured', 'Compute Engine API has not been used', details)).toMatchObject({
      constructor: AuthError,
      hint: `switch that API on at ${link}, and wait a few minutes`,
    })
  })

  noAnswerOf(errorOf)
})

describe('an operation', () => {
  test('that is DONE with an error has failed', () => {
    const failed = failureIn({
      status: 'DONE',
      httpErrorStatusCode: 403,
      error: { errors: [{ code: 'QUOTA_EXCEEDED', message: 'Quota' }] },
    })
    expect(errorOf(failed, 'x')).toBeInstanceOf(QuotaError)
    const dry = failureIn({ status: 'DONE', error: { errors: [{ code: 'ZONE_RESOURCE_POOL_EXHAUSTED', message: 'no room' }] } })
    expect(errorOf(dry, 'x')).toMatchObject({ constructor: CapacityError, hint: expect.stringContaining('another region') })
    expect(failureIn({ status: 'DONE' })).toBeUndefined()
  })
})

const KMS = 'Cloud KMS error when using key projects/p/locations/l/keyRings/r/cryptoKeys/k'
const KMS_RIGHT = `${KMS}: Permission 'cloudkms.cryptoKeyVersions.useToEncrypt' denied on resource (or it may not exist).`

describe('a machine that does not start', () => {
  test.each([
    [KMS_RIGHT, 'roles/cloudkms.cryptoKeyEncrypterDecrypter'],
    [`${KMS}/cryptoKeyVersions/1: it is not enabled, current state is: DISABLED.`, 'see that it is enabled'],
  ])('for a key: %s', (said, advice) => {
    expect(reasonOf('KMS_KEY_ERROR', said)).toMatchObject({ option: 'customer-key', text: expect.stringContaining(advice) })
  })

  reasonsOf(reasonOf, [
    ['ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS', 'The zone has not enough', 'capacity', undefined],
    ['QUOTA_EXCEEDED', "Quota 'NVIDIA_T4_GPUS' exceeded. Limit: 0.0 in region us-west1.", 'quota', true],
    ['QUOTA_EXCEEDED', "Quota 'GPUS_ALL_REGIONS' exceeded. Limit: 0.0 globally.", 'quota', true],
    ['IAM_PERMISSION_DENIED', "Permission 'compute.instances.create' denied", 'denied', true],
    ['SERVICE_ACCOUNT_ACCESS_DENIED', 'The user does not have access to service account', 'denied', true],
    ['KMS_KEY_ERROR', KMS_RIGHT, 'denied', true],
    ['INVALID_FIELD_VALUE', "Invalid value for field 'resource.scheduling.preemptionNoticeDuration'", 'failure', true],
    ['RATE_LIMIT_EXCEEDED', 'The resource is limited', 'info', undefined],
    ['CONCURRENT_OPERATIONS_QUOTA_EXCEEDED', 'Too many operations', 'info', undefined],
    ['concurrentOperationQuotaExceeded', 'Too many operations', 'info', undefined],
    ['RESOURCE_OPERATION_RATE_EXCEEDED', 'try later', 'info', undefined],
    ['SOMETHING_NEW', 'nobody knows', 'failure', undefined],
  ])
})

test('of all actions on a machine, the one that ended it is reported', () => {
  expect(endOf(['delete', 'compute.instances.preempted'])).toEqual({ kind: 'notice', text: 'Google Cloud took the spot machine back' })
  expect(endOf(['delete']).text).toBe('it was removed from its group')
  expect(endOf([]).text).toBe('the reason was not given')
})
