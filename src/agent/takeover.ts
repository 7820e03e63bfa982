/** The rules of taking a slot over, as one pure function: either the next attempt begins, or the slot is closed with the cause. */
import { type Circumstances, closing, cutOff, isOwnEnd, type SlotEnd } from '../wire/ending.ts'
import { type Attempt, type SlotRecord, unseenEnd } from '../wire/slot.ts'
import type { RetryRule } from '../wire/spec.ts'

/** Announced interruptions in a row that saved nothing new, after which going on is pointless. */
const FRUITLESS = 3

export interface Taker {
  readonly machine: string
  readonly address?: string
  /** ISO, now. */
  readonly at: string
  /** Milliseconds between signs of life. */
  readonly beat: number
  /** Last log segment of an attempt that was cut off; absent when nobody was. */
  readonly logEnd?: number
  /** How we know that the holder let go: for people. */
  readonly silence: string
}

export interface Rules extends Circumstances {
  readonly retry: Pick<RetryRule, 'maxAttempts'>
}

/** The record that takes the slot (epoch + 1). Not for terminal records. The nonce is the writer's. */
export function takeOver(record: SlotRecord, taker: Taker, rules: Rules): SlotRecord {
  const { holder: _holder, phase: _phase, released: _released, address: last, ...rest } = record
  const end = unseenEnd(record, taker.beat, taker.at)
  const logEnd = taker.logEnd === undefined ? {} : { logEnd: taker.logEnd }
  const attempts = cutOff(record.attempts, ({ reason = taker.silence }) => ({ end, cause: 'lost', reason, ...logEnd }))
  const next = { ...rest, attempts, epoch: record.epoch + 1, beat: record.beat + 1, at: taker.at }
  const verdict = closing(rules) ?? giveUp(attempts, rules)
  // Where the last holder could be reached stays with a slot that has ended: siblings of a gang go on counting alike.
  if (verdict) return { ...next, ...(last === undefined ? {} : { address: last }), ...verdict }
  const address = taker.address === undefined ? {} : { address: taker.address }
  return { ...next, ...address, ...beginning(next, taker.machine, taker.at) }
}

/** The fields of a record whose attempt number `epoch` begins now. */
export function beginning(record: Pick<SlotRecord, 'attempts' | 'epoch'>, machine: string, at: string) {
  const attempt: Attempt = { epoch: record.epoch, holder: machine, start: at }
  return { state: 'booting', phase: 'restoring', holder: machine, attempts: [...record.attempts, attempt] } as const
}

function giveUp(attempts: readonly Attempt[], rules: Rules): SlotEnd | undefined {
  const lost = attempts.filter(countsAsLost)
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

/** Ends that the user's programs brought about are accounted for by `retries`, announced ones by their progress. */
function countsAsLost(attempt: Attempt): boolean {
  return attempt.announced !== true && attempt.end !== undefined && !isOwnEnd(attempt.cause)
}

/** How many attempts at the end of the list were announced interruptions that saved nothing. */
function fruitless(attempts: readonly Attempt[]): number {
  const last = attempts.findLastIndex((attempt) => attempt.announced !== true || attempt.saved === true)
  return attempts.length - 1 - last
}
