/** What machines cost, from what a vendor tells about each type. USD per hour; an unknown price is `undefined`, not guessed. */
import type { SpotRequest } from '../../core/cloud.ts'
import { AuthError, isRetryable, RemoteError } from '../../core/errors.ts'
import type { Quote } from '../../core/quote.ts'
import { retry } from '../../lib/backoff.ts'
import { ask, type HttpCall, Unanswered } from '../../lib/http.ts'
import { isPassing } from './refusal.ts'

type Price = number | undefined

/** Full prices: of the preferred type, and of the dearest one. */
export interface Full {
  readonly first: number
  readonly most: number
}

/** `prices`: by type, the preferred one first. `undefined` if any of them is unknown. */
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

/** The same after a question has failed with `trouble`: it is thrown if there is no quote without that answer, and else is a part of the quote. */
export function quoteDespite(trouble: unknown, ...known: Parameters<typeof quoteFor>): Quote | undefined {
  const quote = quoteFor(...known)
  if (trouble === undefined) return quote
  if (!quote) throw trouble
  return { ...quote, trouble }
}

/** Milliseconds for one answer. */
const PATIENCE = 10_000
/** Bytes: one answer has ten products, each with its terms for several years. */
const LARGEST = 16 << 20

/**
 * Tries of one question, and milliseconds of pauses: it is asked about several types at once, which may be too many questions. A list that does
 * not answer at all is not asked again, because somebody is waiting.
 */
const RETRY = { tries: 4, first: 300, longest: 2000, again: isRetryable }

type SignedCall = Pick<HttpCall, 'method' | 'headers' | 'body'>

/** The answer of a vendor's price list. Throws if it does not answer, or refuses. `call`: absent if the list is public. */
export async function askPriceList(url: URL, call?: SignedCall): Promise<string> {
  return await retry(async () => askOnce(url, call), RETRY)
}

async function askOnce(url: URL, call: SignedCall | undefined): Promise<string> {
  const { ok, status, text } = await ask(url, { ...call, patience: PATIENCE, most: LARGEST }).catch((cause: unknown) => {
    if (!(cause instanceof Unanswered)) throw cause
    throw new RemoteError(`the price list at ${url.host} does not answer: ${cause.message}`, { cause })
  })
  if (text === undefined) throw new RemoteError(`the price list answers with more than ${LARGEST} bytes`)
  if (ok) return text
  const said = `the price list at ${url.host} answers ${status}: ${text.slice(0, 300)}`
  const refused = status === 401 || status === 403 || /AccessDenied/.test(text)
  if (refused && !call)
    throw new RemoteError(said, { hint: 'the list is public: let it through your proxy or firewall, or leave out max-cost' })
  if (refused)
    throw new AuthError(said, { hint: 'ask for the permission to read prices (tpi permissions says which), or leave out max-cost' })
  throw new RemoteError(said, { retryable: isPassing(status) || /Throttl/.test(text) })
}
