/** What is kept of a run that was not removed at its end, in words. One that fails at once may have saved nothing to go on from. */
import type { SlotStatus, Status } from '../engine/follow/status.ts'
import { isTerminal } from '../wire/slot.ts'

type Slots = { readonly slots: readonly Pick<SlotStatus, 'savedAt' | 'state'>[] }

/** Whether `resume` would find a checkpoint: one is there, or a slot that is still at work may save one. */
export function isResumable({ slots }: Slots): boolean {
  return slots.some(({ savedAt, state }) => savedAt !== null || !isTerminal(state))
}

export const keptOf = (run: Slots): string => (isResumable(run) ? 'last checkpoints and logs' : 'logs')

/** What people can do with them. */
export function usesOfKept(run: Pick<Status, 'name' | 'outcome' | 'slots'>): string {
  const { name, outcome } = run
  if (!isResumable(run)) return `\`tpi logs ${name}\` shows them`
  return outcome === 'success' ? `\`tpi pull ${name} GLOB --to DIR\` fetches files of them` : '`resume: true` starts from them'
}
