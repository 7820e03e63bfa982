/** Quotas in `tpi doctor`: of one market, or of both, of which one is enough. */
import { expect, test } from '@jest/globals'
import { quotasOf } from '../../src/clouds/vm/doctor.ts'
import type { Check } from '../../src/core/check.ts'

const short = (of: string): Check => ({ what: 'quota', state: 'fault', says: `${of} 0 of 0`, hint: `ask for more ${of}` })

test.each([
  ['only', { spot: 'A 0 of 8', full: short('B') }, 'A 0 of 8'],
  ['never', { spot: short('A'), full: 'B 0 of 8' }, 'B 0 of 8'],
  ['prefer', { spot: 'A 0 of 8', full: 'B 0 of 8' }, 'spot: A 0 of 8; full price: B 0 of 8'],
  ['prefer', { spot: short('A'), full: 'B 0 of 8' }, { ...short('A'), state: 'warning', says: 'spot: A 0 of 0; full price: B 0 of 8' }],
  ['prefer', { spot: 'A 0 of 8', full: short('B') }, { ...short('B'), state: 'warning', says: 'spot: A 0 of 8; full price: B 0 of 0' }],
  ['prefer', { spot: short('A'), full: short('B') }, { ...short('A'), says: 'spot: A 0 of 0; full price: B 0 of 0' }],
] as const)('spot: %s, %j', async (want, { spot, full }, says) => {
  expect(await quotasOf(want, async (market) => (market ? spot : full))).toEqual(says)
})
