/** What a run may cost, and what it has cost: the same rule for its follower and for its machines, which apply it if nobody follows. */
import { maybe, number, object } from '../lib/shape.ts'
import type { Attempt } from './slot.ts'

export interface Budget {
  /** USD. */
  readonly most: number
  /** USD that a machine costs per hour, as it was known at the start. */
  readonly hour: number
  /** The same for a machine at the full price, if there can be such machines (`spot: prefer`). */
  readonly full?: number
}

export const budgetShape = object<Budget>({ most: number(0, 1e9), hour: number(0, 1e9), full: maybe(number(0, 1e9)) })

interface Worked {
  readonly attempts: readonly Pick<Attempt, 'start' | 'end'>[]
}

interface Priced {
  readonly attempts: readonly Pick<Attempt, 'start' | 'end' | 'holder' | 'full'>[]
}

/** Hours that machines held slots, summed over all attempts, without their boot. `now`: ISO, for attempts that are still running. */
export function machineHours(slots: readonly Worked[], now: string): number {
  let milliseconds = 0
  for (const { start, end } of slots.flatMap(({ attempts }) => attempts))
    milliseconds += Math.max(0, Date.parse(end ?? now) - Date.parse(start))
  return milliseconds / 3_600_000
}

/** USD by the prices of the start, each machine by its own. */
export function spentBy({ hour, full = hour }: Budget, slots: readonly Priced[], now: string): number {
  const attempts = slots.flatMap((slot) => slot.attempts)
  const dear = new Set(attempts.flatMap((one) => (one.full ? one.holder : [])))
  const hours = (at: boolean): number => machineHours([{ attempts: attempts.filter(({ holder }) => dear.has(holder) === at) }], now)
  return hours(false) * hour + hours(true) * full
}

export function overspent(budget: Budget, slots: readonly Priced[], now: string): string | undefined {
  return usedUp(budget, spentBy(budget, slots, now))
}

/** Who asks for the stop, for people; `undefined`: the budget is not used up. */
export function usedUp({ most }: Budget, spent: number): string | undefined {
  return spent >= most ? `max-cost of ${most} USD` : undefined
}
