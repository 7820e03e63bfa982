/** What machines cost, put together from what a vendor tells of each type. USD per hour; what is not known is `undefined`, and nobody guesses. */
import type { Quote, SpotRequest } from '../../core/cloud.ts'

type Price = number | undefined

/** At the full price: of the type that comes unless there is none of it, and of the dearest. */
export interface Full {
  readonly first: number
  readonly most: number
}

/** All of them have to be known. */
export function fullOf(prices: readonly Price[]): Full | undefined {
  const known = prices.filter((price) => price !== undefined)
  const [first] = known
  return first === undefined || known.length < prices.length ? undefined : { first, most: Math.max(...known) }
}

/** `market`: of the cheapest spot machine. No vendor takes more for one than its full price. */
export function quoteFor(spot: SpotRequest, full: Full | undefined, market: Price): Quote | undefined {
  if (spot.want === 'never') return full && { hour: full.first, most: full.most }
  const most = spot.want === 'only' ? (spot.maxPrice ?? full?.most) : full?.most
  return market === undefined ? undefined : { hour: market, ...(most !== undefined && { most: Math.max(most, market) }) }
}
