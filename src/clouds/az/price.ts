/**
 * What machines cost, from the vendor's public list, which needs no login:
 * https://learn.microsoft.com/rest/api/cost-management/retail-prices/azure-retail-prices
 */
import type { CloudContext, SpotRequest } from '../../core/cloud.ts'
import type { Quote } from '../../core/quote.ts'
import { line, list, number, object } from '../../lib/shape.ts'
import { messageOf } from '../../lib/text.ts'
import { parseShape } from '../../wire/parse.ts'
import { Once } from '../vm/once.ts'
import { askPriceList, type Full, fullOf, quoteDespite } from '../vm/price.ts'
import type { Part } from './observe.ts'

const LIST = 'https://prices.azure.com/api/retail/prices'
/** Variable with another address of the list, for tests. */
const ELSEWHERE = 'AZURE_RETAIL_PRICES_URL'

const LINE = line(4096)
const answer = object({
  Items: list(object({ retailPrice: number(0, 1e6), unitOfMeasure: LINE, skuName: LINE, productName: LINE, currencyCode: LINE }), 1000),
})

/** USD per hour of a size. */
interface Price {
  readonly full: number | undefined
  readonly spot: number | undefined
}

/** Sizes in a region, the preferred one first. */
interface Offer {
  readonly region: string
  readonly types: readonly string[]
}

export class Prices {
  readonly #context: Pick<CloudContext, 'env' | 'log'>
  readonly #known = new Once<Price | undefined>()

  constructor(context: Pick<CloudContext, 'env' | 'log'>) {
    this.#context = context
  }

  /** Throws if the price is unknown because the list could not be asked. */
  async quote(offer: Offer, spot: SpotRequest): Promise<Quote | undefined> {
    const trouble: unknown[] = []
    const [full, market] = await Promise.all([this.#all(offer, 'full', trouble), this.#all(offer, 'spot', trouble)])
    return quoteDespite(trouble[0], spot, full, market?.first)
  }

  /** USD per hour of the dearest machine that exists, else of the first that may come. `undefined`: unknown. */
  async now(parts: readonly Part[]): Promise<number | undefined> {
    const inUse = parts.filter(({ machines }) => machines.length > 0)
    const asked = inUse.length > 0 ? inUse : parts.slice(0, 1)
    return fullOf(await Promise.all(asked.map(async (part) => this.#ofSet(part))))?.most
  }

  async #ofSet({ set: { location: region = '', sku, properties }, machines }: Part): Promise<number | undefined> {
    const there = machines.flatMap((machine) => machine.properties?.hardwareProfile?.vmSize ?? [])
    const wanted = properties?.skuProfile?.vmSizes?.flatMap(({ name }) => name ?? []) ?? (sku?.name === undefined ? [] : [sku.name])
    const types = [...new Set(there.length > 0 ? there : wanted)]
    const prices = await this.#all({ region, types }, properties?.virtualMachineProfile?.priority === 'Spot' ? 'spot' : 'full')
    return there.length > 0 ? prices?.most : prices?.first
  }

  /** `trouble` gets the error if a price could not be asked for. */
  async #all({ region, types }: Offer, market: keyof Price, trouble: unknown[] = []): Promise<Full | undefined> {
    const prices = await Promise.all(types.map(async (type) => this.#of(region, type, trouble)))
    return fullOf(prices.map((price) => price?.[market]))
  }

  async #of(region: string, type: string, trouble: unknown[]): Promise<Price | undefined> {
    return this.#known
      .get(`${region} ${type}`, async () => this.#ask(region, type))
      .catch((error: unknown) => {
        this.#context.log.debug(`the price of ${type} is not known: ${messageOf(error)}`)
        trouble.push(error)
        return undefined
      })
  }

  async #ask(region: string, type: string): Promise<Price | undefined> {
    const url = new URL(this.#context.env[ELSEWHERE] || LIST)
    const facts = { serviceName: 'Virtual Machines', armRegionName: region, armSkuName: type, priceType: 'Consumption' }
    const filter = Object.entries(facts).map(([name, value]) => `${name} eq '${value}'`)
    url.searchParams.set('$filter', filter.join(' and '))
    const hourly = parseShape(answer, await askPriceList(url)).Items.filter(
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
