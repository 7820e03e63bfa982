/** The expected cost of a run is printed before anything is made, and nothing is printed if it is unknown. */
import { expect, test } from '@jest/globals'
import type { Cloud } from '../../src/core/cloud.ts'
import type { Quote } from '../../src/core/quote.ts'
import type { DeploymentRequest } from '../../src/engine/create/group-spec.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { budgetOf, costWords, quoteOf, worstCase } from '../../src/verbs/shared/quote.ts'

/** Two machines for two hours, and what the end may take in addition. */
const request = { count: 2, timeout: 7200, grace: 300, reserve: 300 }

test.each<[Quote | undefined, number | undefined, string]>([
  [undefined, undefined, 'unknown: the cloud gives no price'],
  [{ hour: 0, most: 0 }, undefined, 'nothing: the machines cost nothing'],
  [
    { hour: 0.03, most: 0.12 },
    undefined,
    'about 0.06 USD per hour; at most 0.52 USD until everything has ended; storage and traffic are not included',
  ],
  [
    { hour: 0.03, reach: { addressed: true, zones: 3 } },
    undefined,
    'about 0.06 USD per hour; at most: unknown; besides, a public address of each machine, by the hour; besides, what they send each other between zones, by the gigabyte; storage and traffic are not included',
  ],
  [
    { hour: 0.03, reach: { addressed: false, zones: 1 } },
    undefined,
    'about 0.06 USD per hour; at most: unknown; besides, what they send and fetch through a NAT gateway, by the gigabyte; storage and traffic are not included',
  ],
  [
    { hour: 0.03, reach: { addressed: true, address: 0.005, zones: 1 } },
    undefined,
    'about 0.06 USD per hour; at most: unknown; besides, a public address of each machine, 0.005 USD per hour, at most 0.0217 USD; storage and traffic are not included',
  ],
  [
    { hour: 0.03, reach: { addressed: false, gateway: 0.045, zones: 1 } },
    undefined,
    'about 0.06 USD per hour; at most: unknown; besides, what they send and fetch through a NAT gateway, 0.045 USD per gigabyte; storage and traffic are not included',
  ],
  [
    { hour: 0.03, onTop: 'their load', reach: { addressed: true, zones: 1 } },
    undefined,
    'about 0.06 USD per hour; at most: unknown; besides, their load; besides, a public address of each machine, by the hour; storage and traffic are not included',
  ],
  [{ hour: 0.03 }, 5, 'about 0.06 USD per hour; at most: unknown; stopped at 5 USD; storage and traffic are not included'],
])('%j, with a budget of %s: %s', (quote, maxCost, words) => {
  expect(costWords(quote, { ...request, ...(maxCost !== undefined && { maxCost }) })).toBe(words)
})

test('"at most" is the highest price for all machines until the hard deadline', () => {
  expect(worstCase({ hour: 1, most: 3 }, request)).toBeCloseTo(3 * 2 * (7800 / 3600))
})

test('a budget goes by the current price, and is refused without one', () => {
  expect(budgetOf({ hour: 0.03, most: 0.12 }, 5, { want: 'only' })).toEqual({ most: 5, hour: 0.03 })
  expect(budgetOf({ hour: 0.03, most: 0.12 }, 5, { want: 'prefer' })).toEqual({ most: 5, hour: 0.03, full: 0.12 })
  expect(() => budgetOf(undefined, 5, { want: 'never' })).toThrow('max-cost: the price of these machines is not known, so')
  expect(() => budgetOf({ hour: 0.03 }, 5, { want: 'prefer' })).toThrow('max-cost: the full price of these machines is not known, so')
  expect(() => budgetOf({ hour: 0.03, trouble: new Error('the list refuses') }, 5, { want: 'prefer' })).toThrow('the list refuses')
})

const asked = async (billed: boolean, quote?: Cloud['quote']): Promise<Quote | undefined> => {
  const context = { billed: () => billed } as unknown as VerbContext
  return quoteOf(context, { cloudId: 'x', cloud: { ...(quote && { quote }) } as Cloud }, request as DeploymentRequest)
}

test('a cloud with free machines is not asked; one without prices leaves the cost unknown; one that fails says why', async () => {
  expect(await asked(false)).toEqual({ hour: 0, most: 0 })
  expect(await asked(true, async () => ({ hour: 1 }))).toEqual({ hour: 1 })
  expect(await asked(true)).toBeUndefined()
  await expect(asked(true, async () => Promise.reject(new Error('out')))).rejects.toThrow('out')
})
