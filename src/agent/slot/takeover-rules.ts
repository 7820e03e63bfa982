/** The rules of a takeover, as one pure function: either the next attempt begins, or the slot is closed for a reason. */
import type { RetryRule } from '../../wire/retry-rule.ts'
import { type Attempt, type SlotRecord, unseenEnd } from '../../wire/slot.ts'
import { type Circumstances, closing, endOpenAttempt, isOwnEnd, type SlotEnd } from '../../wire/slot-end.ts'

/** After so many announced interruptions in a row that saved nothing new, going on is pointless. */
const FRUITLESS = 3

export interface Taker {
  readonly machine: string
  readonly address?: string
  /** ISO, now. */
  readonly at: string
  /** Milliseconds between two signs of life of a holder. */
  readonly beat: number
  /** The last log segment of the attempt that this one follows; absent if that has ended by itself, or there was none. */
  readonly logEnd?: number
  /** Why the slot may be taken, for people: `machine m1 went silent`. */
  readonly silence: string
}

export interface Rules extends Circumstances {
  readonly retry: Pick<RetryRule, 'maxAttempts' | 'lasted'>
}

/** The record with which the taker takes the slot (epoch + 1), or closes it. Not for terminal records. The writer adds a nonce. */
export function takeOver(record: SlotRecord, taker: Taker, rules: Rules): SlotRecord {
  const { holder: _holder, phase: _phase, transfer: _transfer, released: _released, address: last, ...rest } = record
  const end = unseenEnd(record, taker.beat, taker.at)
  const logEnd = taker.logEnd === undefined ? {} : { logEnd: taker.logEnd }
  const attempts = endOpenAttempt(record.attempts, ({ reason = taker.silence }) => ({ end, cause: 'lost', reason, ...logEnd }))
  const next = { ...rest, attempts, epoch: record.epoch + 1, beat: record.beat + 1, at: taker.at }
  const slotEnd = closing(rules) ?? giveUp(next, rules)
  // A slot that has ended keeps the address of its last holder, so that its siblings in a gang see the same list as before.
  if (slotEnd) return { ...next, ...(last === undefined ? {} : { address: last }), ...slotEnd }
  const address = taker.address === undefined ? {} : { address: taker.address }
  return { ...next, ...address, ...beginning(next, taker.machine, taker.at) }
}

/** The fields of a record whose attempt begins now; its number is `record.epoch`. */
export function beginning(record: Pick<SlotRecord, 'attempts' | 'epoch'>, machine: string, at: string) {
  const attempt: Attempt = { epoch: record.epoch, holder: machine, start: at }
  return { state: 'booting', phase: 'restoring', holder: machine, attempts: [...record.attempts, attempt] } as const
}

function giveUp(record: Pick<SlotRecord, 'attempts' | 'jobs'>, rules: Rules): SlotEnd | undefined {
  const { attempts } = record
  const lost = attempts
    .slice(attempts.findLastIndex((attempt) => wasWorthIt(attempt, record, rules.retry)) + 1)
    .filter((attempt) => countsAsLost(attempt, rules.retry))
  if (lost.length >= rules.retry.maxAttempts) {
    const last = lost.at(-1)?.reason
    return {
      state: 'failed',
      cause: 'attempts',
      reason: `${lost.length} attempts ended without notice${last ? `, the last: ${last}` : ''}`,
    }
  }
  if (fruitless(attempts) < FRUITLESS) return undefined
  return {
    state: 'failed',
    cause: 'no-progress',
    reason: `${FRUITLESS} interruptions in a row, and none of these attempts saved anything new`,
  }
}

/** Whether a runner's attempt served a job, or lasted long enough: then lost machines before it do not count. Never true for a task. */
function wasWorthIt({ epoch, saved, start, end }: Attempt, { jobs = [] }: Pick<SlotRecord, 'jobs'>, { lasted }: Rules['retry']): boolean {
  if (jobs.some((job) => job.epoch === epoch && job.end !== undefined && !job.interrupted)) return true
  return lasted !== undefined && saved === true && end !== undefined && Date.parse(end) - Date.parse(start) >= lasted * 1000
}

/**
 * Whether an attempt counts against `max-attempts`. A failed script counts against `retries`, an announced end against `FRUITLESS`. A runner's full
 * disk counts here (only runners have `lasted`): perhaps its machines have too small a disk for anything.
 */
function countsAsLost({ announced, end, cause }: Attempt, { lasted }: Rules['retry']): boolean {
  if (announced === true || end === undefined) return false
  return !isOwnEnd(cause) || (cause === 'disk-full' && lasted !== undefined)
}

/** How many of the latest attempts, in a row, were announced interruptions that saved nothing. */
function fruitless(attempts: readonly Attempt[]): number {
  const last = attempts.findLastIndex((attempt) => attempt.announced !== true || attempt.saved === true)
  return attempts.length - 1 - last
}
