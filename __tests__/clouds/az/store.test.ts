/** The storage account, which all first runs of a subscription try to make at the same time. */
import { expect, test } from '@jest/globals'
import type { Api } from '../../../src/clouds/az/api.ts'
import { errorOf } from '../../../src/clouds/az/errors.ts'
import { storageResource } from '../../../src/clouds/az/store.ts'
import { Refusal } from '../../../src/clouds/vm/refusal.ts'
import type { Answer } from '../../../src/clouds/vm/transport.ts'
import { EXPIRY } from '../../../src/core/bucket-expiry.ts'
import type { Ensured } from '../../../src/core/resource.ts'

/** `there`: whether each look for the account finds it. */
async function making(code: string, message: string, there: readonly boolean[], status = 409): Promise<Ensured> {
  const looks = [...there]
  const api = {
    region: 'westeurope',
    maybe: async (name: string) => {
      if (name === 'accounts.get') return looks.shift() ? { properties: { provisioningState: 'Creating' } } : undefined
      return name === 'groups.get' ? {} : undefined
    },
    answer: async (_: string, tried: string): Promise<Answer> => {
      throw errorOf(new Refusal(message, { status, code }), tried)
    },
  } as unknown as Api
  return storageResource(api, 'tpi0123456789', new AbortController().signal).ensure()
}

/** Codes: https://learn.microsoft.com/rest/api/storagerp/srp_error_codes_common */
test.each([
  [
    'StorageAccountOperationInProgress',
    'An operation is currently performing on this storage account that requires exclusive access.',
    [false],
  ],
  ['Conflict', 'The operation requires exclusive access.', [false]],
  ['StorageAccountAlreadyExists', 'The storage account named tpi0123456789 already exists.', [false, true]],
  ['StorageAccountAlreadyTaken', 'The storage account named tpi0123456789 is already taken.', [false, true]],
])('%s: waits for the account that another first run is just making', async (code, message, there) => {
  expect(await making(code, message, there)).toBe('pending')
})

test('an account that is not in our own group is somebody else’s', async () => {
  const taken = making('StorageAccountAlreadyTaken', 'The storage account named tpi0123456789 is already taken.', [false, false])
  await expect(taken).rejects.toThrow('storage: the account tpi0123456789 belongs to somebody else')
})

test('waits for a resource group that Azure does not know everywhere yet', async () => {
  await expect(making('ResourceGroupNotFound', 'Resource group could not be found.', [false], 404)).rejects.toMatchObject({
    retryable: true,
  })
})

test('it is closed to the public and to account keys, and expires old objects', async () => {
  const asked = new Map<string, unknown>()
  const answer = async (name: string, _: string, { body }: { body?: unknown }): Promise<Answer> => {
    asked.set(name, body)
    return { status: 200, header: () => undefined, value: {} }
  }
  const api = { region: 'westeurope', maybe: async () => undefined, answer, call: answer } as unknown as Api
  expect(await storageResource(api, 'tpi0123456789', new AbortController().signal).ensure()).toBe('created')
  expect(asked.get('accounts.put')).toMatchObject({
    location: 'westeurope',
    properties: { allowBlobPublicAccess: false, allowSharedKeyAccess: false, minimumTlsVersion: 'TLS1_2', supportsHttpsTrafficOnly: true },
  })
  expect(asked.get('containers.put')).toEqual({ properties: { publicAccess: 'None' } })
  const [rule, ...more] = (asked.get('accounts.expiry') as { properties: { policy: { rules: object[] } } }).properties.policy.rules
  expect(more).toEqual([])
  expect(rule).toMatchObject({
    enabled: true,
    type: 'Lifecycle',
    definition: {
      filters: { blobTypes: ['blockBlob'], prefixMatch: ['tpi/tpi-'] },
      actions: { baseBlob: { delete: { daysAfterModificationGreaterThan: EXPIRY } } },
    },
  })
})
