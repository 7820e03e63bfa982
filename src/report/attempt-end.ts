/** The message for the change from one machine to the next: one line, the same words everywhere, however late. */
import type { Attempt } from '../wire/slot.ts'

type Ended = Pick<Attempt, 'epoch' | 'cause' | 'reason'> & Partial<Pick<Attempt, 'holder'>>

/** An interruption is nobody's failure. */
export function attemptEnd({ epoch, cause, reason, holder }: Ended): string {
  const why = reason ?? cause ?? 'its machine is gone'
  const where = holder === undefined || why.includes(holder) ? '' : ` on ${holder}`
  return `attempt ${epoch}${where} ${cause === 'interrupted' ? 'was interrupted' : 'ended'}: ${why}`
}

/** For an attempt that is followed by another. `savedAt`: ISO, of the checkpoint that the next one goes on from, if known. */
export function machineChange(attempts: readonly Attempt[], from: number, to: number, savedAt?: string): string {
  const of = (epoch: number): Attempt | undefined => attempts.find((attempt) => attempt.epoch === epoch)
  const begins = savedAt === undefined ? 'begins' : 'continues'
  const checkpoint = savedAt === undefined ? '' : ` from the checkpoint of ${savedAt.slice(11, 19)} UTC`
  return `${attemptEnd(of(from) ?? { epoch: from })}; attempt ${to} ${begins} on ${of(to)?.holder ?? 'another machine'}${checkpoint}`
}
