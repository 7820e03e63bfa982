/** The storage of an account, which is not removed with any deployment. */
import { expect, test } from '@jest/globals'
import { sharedStorage } from '../../src/clouds/vm/storage.ts'

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
