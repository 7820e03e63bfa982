/** What a run may cost, and what it has cost: the same rule for whoever follows it and for its machines, which are there when nobody follows. */
import { number, object } from '../lib/shape.ts'
import type { Attempt } from './slot.ts'

export interface Budget {
  /** USD. */
  readonly most: number
  /** USD that a machine costs per hour, as it was known at the start. */
  readonly hour: number
}

export const budgetShape = object<Budget>({ most: number(0, 1e9), hour: number(0, 1e9) })

interface Worked {
  readonly attempts: readonly Pick<Attempt, 'start' | 'end'>[]
}

/** Hours that machines held slots, summed over all attempts: what they take to boot is not in it. `now`: ISO, for what still runs. */
export function machineHours(slots: readonly Worked[], now: string): number {
  let milliseconds = 0
  for (const { start, end } of slots.flatMap(({ attempts }) => attempts))
    milliseconds += Math.max(0, Date.parse(end ?? now) - Date.parse(start))
  return milliseconds / 3_600_000
}

/** By the price of the start. */
export function overspent(budget: Budget, slots: readonly Worked[], now: string): string | undefined {
  return usedUp(budget, machineHours(slots, now) * budget.hour)
}

/** Who asks for the stop, for people; `undefined`: there is something left. */
export function usedUp({ most }: Budget, spent: number): string | undefined {
  return spent >= most ? `max-cost of ${most} USD` : undefined
}
