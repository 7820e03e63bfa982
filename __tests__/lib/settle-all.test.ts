import { expect, test } from '@jest/globals'
import { settleAll } from '../../src/lib/settle-all.ts'

test('a failure is reported once all others have settled, and it is the first in order', async () => {
  const ended: string[] = []
  const slow = async (name: string, error?: Error): Promise<string> => {
    await new Promise((resolve) => setImmediate(resolve))
    ended.push(name)
    if (error) throw error
    return name
  }
  expect(await settleAll([slow('a'), 2])).toEqual(['a', 2])
  const works = [slow('b', new Error('of b')), Promise.reject(new Error('at once')), slow('c')]
  await expect(settleAll(works)).rejects.toThrow('of b')
  expect(ended).toEqual(['a', 'b', 'c'])
})
