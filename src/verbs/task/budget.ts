/** What `max-cost` means for a run, before it is created. */
import type { SpotRequest } from '../../core/cloud.ts'
import { InputError } from '../../core/errors.ts'
import type { Quote } from '../../core/quote.ts'
import type { Budget } from '../../wire/budget.ts'

/** A budget cannot be kept if costs cannot be counted, of machines at full price too if there may be such. Throws why that price is unknown. */
export function budgetOf(quote: Quote | undefined, most: number, { want }: Pick<SpotRequest, 'want'>): Budget {
  if (quote && want !== 'prefer') return { most, hour: quote.hour }
  if (quote?.most !== undefined) return { most, hour: quote.hour, full: quote.most }
  if (quote?.trouble !== undefined) throw quote.trouble
  const [price, instead] = quote ? ['full price', ', write "spot: true"'] : ['price', '']
  throw new InputError([
    {
      option: 'max-cost',
      message: `max-cost: the ${price} of these machines is not known, so tpi cannot tell when it is reached`,
      hint: `leave it out and set a shorter timeout${instead}, or choose types with a known price`,
    },
  ])
}
