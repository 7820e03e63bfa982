/** Store calls of a machine that must succeed in the end: repeated while the store cannot be reached. */
import { messageOf } from '../lib/text.ts'
import { outlast } from '../wire/outage.ts'
import { isStoreError } from '../wire/store.ts'

/** Milliseconds: pauses between two tries, and how long one may go without an answer. */
const PATIENCE = { first: 100, longest: 2000, callLimit: 20_000 }

/** Failures that are temporary, or that somebody can fix meanwhile: all except a failed condition, a removed deployment and an invalid call. */
export function mayPass(error: unknown): boolean {
  return isStoreError(error, 'unavailable') || isStoreError(error, 'denied') || isStoreError(error, 'full')
}

/** Until it resolves or fails for good; see `outlast`. */
export async function persist<T>(
  call: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  onTrouble?: (error: unknown) => void,
): Promise<T> {
  try {
    return await outlast(async (limit = signal) => call(limit), { ...PATIENCE, passes: mayPass, signal, onTrouble })
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
