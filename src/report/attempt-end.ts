/** What is said of an attempt that has ended, and of the next one: one line, in the same words everywhere. */
import type { Attempt } from '../wire/slot.ts'

type Ended = Pick<Attempt, 'epoch' | 'cause' | 'reason'> & Partial<Pick<Attempt, 'holder'>>

/** How an attempt has ended, and why. One that was only interrupted is not said to have ended. */
export function attemptEnd({ epoch, cause, reason, holder }: Ended): string {
  const why = reason ?? cause ?? 'its machine is gone'
  const where = holder === undefined || why.includes(holder) ? '' : ` on ${holder}`
  return `attempt ${epoch}${where} ${cause === 'interrupted' ? 'was interrupted' : 'ended'}: ${why}`
}

/** The same, with the attempt that follows. `savedAt`: ISO time of the checkpoint from which that one continues, if it is known. */
export function machineChange(attempts: readonly Attempt[], from: number, to: number, savedAt?: string): string {
  const of = (epoch: number): Attempt | undefined => attempts.find((attempt) => attempt.epoch === epoch)
  const begins = savedAt === undefined ? 'begins' : 'continues'
  const checkpoint = savedAt === undefined ? '' : ` from the checkpoint of ${savedAt.slice(11, 19)} UTC`
  return `${attemptEnd(of(from) ?? { epoch: from })}; attempt ${to} ${begins} on ${of(to)?.holder ?? 'another machine'}${checkpoint}`
}
