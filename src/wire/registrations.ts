/** Credentials and registrations of runners in the store: which of them nobody needs once a slot is closed. */
import type { Layout } from './layout.ts'
import type { SlotRecord } from './slot.ts'
import type { RunnerSpec, Spec } from './spec.ts'

/** Each slot has one credential or registration for all its holders and jobs, not one for each start. */
export function isLasting({ runner: { machine } }: RunnerSpec): boolean {
  return machine.registration !== undefined || machine.reusable === true
}

/** The keys that a closed slot no longer needs. */
export function unusedRegistrations(spec: Spec, keys: Layout, { index, claimed = 0 }: Pick<SlotRecord, 'index' | 'claimed'>): string[] {
  if (spec.mode !== 'runner') return []
  const { supply, machine } = spec.runner
  // One for many jobs is never used up. Of single ones, the last one that was taken may still be there.
  const first = isLasting(spec) ? 0 : Math.max(0, claimed - 1)
  const unused = Array.from({ length: Math.max(0, supply - first) }, (_, at) => keys.once(index, first + at))
  return machine.registration ? [...unused, keys.registration(index)] : unused
}
