/** What is known of a run when a report is written: every kind of report is made from this. */
import type { Delivery } from '../engine/deliver/collect.ts'
import type { Status } from '../engine/follow/status.ts'
import { formatSpan } from '../lib/duration.ts'
import { plural } from '../lib/text.ts'
import { machineHours } from '../wire/budget.ts'
import type { Sample } from '../wire/sample.ts'
import type { Tail } from './last-output.ts'

export interface Artifact {
  readonly name: string
  readonly id: string
  readonly url: string | undefined
}

export interface RunReport {
  readonly status: Status
  /** The command has not started the run, but found it. */
  readonly attached: boolean
  /** The values of the script: of one slot an object, of several a list by slot. */
  readonly result: unknown
  readonly delivery: Delivery | undefined
  /** ISO time until which store and last snapshots stay; absent if everything is gone, or the run goes on. */
  readonly keptUntil: string | undefined
  /** Present if what is kept ends sooner, with this CI job: what ends then, for people, such as `container`. */
  readonly fleeting?: string | undefined
  readonly artifact: Artifact | undefined
  /** The artifact with the whole log, if there is one. */
  readonly log?: Artifact | undefined
  /** The end of the log, by slot. */
  readonly tails: ReadonlyMap<number, Tail>
  readonly samples: ReadonlyMap<number, readonly Sample[]>
  /** USD per machine-hour; 0: machines cost nothing; absent: the cloud gives no price. */
  readonly price: number | undefined
  /** The present time, for runs that go on. */
  readonly now: Date
}

/** How long the run has taken until `end` (ISO), and what it was, in one line. */
export function tookLine({ createdAt, cloud, slots }: Status, end: string): string {
  const attempts = slots.reduce((sum, slot) => sum + slot.attempts.length, 0)
  return `${formatSpan(createdAt, end)} on ${cloud}, ${plural(slots.length, 'slot')}, ${plural(attempts, 'attempt')}`
}

/** Machine hours until its end, or until now. */
export const hoursOf = ({ status, now }: Pick<RunReport, 'status' | 'now'>): number =>
  machineHours(status.slots, status.endedAt ?? now.toISOString())

/** USD; `undefined` if the price is not known. */
export function costOf(run: Pick<RunReport, 'status' | 'now' | 'price'>): number | undefined {
  return run.price === undefined ? undefined : run.price * hoursOf(run)
}

/** What the run has cost so far, in one line. */
export function costLine(run: Pick<RunReport, 'status' | 'now' | 'price'>): string {
  const cost = costOf(run)
  if (cost === undefined) return 'unknown: the cloud gives no price'
  if (run.price === 0) return 'none: the machines cost nothing'
  return `about ${shortNumber(cost)} USD, at ${shortNumber(run.price ?? 0)} USD per machine-hour; storage and traffic are not included`
}

/** The cost of a run that is over, for programs; empty if the price is not known. */
export function costFacts(status: Status, price: number | undefined): { readonly price?: number; readonly cost?: number } {
  const now = new Date(status.endedAt ?? status.createdAt)
  return price === undefined ? {} : { price, cost: price * hoursOf({ status, now }) }
}

/** USD for a column of a table. */
export function shortCost(cost: number | undefined): string {
  if (cost === undefined) return '-'
  if (cost === 0) return 'none'
  return cost < 0.01 ? '<0.01 USD' : `${cost.toFixed(2)} USD`
}

/** A number with four decimals at most, without zeros at its end. */
export function shortNumber(value: number): string {
  return value.toFixed(4).replace(/\.?0+$/, '') || '0'
}

/** A time (ISO) to the minute. */
export const minute = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`
