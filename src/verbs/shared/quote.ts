/** What a run will cost, before it is created. */
import type { Cloud, SpotRequest } from '../../core/cloud.ts'
import { InputError } from '../../core/errors.ts'
import type { Quote, Reach } from '../../core/quote.ts'
import type { DeploymentRequest } from '../../engine/create/group-spec.ts'
import { shortNumber } from '../../report/run.ts'
import type { Budget } from '../../wire/budget.ts'
import { overtime } from '../../wire/lifetime.ts'
import type { VerbContext } from './context.ts'
import { freeOf } from './price.ts'

type Asked = Pick<DeploymentRequest, 'count' | 'timeout' | 'grace' | 'reserve'>

/** `undefined`: these machines have no price. Throws if the cloud could not be asked for it. */
export async function quoteOf(
  context: VerbContext,
  { cloudId, cloud }: { readonly cloudId: string; readonly cloud: Cloud },
  request: DeploymentRequest,
): Promise<Quote | undefined> {
  if (freeOf(context, cloudId) !== undefined) return { hour: 0, most: 0 }
  return cloud.quote?.(request)
}

/**
 * What `max-cost` (`most`, USD) means for a run. Throws if its cost could not be counted: if the price of its machines is not known, or their full
 * price, where full-price machines may start beside spot machines.
 */
export function budgetOf(quote: Quote | undefined, most: number, { want }: Pick<SpotRequest, 'want'>): Budget {
  if (quote && want !== 'prefer') return { most, hour: quote.hour }
  if (quote?.most !== undefined) return { most, hour: quote.hour, full: quote.most }
  if (quote?.trouble !== undefined) throw quote.trouble
  const [price, instead] = quote ? ['full price', ', write `spot: true`'] : ['price', '']
  throw new InputError([
    {
      option: 'max-cost',
      message: `max-cost: the ${price} of these machines is not known, so tpi cannot tell when it is reached`,
      hint: `leave it out and set a shorter timeout${instead}, or choose types with a known price`,
    },
  ])
}

/** USD, if every machine worked until the hard deadline. */
export function worstCase({ most }: Quote, request: Asked): number | undefined {
  return most === undefined ? undefined : most * request.count * mostHours(request)
}

const mostHours = (request: Omit<Asked, 'count'>): number => (request.timeout + overtime(request)) / 3600

export function costWords(quote: Quote | undefined, request: Asked & { readonly maxCost?: number }): string {
  if (!quote) return 'unknown: the cloud gives no price'
  if (quote.hour === 0) return 'nothing: the machines cost nothing'
  const worst = worstCase(quote, request)
  const { maxCost } = request
  return [
    `about ${shortNumber(quote.hour * request.count)} USD per hour`,
    worst === undefined ? 'at most: unknown' : `at most ${shortNumber(worst)} USD until everything has ended`,
    ...(maxCost === undefined ? [] : [`stopped at ${maxCost} USD`]),
    ...besides(quote, request).map((one) => `besides, ${one}`),
    'storage and traffic are not included',
  ].join('; ')
}

/** What is charged in addition to the machines. */
export function besides({ reach, onTop }: Quote, request: Asked): readonly string[] {
  return [...(onTop === undefined ? [] : [onTop]), ...(reach ? besidesOf(reach, request) : [])]
}

function besidesOf(reach: Reach, request: Asked): readonly string[] {
  const { addressed, address, gateway } = reach
  const hourly =
    address === undefined
      ? 'by the hour'
      : `${shortNumber(address)} USD per hour, at most ${shortNumber(address * request.count * mostHours(request))} USD`
  const metered = gateway === undefined ? 'by the gigabyte' : `${shortNumber(gateway)} USD per gigabyte`
  return [
    addressed ? `a public address of each machine, ${hourly}` : `what they send and fetch through a NAT gateway, ${metered}`,
    ...(reach.zones > 1 && request.count > 1 ? ['what they send each other between zones, by the gigabyte'] : []),
  ]
}
