import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals'
import { type World, world } from './world.ts'

/**
 * A world for each test, or one for all tests of a file. Tests that share a world leave nothing in it: no process, no deployment.
 * The returned object always stands for the current world.
 */
export function worldPer(scope: 'test' | 'file'): World {
  let now: World | undefined
  const current = (): World => {
    if (!now) throw new Error('there is a world only while a test runs')
    return now
  }
  const [begin, end] = scope === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll]
  begin(async () => {
    now = await world()
  })
  if (scope === 'file')
    afterEach(async () => {
      await current().deserted()
      expect(await current().remains()).toEqual([])
    })
  end(async () => {
    await now?.end()
  })
  return {
    get home() {
      return current().home
    },
    get work() {
      return current().work
    },
    tpi: (words, how) => current().tpi(words, how),
    write: (path, text) => current().write(path, text),
    read: (path) => current().read(path),
    remains: () => current().remains(),
    filesWith: (text) => current().filesWith(text),
    alive: () => current().alive(),
    deserted: () => current().deserted(),
    end: () => current().end(),
  }
}
