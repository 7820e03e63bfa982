/** Ctrl-C, or another signal, as a test sends it to a command. */
import type { Signals } from '../../src/verbs/shared/signals.ts'

/** `first`: aborted when the command is interrupted. `second`: when whoever sent that does not wait any longer; absent: never. */
export function signalledBy(
  first: AbortSignal,
  kind: ReturnType<Signals['kind']> = 'SIGINT',
  second: AbortSignal = new AbortController().signal,
): Signals {
  return { first, second, kind: () => (first.aborted ? kind : undefined) }
}
