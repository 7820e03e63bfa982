/** Registrations of runners in the store: which of them are unused once a slot is closed. */
import type { Layout } from './layout.ts'
import type { SlotRecord } from './slot.ts'
import type { RunnerSpec, Spec } from './spec.ts'

/** A slot's registration serves every next holder, for any number of jobs. */
export function isLasting({ runner: { machine } }: RunnerSpec): boolean {
  return machine.registration !== undefined || machine.reusable === true
}

/** Keys of a closed slot. */
export function unusedRegistrations(spec: Spec, keys: Layout, { index, claimed = 0 }: Pick<SlotRecord, 'index' | 'claimed'>): string[] {
  if (spec.mode !== 'runner') return []
  const { supply, machine } = spec.runner
  // A registration for many jobs is not used up when it is taken; neither is the last one that was taken.
  const first = isLasting(spec) ? 0 : Math.max(0, claimed - 1)
  const unused = Array.from({ length: Math.max(0, supply - first) }, (_, at) => keys.once(index, first + at))
  return machine.registration ? [...unused, keys.registration(index)] : unused
}
