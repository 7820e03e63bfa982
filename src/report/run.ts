/** What is known of a run when its report is written: the input of every kind of report. */
import type { Delivery } from '../engine/deliver/collect.ts'
import type { Status } from '../engine/follow/status.ts'
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
  readonly attached: boolean
  /** Values of the program: of one slot an object, of many a list by index. */
  readonly result: unknown
  readonly delivery: Delivery | undefined
  /** ISO time until which store and last snapshots stay; absent when everything is gone or it still runs. */
  readonly keptUntil: string | undefined
  /** What all that goes with before that time, for people: a host that ends with the CI job. */
  readonly fleeting?: string | undefined
  readonly artifact: Artifact | undefined
  /** The whole log, if the CI run keeps it. */
  readonly log?: Artifact | undefined
  /** The end of the log, by slot. */
  readonly tails: ReadonlyMap<number, Tail>
  readonly samples: ReadonlyMap<number, readonly Sample[]>
  /** USD per machine-hour: 0 if machines cost nothing, absent if the cloud gives no price. */
  readonly price: number | undefined
  /** Now, for runs that are still going on. */
  readonly now: Date
}

export const hoursOf = ({ status, now }: Pick<RunReport, 'status' | 'now'>): number =>
  machineHours(status.slots, status.endedAt ?? now.toISOString())

/** USD; `undefined` if the price is not known. */
export function costOf(run: Pick<RunReport, 'status' | 'now' | 'price'>): number | undefined {
  return run.price === undefined ? undefined : run.price * hoursOf(run)
}

export function costLine(run: Pick<RunReport, 'status' | 'now' | 'price'>): string {
  const cost = costOf(run)
  if (cost === undefined) return 'unknown: the cloud gives no price'
  if (run.price === 0) return 'none: the machines cost nothing'
  return `about ${shortNumber(cost)} USD, at ${shortNumber(run.price ?? 0)} USD per machine-hour; storage and traffic are not included`
}

/** For programs, of a run that is over; nothing if the price is not known. */
export function costFacts(status: Status, price: number | undefined): { readonly price?: number; readonly cost?: number } {
  const now = new Date(status.endedAt ?? status.createdAt)
  return price === undefined ? {} : { price, cost: price * hoursOf({ status, now }) }
}

/** USD in a column of a table. */
export function shortCost(cost: number | undefined): string {
  if (cost === undefined) return '-'
  return cost === 0 ? 'none' : cost < 0.01 ? '<0.01 USD' : `${cost.toFixed(2)} USD`
}

/** At most four decimals, without trailing zeros. */
export function shortNumber(value: number): string {
  return value.toFixed(4).replace(/\.?0+$/, '') || '0'
}

/** A time (ISO) to the minute. */
export const minute = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`
