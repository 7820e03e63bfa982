/** Store calls of a machine that must succeed in the end: they are repeated while the store cannot be reached. */
import { messageOf } from '../lib/text.ts'
import { type Outage, outlast } from '../wire/outage.ts'
import { isStoreError } from '../wire/store.ts'

/** Milliseconds between two tries. */
const PAUSE = { first: 100, longest: 2000 }
/** Milliseconds that a call may go without an answer. */
const CALL_LIMIT = 20_000

/**
 * Whether a failure may pass, by itself or because somebody fixes it. What does not pass: a condition that failed, damaged data, a removed
 * deployment, an invalid call.
 */
export function mayPass(error: unknown): boolean {
  return isStoreError(error, 'unavailable') || isStoreError(error, 'denied') || isStoreError(error, 'full')
}

/**
 * Repeats a call until it resolves or fails for good (see `outlast`). Only for small calls: one that takes longer than `CALL_LIMIT` begins
 * again, so one that always takes longer would never succeed.
 */
export async function persist<T>(
  call: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  onTrouble?: (error: unknown) => void,
): Promise<T> {
  return await lasting(call, { callLimit: CALL_LIMIT, signal, onTrouble })
}

/** The same for a call that transfers much and may be slow. It has no limit here: the store's client gives up when nothing comes. */
export async function persistSlow<T>(
  call: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  onTrouble?: (error: unknown) => void,
): Promise<T> {
  return await lasting(call, { signal, onTrouble })
}

async function lasting<T>(
  call: (signal: AbortSignal) => Promise<T>,
  { signal, ...outage }: Pick<Outage, 'callLimit' | 'onTrouble'> & { readonly signal: AbortSignal },
): Promise<T> {
  try {
    return await outlast(async (limit = signal) => call(limit), { ...PAUSE, passes: mayPass, signal, ...outage })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}

/** For `onTrouble`: reports each problem once, however often it happens. `what` is in trouble. */
export function tellOnce(say: (line: string) => void, what = 'store'): (error: unknown) => void {
  const said = new Set<string>()
  return (error) => {
    const line = `${what}: ${messageOf(error)}; trying again`
    if (!said.has(line)) say(line)
    said.add(line)
  }
}
