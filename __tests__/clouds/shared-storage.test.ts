/** The storage of an account, which is not removed with any deployment. */
import { expect, test } from '@jest/globals'
import { forStore, sharedStorage } from '../../src/clouds/vm/storage.ts'
import { AuthError, RemoteError } from '../../src/core/errors.ts'

test('it is made once, marked as shared, and no removal touches it', async () => {
  const asked: string[] = []
  let there = false
  const storage = sharedStorage({
    kind: 'bucket',
    name: 'tpi-1',
    isOurs: async () => there,
    make: async () => {
      asked.push('make')
      there = true
      return 'created'
    },
    complete: async () => void asked.push('complete'),
    signal: new AbortController().signal,
  })
  expect([await storage.ensure(), await storage.ensure(), storage.shared]).toEqual(['created', 'found', true])
  expect(await storage.remove()).toBe('used')
  expect([asked, there]).toEqual([['make', 'complete'], true])
})

test('a login that is out of reach for a moment is a store out of reach; one that is refused stays what it is', async () => {
  const asked = async (reason: Error): Promise<unknown> =>
    forStore({ get: async () => Promise.reject(reason), refused: () => true })
      .get()
      .catch((thrown: unknown) => thrown)
  const away = new RemoteError('sign-on does not answer', { retryable: true })
  expect(await asked(away)).toMatchObject({ kind: 'unavailable', message: 'storage: sign-on does not answer', cause: away })
  const refused = new AuthError('signed out')
  expect(await asked(refused)).toBe(refused)
})
