/**
 * What a machine costs on demand, by the vendor's price list: one small question for each type, to the one service that answers for all regions.
 * https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_pricing_GetProducts.html
 */
import { dictionary, line, list, maybe, object, text } from '../../lib/shape.ts'
import { sha256, sign } from '../../lib/sigv4.ts'
import { parseShape } from '../../wire/parse.ts'
import type { Api } from './api.ts'

/** https://docs.aws.amazon.com/general/latest/gr/billing.html#billing-pricing_region: one for all regions of the vendor's first partition. */
const HOME = 'us-east-1'
const TIMEOUT = 10_000

const LINE = line(4096)
const answerShape = object({ PriceList: list(text(1 << 20), 100) })
const term = object({ priceDimensions: dictionary(LINE, object({ unit: LINE, pricePerUnit: dictionary(LINE, LINE, 10) }), 100) })

interface Product {
  readonly terms: { readonly OnDemand?: Readonly<Record<string, ReturnType<typeof term>>> }
}

const productShape = object<Product>({ terms: object<Product['terms']>({ OnDemand: maybe(dictionary(LINE, term, 100)) }) })

/** USD per hour of Linux on a machine that others may share a host with; `undefined`: the list has no such price. Throws where it does not answer. */
export async function listPrice(api: Api, endpoint: string | undefined, type: string): Promise<number | undefined> {
  const url = new URL(endpoint ?? `https://api.pricing.${HOME}.amazonaws.com/`)
  const filters = {
    instanceType: type,
    regionCode: api.region,
    operatingSystem: 'Linux',
    preInstalledSw: 'NA',
    tenancy: 'Shared',
    capacitystatus: 'Used',
    marketoption: 'OnDemand',
  }
  const body = JSON.stringify({
    ServiceCode: 'AmazonEC2',
    FormatVersion: 'aws_v1',
    MaxResults: 10,
    Filters: Object.entries(filters).map(([Field, Value]) => ({ Type: 'TERM_MATCH', Field, Value })),
  })
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AWSPriceListService.GetProducts' }
  const { accessKeyId, secretAccessKey, sessionToken } = await api.keys()
  const request = { method: 'POST', host: url.host, path: url.pathname, query: {}, headers, bodyHash: sha256(body) }
  const signed = sign(request, { accessKeyId, secretAccessKey, sessionToken }, { region: HOME, service: 'pricing', date: new Date() })
  const { host: _host, ...sent } = signed
  const answer = await fetch(url, { method: 'POST', headers: sent, body, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT) })
  const said = await answer.text()
  if (!answer.ok) throw new Error(`the price list answers ${answer.status}: ${said.slice(0, 200)}`)
  const prices = parseShape(answerShape, said).PriceList.flatMap((product) => pricesOf(parseShape(productShape, product)))
  return prices.length === 0 ? undefined : Math.max(...prices)
}

/** Each product has terms, each of these prices by unit. */
function pricesOf({ terms: { OnDemand = {} } }: Product): number[] {
  return Object.values(OnDemand)
    .flatMap(({ priceDimensions }) => Object.values(priceDimensions))
    .filter(({ unit }) => unit === 'Hrs')
    .map(({ pricePerUnit }) => Number(pricePerUnit['USD']))
    .filter((usd) => usd > 0)
}
