/** Store calls of a machine that must succeed in the end: repeated while the store cannot be reached. */
import { messageOf } from '../lib/text.ts'
import { type Outage, outlast } from '../wire/outage.ts'
import { isStoreError } from '../wire/store.ts'

/** Milliseconds between two tries. */
const PAUSE = { first: 100, longest: 2000 }
/** Milliseconds that a call may go without an answer. */
const CALL_LIMIT = 20_000

/** Failures that are temporary, or that somebody can fix meanwhile: all except a failed condition, a removed deployment and an invalid call. */
export function mayPass(error: unknown): boolean {
  return isStoreError(error, 'unavailable') || isStoreError(error, 'denied') || isStoreError(error, 'full')
}

/**
 * Until it resolves or fails for good; see `outlast`. For small calls, one at a time: one that takes longer than the limit begins again, so
 * what does not fit into it is never done.
 */
export async function persist<T>(
  call: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  onTrouble?: (error: unknown) => void,
): Promise<T> {
  return await lasting(call, { callLimit: CALL_LIMIT, signal, onTrouble })
}

/** The same for a call that carries much, and takes as long as its line is slow: it is given up only when the store does that, for silence. */
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

/** For `onTrouble`: reports each problem once. */
export function tellOnce(say: (line: string) => void): (error: unknown) => void {
  const said = new Set<string>()
  return (error) => {
    const line = `store: ${messageOf(error)}; trying again`
    if (!said.has(line)) say(line)
    said.add(line)
  }
}
