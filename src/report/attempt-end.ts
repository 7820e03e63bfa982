/** What is said where the turn of one machine ends and that of another begins: the same words, whoever tells it and however late. */
import type { Attempt } from '../wire/slot.ts'

/** An interruption is nobody's failure. */
export function attemptEnd({ epoch, cause, reason }: Pick<Attempt, 'epoch' | 'cause' | 'reason'>): string {
  const why = reason ?? cause ?? 'its machine is gone'
  return cause === 'interrupted' ? `interrupted: ${why}` : `attempt ${epoch} ended: ${why}`
}

/** Where the lines of an attempt are followed by those of another one. */
export function machineChange(attempts: readonly Attempt[], from: number, to: number): string {
  const of = (epoch: number): Attempt | undefined => attempts.find((attempt) => attempt.epoch === epoch)
  return `${attemptEnd(of(from) ?? { epoch: from })}; attempt ${to} begins on machine ${of(to)?.holder ?? '?'}`
}
