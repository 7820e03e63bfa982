/** The account's answers about prices: those of the simulation's market, in the formats of the vendor's services. */
import type { Supply } from '../vm/simulation/market.ts'
import { escapeXml, type Fields } from './model.ts'

/** The current price of each type in each zone: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeSpotPriceHistory.html */
export function spotHistory(supply: Supply, region: string, request: Fields): string {
  const types = (request['InstanceTypes'] ?? []) as readonly string[]
  const zones = ['a', 'b', 'c'].map((letter) => region + letter)
  const items = types.flatMap((type) =>
    zones.map((zone) => {
      const price = supply.price({ region, zone, type, market: 'spot' })
      const at = new Date(Date.now() - 60_000).toISOString()
      return `<item><instanceType>${escapeXml(type)}</instanceType><productDescription>Linux/UNIX</productDescription><spotPrice>${price.toFixed(6)}</spotPrice><timestamp>${at}</timestamp><availabilityZone>${zone}</availabilityZone></item>`
    }),
  )
  return `<DescribeSpotPriceHistoryResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>lab</requestId><spotPriceHistorySet>${items.join('')}</spotPriceHistorySet></DescribeSpotPriceHistoryResponse>`
}

/** Best first: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_GetSpotPlacementScores.html */
export function placementScores(scores: Readonly<Record<string, number>>): string {
  const items = Object.entries(scores)
    .toSorted(([, one], [, other]) => other - one)
    .map(([region, score]) => `<item><region>${region}</region><score>${score}</score></item>`)
  return `<GetSpotPlacementScoresResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>lab</requestId><spotPlacementScoreSet>${items.join('')}</spotPlacementScoreSet></GetSpotPlacementScoresResponse>`
}

/**
 * Products that match all filters, each as JSON text:
 * https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_pricing_GetProducts.html · the format of a product:
 * https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/reading-an-offer.html
 */
export function products(supply: Supply, request: Fields): Fields {
  const filters = (request['Filters'] ?? []) as readonly Fields[]
  const wanted = new Map(filters.map((filter) => [String(filter['Field']), String(filter['Value'])]))
  const beside = BESIDE[wanted.get('group') ?? wanted.get('productFamily') ?? '']
  if (beside) return { FormatVersion: 'aws_v1', PriceList: [JSON.stringify(beside)] }
  const type = wanted.get('instanceType') ?? ''
  const region = wanted.get('regionCode') ?? ''
  const price = supply.price({ region, zone: '', type, market: 'on-demand' })
  const one = (id: string, unit: string, usd: string): object => ({
    [id]: {
      sku: 'X',
      priceDimensions: { [`${id}.6YS6EN2CT7`]: { unit, pricePerUnit: { USD: usd }, description: `$${usd} per On Demand Linux ${type}` } },
    },
  })
  const product = {
    product: { productFamily: 'Compute Instance', attributes: Object.fromEntries(wanted), sku: 'X' },
    serviceCode: request['ServiceCode'],
    terms: { OnDemand: one('X.JRTCKXETXF', 'Hrs', price.toFixed(10)), Reserved: one('X.38NPMPTW36', 'Quantity', '123.0000000000') },
  }
  return { FormatVersion: 'aws_v1', PriceList: [JSON.stringify(product)] }
}

const charged = (usagetype: string, unit: string, USD: string): object => ({
  product: { attributes: { usagetype }, sku: 'Y' },
  terms: { OnDemand: { 'Y.JRTCKXETXF': { sku: 'Y', priceDimensions: { 'Y.JRTCKXETXF.6YS6EN2CT7': { unit, pricePerUnit: { USD } } } } } },
})
/** Prices of things other than machines, by group or product family. */
const BESIDE: Readonly<Record<string, object>> = {
  VPCPublicIPv4Address: charged('USE1-PublicIPv4:InUseAddress', 'Hrs', '0.0050000000'),
  'NAT Gateway': charged('NatGateway-Bytes', 'GB', '0.0450000000'),
}
