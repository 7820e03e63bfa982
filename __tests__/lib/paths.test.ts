import { expect, test } from '@jest/globals'
import { wayBelow } from '../../src/lib/paths.ts'

test.each([
  ['/a', '/a/b/c', 'b/c'],
  ['/a/', '/a', ''],
  ['/', '/a', 'a'],
  // Such a name has nothing to do with the folder above.
  ['/a', '/a/..data', '..data'],
  ['/a/b', '/a', undefined],
  ['/a/b', '/a/bc', undefined],
])('below %j: %j is %j', (folder, path, way) => expect(wayBelow(folder, path)).toBe(way))
