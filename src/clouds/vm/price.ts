/** What machines cost, from what a vendor tells about each type. USD per hour; an unknown price is `undefined`, not guessed. */
import type { Quote, SpotRequest } from '../../core/cloud.ts'

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
