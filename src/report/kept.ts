/** What is kept of a run that was not removed at its end, in words. One that fails at once may have saved nothing to go on from. */
import type { SlotStatus, Status } from '../engine/follow/status.ts'
import { isTerminal } from '../wire/slot.ts'

type Slots = { readonly slots: readonly Pick<SlotStatus, 'savedAt' | 'state'>[] }

/** Whether a checkpoint is there, or a slot that is still at work may save one. */
export function hasCheckpoint({ slots }: Slots): boolean {
  return slots.some(({ savedAt, state }) => savedAt !== null || !isTerminal(state))
}

/** What a command with `resume` would do with it; `undefined`: it would start from the beginning. */
export function onResume(run: Slots): string | undefined {
  if (hasCheckpoint(run)) return 'goes on from them'
  const open = run.slots.filter(({ state }) => state !== 'succeeded').length
  return open > 0 && open < run.slots.length ? 'runs the slots that have not succeeded' : undefined
}

export const keptOf = (run: Slots): string => (hasCheckpoint(run) ? 'last checkpoints and logs' : 'logs')

/** What people can do with them. */
export function usesOfKept(run: Pick<Status, 'name' | 'outcome' | 'slots'>): string {
  const { name, outcome } = run
  const resuming = outcome === 'success' ? undefined : onResume(run)
  if (resuming !== undefined) return `\`resume: true\` ${resuming}`
  return hasCheckpoint(run) ? `\`tpi pull ${name} GLOB --to DIR\` fetches files of them` : `\`tpi logs ${name}\` shows them`
}

/** What people can do with what is kept of a stopped run. `resuming`: see `onResume`; `saved`: see `hasCheckpoint`; `them`: what stands for it. */
export function waysOn(
  name: string,
  how: { readonly resuming: string | undefined; readonly saved: boolean; readonly them: string },
): string {
  const { resuming, saved, them } = how
  return [
    ...(resuming === undefined ? [] : [`the same command with \`resume: true\` ${resuming}`]),
    saved ? `\`tpi collect ${name}\` fetches outputs` : `\`tpi logs ${name}\` shows ${them}`,
    `\`tpi destroy ${name}\` removes ${them}`,
  ].join(', ')
}
