/** Prices come from Azure's public list; a price that it does not have is unknown, never guessed. */
import http from 'node:http'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { Prices } from '../../../src/clouds/az/price.ts'
import type { SpotRequest } from '../../../src/core/cloud.ts'
import { listening } from '../../setup/listening.ts'
import { silent } from '../../setup/silent-log.ts'

/** USD per hour, by region and size. */
const LIST: Readonly<Record<string, { readonly full: number; readonly spot?: number }>> = {
  'westeurope D2': { full: 0.1, spot: 0.02 },
  'westeurope D2a': { full: 0.09, spot: 0.03 },
  'westeurope new': { full: 0.2 },
  'eastus D2': { full: 0.08, spot: 0.01 },
}

let list: http.Server
let prices: Prices
/** https://learn.microsoft.com/rest/api/cost-management/retail-prices/azure-retail-prices */
beforeEach(async () => {
  list = http.createServer((request, response) => {
    const filter = new URL(request.url ?? '', 'http://x').searchParams.get('$filter') ?? ''
    const [region, type] = ['armRegionName', 'armSkuName'].map((name) => new RegExp(`${name} eq '([^']+)'`).exec(filter)?.[1])
    const { full, spot } = LIST[`${region} ${type}`] ?? {}
    const item = (retailPrice: number, skuName: string, productName = 'Series') => ({
      retailPrice,
      skuName,
      productName,
      unitOfMeasure: '1 Hour',
      currencyCode: 'USD',
    })
    const Items = [
      ...(full === undefined ? [] : [item(full, `${type}`), item(full / 100, `${type}`, 'Series Windows')]),
      ...(spot === undefined ? [] : [item(spot, `${type} Spot`)]),
    ]
    response.end(JSON.stringify({ Items }))
  })
  const url = `http://127.0.0.1:${await listening(list)}/`
  prices = new Prices({ env: { AZURE_RETAIL_PRICES_URL: url }, log: silent })
})
afterEach(() => {
  list.closeAllConnections()
  list.close()
})

test.each<[SpotRequest, readonly string[], object | undefined]>([
  [{ want: 'never' }, ['D2', 'D2a'], { hour: 0.1, most: 0.1 }],
  [{ want: 'only' }, ['D2', 'D2a'], { hour: 0.02, most: 0.1 }],
  [{ want: 'only', maxPrice: 0.05 }, ['D2', 'D2a'], { hour: 0.02, most: 0.05 }],
  [{ want: 'only' }, ['D2', 'new'], undefined],
  [{ want: 'never' }, ['unheard-of'], undefined],
])('a request for %j, as %j, costs %j', async (spot, types, quote) => {
  expect(await prices.quote({ region: 'westeurope', types }, spot)).toEqual(quote)
})

test('a list that everybody may read and something refuses lacks no permission', async () => {
  list.removeAllListeners('request').on('request', (_, response) => response.writeHead(403).end('blocked by policy'))
  await expect(prices.quote({ region: 'westeurope', types: ['D2'] }, { want: 'never' })).rejects.toMatchObject({
    name: 'RemoteError',
    hint: expect.stringMatching(/public/),
  })
})

test('a list that cannot be asked is named, which is not the same as a price that it does not have', async () => {
  const out = new Prices({ env: { AZURE_RETAIL_PRICES_URL: 'http://127.0.0.1:1/' }, log: silent })
  await expect(out.quote({ region: 'westeurope', types: ['D2'] }, { want: 'never' })).rejects.toThrow('127.0.0.1:1 does not answer')
})

const set = (location: string, priority: 'Spot' | 'Regular', ...names: string[]) => ({
  location,
  sku: { name: names.length > 1 ? 'Mix' : names[0]! },
  properties: {
    ...(names.length > 1 && { skuProfile: { vmSizes: names.map((name) => ({ name })) } }),
    virtualMachineProfile: { priority },
  },
})
const machine = (vmSize: string) => ({ properties: { hardwareProfile: { vmSize } } })

test('the most expensive existing machine counts, otherwise the first possible one; each at its place', async () => {
  const spot = set('westeurope', 'Spot', 'D2', 'D2a')
  const full = set('westeurope', 'Regular', 'D2')
  expect(await prices.now([{ set: spot, machines: [machine('D2'), machine('D2a')] }])).toBe(0.03)
  expect(await prices.now([{ set: spot, machines: [] }])).toBe(0.02)
  expect(await prices.now([{ set: full, machines: [] }])).toBe(0.1)
  expect(await prices.now([{ set: set('eastus', 'Regular', 'D2'), machines: [machine('D2')] }])).toBe(0.08)
  expect(await prices.now([{ set: set('eastus', 'Spot', 'new'), machines: [] }])).toBeUndefined()
  // Of two sets, the one that has machines counts, otherwise the first.
  const both = (here: string[], there: string[]) => [
    { set: spot, machines: here.map(machine) },
    { set: full, machines: there.map(machine) },
  ]
  expect(await prices.now(both([], []))).toBe(0.02)
  expect(await prices.now(both(['D2'], []))).toBe(0.02)
  expect(await prices.now(both(['D2'], ['D2']))).toBe(0.1)
  expect(await prices.now([])).toBeUndefined()
})
