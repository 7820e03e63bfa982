/** Waiting out an outage of a store or cloud. Machines and controllers do it in the same way, with different patience. */

import { orAborted } from '../lib/abort.ts'
import { retry } from '../lib/backoff.ts'
import { systemClock } from '../lib/clock.ts'
import { Waited } from '../lib/staleness.ts'
import { isStoreError } from './store.ts'

export interface Outage {
  /** Milliseconds before the second try, at most; the pause before each further try may be twice as long as the one before it. */
  readonly first: number
  /** Milliseconds between two tries, at most. */
  readonly longest: number
  /** Which failures are temporary; absent: only those of a store that is out of reach. */
  readonly passes?: (error: unknown) => boolean
  /** Milliseconds, awake, after which it gives up; absent: only the signal ends it. */
  readonly patience?: number | undefined
  /** Milliseconds after which a call without an answer counts as failed; whether it has arrived is then unknown. Absent: no limit. */
  readonly callLimit?: number
  /** Told of every failure that is waited out; `tries` counts from 1. */
  readonly onTrouble?: ((error: unknown, tries: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
  readonly clock?: { now(): number; sleep(milliseconds: number, signal?: AbortSignal): Promise<void> }
}

/**
 * Repeats `call` until it succeeds, fails for good, or patience is over; rejects with the signal's reason once that aborts. A call that was tried
 * twice may have arrived twice, so the caller makes it conditional, or such that this does no harm.
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

/** Runs the call with a time limit. The caller goes on then, even if the call ignores its signal. */
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
