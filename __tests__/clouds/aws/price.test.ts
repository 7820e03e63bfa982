/** Prices come from the spot market and from the price list; a price that is in neither is unknown, never guessed. */

import http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { Prices } from '../../../src/clouds/aws/price.ts'
import type { AutoScalingGroup } from '../../../src/clouds/aws/sdk.ts'
import type { SpotRequest } from '../../../src/core/cloud.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { closed, listening, portOf } from '../../setup/listening.ts'
import { silent } from '../../setup/silent-log.ts'
import { type Answers, account } from './account.ts'

let list: { readonly url: string; readonly asked: string[]; stop(): Promise<void> }
/** USD per hour, by type. */
let full: Record<string, number>
/** Number of questions that are too many at once. */
let busy: number
beforeEach(async () => {
  busy = 0
  full = { 'm5.large': 0.096, 'm6i.large': 0.1 }
  list = await startList()
})
afterEach(async () => list.stop())

/**
 * Other prices on the list, by the group that is asked for; each has several lines.
 * https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/reading-an-offer.html
 */
const line = (usagetype: string, unit: string, USD: string): object => ({
  product: { attributes: { usagetype, regionCode: 'us-east-1' } },
  terms: { OnDemand: { a: { priceDimensions: { b: { unit, pricePerUnit: { USD } } } } } },
})
const BESIDE: Readonly<Record<string, readonly object[]>> = {
  VPCPublicIPv4Address: [
    line('USE1-PublicIPv4:IdleAddress', 'Hrs', '0.006'),
    line('USE1-PublicIPv4:InUseAddress', 'Hrs', '0.005'),
    line('USE1-PublicIPv4:ContiguousBlock', 'Hrs', '0.008'),
  ],
  'NAT Gateway': [
    line('NatGateway-Hours', 'Hrs', '0.045'),
    line('NatGateway-Bytes', 'GB', '0.044'),
    line('NatGateway-Prvd-Bytes', 'GB', '0.5'),
    line('RegionalNatGateway-Bytes', 'GB', '0.6'),
  ],
}

/** https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_pricing_GetProducts.html */
async function startList(): Promise<typeof list> {
  const asked: string[] = []
  const server = http.createServer((request, response) => {
    void buffer(request).then((body) => {
      const { Filters } = JSON.parse(body.toString()) as { Filters: { Field: string; Value: string }[] }
      const beside = Filters.map(({ Value }) => BESIDE[Value]).find((found) => found !== undefined)
      if (beside) return response.end(JSON.stringify({ PriceList: beside.map((one) => JSON.stringify(one)) }))
      const type = Filters.find(({ Field }) => Field === 'instanceType')?.Value ?? ''
      asked.push(type)
      const scope = /Credential=\w+\/\d{8}\/us-east-1\/pricing\//.test(request.headers.authorization ?? '')
      if (busy-- > 0) return response.writeHead(400).end('{"__type":"ThrottlingException"}')
      if (!scope || full[type] === -1) return response.writeHead(400).end('{"__type":"AccessDeniedException"}')
      const term = (unit: string, USD: string) => ({ a: { priceDimensions: { b: { unit, pricePerUnit: { USD } } } } })
      const terms = { OnDemand: { ...term('Hrs', String(full[type])) }, Reserved: term('Hrs', '0.01') }
      return response.end(JSON.stringify({ PriceList: full[type] === undefined ? [] : [JSON.stringify({ terms })] }))
    })
  })
  await listening(server)
  const stop = async (): Promise<void> => {
    await closed(server)
  }
  return { url: `http://127.0.0.1:${portOf(server)}/`, asked, stop }
}

/** Two zones; `b` costs more. */
const market: Answers = {
  DescribeSpotPriceHistory: ({ InstanceTypes = [] }) => ({
    SpotPriceHistory: (InstanceTypes as string[]).flatMap((type) => [
      { InstanceType: type, AvailabilityZone: 'us-east-1a', SpotPrice: '0.03' },
      { InstanceType: type, AvailabilityZone: 'us-east-1b', SpotPrice: '0.05' },
    ]),
  }),
}
const prices = (answers = market): Prices =>
  new Prices(account(answers).api, { env: { AWS_ENDPOINT_URL_PRICING: list.url }, clock: systemClock, log: silent })
const placement = { types: ['m5.large', 'm6i.large'], subnets: [{ id: 's', zone: 'us-east-1a', public: true }] }

test.each<[SpotRequest, object]>([
  [{ want: 'never' }, { hour: 0.096, most: 0.1 }],
  [{ want: 'only' }, { hour: 0.03, most: 0.1 }],
  [
    { want: 'only', maxPrice: 0.04 },
    { hour: 0.03, most: 0.04 },
  ],
  [
    { want: 'prefer', maxPrice: 0.04 },
    { hour: 0.03, most: 0.1 },
  ],
])('a request %j costs %j', async (spot, quote) => {
  expect(await prices().quote(placement, spot)).toEqual(quote)
})

test.each([
  ['that the list does not have', undefined],
  ['that nobody here may ask for', -1],
])('a type %s has no price on demand; the market has its own', async (_, price) => {
  full = { 'm5.large': 0.096, ...(price !== undefined && { 'm6i.large': price }) }
  const asked = prices().quote(placement, { want: 'never' })
  // Whoever may not ask learns that, and not that there is no price.
  await (price === undefined ? expect(asked).resolves.toBeUndefined() : expect(asked).rejects.toThrow(/AccessDeniedException/))
  // It goes with the price that is known, for a budget that needs the other one.
  const why = price === undefined ? {} : { trouble: expect.objectContaining({ message: expect.stringContaining('AccessDeniedException') }) }
  expect(await prices().quote(placement, { want: 'only' })).toEqual({ hour: 0.03, ...why })
})

const group = (share: number, ...members: [type: string, zone: string][]): AutoScalingGroup =>
  ({
    MaxSize: 2,
    MixedInstancesPolicy: {
      LaunchTemplate: { Overrides: placement.types.map((InstanceType) => ({ InstanceType })) },
      InstancesDistribution: { OnDemandPercentageAboveBaseCapacity: share },
    },
    Instances: members.map(([InstanceType, AvailabilityZone]) => ({ InstanceType, AvailabilityZone })),
  }) as AutoScalingGroup

test.each<[string, AutoScalingGroup[], number | undefined]>([
  ['the dearest spot machine that is there', [group(0, ['m5.large', 'us-east-1a'], ['m5.large', 'us-east-1b'])], 0.05],
  ['the cheapest that may come', [group(0), group(100)], 0.03],
  ['the machine on demand', [group(100, ['m6i.large', 'us-east-1a'])], 0.1],
  ['the dearer one of two groups', [group(0, ['m5.large', 'us-east-1a']), group(100, ['m5.large', 'us-east-1b'])], 0.096],
  ['nothing at all', [], undefined],
])('the current price is that of %s', async (_, groups, price) => {
  expect(await prices().now(groups)).toBe(price)
})

test('types that are charged for what they compute above their baseline are named, with any market', async () => {
  full = { 't2.micro': 0.0116, 't3.micro': 0.0104 }
  const onTop = expect.stringContaining('above their baseline')
  const of = async (spot: SpotRequest, ...types: string[]) => prices().quote({ ...placement, types }, spot)
  expect(await of({ want: 'never' }, 't2.micro', 't3.micro')).toEqual({ hour: 0.0116, most: 0.0116, onTop })
  expect(await of({ want: 'only' }, 't3.micro')).toEqual({ hour: 0.03, most: 0.03, onTop })
  expect(await of({ want: 'never' }, 't2.micro')).toEqual({ hour: 0.0116, most: 0.0116 })
})

test('a list that is asked too much at once is asked again', async () => {
  busy = 2
  expect(await prices().quote(placement, { want: 'never' })).toEqual({ hour: 0.096, most: 0.1 })
})

test('each type is asked for only once', async () => {
  const one = prices()
  await Promise.all([one.quote(placement, { want: 'never' }), one.quote(placement, { want: 'prefer' })])
  expect(list.asked.toSorted()).toEqual(['m5.large', 'm6i.large'])
})

test('the costs of their way out to the network are also on the list', async () => {
  expect(await prices().reach(true)).toEqual({ address: 0.005 })
  expect(await prices().reach(false)).toEqual({ gateway: 0.044 })
})
