/** What machines cost, by the vendor's public list, which wants no login: https://learn.microsoft.com/rest/api/cost-management/retail-prices/azure-retail-prices */
import type { CloudContext, Quote, SpotRequest } from '../../core/cloud.ts'
import { line, list, number, object } from '../../lib/shape.ts'
import { messageOf } from '../../lib/text.ts'
import { parseShape } from '../../wire/parse.ts'
import { Once } from '../vm/once.ts'

const LIST = 'https://prices.azure.com/api/retail/prices'
/** Where it is in a test. */
const ELSEWHERE = 'AZURE_RETAIL_PRICES_URL'
const TIMEOUT = 10_000

const LINE = line(4096)
const answer = object({
  Items: list(object({ retailPrice: number(0, 1e6), unitOfMeasure: LINE, skuName: LINE, productName: LINE, currencyCode: LINE }), 1000),
})

/** USD per hour of a size. */
interface Price {
  readonly full: number | undefined
  readonly spot: number | undefined
}

export class Prices {
  readonly #context: Pick<CloudContext, 'env' | 'log'>
  readonly #region: string
  readonly #known = new Once<Price | undefined>()

  constructor(context: Pick<CloudContext, 'env' | 'log'>, region: string) {
    this.#context = context
    this.#region = region
  }

  /** The first type is the one that comes, unless there is none of it; all of them have to be known. Spot machines never cost more than others. */
  async quote(types: readonly string[], spot: SpotRequest): Promise<Quote | undefined> {
    const prices = await Promise.all(types.map(async (type) => this.#of(type)))
    const of = (which: keyof Price): readonly number[] => prices.flatMap((price) => price?.[which] ?? [])
    const [now, full] = [of(spot.want === 'never' ? 'full' : 'spot'), of('full')]
    const [hour] = now
    if (hour === undefined || now.length < types.length) return undefined
    const limit = spot.want === 'only' ? spot.maxPrice : undefined
    const most = limit ?? (full.length < types.length ? undefined : Math.max(...full))
    return { hour, ...(most !== undefined && { most: Math.max(most, hour) }) }
  }

  async #of(type: string): Promise<Price | undefined> {
    return this.#known
      .get(type, async () => this.#ask(type))
      .catch((error: unknown) => {
        this.#context.log.debug(`the price of ${type} is not known: ${messageOf(error)}`)
        return undefined
      })
  }

  async #ask(type: string): Promise<Price | undefined> {
    const url = new URL(this.#context.env[ELSEWHERE] || LIST)
    const facts = { serviceName: 'Virtual Machines', armRegionName: this.#region, armSkuName: type, priceType: 'Consumption' }
    const filter = Object.entries(facts).map(([name, value]) => `${name} eq '${value}'`)
    url.searchParams.set('$filter', filter.join(' and '))
    const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) })
    const said = await reply.text()
    if (!reply.ok) throw new Error(`the price list answers ${reply.status}`)
    const hourly = parseShape(answer, said).Items.filter(
      ({ unitOfMeasure, productName, currencyCode }) =>
        unitOfMeasure === '1 Hour' && currencyCode === 'USD' && !/Windows/.test(productName),
    )
    const least = (of: (sku: string) => boolean): number | undefined => {
      const prices = hourly.filter(({ skuName, retailPrice }) => of(skuName) && retailPrice > 0).map(({ retailPrice }) => retailPrice)
      return prices.length === 0 ? undefined : Math.min(...prices)
    }
    return { full: least((sku) => !/ (?:Spot|Low Priority)$/.test(sku)), spot: least((sku) => sku.endsWith(' Spot')) }
  }
}
