/**
 * Full prices of machines, and of what they need besides, from the vendor's price list: one small request for each, to one region that
 * answers for all.
 * https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_pricing_GetProducts.html
 */
import { dictionary, line, list, maybe, object, text } from '../../lib/shape.ts'
import { parseShape } from '../../wire/parse.ts'
import { askPriceList } from '../vm/price.ts'
import type { Api } from './api.ts'
import { signedPost } from './signed-post.ts'

/** https://docs.aws.amazon.com/general/latest/gr/billing.html#billing-pricing_region: one for all regions of the vendor's main partition. */
const HOME = 'us-east-1'

const LINE = line(4096)
const answerShape = object({ PriceList: list(text(1 << 20), 100) })
const term = object({ priceDimensions: dictionary(LINE, object({ unit: LINE, pricePerUnit: dictionary(LINE, LINE, 10) }), 100) })

interface Product {
  readonly product?: { readonly attributes: { readonly usagetype?: string } } | undefined
  readonly terms: { readonly OnDemand?: Readonly<Record<string, ReturnType<typeof term>>> }
}

const productShape = object<Product>({
  product: maybe(
    object<NonNullable<Product['product']>>({ attributes: object<{ readonly usagetype?: string }>({ usagetype: maybe(LINE) }) }),
  ),
  terms: object<Product['terms']>({ OnDemand: maybe(dictionary(LINE, term, 100)) }),
})

/** Which price is looked for. */
export interface Listed {
  readonly service: string
  readonly filters: Readonly<Record<string, string>>
  readonly unit: string
  /** The end of the usage type, if the filters leave several lines. It begins with a code of the region. */
  readonly usage?: RegExp
}

/** A Linux machine with shared tenancy. */
export const machineOf = (type: string): Listed => ({
  service: 'AmazonEC2',
  filters: {
    instanceType: type,
    operatingSystem: 'Linux',
    preInstalledSw: 'NA',
    tenancy: 'Shared',
    capacitystatus: 'Used',
    marketoption: 'OnDemand',
  },
  unit: 'Hrs',
})

/** https://aws.amazon.com/vpc/pricing/ */
export const ADDRESS: Listed = {
  service: 'AmazonVPC',
  filters: { group: 'VPCPublicIPv4Address' },
  unit: 'Hrs',
  usage: /(?:^|-)PublicIPv4:InUseAddress$/,
}
export const GATEWAY: Listed = {
  service: 'AmazonEC2',
  filters: { productFamily: 'NAT Gateway' },
  unit: 'GB',
  usage: /(?:^|-)NatGateway-Bytes$/,
}

/** USD per unit; `undefined`: the list has no such price. Throws if the service does not answer. */
export async function listPrice(api: Api, endpoint: string | undefined, wanted: Listed): Promise<number | undefined> {
  const { service, filters } = wanted
  const body = JSON.stringify({
    ServiceCode: service,
    FormatVersion: 'aws_v1',
    MaxResults: 100,
    Filters: Object.entries({ ...filters, regionCode: api.region }).map(([Field, Value]) => ({ Type: 'TERM_MATCH', Field, Value })),
  })
  const products = parseShape(answerShape, await ask(api, endpoint, body)).PriceList.map((product) => parseShape(productShape, product))
  const prices = products.flatMap((product) => pricesOf(product, wanted))
  return prices.length === 0 ? undefined : Math.max(...prices)
}

async function ask(api: Api, endpoint: string | undefined, body: string): Promise<string> {
  const url = new URL(endpoint ?? `https://api.pricing.${HOME}.amazonaws.com/`)
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AWSPriceListService.GetProducts' }
  const scope = { region: HOME, service: 'pricing', date: new Date() }
  return await askPriceList(url, signedPost(url, { headers, body }, await api.keys(), scope))
}

/** Each product has terms, and each term has prices by unit. */
function pricesOf({ product, terms: { OnDemand = {} } }: Product, { unit: wanted, usage }: Listed): number[] {
  if (usage && !usage.test(product?.attributes.usagetype ?? '')) return []
  return Object.values(OnDemand)
    .flatMap(({ priceDimensions }) => Object.values(priceDimensions))
    .filter(({ unit }) => unit === wanted)
    .map(({ pricePerUnit }) => Number(pricePerUnit['USD']))
    .filter((usd) => usd > 0)
}
