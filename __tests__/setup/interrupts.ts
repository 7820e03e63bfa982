/** Ctrl-C, or another signal, as a test sends it to a command. */
import type { Interrupts } from '../../src/verbs/shared/interrupts.ts'

/** `first`: aborted when the command is interrupted. `second`: when whoever sent that does not wait any longer; absent: never. */
export function interruptedBy(
  first: AbortSignal,
  kind: ReturnType<Interrupts['kind']> = 'SIGINT',
  second: AbortSignal = new AbortController().signal,
): Interrupts {
  return { first, second, kind: () => (first.aborted ? kind : undefined) }
}
