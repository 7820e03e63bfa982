/** What a run may cost, and what it has cost: one rule for followers and for machines, which apply it if nobody follows. */
import { maybe, number, object } from '../lib/shape.ts'
import type { Attempt } from './slot.ts'

export interface Budget {
  /** USD. */
  readonly most: number
  /** USD that a machine costs per hour, as it was known at the start. */
  readonly hour: number
  /** The same for a machine at full price, if there can be such machines (`spot: prefer`). */
  readonly full?: number
}

export const budgetShape = object<Budget>({ most: number(0, 1e9), hour: number(0, 1e9), full: maybe(number(0, 1e9)) })

/** A slot, as far as its hours count. */
interface Worked {
  readonly attempts: readonly Pick<Attempt, 'start' | 'end' | 'lastSign'>[]
  /** ISO: when its record was last written. */
  readonly at?: string
}

/** The same, with what decides the price of each hour. */
interface Priced extends Worked {
  readonly attempts: readonly Pick<Attempt, 'start' | 'end' | 'lastSign' | 'holder' | 'full'>[]
}

/**
 * Hours for which machines held slots, summed over all attempts; their boot does not count. An attempt that has not ended counts until the last sign
 * of life of its machine, or until `now` (ISO) if that is not known.
 */
export function machineHours(slots: readonly Worked[], now: string): number {
  let milliseconds = 0
  for (const { attempts, at = now } of slots)
    for (const { start, lastSign = at < now ? at : now, end = lastSign } of attempts)
      milliseconds += Math.max(0, Date.parse(end) - Date.parse(start))
  return milliseconds / 3_600_000
}

/** USD by the prices of the start, each machine at its own. */
export function spentBy({ hour, full = hour }: Budget, slots: readonly Priced[], now: string): number {
  const atFull = new Set(slots.flatMap(({ attempts }) => attempts.filter((one) => one.full).map(({ holder }) => holder)))
  const hours = (counts: (holder: string) => boolean): number =>
    machineHours(
      slots.map((slot) => ({ ...slot, attempts: slot.attempts.filter(({ holder }) => counts(holder)) })),
      now,
    )
  return hours((holder) => !atFull.has(holder)) * hour + hours((holder) => atFull.has(holder)) * full
}

/** As `usedUp`, by the prices of the start. */
export function overspent(budget: Budget, slots: readonly Priced[], now: string): string | undefined {
  return usedUp(budget, spentBy(budget, slots, now))
}

/** If the budget is used up: the text for `StopRequest.by`. `spent`: USD. */
export function usedUp({ most }: Budget, spent: number): string | undefined {
  return spent >= most ? `max-cost of ${most} USD` : undefined
}
