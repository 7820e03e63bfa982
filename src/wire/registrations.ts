/** Credentials and registrations of runners in the store: what is removed of them once a slot is closed. */
import type { Layout } from './layout.ts'
import type { SlotRecord } from './slot.ts'
import type { RunnerSpec, Spec } from './spec.ts'
import type { Store } from './store.ts'

/** Each slot has one credential or registration for all its holders and jobs, not one for each start. */
export function isLasting({ runner: { machine } }: RunnerSpec): boolean {
  return machine.registration !== undefined || machine.reusable === true
}

interface Runners {
  readonly store: Pick<Store, 'remove'>
  readonly keys: Layout
  readonly spec: Spec
}

/** Removes those of a closed slot, which nobody will use any more. */
export async function removeRegistrations({ store, keys, spec }: Runners, closed: SlotRecord): Promise<void> {
  const unused = unusedRegistrations(spec, keys, closed)
  if (unused.length > 0) await store.remove(unused)
}

function unusedRegistrations(spec: Spec, keys: Layout, { index, claimed = 0 }: SlotRecord): string[] {
  if (spec.mode !== 'runner') return []
  const { supply, machine } = spec.runner
  // One for many jobs is never used up. Of single ones, the last one that was taken may still be there.
  const first = isLasting(spec) ? 0 : Math.max(0, claimed - 1)
  const unused = Array.from({ length: Math.max(0, supply - first) }, (_, at) => keys.once(index, first + at))
  return machine.registration ? [...unused, keys.registration(index)] : unused
}
