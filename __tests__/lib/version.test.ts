import { expect, test } from '@jest/globals'
import { isOlder } from '../../src/lib/version.ts'

test.each([
  ['2.99.0', '2.100.0', true],
  ['2.100.0', '2.99.9', false],
  ['17.0', '17.1', true],
  ['17.1', '17.1.0', false],
  ['17.1.2', '17.1', false],
  ['9.9', '17.0.1', true],
])('%s is older than %s: %s', (version, other, older) => expect(isOlder(version, other)).toBe(older))
