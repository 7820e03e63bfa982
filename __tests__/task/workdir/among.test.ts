import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { comparePaths } from '../../../src/snapshot/path.ts'
import { among } from '../../../src/task/workdir/what-is-uploaded.ts'

const path = fc.array(fc.constantFrom('a', 'b', 'a.b', 'ab', 'é'), { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))

test('gives the same answer for every path, in any order, as a set', () => {
  fc.assert(
    fc.property(fc.uniqueArray(path), fc.array(path), (sent, asked) => {
      const isSent = among(sent.toSorted(comparePaths))
      const all = [...sent.toSorted(comparePaths), ...asked, ...sent]
      expect(all.map(isSent)).toEqual(all.map((one) => sent.includes(one)))
    }),
  )
})

test('nothing is among nothing', () => {
  expect(among([])('a')).toBe(false)
})
