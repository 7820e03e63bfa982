/** Store calls that must succeed in the end: tried again while the store is out of reach. */
import { retry } from '../lib/retry.ts'
import { messageOf } from '../lib/text.ts'
import { isStoreError } from '../wire/store.ts'

/** Milliseconds after which a call without an answer counts as failed. Its outcome is then unknown. */
const CALL_LIMIT = 20_000

/** What passes, or what somebody can mend meanwhile: everything but a lost condition, a removed deployment and a wrong call. A machine has nowhere else to go. */
export function mayMend(error: unknown): boolean {
  return isStoreError(error, 'unavailable') || isStoreError(error, 'denied') || isStoreError(error, 'full')
}

/**
 * Runs `call` until it resolves or fails for good; rejects with the signal's reason once that aborts. A write that was tried twice may have
 * arrived both times: the caller makes it conditional or harmless.
 */
export async function persist<T>(
  call: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  onTrouble?: (error: unknown) => void,
): Promise<T> {
  const again = (error: unknown): boolean => {
    const worth = error instanceof NoAnswer || mayMend(error)
    if (worth) onTrouble?.(error)
    return worth
  }
  try {
    return await retry(async () => limited(call, signal), { first: 100, longest: 2000, again, signal })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}

class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** A call that hangs must not hold up its caller, whether or not the store obeys the signal. */
async function limited<T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  const own = new AbortController()
  const abort = (): void => own.abort(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const timer = setTimeout(() => own.abort(new NoAnswer(`no answer within ${CALL_LIMIT / 1000} s`)), CALL_LIMIT)
  try {
    return await new Promise<T>((resolve, reject) => {
      own.signal.addEventListener('abort', () => reject(own.signal.reason), { once: true })
      call(own.signal).then(resolve, (error: unknown) => reject(own.signal.aborted ? own.signal.reason : error))
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/** For `onTrouble`: says each trouble once. */
export function tellOnce(say: (line: string) => void): (error: unknown) => void {
  const told = new Set<string>()
  return (error) => {
    const line = `store: ${messageOf(error)}; trying again`
    if (!told.has(line)) say(line)
    told.add(line)
  }
}
