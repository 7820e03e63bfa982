/** Ctrl-C, or another signal, that a test sends to a command. */
import type { Signals } from '../../src/verbs/shared/signals.ts'

/** `first`: aborted when the command is interrupted. `second`: aborted when the sender does not wait any longer; absent: never. */
export function signalledBy(
  first: AbortSignal,
  kind: ReturnType<Signals['kind']> = 'SIGINT',
  second: AbortSignal = new AbortController().signal,
): Signals {
  return { first, second, kind: () => (first.aborted ? kind : undefined) }
}
