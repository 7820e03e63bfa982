import { expect, test } from '@jest/globals'
import { Mutex } from '../../src/lib/mutex.ts'

test('later calls wait, in order, even if earlier ones fail', async () => {
  const turn = new Mutex()
  const seen: string[] = []
  const work = async (name: string, fails = false): Promise<string> => {
    seen.push(`${name} begins`)
    for (let tick = 0; tick < 3; tick++) await new Promise((resolve) => setImmediate(resolve))
    seen.push(`${name} ends`)
    if (fails) throw new Error(`${name} failed`)
    return name
  }
  const all = await Promise.allSettled([turn.take(() => work('a')), turn.take(() => work('b', true)), turn.take(() => work('c'))])
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
