/** Waiting out an outage, the same for machines and controllers: only their patience differs. */

import { orAborted } from '../lib/abort.ts'
import { retry } from '../lib/backoff.ts'
import { systemClock } from '../lib/clock.ts'
import { Waited } from '../lib/staleness.ts'
import { isStoreError } from './store.ts'

export interface Outage {
  /** Milliseconds: the longest pause before the first repetition, and ever. */
  readonly first: number
  readonly longest: number
  /** Which failures are temporary; absent: only a store that cannot be reached. */
  readonly passes?: (error: unknown) => boolean
  /** Milliseconds, awake, after which it gives up; absent: only the signal ends it. */
  readonly patience?: number | undefined
  /** Milliseconds after which one call without an answer counts as failed. Its outcome is then unknown. */
  readonly callLimit?: number
  /** Called for every failure that is waited out; `tries` counts from 1. */
  readonly onTrouble?: ((error: unknown, tries: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
  readonly clock?: { now(): number; sleep(milliseconds: number, signal?: AbortSignal): Promise<void> }
}

/**
 * Runs `call` until it resolves, fails for good, or patience is over; rejects with the signal's reason once that aborts. A write that was tried
 * twice may have arrived both times: the caller makes it conditional or harmless.
 */
export async function outlast<T>(call: (signal: AbortSignal | undefined) => Promise<T>, outage: Outage): Promise<T> {
  const { first, longest, passes = isAway, patience = Number.POSITIVE_INFINITY, callLimit, onTrouble, signal, clock = systemClock } = outage
  const waited = new Waited(clock)
  const again = (error: unknown, tries: number): boolean => {
    const worth = (error instanceof NoAnswer || passes(error)) && waited.time <= patience
    if (worth) onTrouble?.(error, tries)
    return worth
  }
  const act = async (): Promise<T> => (callLimit === undefined ? call(signal) : limited(call, callLimit, signal))
  return await retry(act, { first, longest, again, signal, sleep: async (time) => clock.sleep(time, signal) })
}

function isAway(error: unknown): boolean {
  return isStoreError(error, 'unavailable')
}

class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** A hanging call must not block its caller, whether or not the store obeys the signal. */
async function limited<T>(call: (signal: AbortSignal) => Promise<T>, limit: number, signal: AbortSignal | undefined): Promise<T> {
  const own = new AbortController()
  const abort = (): void => own.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const timer = setTimeout(() => own.abort(new NoAnswer(`no answer within ${limit / 1000} s`)), limit)
  try {
    return await orAborted(call(own.signal), own.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}
