/** What machines cost, from what a vendor tells about each type. USD per hour; an unknown price is `undefined`, not guessed. */
import type { Quote, SpotRequest } from '../../core/cloud.ts'
import { ask, type HttpCall } from '../../lib/http.ts'

type Price = number | undefined

/** Full prices: of the preferred type, and of the dearest one. */
export interface Full {
  readonly first: number
  readonly most: number
}

/** `undefined` if any of them is unknown. */
export function fullOf(prices: readonly Price[]): Full | undefined {
  const known = prices.filter((price) => price !== undefined)
  const [first] = known
  return first === undefined || known.length < prices.length ? undefined : { first, most: Math.max(...known) }
}

/** `market`: the price of the cheapest spot machine. No vendor charges more than the full price for a spot machine. */
export function quoteFor(spot: SpotRequest, full: Full | undefined, market: Price): Quote | undefined {
  if (spot.want === 'never') return full && { hour: full.first, most: full.most }
  const most = spot.want === 'only' ? (spot.maxPrice ?? full?.most) : full?.most
  return market === undefined ? undefined : { hour: market, ...(most !== undefined && { most: Math.max(most, market) }) }
}

/** Milliseconds. */
const PATIENCE = 10_000
/** Bytes: ten products, each with its terms for several years. */
const LARGEST = 16 << 20

/** What a vendor's price list answers. Throws if it does not, or refuses. */
export async function askPriceList(url: URL, call: Pick<HttpCall, 'method' | 'headers' | 'body'> = {}): Promise<string> {
  const { ok, status, text } = await ask(url, { ...call, patience: PATIENCE, most: LARGEST })
  if (text === undefined) throw new Error(`the price list answers with more than ${LARGEST} bytes`)
  if (!ok) throw new Error(`the price list answers ${status}: ${text.slice(0, 200)}`)
  return text
}
