/** What error answers of Cloud Storage mean. https://docs.cloud.google.com/storage/docs/json_api/v1/status-codes */
import { expect, test } from '@jest/globals'
import { faultOf } from '../../src/stores/gs/errors.ts'

const tried = { operation: 'objects.delete', bucket: 'b', key: 'k', secrets: [] }

test('where Google names what is missing, nothing else is named', () => {
  const why = 'a@p.iam.gserviceaccount.com does not have storage.objects.delete access to the Google Cloud Storage object.'
  const body = Buffer.from(JSON.stringify({ error: { code: 403, message: why, errors: [{ reason: 'forbidden' }] } }))
  const { kind, message } = faultOf({ status: 403, headers: {}, body }, { ...tried, operation: 'objects.create' })
  expect([kind, message]).toEqual(['denied', `storage: objects.create gs://b/k failed: 403 forbidden: ${why}`])
})

test.each([
  [403, 'forbidden', 'denied', 'needs storage.objects.delete on the bucket b'],
  [403, 'retentionPolicyNotMet', 'denied', 'choose another'],
  [403, 'objectUnderActiveHold', 'denied', 'choose another'],
  [429, 'rateLimitExceeded', 'unavailable', '429 rateLimitExceeded: why'],
])('%i %s is %s, and says what to do', (status, reason, kind, says) => {
  const body = Buffer.from(JSON.stringify({ error: { code: status, message: 'why', errors: [{ reason }] } }))
  const { message, ...fault } = faultOf({ status, headers: {}, body }, tried)
  expect(fault).toMatchObject({ kind, code: reason })
  expect(message).toContain(says)
})
