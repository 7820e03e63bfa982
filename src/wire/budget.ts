/** What a run may cost, and what it has cost: the same rule for its follower and for its machines, which apply it if nobody follows. */
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

interface Worked<A = Pick<Attempt, 'start' | 'end' | 'lastSign'>> {
  readonly attempts: readonly A[]
  /** ISO: when its record was last written. */
  readonly at?: string
}

type Priced = Worked<Pick<Attempt, 'start' | 'end' | 'lastSign' | 'holder' | 'full'>>

/**
 * Hours that machines held slots, summed over all attempts, without their boot. An attempt that has not ended counts until the last sign of
 * life of its machine. `now`: ISO, for slots of which that is not known.
 */
export function machineHours(slots: readonly Worked[], now: string): number {
  let milliseconds = 0
  for (const { attempts, at = now } of slots)
    for (const { start, lastSign = at < now ? at : now, end = lastSign } of attempts)
      milliseconds += Math.max(0, Date.parse(end) - Date.parse(start))
  return milliseconds / 3_600_000
}

/** USD by the prices of the start, each machine by its own. */
export function spentBy({ hour, full = hour }: Budget, slots: readonly Priced[], now: string): number {
  const dear = new Set(slots.flatMap(({ attempts }) => attempts.flatMap((one) => (one.full ? one.holder : []))))
  const hours = (atFull: boolean): number =>
    machineHours(
      slots.map((slot) => ({ ...slot, attempts: slot.attempts.filter(({ holder }) => dear.has(holder) === atFull) })),
      now,
    )
  return hours(false) * hour + hours(true) * full
}

export function overspent(budget: Budget, slots: readonly Priced[], now: string): string | undefined {
  return usedUp(budget, spentBy(budget, slots, now))
}

/** Who asks for the stop, for people; `undefined`: the budget is not used up. */
export function usedUp({ most }: Budget, spent: number): string | undefined {
  return spent >= most ? `max-cost of ${most} USD` : undefined
}
